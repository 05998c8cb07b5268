#pragma once
// Runge-Kutta methods of clocks: the equations that tick, once more for each stage.

#include <functional>
#include <unordered_map>
#include <vector>

#include "arges/causalize/clock_partitions.h"

namespace arges {

// From the tick i-1 to the tick i, with h the interval, x' = f(x, u, t) the equations of a
// partition, and u what it samples (linear between the ticks, if it is continuous; else, like
// everything discrete, what it was at i-1):
//
//   ExplicitMidPoint2     x = p + h f(p + h/2 d, (i-1 + i)/2)        p, d: previous(x),
//   previous(x') ExplicitRungeKutta4   k2 = f(p + h/2 d, (i-1 + i)/2),   k3 = f(p + h/2 k2, (i-1 +
//   i)/2),
//                         k4 = f(p + h k3, i),   x = p + h/6 (d + 2 k2 + 2 k3 + k4)
//
// Each f is a copy of the equations, with variables of its own.
class ClockStages {
 public:
  enum class Input { kLinear, kHeld };
  struct State {
    VarId x, rate;
    ExprId start;
  };
  // What the pass makes of a partition: `belongs` tells its unknowns, `add` makes another one of
  // them, `previous` is that operator.
  struct Partition {
    std::function<bool(VarId)> belongs;
    std::function<VarId(std::string name, ScalarType type)> add;
    std::function<ExprId(ExprId)> previous;
    ExprId interval, first_tick;
    std::unordered_map<std::int32_t, Input> inputs;  // by VarId
  };

  ClockStages(FlatModel& flat, const Partition& partition) : flat_(flat), partition_(partition) {}

  // The equations that give the states, and those of the stages. `given` says the rates.
  std::vector<ClockedRow> rows(ClockSolver solver, const std::vector<State>& states,
                               const std::vector<ClockedRow>& given);

 private:
  enum class Place { kMiddle, kEnd };
  // The rates at p + h*part*rates, by copies of the given rows.
  std::vector<ExprId> stage(Place place, double part, const std::vector<ExprId>& rates);
  ExprId input(ExprId u, Input kind, Place place);

  FlatModel& flat_;
  const Partition& partition_;
  const std::vector<State>* states_ = nullptr;
  const std::vector<ClockedRow>* given_ = nullptr;
  std::vector<ClockedRow> rows_;
  int stages_ = 0;
};

}  // namespace arges
