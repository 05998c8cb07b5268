#include <Eigen/Cholesky>
#include <Eigen/LU>

#include "arges/linear/dense.h"

namespace arges::dense {

Matrix solve(const Matrix& a, const Matrix& b) { return a.partialPivLu().solve(b); }

std::optional<Matrix> solve_if_regular(const Matrix& a, const Matrix& b) {
  const Eigen::FullPivLU<Matrix> factors(a);
  if (!factors.isInvertible()) return std::nullopt;
  return factors.solve(b);
}

std::optional<Eigen::VectorXcd> solve_if_regular(const Eigen::MatrixXcd& a,
                                                 const Eigen::VectorXcd& b) {
  const Eigen::FullPivLU<Eigen::MatrixXcd> factors(a);
  if (!factors.isInvertible()) return std::nullopt;
  return factors.solve(b);
}

Matrix solve_symmetric(const Matrix& a, const Matrix& b) {
  return a.selfadjointView<Eigen::Lower>().ldlt().solve(b);
}

std::optional<Matrix> cholesky(const Matrix& a) {
  const Eigen::LLT<Matrix> factors(a);
  if (factors.info() != Eigen::Success) return std::nullopt;
  return factors.matrixL();
}

}  // namespace arges::dense
