#include <Eigen/LU>
#include <Eigen/QR>
#include <Eigen/SVD>

#include "arges/linear/dense.h"

namespace arges::dense {

LeastSquares least_squares(const Matrix& a, const Matrix& b, double threshold) {
  Eigen::CompleteOrthogonalDecomposition<Matrix> factors(a.rows(), a.cols());
  if (threshold > 0) factors.setThreshold(threshold);
  factors.compute(a);
  return {factors.solve(b), factors.rank()};
}

std::optional<Matrix> normal_inverse(const Matrix& a) {
  const Eigen::Index n = a.cols();
  const Eigen::ColPivHouseholderQR<Matrix> qr(a);
  if (qr.rank() < n) return std::nullopt;
  // A P = Q R, so inverse(A' A) = P inverse(R) inverse(R)' P'.
  const Matrix inverse =
      qr.matrixR().topLeftCorner(n, n).triangularView<Eigen::Upper>().solve(Matrix::Identity(n, n));
  return qr.colsPermutation() * (inverse * inverse.transpose()) * qr.colsPermutation().transpose();
}

std::vector<Eigen::Index> pivot_order(const Matrix& a) {
  const Eigen::ColPivHouseholderQR<Matrix> qr(a);
  const auto& order = qr.colsPermutation().indices();
  return {order.begin(), order.end()};
}

Matrix kernel(const Matrix& a, double threshold) {
  Eigen::FullPivLU<Matrix> factors(a);
  factors.setThreshold(threshold);
  if (factors.dimensionOfKernel() == 0) return Matrix(a.cols(), 0);
  const Matrix basis = factors.kernel();
  return Eigen::HouseholderQR<Matrix>(basis).householderQ() *
         Matrix::Identity(a.cols(), basis.cols());
}

SingularValues singular_values(const Matrix& a, bool vectors) {
  const Eigen::JacobiSVD<Matrix> svd(a, vectors ? Eigen::ComputeFullU | Eigen::ComputeFullV : 0);
  SingularValues result{svd.singularValues(), {}, {}};
  if (vectors) {
    result.u = svd.matrixU();
    result.v = svd.matrixV();
  }
  return result;
}

}  // namespace arges::dense
