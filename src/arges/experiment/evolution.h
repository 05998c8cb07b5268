#pragma once
// The interface to the plugin with the methods of pagmo, which is loaded when one is wanted: its
// libraries take longer to load than a small model to run.

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace arges {

struct EvolutionTask {
  std::string method;
  std::vector<double> low, high;  // bounds
  std::size_t integers = 0;       // the last so many variables are whole numbers
  std::size_t equalities = 0, inequalities = 0;
  std::vector<double> start;  // one member of the first population
  std::int64_t evaluations = 1000;
  std::uint64_t seed = 1;
  // The objective, then h, then g. May throw, to end the search: the exception comes out.
  std::function<std::vector<double>(const std::vector<double>&)> fitness;
};

constexpr const char* kEvolutionSymbol = "arges_evolution";
constexpr int kEvolutionAbi = 1;

struct EvolutionPlugin {
  int abi;
  void (*evolve)(const EvolutionTask& task);
};

// Loads the plugin. Throws UserError when it is not there.
const EvolutionPlugin& evolution_plugin();

}  // namespace arges
