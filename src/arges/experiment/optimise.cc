#include "arges/experiment/optimise.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include <fmt/format.h>

#include "arges/base/error.h"
#include "arges/experiment/feasibility.h"
#include "arges/experiment/improvement.h"
#include "arges/experiment/ledger.h"
#include "arges/experiment/nlopt_search.h"
#include "arges/experiment/search_everywhere.h"
#include "arges/experiment/surroundings.h"
#include "arges/experiment/whole_numbers.h"

namespace arges {

namespace {

// Those that were tried before are left out.
SearchStatus try_all(Ledger& ledger, const OptimiseRequest& request,
                     std::vector<std::vector<double>> units) {
  const SearchLimits& limits = request.limits;
  std::erase_if(units, [&](const std::vector<double>& unit) {
    std::vector<double> x;
    for (std::size_t i = 0; i < unit.size(); ++i)
      x.push_back(request.variables[i].from_unit(unit[i]));
    return ledger.has_tried(structure_at(request, x));
  });
  const auto at_once = static_cast<std::size_t>(8 * std::max(limits.width, 1));
  ledger.allow(limits.max_evaluations);
  try {
    for (std::size_t k = 0; k < units.size(); ++k) {
      if (k % at_once == 0) {
        const std::size_t end = std::min(units.size(), k + at_once);
        ledger.announce({units.begin() + static_cast<std::ptrdiff_t>(k),
                         units.begin() + static_cast<std::ptrdiff_t>(end)});
      }
      ledger.at(units[k]);
    }
  } catch (const SearchEnded& ended) {
    return ended.status;
  }
  return SearchStatus::kFound;
}

// A local method cannot begin where the objective has no value: when that is so at the start,
// points all over the range are tried until there is one, with a part of the evaluations. Returns
// the start, or the first point with a value; throws SearchEnded.
std::vector<double> where_there_is_a_value(Ledger& ledger, std::vector<double> start,
                                           std::int64_t most) {
  ledger.at(start);
  for (std::int64_t k = 1; ledger.best().empty() && k <= most; ++k)
    ledger.at(spread_point(start.size(), k));
  return ledger.best().empty() ? start : ledger.best();
}

// What a local method has come to is a minimum when nothing around it is better; else the search
// goes on from there, a few times, the second time with a method that does not need slopes.
// Likewise where it has not come to a point that satisfies the constraints.
SearchStatus confirm(Ledger& ledger, const OptimiseRequest& request, const OptimiserInfo& method,
                     bool keeps_integers) {
  constexpr int kMostRestarts = 8;
  ledger.allow(request.limits.max_evaluations);
  const bool is_constrained = request.inequalities + request.equalities > 0;
  for (int round = 0;; ++round) {
    try {
      std::vector<double> start = ledger.best();
      if (!ledger.is_feasible()) {
        find_feasible(ledger, request, request.limits.max_evaluations - ledger.evaluations());
        if (!ledger.is_feasible()) {
          const bool is_used_up = ledger.evaluations() >= request.limits.max_evaluations;
          return is_used_up ? SearchStatus::kLimit : SearchStatus::kFound;
        }
        start = ledger.best();
      } else {
        const std::optional<std::vector<double>> better = better_nearby(ledger, request);
        if (!better) return SearchStatus::kFound;
        start = *better;
      }
      if (round == kMostRestarts) return SearchStatus::kLimit;
      const bool other = round % 2 == 1 || (is_constrained && !method.constraints);
      run_local(other ? find_optimiser(is_constrained ? "cobyla" : "sbplx") : method, ledger,
                request, start, keeps_integers);
    } catch (const SearchEnded& ended) {
      if (ended.status != SearchStatus::kFound) return ended.status;
    }
  }
}

}  // namespace

void Appraisal::constrain(double left, double right, bool equal) {
  (equal ? zero : at_most_zero).push_back(left - right);
  (equal ? terms_zero : terms_at_most_zero).push_back(std::max(std::abs(left), std::abs(right)));
}

namespace {

// The last part of a search of whole numbers alone. Ends as the search had, or at the limit.
SearchStatus step_on(Ledger& ledger, const OptimiseRequest& request, SearchStatus status) {
  ledger.allow(request.limits.max_evaluations);
  try {
    step_along_whole_numbers(ledger, request);
  } catch (const SearchEnded& ended) {
    return ended.status;
  }
  return status;
}

}  // namespace

SearchResult optimise(const Objective& objective, const OptimiseRequest& request) {
  if (request.variables.empty()) throw ApiError("an optimisation needs something to vary");
  const OptimiserInfo& info =
      find_optimiser(request.method == "auto" ? automatic_optimiser(request) : request.method);
  std::vector<double> start;
  for (const SearchVariable& each : request.variables) {
    start.push_back(std::clamp(each.to_unit(each.first_guess()), 0.0, 1.0));
    if (each.scale == SearchVariable::Scale::kInteger && !info.integers)
      throw UserError(fmt::format("the method '{}' cannot vary '{}', a whole number: gaco, sga, "
                                  "ihs, direct, crs, isres and esch can",
                                  info.name, each.name),
                      {"method", "vary"});
  }
  Ledger ledger(objective, request);
  ledger.allow(request.limits.max_evaluations);
  const bool has_constraints = request.inequalities + request.equalities > 0;
  if (has_constraints || !info.global) {
    try {
      start = where_there_is_a_value(ledger, start, request.limits.max_evaluations / 4);
      if (!ledger.best().empty() && (has_constraints || info.name == "slsqp"))
        ledger.measure_units(start);
    } catch (const SearchEnded& ended) {
      return ledger.result(ended.status);
    }
  }
  const bool is_discrete = count_whole_numbers(request) == request.variables.size();
  if (is_discrete && request.method == "auto") {
    if (const auto all = all_structures(request, request.limits.max_evaluations))
      return ledger.result(try_all(ledger, request, *all));
  }
  const bool polishes = info.global && !is_discrete;
  Polish polish = polishes ? plan_polish(request) : Polish{};
  // So that whole numbers, too, come to where the constraints are satisfied.
  const bool steps = info.global && is_discrete && has_constraints;
  if (steps) polish.evaluations = request.limits.max_evaluations / 8;
  ledger.allow(request.limits.max_evaluations - polish.evaluations);
  SearchStatus status = SearchStatus::kFound;
  try {
    if (!info.global) {
      run_local(info, ledger, request, start);
    } else {
      search_everywhere(info, ledger, request, start, polishes);
      // Methods of pagmo stop when they have used what they may.
      if (info.evolves) status = SearchStatus::kLimit;
    }
  } catch (const SearchEnded& ended) {
    status = ended.status;
  }
  const std::int64_t looked_at = ledger.evaluations();
  if (polishes && status != SearchStatus::kCancelled && !ledger.best().empty())
    status = improve_structures(ledger, request, polish.structures);
  if (steps && status != SearchStatus::kCancelled) status = step_on(ledger, request, status);
  if (!is_discrete && status == SearchStatus::kFound && !ledger.best().empty())
    status = confirm(ledger, request, info.global ? find_optimiser(local_optimiser(request)) : info,
                     info.global);
  if (is_discrete && status == SearchStatus::kLimit) {
    const auto all = all_structures(request, ledger.structures());
    if (all && static_cast<std::int64_t>(all->size()) <= ledger.structures())
      status = SearchStatus::kFound;
  }
  SearchResult result = ledger.result(status);
  if (polishes && result.status == SearchStatus::kFound) {
    result.message = fmt::format(
        "a local minimum, from the best of the {} points that {} has looked at all over the range: "
        "whether there is a lower one elsewhere is not known",
        looked_at, info.name);
  }
  return result;
}

}  // namespace arges
