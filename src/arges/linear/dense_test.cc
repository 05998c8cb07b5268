#include "arges/linear/dense.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

namespace arges {
namespace {

using dense::Matrix;
using dense::Vector;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

Matrix hilbert(int rows, int columns) {
  Matrix a(rows, columns);
  for (int i = 0; i < rows; ++i) {
    for (int j = 0; j < columns; ++j) a(i, j) = 1.0 / (i + j + 1);
  }
  return a;
}

Matrix matrix2(double a, double b, double c, double d) {
  Matrix m(2, 2);
  m << a, b, c, d;
  return m;
}

TEST(Dense, EquationsAreSolvedForSeveralRightSides) {
  const Matrix a = matrix2(0, 2, 4, 1), x = matrix2(1, 2, 3, 4), b = a * x;
  EXPECT_LT((dense::solve(a, b) - x).norm(), 1e-15);
  EXPECT_LT((dense::solve_if_regular(a, b).value() - x).norm(), 1e-15);
  const Matrix s = matrix2(4, 1, 1, 3);
  EXPECT_LT((dense::solve_symmetric(s, s * x) - x).norm(), 1e-14);
}

TEST(Dense, ASingularMatrixIsSeen) {
  const Matrix a = matrix2(1, 2, 2, 4);
  EXPECT_FALSE(dense::solve_if_regular(a, Matrix::Identity(2, 2)));
  EXPECT_FALSE(dense::solve_if_regular(Eigen::MatrixXcd(a.cast<std::complex<double>>()),
                                       Eigen::VectorXcd::Ones(2)));
  EXPECT_FALSE(dense::solve(a, Matrix::Identity(2, 2)).allFinite());
  EXPECT_FALSE(dense::cholesky(matrix2(1, 2, 2, 1)));
  EXPECT_FALSE(dense::normal_inverse(a));
}

TEST(Dense, ComplexEquationsAreSolved) {
  Eigen::MatrixXcd a(1, 1);
  a(0, 0) = {3, 4};
  const auto x = dense::solve_if_regular(a, Eigen::VectorXcd::Constant(1, {0, 25}));
  EXPECT_LT(std::abs((*x)[0] - std::complex<double>(4, 3)), 1e-14);
}

TEST(Dense, LeastSquaresOfDependentColumnsAreTheShortest) {
  const Matrix a = matrix2(1, 1, 1, 1);
  const dense::LeastSquares best = dense::least_squares(a, Vector::Constant(2, 2));
  EXPECT_EQ(best.rank, 1);
  EXPECT_LT((best.x - Vector::Ones(2)).norm(), 1e-15);
}

TEST(Dense, TheThresholdDecidesWhatCountsAsZero) {
  const Matrix a = matrix2(1, 0, 0, 1e-9);
  EXPECT_EQ(dense::least_squares(a, Vector::Ones(2)).rank, 2);
  EXPECT_EQ(dense::least_squares(a, Vector::Ones(2), 1e-6).rank, 1);
}

TEST(Dense, TheInverseOfTheNormalMatrixKeepsTheDigitsThatFormingItLoses) {
  // A' A of a graded matrix by hand: diag(1, e) Q with Q' Q = 1 has the inverse diag(1, 1/e^2).
  const double e = 1e-9;
  Matrix a(3, 2);
  a << 0.6, 0.8 * e, 0.8, -0.6 * e, 0, 0;
  const Matrix inverse = dense::normal_inverse(a).value();
  EXPECT_NEAR(inverse(0, 0), 1, 1e-14);
  EXPECT_NEAR(inverse(1, 1) * e * e, 1, 1e-14);
}

TEST(Dense, PivotsAreTheColumnsThatAreFarthestFromTheSpanOfTheOthers) {
  Matrix a(2, 3);
  a << 3, 2.9, 0, 0, 0.1, 1;
  EXPECT_EQ(dense::pivot_order(a), (std::vector<Eigen::Index>{0, 2, 1}));
}

TEST(Dense, EigenvaluesOfARotationAreAPair) {
  const auto values = dense::eigenvalues(matrix2(1, -2, 2, 1)).value();
  EXPECT_NEAR(values[0].real(), 1, 1e-15);
  EXPECT_NEAR(std::abs(values[0].imag()), 2, 1e-15);
  EXPECT_EQ(dense::eigenvalues(Matrix(0, 0)).value().size(), 0);
  EXPECT_FALSE(dense::eigenvalues(matrix2(1, kNan, 2, 1)));
}

TEST(Dense, EigenvectorsAndSchurVectorsReproduceTheMatrix) {
  const Matrix a = hilbert(4, 4) + matrix2(0, 3, -3, 0).replicate(2, 2);
  const dense::EigenSystem system = dense::eigen_system(a).value();
  const Eigen::MatrixXcd left = a.cast<std::complex<double>>() * system.vectors;
  const Eigen::MatrixXcd right = system.vectors * system.values.asDiagonal();
  EXPECT_LT((left - right).norm(), 1e-13);
  const dense::RealSchur schur = dense::real_schur(a).value();
  const Matrix back = schur.u * schur.t * schur.u.transpose();
  EXPECT_LT((back - a).norm(), 1e-13);
}

// Cells in a row that exchange, each in another unit: the eigenvalues are those of the row in one
// unit, and known.
TEST(Dense, EigenvaluesDoNotDependOnTheUnitsOfStates) {
  const int n = 6;
  Matrix a = Matrix::Zero(n, n);
  const auto unit = [](int i) { return std::pow(10.0, 5 * i * (i % 2 == 0 ? 1 : -1)); };
  for (int i = 0; i < n; ++i) {
    a(i, i) = -2;
    if (i > 0) a(i, i - 1) = unit(i - 1) / unit(i);
    if (i + 1 < n) a(i, i + 1) = unit(i + 1) / unit(i);
  }
  Eigen::VectorXd values = dense::eigenvalues(a).value().real();
  std::ranges::sort(values);
  for (int k = 0; k < n; ++k)
    EXPECT_NEAR(values[k], -2 - 2 * std::cos(M_PI * (k + 1) / (n + 1)), 1e-13) << k;
  const dense::EigenSystem system = dense::eigen_system(a).value();
  for (int k = 0; k < n; ++k) {
    const Eigen::VectorXcd v = system.vectors.col(k);
    EXPECT_NEAR(v.norm(), 1, 1e-14);
    const Eigen::VectorXcd left = a.cast<std::complex<double>>() * v, right = system.values[k] * v;
    for (int i = 0; i < n; ++i)
      EXPECT_LT(std::abs(left[i] - right[i]), 1e-12 * std::abs(v[i])) << k << ' ' << i;
  }
}

TEST(Dense, BalancingRoundsNothing) {
  const Matrix a = matrix2(0.1, 1, -1e18 / 3, -1e9);
  const dense::Balanced balance = dense::balanced(a);
  EXPECT_EQ((balance.d.asDiagonal() * balance.a * balance.d.cwiseInverse().asDiagonal()).eval(), a);
  const double ratio = std::abs(balance.a(0, 1) / balance.a(1, 0));
  EXPECT_GE(ratio, 0.25);
  EXPECT_LE(ratio, 4);
}

TEST(Dense, EquationsOfDifferentUnitsAreRegular) {
  Eigen::MatrixXcd a = Eigen::MatrixXcd::Zero(2, 2);
  a(0, 0) = {0, 1e-12};
  a(1, 1) = 1e12;
  const auto x = dense::solve_if_regular(a, Eigen::VectorXcd::Ones(2)).value();
  EXPECT_LT(std::abs(x[0] - std::complex<double>(0, -1e12)), 1e-3);
  EXPECT_LT(std::abs(x[1] - 1e-12), 1e-27);
}

TEST(Dense, TheKernelIsOrthonormalAndWhatTheMatrixTakesToZero) {
  Matrix a(2, 4);
  a << 1, 2, 3, 4, 2, 4, 6, 8.0000000001;  // rows that are the same, but for 1e-10
  const Matrix kernel = dense::kernel(a, 1e-6);
  ASSERT_EQ(kernel.cols(), 3);
  EXPECT_LT((kernel.transpose() * kernel - Matrix::Identity(3, 3)).norm(), 1e-14);
  EXPECT_LT((a * kernel).norm(), 1e-9);
  EXPECT_EQ(dense::kernel(a, 1e-14).cols(), 2);
  EXPECT_EQ(dense::kernel(Matrix::Identity(3, 3), 1e-6).cols(), 0);
}

TEST(Dense, ModesOfASymmetricMatrixAscend) {
  Matrix a(2, 2);
  a << 1, 2, 2, -2;  // eigenvalues 2 and -3
  const dense::SymmetricModes modes = dense::symmetric_modes(a);
  EXPECT_NEAR(modes.values[0], -3, 1e-14);
  EXPECT_NEAR(modes.values[1], 2, 1e-14);
  EXPECT_LT((a * modes.vectors.col(0) + 3 * modes.vectors.col(0)).norm(), 1e-14);
}

TEST(Dense, SingularValuesFallAndTheirVectorsReproduceTheMatrix) {
  const Matrix a = hilbert(4, 3);
  const dense::SingularValues values = dense::singular_values(a, true);
  EXPECT_TRUE(std::ranges::is_sorted(values.sigma, std::greater<>()));
  const Matrix product = values.u.leftCols(3) * values.sigma.asDiagonal() * values.v.transpose();
  EXPECT_LT((product - a).norm(), 1e-14);
  EXPECT_EQ(dense::singular_values(a).u.size(), 0);
}

}  // namespace
}  // namespace arges
