#pragma once
// Initial-value problems with known solutions, for the tests of the solvers.

#include <cmath>
#include <string>
#include <vector>

#include "arges/base/error.h"
#include "arges/solvers/equations.h"

namespace arges::testing {

// An explicit ODE with a start. Jacobians are dense, column by column: (i, j) is values[i + j n].
class TestProblem : public Equations {
 public:
  double t0 = 0;
  std::vector<double> x0;

  // The exact solution at t, for problems that have one in closed form.
  virtual std::vector<double> exact(double) const {
    throw ApiError("this test problem has no closed form");
  }

  void residual(double t, const double* x, const double* xdot, double* r) const override {
    rhs(t, x, r);
    for (int i = 0; i < size_; ++i) r[i] = xdot[i] - r[i];
  }
  void jacobian(double, const double*, const double*, double, double*, double*) const override {
    throw ApiError("this test problem has no analytic Jacobian");
  }
  std::string name(int i) const override { return names_[i]; }

  // Largest |x_i - exact_i(t)|.
  double error(double t, const double* x) const {
    const std::vector<double> e = exact(t);
    double worst = 0;
    for (int i = 0; i < size_; ++i) worst = std::fmax(worst, std::fabs(x[i] - e[i]));
    return worst;
  }

 protected:
  TestProblem(std::vector<double> start, std::vector<std::string> names, bool autonomous,
              bool has_jacobian)
      : x0(std::move(start)), names_(std::move(names)) {
    size_ = static_cast<int>(x0.size());
    autonomous_ = autonomous;
    has_jacobian_ = has_jacobian;
  }

 private:
  std::vector<std::string> names_;
};

// x' = -lambda x, x(0) = 1.
class LinearDecay : public TestProblem {
 public:
  explicit LinearDecay(double lambda = 1) : TestProblem({1}, {"x"}, true, true), lambda_(lambda) {}
  void rhs(double, const double* x, double* f) const override { f[0] = -lambda_ * x[0]; }
  void jacobian(double, const double*, const double*, double, double* j, double*) const override {
    j[0] = -lambda_;
  }
  std::vector<double> exact(double t) const override { return {std::exp(-lambda_ * t)}; }

 private:
  double lambda_;
};

// q' = omega p, p' = -omega q: (sin, cos) of omega t.
class HarmonicOscillator : public TestProblem {
 public:
  explicit HarmonicOscillator(double omega = 1)
      : TestProblem({0, 1}, {"q", "p"}, true, true), omega_(omega) {}
  void rhs(double, const double* x, double* f) const override {
    f[0] = omega_ * x[1];
    f[1] = -omega_ * x[0];
  }
  void jacobian(double, const double*, const double*, double, double* j, double*) const override {
    j[1] = -omega_;
    j[2] = omega_;
  }
  std::vector<double> exact(double t) const override {
    return {std::sin(omega_ * t), std::cos(omega_ * t)};
  }

 private:
  double omega_;
};

// The plane two-body problem with eccentricity e, from the pericentre; period 2 pi. The exact
// solution is that of Kepler's equation E - e sin E = t.
class Kepler : public TestProblem {
 public:
  explicit Kepler(double e = 0.5)
      : TestProblem({1 - e, 0, 0, std::sqrt((1 + e) / (1 - e))}, {"x", "y", "vx", "vy"}, true,
                    true),
        e_(e) {}
  void rhs(double, const double* x, double* f) const override {
    const double r2 = x[0] * x[0] + x[1] * x[1];
    const double r3 = r2 * std::sqrt(r2);
    f[0] = x[2];
    f[1] = x[3];
    f[2] = -x[0] / r3;
    f[3] = -x[1] / r3;
  }
  void jacobian(double, const double* x, const double*, double, double* j, double*) const override {
    const double r2 = x[0] * x[0] + x[1] * x[1];
    const double r5 = r2 * r2 * std::sqrt(r2);
    j[0 + 2 * 4] = 1;
    j[1 + 3 * 4] = 1;
    j[2 + 0 * 4] = (3 * x[0] * x[0] - r2) / r5;
    j[2 + 1 * 4] = j[3 + 0 * 4] = 3 * x[0] * x[1] / r5;
    j[3 + 1 * 4] = (3 * x[1] * x[1] - r2) / r5;
  }
  std::vector<double> exact(double t) const override {
    double anomaly = t;
    for (int k = 0; k < 100; ++k) {
      const double correction =
          (anomaly - e_ * std::sin(anomaly) - t) / (1 - e_ * std::cos(anomaly));
      anomaly -= correction;
      if (std::fabs(correction) < 1e-16 * (1 + std::fabs(t))) break;
    }
    const double c = std::cos(anomaly), s = std::sin(anomaly), b = std::sqrt(1 - e_ * e_);
    const double rate = 1 / (1 - e_ * c);
    return {c - e_, b * s, -s * rate, b * c * rate};
  }

