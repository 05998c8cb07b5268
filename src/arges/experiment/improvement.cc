#include "arges/experiment/improvement.h"

#include <algorithm>
#include <set>
#include <string>

#include "arges/experiment/nlopt_search.h"
#include "arges/experiment/whole_numbers.h"

namespace arges {

Polish plan_polish(const OptimiseRequest& request) {
  const std::int64_t all = request.limits.max_evaluations;
  const std::size_t whole = count_whole_numbers(request);
  Polish polish{std::min(all / 4, all - 1)};
  if (whole == 0) return polish;
  // What a local search needs at least.
  const auto each = static_cast<std::int64_t>(40 * (request.variables.size() - whole));
  if (auto structures = all_structures(request, all / 2 / each)) {
    polish.structures = std::move(*structures);
    polish.evaluations = all / 2;
  }
  return polish;
}

namespace {

// Local searches from the best points of structures.
class Improvement {
 public:
  Improvement(Ledger& ledger, const OptimiseRequest& request)
      : ledger_(ledger),
        request_(request),
        method_(find_optimiser(local_optimiser(request))),
        first_steps_(kFirstSteps * static_cast<std::int64_t>(request.variables.size() -
                                                             count_whole_numbers(request))) {}

  // `all` structures, where they are so few that each can have its share.
  SearchStatus run(const std::vector<std::vector<double>>& all) {
    try {
      if (!all.empty()) {
        improve_all(all);
      } else if (count_whole_numbers(request_) > 0) {
        improve_some();
      }
      if (left() > 0 && !ended_.contains(structure_of(ledger_.best())))
        search_from(std::vector<double>(ledger_.best()), left());
    } catch (const SearchEnded& cancelled) {
      return cancelled.status;
    }
    return ended_.contains(structure_of(ledger_.best())) ? SearchStatus::kFound
                                                         : SearchStatus::kLimit;
  }

 private:
  std::int64_t left() const { return request_.limits.max_evaluations - ledger_.evaluations(); }

  std::string structure_of(const std::vector<double>& unit) const {
    std::vector<double> x;
    for (std::size_t i = 0; i < unit.size(); ++i)
      x.push_back(request_.variables[i].from_unit(unit[i]));
    return structure_at(request_, x);
  }

  // Throws SearchEnded when the user has interrupted it.
  void search_from(const std::vector<double>& unit, std::int64_t evaluations) {
    ledger_.allow(ledger_.evaluations() + evaluations);
    tried_.insert(structure_of(unit));
    try {
      run_local(method_, ledger_, request_, unit, true);
      ended_.insert(structure_of(unit));
    } catch (const SearchEnded& why) {
      if (why.status == SearchStatus::kCancelled) throw;
      if (why.status == SearchStatus::kFound) ended_.insert(structure_of(unit));
    }
  }

  void improve_all(const std::vector<std::vector<double>>& all) {
    std::vector<std::vector<double>> starts = ledger_.best_of_structures();
    std::set<std::string> known;
    for (const std::vector<double>& unit : starts) known.insert(structure_of(unit));
    for (const std::vector<double>& unit : all) {
      if (known.insert(structure_of(unit)).second) starts.push_back(unit);
    }
    for (std::size_t k = 0; k < starts.size() && left() > 0; ++k)
      search_from(starts[k], left() / static_cast<std::int64_t>(starts.size() - k));
  }

  // First steps from the best one, from what differs by one from it, as long as that is better, and
  // from the next best; half of the evaluations are for the one that wins.
  void improve_some() {
    const std::int64_t reserve = left() / 2;
    const auto look = [&](const std::vector<double>& unit) {
      const std::string structure = structure_of(unit);
      if (structure.empty() || tried_.contains(structure) || left() - first_steps_ < reserve)
        return;
      search_from(unit, first_steps_);
    };
    const std::vector<std::vector<double>> best = ledger_.best_of_structures();
    look(best.front());
    for (std::string before; before != structure_of(ledger_.best());) {
      before = structure_of(ledger_.best());
      for (const std::vector<double>& unit : neighbours(ledger_.best())) look(unit);
    }
    for (std::size_t k = 1; k < best.size() && k < kMostImproved; ++k) look(best[k]);
  }

  std::vector<std::vector<double>> neighbours(const std::vector<double>& unit) const {
    std::vector<std::vector<double>> all;
    for (std::size_t i = 0; i < unit.size(); ++i) {
      const SearchVariable& each = request_.variables[i];
      if (each.scale != SearchVariable::Scale::kInteger) continue;
      for (const double step : {-1.0, 1.0}) {
        const double value = each.from_unit(unit[i]) + step;
        if (value < each.low || value > each.high) continue;
        all.push_back(unit);
        all.back()[i] = each.to_unit(value);
      }
    }
    return all;
  }

  static constexpr std::int64_t kFirstSteps = 10;  // evaluations for each value
  static constexpr std::size_t kMostImproved = 8;

  Ledger& ledger_;
  const OptimiseRequest& request_;
  const OptimiserInfo& method_;
  std::int64_t first_steps_;
  std::set<std::string> tried_, ended_;  // structures; those whose search has come to its end
};

}  // namespace

SearchStatus improve_structures(Ledger& ledger, const OptimiseRequest& request,
                                const std::vector<std::vector<double>>& all) {
  return Improvement(ledger, request).run(all);
}

}  // namespace arges
