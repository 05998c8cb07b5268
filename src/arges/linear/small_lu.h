#pragma once
// LU factors of a matrix whose size is known at compile time.

#include <cmath>
#include <utility>

namespace arges {

// P A = L U with partial pivoting, N from 1 to about 8. Everything is inline and unrolled: for such
// sizes the loop overhead of a general code costs more than the arithmetic.
template <int N>
class SmallLu {
 public:
  // Factors the dense column-major matrix `a`. Returns -1, or the first column without a pivot
  // (zero or NaN); the factors are then unusable.
  int factor(const double* a) {
    for (int j = 0; j < N; ++j) {
#pragma GCC unroll 8
      for (int i = 0; i < N; ++i) m_[i][j] = a[j * N + i];
    }
    for (int i = 0; i < N; ++i) source_[i] = i;
#pragma GCC unroll 8
    for (int k = 0; k < N; ++k) {
      int q = k;
      double largest = std::abs(m_[k][k]);
#pragma GCC unroll 8
      for (int i = k + 1; i < N; ++i) {
        if (std::abs(m_[i][k]) > largest) {
          largest = std::abs(m_[i][k]);
          q = i;
        }
      }
      if (!(largest > 0)) return k;
      if (q != k) {
        std::swap(source_[k], source_[q]);
        for (int j = 0; j < N; ++j) std::swap(m_[k][j], m_[q][j]);
      }
      inverse_diagonal_[k] = 1 / m_[k][k];
#pragma GCC unroll 8
      for (int i = k + 1; i < N; ++i) {
        const double factor = m_[i][k] *= inverse_diagonal_[k];
#pragma GCC unroll 8
        for (int j = k + 1; j < N; ++j) m_[i][j] -= factor * m_[k][j];
      }
    }
    return -1;
  }

  // A x = b. b and x may be the same array.
  [[gnu::always_inline]] void solve(const double* b, double* x) const {
    double y[N];
#pragma GCC unroll 8
    for (int i = 0; i < N; ++i) {
      y[i] = b[source_[i]];
#pragma GCC unroll 8
      for (int j = 0; j < i; ++j) y[i] -= m_[i][j] * y[j];
    }
#pragma GCC unroll 8
    for (int i = N - 1; i >= 0; --i) {
#pragma GCC unroll 8
      for (int j = N - 1; j > i; --j) y[i] -= m_[i][j] * y[j];
      y[i] *= inverse_diagonal_[i];
    }
#pragma GCC unroll 8
    for (int i = 0; i < N; ++i) x[i] = y[i];
  }

  // A^-1, dense column-major. Worth it for many right-hand sides: a product with it has a third of
  // the latency of two triangular solves, which are one long chain of dependent operations, and is
  // as accurate where the inverse comes from pivoted factors, column by column (Druinsky and
  // Toledo, "How accurate is inv(A)*b?").
  void inverse(double* x) const {
    // Column j of U^-1 L^-1 is column source_[j] of U^-1 L^-1 P; it begins at row j in L^-1.
#pragma GCC unroll 8
    for (int j = 0; j < N; ++j) {
      double y[N];
#pragma GCC unroll 8
      for (int i = 0; i < N; ++i) {
        y[i] = i == j ? 1 : 0;
#pragma GCC unroll 8
        for (int l = j; l < i; ++l) y[i] -= m_[i][l] * y[l];
      }
#pragma GCC unroll 8
      for (int i = N - 1; i >= 0; --i) {
#pragma GCC unroll 8
        for (int l = N - 1; l > i; --l) y[i] -= m_[i][l] * y[l];
        y[i] *= inverse_diagonal_[i];
      }
      double* column = x + source_[j] * N;
#pragma GCC unroll 8
      for (int i = 0; i < N; ++i) column[i] = y[i];
    }
  }

 private:
  double m_[N][N];              // L below the diagonal (unit diagonal not stored), U on and above
  double inverse_diagonal_[N];  // of U
  int source_[N];               // row i of P A is row source_[i] of A
};

}  // namespace arges
