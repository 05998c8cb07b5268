#include "arges/experiment/optimise.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

#include <fmt/format.h>

#include "arges/base/error.h"
#include "arges/base/nearest.h"
#include "arges/experiment/evolution.h"
#include "arges/experiment/ledger.h"
#include "arges/experiment/nlopt_search.h"
#include "arges/experiment/whole_numbers.h"

namespace arges {

namespace {

using Scale = SearchVariable::Scale;

// pagmo wants whole numbers last, and as such.
void run_evolution(const OptimiserInfo& info, Ledger& ledger, const OptimiseRequest& request,
                   const std::vector<double>& start, std::int64_t evaluations) {
  const auto is_integer = [&](std::size_t i) {
    return request.variables[i].scale == Scale::kInteger;
  };
  std::vector<std::size_t> order(start.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_partition(order.begin(), order.end(), [&](std::size_t i) { return !is_integer(i); });
  EvolutionTask task;
  task.method = info.name;
  for (const std::size_t i : order) {
    const SearchVariable& each = request.variables[i];
    task.low.push_back(is_integer(i) ? each.low : 0);
    task.high.push_back(is_integer(i) ? each.high : 1);
    task.start.push_back(is_integer(i) ? each.from_unit(start[i]) : start[i]);
    task.integers += is_integer(i) ? 1 : 0;
  }
  task.equalities = request.equalities;
  task.inequalities = request.inequalities;
  task.evaluations = evaluations;
  task.seed = request.seed;
  task.fitness = [&](const std::vector<double>& point) {
    std::vector<double> unit(point.size());
    for (std::size_t k = 0; k < order.size(); ++k) {
      const std::size_t i = order[k];
      unit[i] = is_integer(i) ? request.variables[i].to_unit(point[k]) : point[k];
    }
    const Appraisal& appraisal = ledger.at(unit);
    std::vector<double> fitness{appraisal.value};
    fitness.insert(fitness.end(), appraisal.zero.begin(), appraisal.zero.end());
    fitness.insert(fitness.end(), appraisal.at_most_zero.begin(), appraisal.at_most_zero.end());
    return fitness;
  };
  evolution_plugin().evolve(task);
}

}  // namespace

void Appraisal::constrain(double left, double right, bool equal) {
  (equal ? zero : at_most_zero).push_back(left - right);
  (equal ? terms_zero : terms_at_most_zero).push_back(std::max(std::abs(left), std::abs(right)));
}

const std::vector<OptimiserInfo>& optimisers() {
  static const std::vector<OptimiserInfo> kAll{
      {"bobyqa", "quadratic model without derivatives; smooth objectives"},
      {"cobyla", "linear models without derivatives; constraints", false, true},
      {"sbplx", "Nelder-Mead on subspaces; rough objectives"},
      {"neldermead", "simplex of Nelder and Mead"},
      {"praxis", "principal axes without derivatives"},
      {"slsqp", "quadratic programming with differences; smooth, constraints", false, true},
      {"direct", "division of rectangles", true, false, true},
      {"crs", "controlled random search", true, false, true},
      {"isres", "evolution strategy with constraints", true, true, true},
      {"esch", "evolution strategy", true, false, true},
      {"de", "differential evolution", true, false, false, true},
      {"sade", "differential evolution that adapts itself", true, false, false, true},
      {"cmaes", "evolution strategy with adaptation of the covariance", true, false, false, true},
      {"pso", "particle swarm", true, false, false, true},
      {"bee", "artificial bee colony", true, false, false, true},
      {"sga", "simple genetic algorithm; whole numbers", true, false, true, true},
      {"gaco", "ant colony; whole numbers and constraints", true, true, true, true},
      {"ihs", "harmony search; whole numbers and constraints", true, true, true, true},
  };
  return kAll;
}

const OptimiserInfo& find_optimiser(const std::string& name) {
  const auto found = std::ranges::find(optimisers(), name, &OptimiserInfo::name);
  if (found != optimisers().end()) return *found;
  std::vector<std::string> names{"auto"};
  for (const OptimiserInfo& each : optimisers()) names.push_back(each.name);
  throw UserError(
      fmt::format("there is no method of optimisation '{}'{}", name, did_you_mean(name, names)),
      {"method"});
}

namespace {

// For what is not a whole number.
std::string local_optimiser(const OptimiseRequest& request) {
  if (request.inequalities + request.equalities > 0) return "cobyla";
  return request.variables.size() - count_whole_numbers(request) == 1 ? "sbplx" : "bobyqa";
}

// The local part of a search that looks everywhere.
struct Polish {
  std::int64_t evaluations = 0;
  std::vector<std::vector<double>> structures{};  // all of them, when they are so few
};

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

SearchStatus try_all(Ledger& ledger, const std::vector<std::vector<double>>& units,
                     const SearchLimits& limits) {
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
// points all over the range are tried until there is one, with a part of the evaluations. They are
// those of the additive recurrence with the powers of 1/r, r^(n+1) = r + 1, which fills a cube
// evenly. Returns the start, or the first point with a value; throws SearchEnded.
std::vector<double> where_there_is_a_value(Ledger& ledger, std::vector<double> start,
                                           std::int64_t most) {
  ledger.at(start);
  double root = 1;
  for (int k = 0; k < 64; ++k)
    root = std::pow(1 + root, 1.0 / static_cast<double>(start.size() + 1));
  for (std::int64_t k = 1; ledger.best().empty() && k <= most; ++k) {
    std::vector<double> unit;
    for (std::size_t i = 0; i < start.size(); ++i) {
      const double step = std::pow(root, -static_cast<double>(i + 1)) * static_cast<double>(k);
      unit.push_back(0.5 + step - std::floor(0.5 + step));
    }
    ledger.at(unit);
  }
  return ledger.best().empty() ? start : ledger.best();
}

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
      if (each.scale != Scale::kInteger) continue;
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

// A method that looks everywhere. A population that has become one point long before its
// evaluations are used up has found one valley: it begins `again`, with other random numbers.
// Throws SearchEnded.
void search_everywhere(const OptimiserInfo& info, Ledger& ledger, OptimiseRequest request,
                       const std::vector<double>& start, bool again) {
  for (const std::int64_t whole = ledger.allowed();; ++request.seed) {
    const std::int64_t before = ledger.evaluations();
    try {
      ledger.replay([&] {
        if (info.evolves) {
          run_evolution(info, ledger, request, start, whole - before);
        } else {
          run_nlopt(info, ledger, request, start);
        }
      });
    } catch (const SearchEnded& ended) {
      if (ended.status != SearchStatus::kFound || !again) throw;
    }
    const std::int64_t used = ledger.evaluations() - before;
    if (!again || used == 0 || whole - ledger.evaluations() < whole / 8) return;
  }
}

}  // namespace

std::string automatic_optimiser(const OptimiseRequest& request) {
  return count_whole_numbers(request) > 0 ? "gaco" : local_optimiser(request);
}

SearchResult optimise(const Objective& objective, const OptimiseRequest& request) {
  if (request.variables.empty()) throw ApiError("an optimisation needs something to vary");
  const OptimiserInfo& info =
      find_optimiser(request.method == "auto" ? automatic_optimiser(request) : request.method);
  std::vector<double> start;
  for (const SearchVariable& each : request.variables) {
    start.push_back(std::clamp(each.to_unit(each.first_guess()), 0.0, 1.0));
    if (each.scale == Scale::kInteger && !info.integers)
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
      if (!ledger.best().empty()) ledger.measure_constraints(start);
    } catch (const SearchEnded& ended) {
      return ledger.result(ended.status);
    }
  }
  const bool is_discrete = count_whole_numbers(request) == request.variables.size();
  if (is_discrete && request.method == "auto") {
    const std::int64_t left = request.limits.max_evaluations - ledger.evaluations();
    if (const auto all = all_structures(request, left))
      return ledger.result(try_all(ledger, *all, request.limits));
  }
  const bool polishes = info.global && !is_discrete;
  const Polish polish = polishes ? plan_polish(request) : Polish{};
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
    status = Improvement(ledger, request).run(polish.structures);
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
