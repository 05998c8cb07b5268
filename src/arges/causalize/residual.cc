#include "arges/causalize/residual.h"

#include <cmath>

#include "arges/causalize/start_values.h"
#include "arges/expr/differentiate.h"
#include "arges/flat/differentiate_function.h"

namespace arges {

ExprId residual_derivative(FlatModel& flat, const CausalEquation& equation, VarId v) {
  ExprPool& pool = flat.pool;
  const ExprId self = flat.ref(v);
  Differentiator d(
      pool, [&](ExprId leaf) { return leaf == self ? pool.real(1) : ExprId{}; },
      call_derivative(flat, DerivativeBy::kVariable));
  return d(pool.sub(equation.lhs, equation.rhs));
}

double factor_at_start(FlatModel& flat, const CausalEquation& equation, VarId v) {
  try {
    const double factor = value_at_start(flat, residual_derivative(flat, equation, v));
    return std::isfinite(factor) ? factor : 0;
  } catch (const UserError&) {
    return 0;
  }
}

}  // namespace arges
