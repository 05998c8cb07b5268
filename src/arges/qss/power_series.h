#pragma once
// Arithmetic with polynomials in time: the higher derivatives of an expression, exactly.

#include <array>
#include <cmath>
#include <cstddef>

namespace arges {

// c[0] + c[1] s + ... + c[N-1] s^(N-1), higher powers dropped. An expression written for a number
// type T and evaluated with PowerSeries gives the Taylor coefficients of its value when those of
// its variables are given.
template <int N>
struct PowerSeries {
  std::array<double, N> c{};

  PowerSeries() = default;
  PowerSeries(double value) { c[0] = value; }  // NOLINT(google-explicit-constructor): a constant
  explicit PowerSeries(const double* coefficients) {
    for (int k = 0; k < N; ++k) c[k] = coefficients[k];
  }

  PowerSeries& operator+=(const PowerSeries& b) {
    for (int k = 0; k < N; ++k) c[k] += b.c[k];
    return *this;
  }
  PowerSeries& operator-=(const PowerSeries& b) {
    for (int k = 0; k < N; ++k) c[k] -= b.c[k];
    return *this;
  }
  friend PowerSeries operator+(PowerSeries a, const PowerSeries& b) { return a += b; }
  friend PowerSeries operator-(PowerSeries a, const PowerSeries& b) { return a -= b; }
  friend PowerSeries operator-(PowerSeries a) {
    for (double& each : a.c) each = -each;
    return a;
  }
  friend PowerSeries operator*(double b, PowerSeries a) {
    for (double& each : a.c) each *= b;
    return a;
  }
  friend PowerSeries operator*(PowerSeries a, double b) { return b * a; }
  friend PowerSeries operator/(PowerSeries a, double b) { return (1 / b) * a; }
  friend PowerSeries operator*(const PowerSeries& a, const PowerSeries& b) {
    PowerSeries product;
    for (int k = 0; k < N; ++k) {
      for (int j = 0; j <= k; ++j) product.c[k] += a.c[j] * b.c[k - j];
    }
    return product;
  }
  friend PowerSeries operator/(const PowerSeries& a, const PowerSeries& b) {
    PowerSeries quotient;
    for (int k = 0; k < N; ++k) {
      double rest = a.c[k];
      for (int j = 0; j < k; ++j) rest -= quotient.c[j] * b.c[k - j];
      quotient.c[k] = rest / b.c[0];
    }
    return quotient;
  }
};

// y = exp(x): y' = x' y.
template <int N>
PowerSeries<N> exp(const PowerSeries<N>& x) {
  PowerSeries<N> y(std::exp(x.c[0]));
  for (int k = 1; k < N; ++k) {
    for (int j = 1; j <= k; ++j) y.c[k] += j * x.c[j] * y.c[k - j] / k;
  }
  return y;
}

// y = sqrt(x): y^2 = x.
template <int N>
PowerSeries<N> sqrt(const PowerSeries<N>& x) {
  PowerSeries<N> y(std::sqrt(x.c[0]));
  for (int k = 1; k < N; ++k) {
    double rest = x.c[k];
    for (int j = 1; j < k; ++j) rest -= y.c[j] * y.c[k - j];
    y.c[k] = rest / (2 * y.c[0]);
  }
  return y;
}

// s = sin(x) and c = cos(x) together: s' = x' c, c' = -x' s.
template <int N>
void sin_cos(const PowerSeries<N>& x, PowerSeries<N>& s, PowerSeries<N>& c) {
  s = PowerSeries<N>(std::sin(x.c[0]));
  c = PowerSeries<N>(std::cos(x.c[0]));
  for (int k = 1; k < N; ++k) {
    for (int j = 1; j <= k; ++j) {
      s.c[k] += j * x.c[j] * c.c[k - j] / k;
      c.c[k] -= j * x.c[j] * s.c[k - j] / k;
    }
  }
}
template <int N>
PowerSeries<N> sin(const PowerSeries<N>& x) {
  PowerSeries<N> s, c;
  sin_cos(x, s, c);
  return s;
}
template <int N>
PowerSeries<N> cos(const PowerSeries<N>& x) {
  PowerSeries<N> s, c;
  sin_cos(x, s, c);
  return c;
}

}  // namespace arges
