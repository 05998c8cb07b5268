#pragma once
// State machines of a flat model: which blocks exist together, and what leads from one to another.

#include <string>
#include <utility>
#include <vector>

#include "arges/expr/pool.h"

namespace arges {

struct Origin;

// A block that is a state of a machine. Its variables, and the equations whose component it is,
// exist only while it is active. By its name: "a" owns "a.x" and "a.b[2].y".
struct FlatMachineState {
  std::string name;
  std::int32_t machine = -1;
  VarId active;   // Boolean: activeState(a)
  VarId entered;  // a hidden parameter that holds when it was last entered, for timeInState()
};

// One of `states` is active while the state `inside` is (-1: always).
struct FlatMachine {
  std::int32_t inside = -1;
  std::int32_t initial = -1;
  std::vector<std::int32_t> states;
};

// From one state of a machine to another, or the same.
//   immediate    fires while the condition holds; else when it becomes true
//   reset        the target begins anew; else it goes on with what it had when it was left
//   synchronize  only when all machines inside of `from` are in states that nothing leaves
//   priority     the smallest number goes first among those that hold
struct FlatTransition {
  std::int32_t from = -1, to = -1;
  ExprId condition;
  bool immediate = true, reset = true, synchronize = false;
  std::int32_t priority = 1;
  // Values of variables that exist after the transition, over those that exist before.
  std::vector<std::pair<VarId, ExprId>> hand_over;
  std::string place;  // file:line:column, for messages during a run
};

struct FlatMachines {
  std::vector<FlatMachineState> states;
  std::vector<FlatMachine> machines;
  std::vector<FlatTransition> transitions;

  bool empty() const { return machines.empty(); }
  // The innermost state that a variable or component of this name belongs to; -1: none.
  std::int32_t owner(const std::string& name) const;
  // Whether `state` is `outer` or lies inside of it.
  bool is_within(std::int32_t state, std::int32_t outer) const;
};

}  // namespace arges
