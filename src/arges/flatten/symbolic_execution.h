#pragma once
// Runs the body of a function on expressions.

#include "arges/flatten/evaluator.h"

namespace arges::lang {

// Assigns expressions instead of numbers. With literals as arguments this is an interpreter; with
// others it succeeds where the way through the body does not depend on them, and inlines the call.
class SymbolicExecution {
 public:
  SymbolicExecution(Evaluator& evaluator, Instance& function, bool constant)
      : e_(evaluator), function_(function), budget_(constant ? 2'000'000 : 300) {}

  // The outputs; nothing when the way is not known. Throws Failure.
  std::optional<std::vector<Value>> operator()(const std::vector<Value>& arguments);
  // The way is not known because it is too long.
  bool exhausted() const { return budget_ < 0; }

 private:
  enum class Flow : std::uint8_t { kNext, kBreak, kReturn, kUnknown };
  Flow run(StatementList list, const Context& c);
  Flow run(const Statement& s, const Context& c);
  Flow run_for(const Statement& s, std::size_t at, const Context& c);
  bool assign(const Expr& target, const Value& v, const Context& c);
  // The value so far, for assigning to a part of it.
  Value current(Instance& i);

  Evaluator& e_;
  Instance& function_;
  Instance* frame_ = nullptr;
  long budget_;
};

}  // namespace arges::lang
