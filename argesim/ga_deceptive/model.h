#pragma once
// Two populations that learn to play a game against each other by a genetic algorithm.

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "arges/driver/discrete_model.h"
#include "arges/random/stream.h"

namespace arges::argesim::ga {

using Strategy = std::array<double, 3>;  // probabilities of the three pure strategies

// Row: own pure strategy, column: the opponent's.
constexpr double kPayoff[3][3] = {{2, 0, 1.5}, {0, 6, 1}, {0, 36, 0}};
double payoff(const Strategy& own, const Strategy& other);

// All Nash equilibria of the symmetric game with supports of equal size: all there are when the
// game is not degenerate. By enumeration of the supports.
std::vector<std::array<Strategy, 2>> nash_equilibria();

struct Rules {
  int agents = 100;                    // in each population, an even number
  std::array<bool, 2> conservative{};  // one more agent for each pure strategy
  double crossover = 1, mutation = 0;  // probabilities: of a pair, of a bit
  std::uint64_t seed = 1, replication = 0;
};

// Agents are strings of 12 bits: three numbers k of four bits, the strategy
// (k_i + 0.001)/(k_1 + k_2 + k_3 + 0.003). A period:
//   fitness of each agent := its payoff against the mean strategy of the other population
//   from each population, n/2 times: two agents, with probabilities in proportion to fitness, are
//     crossed at one of the 11 places and mutated: two of the next ordinary agents
//   conservative agents stay as they are
class Contest {
 public:
  explicit Contest(const Rules& rules);
  void step();
  const Strategy& strategy(std::size_t population) const { return strategies_[population]; }
  double payoff_of(std::size_t population) const {
    return payoff(strategies_[population], strategies_[1 - population]);
  }
  // All agents of a population are equal, and nothing can make them differ.
  bool is_over() const;
  // Each population plays (nearly) the equilibrium.
  bool in_equilibrium(std::size_t population) const { return strategies_[population][0] > 0.85; }

 private:
  using Agent = std::uint16_t;
  void measure(std::size_t population);
  void breed(std::size_t population, const Strategy& opponent);

  Rules rules_;
  random::Stream random_;
  std::array<std::vector<Agent>, 2> agents_;
  std::array<Strategy, 2> strategies_{};
  std::vector<double> wheel_;
  std::vector<Agent> next_;
};

// `arges run ga-deceptive -p conservative1=true -p conservative2=true`: one period is one unit of
// time.
std::unique_ptr<DiscreteModel> make_model();

}  // namespace arges::argesim::ga
