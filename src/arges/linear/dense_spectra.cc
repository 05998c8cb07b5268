#include <Eigen/Eigenvalues>

#include "arges/linear/dense.h"

namespace arges::dense {

std::optional<Eigen::VectorXcd> eigenvalues(const Matrix& a) {
  if (a.size() == 0) return Eigen::VectorXcd();
  const Eigen::EigenSolver<Matrix> solver(a, false);
  if (solver.info() != Eigen::Success) return std::nullopt;
  return solver.eigenvalues();
}

std::optional<EigenSystem> eigen_system(const Matrix& a) {
  if (a.size() == 0) return EigenSystem{};
  const Eigen::EigenSolver<Matrix> solver(a, true);
  if (solver.info() != Eigen::Success) return std::nullopt;
  return EigenSystem{solver.eigenvalues(), solver.eigenvectors()};
}

std::optional<RealSchur> real_schur(const Matrix& a) {
  const Eigen::RealSchur<Matrix> schur(a);
  if (schur.info() != Eigen::Success) return std::nullopt;
  return RealSchur{schur.matrixT(), schur.matrixU()};
}

std::optional<PencilEigenvalues> pencil_eigenvalues(const Matrix& a, const Matrix& b) {
  const Eigen::GeneralizedEigenSolver<Matrix> solver(a, b, false);
  if (solver.info() != Eigen::Success) return std::nullopt;
  return PencilEigenvalues{solver.alphas(), solver.betas()};
}

}  // namespace arges::dense
