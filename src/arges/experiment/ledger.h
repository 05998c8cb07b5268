#pragma once
// The points of an optimisation: counted, kept, evaluated ahead.

#include <deque>
#include <functional>
#include <map>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "arges/experiment/constraint_units.h"
#include "arges/experiment/optimise.h"

namespace arges {

// The search has to end; what was found until then is in the Ledger.
struct SearchEnded {
  SearchStatus status;
};

// Evaluates on the unit cube, counts, and keeps the best point. Methods see objective and
// constraints in units of their own (ConstraintUnits).
//
// A method that asks for one point after another is run on all cores by guessing what it will ask
// for. Methods are deterministic (their random numbers have a seed), so they can be run again:
//
//   repeat
//     run the method from its beginning; what was evaluated before comes from the record
//     at a point that is new: it was evaluated ahead -> take it, into the record
//                             else -> from here on each point is answered with "worse than all",
//                             and noted, until there are enough of them; leave the method, and
//                             evaluate what was noted at once
//   until the method ends by itself
//
// A generation of a population is guessed completely, for its members do not depend on each other's
// values. Guesses that were wrong cost time, but do not count and change nothing.
class Ledger {
 public:
  Ledger(const Objective& objective, const OptimiseRequest& request);

  // Objective and constraints are asked for one by one, and so are their slopes: points of late are
  // not evaluated again. Throws SearchEnded; also when a method asks for nothing else any more, as
  // one does whose population has become one point: no limit of its own would ever end it.
  const Appraisal& at(std::span<const double> unit);
  // These points come next.
  void announce(const std::vector<std::vector<double>>& units) const;
  // Finds the units of objective and constraints, with evaluations at a point and beside it, at
  // most a quarter of those that are left; nothing when they are known. To be called before another
  // point has a value.
  void measure_units(const std::vector<double>& unit);
  // The end of a method that knows when it is at a minimum. Other points may have lower values
  // because they make use of what constraints may be violated: by this `gain`, at most. As far as
  // that may be so, this one is the best; false otherwise.
  bool settle_on(std::span<const double> unit, double gain);
  // Runs a method as above; just so when there is one thread.
  void replay(const std::function<void()>& method);

  void allow(std::int64_t evaluations) { allowed_ = evaluations; }
  std::int64_t allowed() const { return allowed_; }
  std::int64_t evaluations() const { return evaluations_; }
  const std::vector<double>& best() const { return best_unit_; }
  double best_value() const { return best_value_; }  // in its unit, as methods see it
  // The best point as it is, and to go back to it after points that are hardly better because they
  // violate constraints as far as they may, or by the noise of runs.
  struct Standing {
    std::vector<double> unit{};  // empty: no value anywhere
    double value = 0;
    Violation violation{};
  };
  Standing standing() const { return {best_unit_, best_value_, best_violation_}; }
  void go_back_to(const Standing& best) {
    best_unit_ = best.unit;
    best_value_ = best.value;
    best_violation_ = best.violation;
  }
  // Whether the best point is one, and satisfies the constraints.
  bool is_feasible() const { return !best_unit_.empty() && satisfies(best_violation_); }
  // Likewise of an appraisal as methods see it.
  bool is_feasible(const Appraisal& appraisal) const {
    return satisfies(units_.violation_of(appraisal));
  }
  const ConstraintUnits& units() const { return units_; }
  // The best point of each structure that has a value, the best structure first.
  std::vector<std::vector<double>> best_of_structures() const;
  // How many structures were tried, with or without a value.
  bool has_tried(const std::string& structure) const { return standings_.contains(structure); }
  std::int64_t structures() const {
    return static_cast<std::int64_t>(standings_.size() - standings_.count(""));
  }
  SearchResult result(SearchStatus status) const;

 private:
  struct Entry {
    std::vector<double> unit;
    Appraisal appraisal;
  };
  struct EnoughGuessed {};

  std::vector<double> point(std::span<const double> unit) const;
  const Appraisal& remember(Entry entry);
  const Appraisal& guess(std::span<const double> unit);
  const Appraisal& evaluate(std::span<const double> unit);
  const Appraisal& enter(Entry entry);  // as the objective gives it
  void run_guesses();
  Appraisal worse_than_all() const;
  bool satisfies(const Violation& violation) const {
    return violation.relative <= request_.constraint_tolerance;
  }
  bool is_better(double value, const Violation& violation, const Standing& than) const;

  const Objective& objective_;
  const OptimiseRequest& request_;
  std::deque<Entry> recent_;  // the newest first
  std::vector<double> best_unit_;
  std::map<std::string, Standing> standings_;  // by structure, where there are whole numbers
  double worst_ = 0, best_value_;
  Violation best_violation_;
  ConstraintUnits units_;
  bool measured_ = false;
  std::int64_t evaluations_ = 0, allowed_ = 0;
  std::size_t repeats_ = 0;  // how often points of late were asked for since the last new one

  bool guesses_ = false, guessing_ = false;
  std::vector<Entry> record_;
  std::size_t replayed_ = 0;
  std::vector<std::vector<double>> guessed_;
  std::set<std::vector<double>> ahead_;  // points, not units
  std::size_t at_once_ = 0, hits_ = 0;
};

}  // namespace arges
