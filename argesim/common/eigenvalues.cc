#include "argesim/common/eigenvalues.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "arges/base/error.h"
#include "arges/hybrid/mode_equations.h"
#include "arges/linear/dense.h"

namespace arges::argesim {

namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

// The declared Jacobian, dense.
MatrixXd declared_jacobian(const ModeEquations& equations, const Context& context) {
  const int n = equations.size();
  const SparsityPattern* pattern = equations.sparsity();
  if (pattern == nullptr) {
    MatrixXd jacobian = MatrixXd::Zero(n, n);
    equations.jacobian(context.t, context.x.data(), nullptr, 0, jacobian.data(), nullptr);
    return jacobian;
  }
  std::vector<double> values(static_cast<std::size_t>(pattern->nonzeros()));
  equations.jacobian(context.t, context.x.data(), nullptr, 0, values.data(), nullptr);
  MatrixXd jacobian = MatrixXd::Zero(n, n);
  for (int j = 0; j < n; ++j) {
    for (int k = pattern->column_start[j]; k < pattern->column_start[j + 1]; ++k)
      jacobian(pattern->row[k], j) = values[static_cast<std::size_t>(k)];
  }
  return jacobian;
}

// df/dx_j by central differences with the steps h, h/2, h/4, ..., extrapolated to zero: D(h) is a
// series in h^2. Of each entry the value that changed least from one order to the next is taken.
VectorXd extrapolated_column(const ModeEquations& equations, const Context& context, int j) {
  constexpr int kLevels = 8;
  const int n = equations.size();
  const double size = std::max(std::abs(context.x[j]), std::abs(equations.nominal()[j]));
  double h = std::exp2(std::floor(std::log2(size)));  // so that x + h - x = h, nearly always
  std::vector<double> x = context.x;
  VectorXd high(n), low(n), best(n), error(n);
  error.setConstant(std::numeric_limits<double>::infinity());
  std::vector<VectorXd> before, row;
  for (int level = 0; level < kLevels; ++level, h /= 2) {
    x[j] = context.x[j] + h;
    equations.rhs(context.t, x.data(), high.data());
    const double up = x[j];
    x[j] = context.x[j] - h;
    equations.rhs(context.t, x.data(), low.data());
    row = {(high - low) / (up - x[j])};
    for (int order = 1; order <= level; ++order) {
      const VectorXd& coarse = before[static_cast<std::size_t>(order) - 1];
      const VectorXd fine = row.back();
      row.push_back(fine + (fine - coarse) / (std::pow(4, order) - 1));
      for (int i = 0; i < n; ++i) {
        const double change =
            std::max(std::abs(fine[i] - coarse[i]), std::abs(row.back()[i] - fine[i]));
        if (!(change < error[i])) continue;
        error[i] = change;
        best[i] = row.back()[i];
      }
    }
    before = row;
  }
  return best;
}

}  // namespace

std::vector<std::complex<double>> eigenvalues(const HybridSystem& model, const Context& context) {
  const ModeEquations equations(model, context, context.mode);
  if (equations.form() != EquationForm::kExplicit)
    throw ApiError("eigenvalues are computed for explicit equations only");
  MatrixXd jacobian(equations.size(), equations.size());
  if (equations.has_jacobian()) {
    jacobian = declared_jacobian(equations, context);
  } else {
    for (int j = 0; j < equations.size(); ++j)
      jacobian.col(j) = extrapolated_column(equations, context, j);
  }
  const Eigen::VectorXcd values = dense::eigenvalues(jacobian).value();
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
