#include <cmath>

#include <Eigen/Cholesky>
#include <Eigen/LU>

#include "arges/linear/dense.h"

namespace arges::dense {

namespace {

// The power of two that brings each of these sizes next to one; a row of zeros stays one.
Vector powers_to_one(const Vector& sizes) {
  return sizes.unaryExpr([](double size) {
    return size > 0 && std::isfinite(size) ? std::exp2(-std::ilogb(size)) : 1.0;
  });
}

}  // namespace

Matrix solve(const Matrix& a, const Matrix& b) { return a.partialPivLu().solve(b); }

std::optional<Matrix> solve_if_regular(const Matrix& a, const Matrix& b) {
  const Eigen::FullPivLU<Matrix> factors(a);
  if (!factors.isInvertible()) return std::nullopt;
  return factors.solve(b);
}

std::optional<Eigen::VectorXcd> solve_if_regular(const Eigen::MatrixXcd& a,
                                                 const Eigen::VectorXcd& b) {
  const Vector rows = powers_to_one(a.cwiseAbs().rowwise().maxCoeff());
  Eigen::MatrixXcd scaled = rows.asDiagonal() * a;
  const Vector columns = powers_to_one(scaled.cwiseAbs().colwise().maxCoeff());
  scaled *= columns.asDiagonal();
  const Eigen::FullPivLU<Eigen::MatrixXcd> factors(scaled);
  if (!factors.isInvertible()) return std::nullopt;
  return columns.asDiagonal() * factors.solve(rows.asDiagonal() * b);
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
