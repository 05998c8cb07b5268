#pragma once
// Rules that say what to do, and the number that comes of them.

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "arges/fuzzy/fuzzy_set.h"

namespace arges::fuzzy {

// "And": of the grades of the conditions of a rule.
enum class And { kMinimum, kProduct };

// The conditions of rules, one after another: input i is in set sets[i] of its own (empty: in any).
struct Conditions {
  std::vector<std::optional<std::size_t>> sets;
  double weight = 1;  // of the rule, between 0 and 1
};

// Inputs with their sets, and conditions over them.
class RuleBase {
 public:
  explicit RuleBase(And and_means) : and_(and_means) {}

  // Returns the number of the input.
  std::size_t add_input(std::vector<FuzzySet> sets);
  // Throws ApiError for an input or a set that does not exist. Returns the number of the rule.
  std::size_t add_rule(Conditions conditions);

  std::size_t inputs() const { return inputs_.size(); }
  std::size_t rules() const { return rules_.size(); }
  const std::vector<FuzzySet>& sets(std::size_t input) const { return inputs_[input]; }
  // How far each rule applies.
  std::vector<double> strengths(std::span<const double> x) const;

 private:
  And and_;
  std::vector<std::vector<FuzzySet>> inputs_;
  std::vector<Conditions> rules_;
};

// Takagi and Sugeno: rule k concludes y_k = c_k + sum_i a_ki x_i; the output is the mean of all,
// weighted by the strengths. `otherwise` where no rule applies.
class Sugeno {
 public:
  explicit Sugeno(And and_means, double otherwise = 0) : base_(and_means), otherwise_(otherwise) {}

  std::size_t add_input(std::vector<FuzzySet> sets) { return base_.add_input(std::move(sets)); }
  // `slopes` has as many entries as there are inputs, or none.
  void add_rule(Conditions conditions, double constant, std::vector<double> slopes = {});
  // A rule for each combination of sets of two inputs.
  void add_table(const std::function<double(std::size_t, std::size_t)>& constant);

  double operator()(std::span<const double> x) const;
  const RuleBase& base() const { return base_; }

 private:
  struct Conclusion {
    double constant;
    std::vector<double> slopes;
  };
  RuleBase base_;
  double otherwise_;
  std::vector<Conclusion> conclusions_;
};

// What a strength makes of the set that a rule concludes: cuts it off, or scales it.
enum class Implication { kCut, kScale };
enum class Defuzzification { kCentroid, kMeanOfMaxima };

// Mamdani: rule k concludes a set over [low, high]. Their union (the maximum) is turned into a
// number: its centre of area, or the middle of where it is largest. Both are exact: all sets are
// piecewise linear. The middle of the range where no rule applies.
class Mamdani {
 public:
  Mamdani(And and_means, double low, double high, Implication implication = Implication::kCut,
          Defuzzification defuzzification = Defuzzification::kCentroid);

  std::size_t add_input(std::vector<FuzzySet> sets) { return base_.add_input(std::move(sets)); }
  void add_rule(Conditions conditions, FuzzySet conclusion);

  double operator()(std::span<const double> x) const;
  // The union of all conclusions at x: points from low to high, linear in between.
  std::vector<SetPoint> conclusion(std::span<const double> x) const;
  const RuleBase& base() const { return base_; }

 private:
  RuleBase base_;
  double low_, high_;
  Implication implication_;
  Defuzzification defuzzification_;
  std::vector<FuzzySet> conclusions_;
};

}  // namespace arges::fuzzy
