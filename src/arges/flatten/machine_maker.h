#pragma once
// State machines: initialState(a), transition(a, b, condition, ...) and what is attached to them.

#include <optional>
#include <unordered_map>

#include "arges/flatten/evaluator.h"

namespace arges::lang {

// Collects the machines of a model while its equations are flattened.
//
//   transition(a, b, x > 1) annotation(__Arges_handOver(b(v = a.w), y = 0));
//
// The blocks a and b are components of the class in which the equation stands. Blocks that
// transitions connect are one machine; it lies inside of the innermost state around it. Nothing is
// said here about which equations belong to which block: their component tells.
class MachineMaker {
 public:
  explicit MachineMaker(Evaluator& evaluator);

  // True: the call was one of a machine. `conditional`: it stands in an `if` or `when`.
  bool call(const Equation& e, const Context& c, bool conditional);
  // `annotation(__Arges_block = "a")`, as Base Modelica is written: the block that an equation or
  // an algorithm (by its last statement) belongs to; an invalid id for "".
  std::optional<StringId> marked_block(const Description& description, const Context& c);
  // After all equations: puts the machines into the model, and reports what is wrong with them.
  void finish(diag::Diagnostics& diagnostics);

 private:
  struct Arrow {  // what is reported about a transition
    diag::Span where;
    Instance* parent;
  };

  Instance& block(const Expr& e, const Context& c);
  std::int32_t state(Instance& block, diag::Span where);
  void initial_state(const CallExpr& call, const Context& c);
  void transition(const Equation& e, const CallExpr& call, const Context& c);
  void hand_over(const Equation& e, const Context& c, FlatTransition& t);
  void assign(const Argument& a, Instance& owner, const Context& c, FlatTransition& t);
  Instance& target(Instance& owner, const Name& name, const Context& c);
  void check_hand_over(diag::Diagnostics& diagnostics) const;
  void check_priorities(diag::Diagnostics& diagnostics) const;
  void check_reached(diag::Diagnostics& diagnostics) const;

  Evaluator& e_;
  Instances& instances_;
  FlatMachines& machines_;
  std::unordered_map<const Instance*, std::int32_t> states_;
  std::vector<diag::Span> places_;                           // by state: where it is first named
  std::vector<std::pair<std::int32_t, diag::Span>> starts_;  // initialState
  std::vector<Arrow> arrows_;                                // by transition
  std::vector<std::vector<diag::Span>> assigned_;            // by transition and hand-over
  std::int32_t leaving_ = -1;                                // whose condition is being evaluated
};

}  // namespace arges::lang
