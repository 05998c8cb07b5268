// The functions of LAPACK that Modelica.Math.Matrices calls, on Eigen. Names, arguments and the
// meaning of `info` are LAPACK's; matrices lie row by row.

#include <cmath>
#include <optional>

#include "arges/base/error.h"
#include "arges/external/registry.h"
#include "arges/linear/dense.h"

namespace arges::external {

namespace {

using Dense = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using Vector = Eigen::VectorXd;
using MatrixMap = Eigen::Map<Dense>;
using VectorMap = Eigen::Map<Vector>;

MatrixMap matrix(const Call& c, std::size_t i) { return {c.array(i), c.rows(i), c.columns(i)}; }
VectorMap vector(const Call& c, std::size_t i) { return {c.array(i), c.count(i)}; }

// P A = L U with the pivots as LAPACK counts them; info: the first zero pivot, from 1.
int factorise(MatrixMap a, double* pivots) {
  const Eigen::Index n = std::min(a.rows(), a.cols());
  int info = 0;
  for (Eigen::Index k = 0; k < n; ++k) {
    Eigen::Index p = k;
    a.col(k).tail(a.rows() - k).cwiseAbs().maxCoeff(&p);
    p += k;
    pivots[k] = static_cast<double>(p + 1);
    if (a(p, k) == 0) {
      if (info == 0) info = static_cast<int>(k) + 1;
      continue;
    }
    if (p != k) a.row(p).swap(a.row(k));
    const Eigen::Index rest = a.rows() - k - 1;
    a.col(k).tail(rest) /= a(k, k);
    const Eigen::Index columns = a.cols() - k - 1;
    a.bottomRightCorner(rest, columns).noalias() -= a.col(k).tail(rest) * a.row(k).tail(columns);
  }
  return info;
}

void substitute(const MatrixMap& lu, const double* pivots, MatrixMap b) {
  for (Eigen::Index k = 0; k < lu.rows(); ++k)
    b.row(k).swap(b.row(static_cast<Eigen::Index>(pivots[k]) - 1));
  lu.triangularView<Eigen::UnitLower>().solveInPlace(b);
  lu.triangularView<Eigen::Upper>().solveInPlace(b);
}

// n, nrhs, A, lda, pivots, B, ldb, info
void dgesv(const Call& c) {
  const int info = factorise(matrix(c, 2), c.array(4));
  if (info == 0) substitute(matrix(c, 2), c.array(4), matrix(c, 5));
  c.set(7, info);
}

// m, n, A, lda, pivots, info
void dgetrf(const Call& c) { c.set(5, factorise(matrix(c, 2), c.array(4))); }

// trans, n, nrhs, LU, lda, pivots, B, ldb, info
void dgetrs(const Call& c) {
  if (c.text(0) != "N") throw EvaluationError("dgetrs: only trans = \"N\" is there", false);
  substitute(matrix(c, 3), c.array(5), matrix(c, 6));
  c.set(8, 0);
}

// n, LU (becomes the inverse), lda, pivots, work, lwork, info
void dgetri(const Call& c) {
  const Eigen::Index n = c.rows(1);
  const Dense lu = matrix(c, 1);
  for (Eigen::Index k = 0; k < n; ++k) {
    if (lu(k, k) == 0) return c.set(6, static_cast<double>(k + 1));
  }
  Dense inverse = Dense::Identity(n, n);
  Dense copy = lu;
  substitute(MatrixMap(copy.data(), n, n), c.array(3), MatrixMap(inverse.data(), n, n));
  matrix(c, 1) = inverse;
  c.set(6, 0);
}

// Real and imaginary parts, and vectors in LAPACK's packing: a complex pair takes two columns. Each
// vector has the norm one.
int eigen(const Dense& a, VectorMap real, VectorMap imaginary, MatrixMap* vectors) {
  if (vectors == nullptr) {
    const std::optional<Eigen::VectorXcd> values = dense::eigenvalues(a);
    if (!values) return 1;
    real = values->real();
    imaginary = values->imag();
    return 0;
  }
  const std::optional<dense::EigenSystem> system = dense::eigen_system(a);
  if (!system) return 1;
  real = system->values.real();
  imaginary = system->values.imag();
  const Eigen::MatrixXcd& v = system->vectors;
  for (Eigen::Index j = 0; j < v.cols(); ++j) {
    vectors->col(j) = v.col(j).real();
    if (imaginary(j) > 0 && j + 1 < v.cols()) {
      vectors->col(j + 1) = v.col(j).imag();
      ++j;
    }
  }
  return 0;
}

// jobvl, jobvr, n, A, lda, real, imag, left, ldvl, right, ldvr, work, lwork, info
void dgeev(const Call& c) {
  if (c.text(0) == "V") throw EvaluationError("dgeev: left eigenvectors are not there", false);
  MatrixMap right = matrix(c, 9);
  c.set(13, eigen(matrix(c, 3), vector(c, 5), vector(c, 6), c.text(1) == "V" ? &right : nullptr));
}

// jobu, jobvt, m, n, A, lda, sigma, U, ldu, VT, ldvt, work, lwork, info
void singular_values(const Call& c, bool vectors, std::size_t a, std::size_t info) {
  const Dense m = matrix(c, a);
  const dense::SingularValues values = dense::singular_values(m, vectors);
  vector(c, a + 2) = values.sigma;
  if (vectors) {
    matrix(c, a + 3) = values.u;
    matrix(c, a + 5) = values.v.transpose();
  }
  c.set(info, 0);
}
void dgesvd(const Call& c) { singular_values(c, c.text(0) == "A", 4, 13); }
// job, m, n, A, lda, sigma, U, ldu, VT, ldvt, work, lwork, iwork, info
void dgesdd(const Call& c) { singular_values(c, c.text(0) == "A", 3, 13); }

// Least squares of smallest norm. X has max(m, n) rows: B in, the solution out in its first n.
void least_squares(const MatrixMap& a, MatrixMap x, double tolerance, double* rank) {
  const dense::LeastSquares best = dense::least_squares(a, x.topRows(a.rows()), tolerance);
  if (rank != nullptr) *rank = static_cast<double>(best.rank);
  x.topRows(a.cols()) = best.x;
}

// m, n, nrhs, A, lda, X, ldb, jpvt, rcond, rank, work, lwork, info
void dgelsy(const Call& c) {
  least_squares(matrix(c, 3), matrix(c, 5), c.real(8), c.array(9));
  c.set(12, 0);
}

// trans, m, n, nrhs, A, lda, X, ldb, work, lwork, info
void dgels(const Call& c) {
  if (c.text(0) != "N") throw EvaluationError("dgels: only trans = \"N\" is there", false);
  least_squares(matrix(c, 4), matrix(c, 6), 0, nullptr);
  c.set(10, 0);
}

// m, n, p, A, lda, B, ldb, c, d, x, work, lwork, info: min |A x - c| among B x = d.
// One solution of B x = d, and from there the best in the null space of B. info: 1 when the rows of
// B depend on each other, 2 when x is not determined.
void dgglse(const Call& c) {
  const MatrixMap a = matrix(c, 3), b = matrix(c, 5);
  const Eigen::Index n = a.cols(), p = b.rows();
  const dense::LeastSquares one = dense::least_squares(b, vector(c, 8));
  if (one.rank < p) return c.set(12, 1);
  Vector x = one.x;
  if (p < n) {
    const dense::Matrix null_space = dense::singular_values(b, true).v.rightCols(n - p);
    const dense::LeastSquares best = dense::least_squares(a * null_space, vector(c, 7) - a * x);
    if (best.rank < n - p) return c.set(12, 2);
    x += null_space * best.x;
  }
  vector(c, 9) = x;
  c.set(12, 0);
}

// job, compz, n, ilo, ihi, H, ldh, wr, wi, Z, ldz, work, lwork, info
void dhseqr(const Call& c) {
  MatrixMap h = matrix(c, 5);
  if (eigen(h, vector(c, 7), vector(c, 8), nullptr) != 0) return c.set(13, 1);
  if (c.text(0) == "S") {
    const std::optional<dense::RealSchur> schur = dense::real_schur(h);
    if (!schur) return c.set(13, 1);
    if (c.text(1) == "I") matrix(c, 9) = schur->u;
    if (c.text(1) == "V") matrix(c, 9) = (matrix(c, 9) * schur->u).eval();
    h = schur->t;
  }
  c.set(13, 0);
}

// uplo, n, A, lda, info
void dpotrf(const Call& c) {
  MatrixMap a = matrix(c, 2);
  const bool upper = c.text(0) == "U";
  const std::optional<dense::Matrix> factor =
      dense::cholesky(upper ? dense::Matrix(a.transpose()) : dense::Matrix(a));
  if (!factor) return c.set(4, 1);
  const Dense l = *factor;
  if (upper) {
    a.triangularView<Eigen::Upper>() = l.transpose();
  } else {
    a.triangularView<Eigen::Lower>() = l;
  }
  c.set(4, 0);
}

// norm, m, n, A, lda, work
void dlange(const Call& c) {
  const MatrixMap a = matrix(c, 3);
  const char kind = c.text(0).empty() ? 'M' : c.text(0)[0];
  if (a.size() == 0) return c.result(0);
  c.result(kind == '1' || kind == 'O'   ? a.cwiseAbs().colwise().sum().maxCoeff()
           : kind == 'I'                ? a.cwiseAbs().rowwise().sum().maxCoeff()
           : kind == 'F' || kind == 'E' ? a.norm()
                                        : a.cwiseAbs().maxCoeff());
}

// norm, n, LU, lda, anorm, rcond, work, iwork, info
void dgecon(const Call& c) {
  const Dense lu = matrix(c, 2);
  const Eigen::Index n = lu.rows();
  Dense inverse = Dense::Identity(n, n);
  lu.triangularView<Eigen::UnitLower>().solveInPlace(inverse);
  lu.triangularView<Eigen::Upper>().solveInPlace(inverse);
  // Of P A; a permutation of the columns of the inverse does not change the one-norm.
  const double norm = c.text(0) == "I" ? inverse.cwiseAbs().rowwise().sum().maxCoeff()
                                       : inverse.cwiseAbs().colwise().sum().maxCoeff();
  c.set(5, std::isfinite(norm) && norm > 0 ? 1 / (c.real(4) * norm) : 0);
  c.set(8, 0);
}

// jobvs, sort, select, n, T, lda, sdim, real, imag, Z, ldz, work, lwork, bwork, info
void dgees(const Call& c) {
  const std::optional<dense::RealSchur> schur = dense::real_schur(matrix(c, 4));
  if (schur) {
    eigen(matrix(c, 4), vector(c, 7), vector(c, 8), nullptr);
    matrix(c, 4) = schur->t;
    matrix(c, 9) = schur->u;
  }
  c.set(6, 0);
  c.set(14, schur ? 0 : 1);
}

// n, nrhs, sub, diagonal, super, X, ldb, info
void dgtsv(const Call& c) {
  const Eigen::Index n = c.count(3);
  Dense a = Dense::Zero(n, n);
  for (Eigen::Index i = 0; i < n; ++i) {
    a(i, i) = c.array(3)[i];
    if (i + 1 < n) {
      a(i + 1, i) = c.array(2)[i];
      a(i, i + 1) = c.array(4)[i];
    }
  }
  std::vector<double> pivots(static_cast<std::size_t>(n));
  const int info = factorise(MatrixMap(a.data(), n, n), pivots.data());
  if (info == 0) substitute(MatrixMap(a.data(), n, n), pivots.data(), matrix(c, 5));
  c.set(7, info);
}

const Entry kTable[] = {
    {"dgesv", 8, dgesv},  {"dgetrf", 6, dgetrf},  {"dgetrs", 9, dgetrs},  {"dgetri", 7, dgetri},
    {"dgeev", 14, dgeev}, {"dgesvd", 14, dgesvd}, {"dgesdd", 14, dgesdd}, {"dgelsy", 13, dgelsy},
    {"dgels", 11, dgels}, {"dpotrf", 5, dpotrf},  {"dlange", 6, dlange},  {"dgecon", 9, dgecon},
    {"dgees", 15, dgees}, {"dgtsv", 8, dgtsv},    {"dgglse", 13, dgglse}, {"dhseqr", 14, dhseqr},
};

}  // namespace

std::span<const Entry> matrix_functions() { return kTable; }

}  // namespace arges::external
