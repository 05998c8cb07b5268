#include <cmath>

#include <Eigen/Eigenvalues>

#include "arges/linear/dense.h"

namespace arges::dense {

// Osborne's iteration in the Euclidean norm: each scaling makes the whole matrix smaller, by enough
// for an end to be certain.
Balanced balanced(const Matrix& a) {
  const Eigen::Index n = a.rows();
  Balanced result{a, Vector::Ones(n)};
  for (bool changed = true; changed;) {
    changed = false;
    for (Eigen::Index i = 0; i < n; ++i) {
      const auto norm_without_diagonal = [i](Vector entries) {
        entries[i] = 0;
        return entries.stableNorm();
      };
      const double row = norm_without_diagonal(result.a.row(i));
      const double column = norm_without_diagonal(result.a.col(i));
      if (!(row > 0 && column > 0 && std::isfinite(row) && std::isfinite(column))) continue;
      const double factor = std::exp2(std::round(0.5 * (std::log2(row) - std::log2(column))));
      if (!(std::hypot(row / factor, column * factor) < 0.95 * std::hypot(row, column))) continue;
      result.a.row(i) /= factor;
      result.a.col(i) *= factor;
      result.d[i] *= factor;
      changed = true;
    }
  }
  return result;
}

std::optional<Eigen::VectorXcd> eigenvalues(const Matrix& a) {
  if (a.size() == 0) return Eigen::VectorXcd();
  const Eigen::EigenSolver<Matrix> solver(balanced(a).a, false);
  if (solver.info() != Eigen::Success) return std::nullopt;
  return solver.eigenvalues();
}

std::optional<EigenSystem> eigen_system(const Matrix& a) {
  if (a.size() == 0) return EigenSystem{};
  const Balanced balance = balanced(a);
  const Eigen::EigenSolver<Matrix> solver(balance.a, true);
  if (solver.info() != Eigen::Success) return std::nullopt;
  EigenSystem system{solver.eigenvalues(), balance.d.asDiagonal() * solver.eigenvectors()};
  system.vectors.colwise().normalize();
  return system;
}

SymmetricModes symmetric_modes(const Matrix& a) {
  const Eigen::SelfAdjointEigenSolver<Matrix> solver(a);
  return {solver.eigenvalues(), solver.eigenvectors()};
}

std::optional<RealSchur> real_schur(const Matrix& a) {
  const Eigen::RealSchur<Matrix> schur(a);
  if (schur.info() != Eigen::Success) return std::nullopt;
  return RealSchur{schur.matrixT(), schur.matrixU()};
}

}  // namespace arges::dense
