// The methods of pagmo. Its headers are slow to compile: they stay in this file.

#include <pagmo/algorithms/bee_colony.hpp>
#include <pagmo/algorithms/cmaes.hpp>
#include <pagmo/algorithms/de.hpp>
#include <pagmo/algorithms/gaco.hpp>
#include <pagmo/algorithms/ihs.hpp>
#include <pagmo/algorithms/pso.hpp>
#include <pagmo/algorithms/sade.hpp>
#include <pagmo/algorithms/sga.hpp>
#include <pagmo/population.hpp>
#include <pagmo/problem.hpp>
#include <pagmo/problems/unconstrain.hpp>

#include <algorithm>
#include <stdexcept>

#include "arges/experiment/evolution.h"

namespace {

using arges::EvolutionTask;

// pagmo copies its problems: they only point to the task.
struct Problem {
  const EvolutionTask* task = nullptr;

  pagmo::vector_double fitness(const pagmo::vector_double& x) const { return task->fitness(x); }
  std::pair<pagmo::vector_double, pagmo::vector_double> get_bounds() const {
    return {task->low, task->high};
  }
  pagmo::vector_double::size_type get_nix() const { return task->integers; }
  pagmo::vector_double::size_type get_nec() const { return task->equalities; }
  pagmo::vector_double::size_type get_nic() const { return task->inequalities; }
};

struct Choice {
  pagmo::algorithm algorithm;
  unsigned population;
  bool constraints;
};

// Populations as the methods' authors advise for few variables and few evaluations.
Choice choose(const EvolutionTask& task) {
  const auto seed = static_cast<unsigned>(task.seed);
  const unsigned n = static_cast<unsigned>(task.low.size());
  const auto generations = [&](unsigned population, unsigned evaluations_of_each = 1) {
    return std::max(1u, static_cast<unsigned>(task.evaluations / population / evaluations_of_each));
  };
  const unsigned small = std::max(8u, 5 * n), even = (std::max(16u, 6 * n) + 1) / 2 * 2;
  const std::string& name = task.method;
  if (name == "de")
    return {pagmo::algorithm{pagmo::de(generations(small), 0.8, 0.9, 2u, 0, 1e-9, seed)}, small,
            false};
  if (name == "sade")
    return {pagmo::algorithm{pagmo::sade(generations(small), 2u, 1u, 0, 1e-9, false, seed)}, small,
            false};
  if (name == "cmaes") {
    return {pagmo::algorithm{
                pagmo::cmaes(generations(small), -1, -1, -1, -1, 0.3, 0, 1e-9, false, true, seed)},
            small, false};
  }
  if (name == "pso") {
    return {pagmo::algorithm{
                pagmo::pso(generations(small), 0.7298, 2.05, 2.05, 0.5, 5u, 2u, 4u, false, seed)},
            small, false};
  }
  if (name == "bee")
    return {pagmo::algorithm{pagmo::bee_colony(generations(small, 2), 20u, seed)}, small, false};
  if (name == "sga") {
    return {pagmo::algorithm{pagmo::sga(generations(even), 0.9, 10.0, 0.1, 1.0, 2u, "exponential",
                                        "polynomial", "tournament", seed)},
            even, false};
  }
  if (name == "gaco") {
    const unsigned kernel = std::max(8u, even / 2);
    // The penalty counts from here: with constraints it has to lie above the optimum.
    const double oracle = task.equalities + task.inequalities > 0 ? 1e9 : 0;
    return {
        pagmo::algorithm{pagmo::gaco(generations(even), kernel, 1.0, oracle, 0.01, 1u,
                                     std::max(2u, kernel / 2), 100000u, 100000u, 0.0, false, seed)},
        even, true};
  }
  if (name == "ihs") {
    return {pagmo::algorithm{pagmo::ihs(static_cast<unsigned>(task.evaluations), 0.85, 0.35, 0.99,
                                        1e-5, 1.0, seed)},
            even, true};
  }
  throw std::invalid_argument("no method '" + name + "'");
}

void evolve(const EvolutionTask& task) {
  const Choice choice = choose(task);
  const bool constrained = task.equalities + task.inequalities > 0;
  pagmo::problem problem{Problem{&task}};
  if (constrained && !choice.constraints)
    problem = pagmo::problem{pagmo::unconstrain{problem, "kuri"}};
  pagmo::population population{problem, choice.population - 1, static_cast<unsigned>(task.seed)};
  population.push_back(task.start);
  choice.algorithm.evolve(population);
}

}  // namespace

extern "C" __attribute__((visibility("default")))
const arges::EvolutionPlugin arges_evolution{arges::kEvolutionAbi, evolve};
