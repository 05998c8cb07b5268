#pragma once
// The loops of the machine that solve for the derivatives of a model's loops.

#include <functional>
#include <vector>

#include "arges/compile/builder.h"
#include "arges/compile/symbolic_jacobian.h"

namespace arges {

// What the program of the Jacobian does next: put a value into a register, or solve a loop.
struct JacobianStep {
  ExprId value;
  std::uint32_t target = 0;
  std::int32_t loop = -1;
};

// For each column of each LoopDerivative a loop M y + b = 0, added to the tables of `code`. What M
// and b are is computed once, into the slots of the variables that the Jacobian has of its own.
// Where M is singular, y is NaN.
std::vector<JacobianStep> derivative_loops(vm::CodeBase& code, ExprPool& pool,
                                           const RateDerivatives& derivatives,
                                           const std::function<std::uint32_t()>& new_register);

}  // namespace arges
