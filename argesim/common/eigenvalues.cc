#include "argesim/common/eigenvalues.h"

#include <algorithm>

#include <Eigen/Dense>

#include "arges/base/error.h"
#include "arges/hybrid/mode_equations.h"
#include "arges/solvers/jacobian.h"

namespace arges::argesim {

std::vector<std::complex<double>> eigenvalues(const HybridSystem& model, const Context& context) {
  const ModeEquations equations(model, context, context.mode);
  if (equations.form() != EquationForm::kExplicit || equations.sparsity() != nullptr) {
    throw ApiError("eigenvalues are computed for explicit equations with a dense Jacobian only");
  }
  const int n = equations.size();
  Eigen::VectorXd f(n);
  Eigen::MatrixXd jacobian(n, n);
  equations.rhs(context.t, context.x.data(), f.data());
  JacobianEvaluator(equations).evaluate(context.t, context.x.data(), f.data(), 0, jacobian.data(),
                                        nullptr);
  const Eigen::VectorXcd values = jacobian.eigenvalues();
  std::vector<std::complex<double>> sorted(values.begin(), values.end());
  std::sort(sorted.begin(), sorted.end(), [](auto a, auto b) {
    // Conjugate ones may differ in the last digit of their magnitude.
    const double difference = std::abs(a) - std::abs(b);
    if (std::abs(difference) > 1e-12 * std::abs(a)) return difference > 0;
    return a.imag() > b.imag();
  });
  return sorted;
}

}  // namespace arges::argesim