 private:
  double e_;
};

// x'' = mu (1 - x^2) x' - x from (2, 0). No closed form.
class VanDerPol : public TestProblem {
 public:
  explicit VanDerPol(double mu = 1) : TestProblem({2, 0}, {"x", "v"}, true, true), mu_(mu) {}
  void rhs(double, const double* x, double* f) const override {
    f[0] = x[1];
    f[1] = mu_ * (1 - x[0] * x[0]) * x[1] - x[0];
  }
  void jacobian(double, const double* x, const double*, double, double* j, double*) const override {
    j[1] = -2 * mu_ * x[0] * x[1] - 1;
    j[2] = 1;
    j[3] = mu_ * (1 - x[0] * x[0]);
  }

 private:
  double mu_;
};

// The lithium cluster of ARGESIM C1 with lf = 1000, p = 0: stiff, eigenvalues -0.009, -11, -1006 at
// the start. reference() holds 17 digits, from a Taylor series of order 44 in 113-bit arithmetic.
class Lithium : public TestProblem {
 public:
  struct Reference {
    double t, f, m, r;
  };
  static const std::vector<Reference>& reference() {
    static const std::vector<Reference> values = {
        {0.01, 0.012363024246223567, 1.7301055915772777, 84.921889548516320},
        {0.1, 0.012988327455909204, 2.3066107383350043, 84.163287009917492},
        {1, 0.018864600208884324, 5.6379552453814928, 76.982183893291872},
        {10, 0.010100722052674319, 3.4796713163550167, 31.755612494065316}};
    return values;
  }

  Lithium() : TestProblem({9.975, 1.674, 84.99}, {"f", "m", "r"}, true, true) {}
  void rhs(double, const double* x, double* d) const override {
    const double f = x[0], m = x[1], r = x[2];
    d[0] = kDr * r + 2 * kDm * m - kKr * m * f - 2 * kKf * f * f - kLf * f;
    d[1] = kDr * r - kDm * m + kKf * f * f - kKr * m * f;
    d[2] = -kDr * r + kKr * m * f;
  }
  void jacobian(double, const double* x, const double*, double, double* j, double*) const override {
    const double f = x[0], m = x[1];
    j[0] = -kKr * m - 4 * kKf * f - kLf;
    j[1] = 2 * kKf * f - kKr * m;
    j[2] = kKr * m;
    j[3] = 2 * kDm - kKr * f;
    j[4] = -kDm - kKr * f;
    j[5] = kKr * f;
    j[6] = kDr;
    j[7] = kDr;
    j[8] = -kDr;
  }

 private:
  static constexpr double kKr = 1, kKf = 0.1, kLf = 1000, kDr = 0.1, kDm = 1;
};

// x' = -lambda (x - cos t), x(0) = 0: stiff and not autonomous (Curtiss and Hirschfelder).
class DrivenDecay : public TestProblem {
 public:
  explicit DrivenDecay(double lambda = 100)
      : TestProblem({0}, {"x"}, false, true), lambda_(lambda) {}
  void rhs(double t, const double* x, double* f) const override {
    f[0] = -lambda_ * (x[0] - std::cos(t));
  }
  void jacobian(double t, const double*, const double*, double, double* j,
                double* dfdt) const override {
    j[0] = -lambda_;
    if (dfdt != nullptr) dfdt[0] = -lambda_ * std::sin(t);
  }
  std::vector<double> exact(double t) const override {
    const double scale = lambda_ / (1 + lambda_ * lambda_);
    return {scale * (lambda_ * (std::cos(t) - std::exp(-lambda_ * t)) + std::sin(t))};
  }

 private:
  double lambda_;
};

}  // namespace arges::testing
