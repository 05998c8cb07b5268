#include "arges/experiment/search_everywhere.h"

#include <algorithm>
#include <numeric>

#include "arges/experiment/evolution.h"
#include "arges/experiment/nlopt_search.h"

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

}  // namespace arges
