#include <algorithm>

#include <fmt/format.h>

#include "arges/base/error.h"
#include "arges/base/nearest.h"
#include "arges/experiment/optimise.h"
#include "arges/experiment/whole_numbers.h"

namespace arges {

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

std::string local_optimiser(const OptimiseRequest& request) {
  if (request.inequalities + request.equalities > 0) return "cobyla";
  return request.variables.size() - count_whole_numbers(request) == 1 ? "sbplx" : "bobyqa";
}

std::string automatic_optimiser(const OptimiseRequest& request) {
  return count_whole_numbers(request) > 0 ? "gaco" : local_optimiser(request);
}

}  // namespace arges
