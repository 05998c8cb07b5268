#pragma once
// What Arges asks of dense matrices, on Eigen, compiled once: a decomposition takes the compiler
// many seconds wherever it is instantiated. For .cc files only: Eigen comes along.

#include <optional>
#include <vector>

#include <Eigen/Core>

namespace arges::dense {

using Matrix = Eigen::MatrixXd;
using Vector = Eigen::VectorXd;

// ---- equations ----------------------------------------------------------------------------------

// X of A X = B, rows exchanged for the largest pivot. Not finite when A is singular.
Matrix solve(const Matrix& a, const Matrix& b);

// X of A X = B with complete pivoting; nothing when A is singular to working precision. The complex
// one is first scaled, rows and columns, so that numbers of different units may stand side by side.
std::optional<Matrix> solve_if_regular(const Matrix& a, const Matrix& b);
std::optional<Eigen::VectorXcd> solve_if_regular(const Eigen::MatrixXcd& a,
                                                 const Eigen::VectorXcd& b);

// X of A X = B for a symmetric A without negative eigenvalues, of which the lower half is read.
Matrix solve_symmetric(const Matrix& a, const Matrix& b);

// L of A = L L' for a symmetric A; nothing when A is not positive definite.
std::optional<Matrix> cholesky(const Matrix& a);

// ---- least squares ------------------------------------------------------------------------------

struct LeastSquares {
  Matrix x;  // of the smallest norm among the best
  Eigen::Index rank;
};

// min |A X - B|. Pivots below `threshold` times the largest count as zero; 0: below rounding.
LeastSquares least_squares(const Matrix& a, const Matrix& b, double threshold = 0);

// inverse(A' A), without forming A' A; nothing when the columns of A depend on each other.
std::optional<Matrix> normal_inverse(const Matrix& a);

// The columns of A, each next the one that is farthest from the span of those before.
std::vector<Eigen::Index> pivot_order(const Matrix& a);

// Columns of norm one, at right angles, that span {x: A x = 0}. Pivots below `threshold` times the
// largest count as zero.
Matrix kernel(const Matrix& a, double threshold);

// ---- spectra ------------------------------------------------------------------------------------

// D^-1 A D, with D diagonal of powers of two such that, off the diagonal, each row is about as
// large as the column of the same number: states in other units, chosen so that none dwarfs the
// others. Nothing is rounded, and eigenvalues are those of A.
struct Balanced {
  Matrix a;
  Vector d;
};
Balanced balanced(const Matrix& a);

// Each of these is nothing when the iteration does not converge: an entry is not finite.
// Eigenvalues are computed from the balanced matrix.
std::optional<Eigen::VectorXcd> eigenvalues(const Matrix& a);

struct EigenSystem {
  Eigen::VectorXcd values;
  Eigen::MatrixXcd vectors;  // columns of norm one
};
std::optional<EigenSystem> eigen_system(const Matrix& a);

// Of a symmetric A: eigenvalues ascending, and vectors in columns.
struct SymmetricModes {
  Vector values;
  Matrix vectors;
};
SymmetricModes symmetric_modes(const Matrix& a);

// A = U T U' with U orthogonal, T upper triangular but for blocks of complex pairs.
struct RealSchur {
  Matrix t, u;
};
std::optional<RealSchur> real_schur(const Matrix& a);

// A = U diag(sigma) V', sigma falling. U and V are empty unless they are asked for.
struct SingularValues {
  Vector sigma;
  Matrix u, v;
};
SingularValues singular_values(const Matrix& a, bool vectors = false);

}  // namespace arges::dense
