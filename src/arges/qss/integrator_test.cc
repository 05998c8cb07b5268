#include "arges/qss/integrator.h"

#include <cmath>
#include <functional>
#include <numeric>
#include <vector>

#include <gtest/gtest.h>

#include "arges/qss/first_exit.h"
#include "arges/qss/power_series.h"

namespace arges {
namespace {

using enum QuantisedMethod;

// x' = A x + b, dense.
class Linear final : public QuantisedEquations {
 public:
  Linear(std::vector<double> matrix, std::vector<double> offset)
      : matrix_(std::move(matrix)), offset_(std::move(offset)), all_(offset_.size()) {
    std::iota(all_.begin(), all_.end(), 0);
  }
  int size() const override { return static_cast<int>(offset_.size()); }
  bool autonomous() const override { return true; }
  std::span<const int> readers(int) const override { return all_; }
  std::span<const int> reads(int) const override { return all_; }
  void series(std::span<const int> rows, int order, double, const double* q, double,
              double* f) const override {
    for (std::size_t k = 0; k < rows.size(); ++k) {
      for (int c = 0; c < order; ++c) {
        double sum = c == 0 ? offset_[rows[k]] : 0;
        for (int j = 0; j < size(); ++j) sum += matrix_[rows[k] * size() + j] * q[j * order + c];
        f[k * order + c] = sum;
      }
    }
  }

 private:
  std::vector<double> matrix_, offset_;
  std::vector<int> all_;
};

// One state, x' = f(t, x) as a function of power series.
template <class F>
class Scalar final : public QuantisedEquations {
 public:
  Scalar(F f, bool autonomous) : f_(f), autonomous_(autonomous) {}
  int size() const override { return 1; }
  bool autonomous() const override { return autonomous_; }
  std::span<const int> readers(int) const override { return kAll; }
  std::span<const int> reads(int) const override { return kAll; }
  void series(std::span<const int>, int order, double t, const double* q, double,
              double* f) const override {
    PowerSeries<3> x, time(t);
    std::copy_n(q, order, x.c.data());
    time.c[1] = 1;
    const PowerSeries<3> rate = f_(time, x);
    std::copy_n(rate.c.data(), order, f);
  }

 private:
  static constexpr int kAll[1] = {0};
  F f_;
  bool autonomous_;
};

// A row of cells with zeros at both ends, x_i' = k (x_(i-1) - 2 x_i + x_(i+1)).
class Diffusion final : public QuantisedEquations {
 public:
  Diffusion(int n, double k) : n_(n), k_(k) {}
  int size() const override { return n_; }
  bool autonomous() const override { return true; }
  std::span<const int> readers(int j) const override { return neighbours(j, readers_); }
  std::span<const int> reads(int i) const override { return neighbours(i, reads_); }
  void series(std::span<const int> rows, int order, double, const double* q, double,
              double* f) const override {
    for (std::size_t k = 0; k < rows.size(); ++k) {
      for (int c = 0; c < order; ++c) {
        const double* at = q + static_cast<std::ptrdiff_t>(rows[k]) * order + c;
        const double left = rows[k] > 0 ? at[-order] : 0;
        const double right = rows[k] < n_ - 1 ? at[order] : 0;
        f[k * order + c] = k_ * (left + right - 2 * at[0]);
      }
    }
  }

 private:
  std::span<const int> neighbours(int i, int* buffer) const {
    int count = 0;
    for (int j = std::max(0, i - 1); j <= std::min(n_ - 1, i + 1); ++j) buffer[count++] = j;
    return {buffer, static_cast<std::size_t>(count)};
  }
  int n_;
  double k_;
  mutable int readers_[3], reads_[3];
};

std::unique_ptr<QuantisedIntegrator> run(QuantisedMethod method,
                                         const QuantisedEquations& equations, std::vector<double> x,
                                         double quantum, double stop) {
  auto integrator = make_quantised_integrator(method, equations, {0, quantum, {}, true});
  integrator->start(0, x.data());
  EXPECT_EQ(integrator->run(stop, 100'000'000), QuantisedIntegrator::Outcome::kLimit);
  return integrator;
}

TEST(Qss1, DecayTakesOneMoveForEachQuantumAndEndsInTheHarmonicNumber) {
  const Linear decay({-1}, {0});
  const auto integrator = run(kQss1, decay, {1}, 1.0 / 128, 1e9);
  EXPECT_EQ(integrator->moves(), 128);
  EXPECT_EQ(integrator->next_time(), kNever);
  EXPECT_EQ(integrator->value(0, 100), 0);
  EXPECT_NEAR(integrator->last_move(), 5.433147092589174, 1e-12);
  EXPECT_NEAR(integrator->activity_of(0, 100), 1, 1e-12);
}

TEST(Qss1, LevelsAreMultiplesOfTheQuantumAlsoWhenItIsNoPowerOfTwo) {
  const Linear decay({-1}, {0});
  const auto integrator = run(kQss1, decay, {1}, 0.01, 1e9);
  EXPECT_EQ(integrator->moves(), 100);
  EXPECT_EQ(integrator->value(0, 1e6), 0);
}

TEST(Qss1, LogisticGrowthTakesThePublishedStepsAndTime) {
  const Scalar logistic([](auto, auto x) { return x * (1 - x); }, true);
  const auto integrator = run(kQss1, logistic, {1.0 / 8}, 1.0 / 64, 1e9);
  EXPECT_EQ(integrator->moves(), 56);
  EXPECT_NEAR(integrator->last_move(), 6.7468781156, 1e-9);
}

TEST(Qss1, AStiffPairTakesThousandsOfMovesAndTheLinearlyImplicitOneDozens) {
  const Linear pair({0, 0.01, -100, -100}, {0, 2020});
  const auto explicit_run = run(kQss1, pair, {0, 20}, 1, 500);
  EXPECT_EQ(explicit_run->moves_of(0), 20);
  EXPECT_NEAR(explicit_run->moves_of(1), 15994, 200);
  for (const auto method : {kLiqss1, kLiqss2, kLiqss3}) {
    const auto implicit_run = run(method, pair, {0, 20}, 1, 500);
    EXPECT_LT(implicit_run->moves(), 100) << static_cast<int>(method);
    EXPECT_NEAR(implicit_run->value(0, 500), 20.2 * (1 - std::exp(-0.01 * 500)), 3);
  }
}

// The sum of both decays with 2e6, their difference with 1: alone, each would be stiff with the
// other's companion for its end, and they would drive each other in circles.
TEST(QuantisedMethods, WhatIsStiffThroughTwoStatesTogetherMovesInPairs) {
  constexpr double kFast = 1e6, kQuantum = 1e-3, kStop = 5;
  const Linear pair({-kFast - 1, -kFast, -kFast, -kFast - 1}, {1, 0});
  for (const auto method : {kLiqss1, kLiqss2, kLiqss3}) {
    const auto result = run(method, pair, {0, 0}, kQuantum, kStop);
    EXPECT_LT(result->moves(), method == kLiqss1 ? 10'000 : 300) << static_cast<int>(method);
    const double difference = 1 - std::exp(-kStop), sum = 1 / (2 * kFast + 1);
    EXPECT_NEAR(result->value(0, kStop), 0.5 * (sum + difference), kQuantum);
    EXPECT_NEAR(result->value(1, kStop), 0.5 * (sum - difference), kQuantum);
    // What conditions may multiply is right to many digits.
    EXPECT_NEAR(result->value(0, kStop) + result->value(1, kStop), sum, 1e-4 * kQuantum);
  }
}

TEST(Qss2, DecayTakesAsManyStepsAsTheorySays) {
  const Linear decay({-1}, {0});
  constexpr double kQuantum = 1e-6, kEnd = 5;
  const auto integrator = run(kQss2, decay, {1}, kQuantum, kEnd);
  const double expected = 2 * (1 - std::exp(-kEnd / 2)) / std::sqrt(2 * kQuantum);
  EXPECT_NEAR(static_cast<double>(integrator->moves()), expected, 0.02 * expected);
}

// The largest error of an oscillator with damping over t = 0 .. 10, at points of dense output.
double oscillator_error(QuantisedMethod method, double quantum, std::int64_t* moves) {
  const Linear oscillator({0, 1, -1, -0.2}, {0, 0});
  auto integrator = make_quantised_integrator(method, oscillator, {0, quantum, {}, false});
  const double start[2] = {1, 0};
  integrator->start(0, start);
  const double w = std::sqrt(1 - 0.01);
  double worst = 0;
  for (int k = 1; k <= 200; ++k) {
    const double t = 0.05 * k;
    EXPECT_EQ(integrator->run(t, 100'000'000), QuantisedIntegrator::Outcome::kLimit);
    const double exact = std::exp(-0.1 * t) * (std::cos(w * t) + 0.1 / w * std::sin(w * t));
    worst = std::max(worst, std::abs(integrator->value(0, t) - exact));
  }
  *moves = integrator->moves();
  return worst;
}

// The error is in proportion to the quantum, and the number of steps grows with its N-th root: the
// error falls with the N-th power of the mean step.
TEST(QuantisedMethods, ErrorFallsWithTheOrderOfTheMethodAgainstTheMeanStep) {
  const QuantisedMethod methods[] = {kQss1, kQss2, kQss3, kLiqss1, kLiqss2, kLiqss3};
  for (const auto method : methods) {
    const int order = static_cast<int>(method) % 3 + 1;
    const double coarse = order == 1 ? 1e-3 : 1e-5, fine = order == 1 ? 1e-5 : 1e-8;
    std::int64_t coarse_moves = 0, fine_moves = 0;
    const double coarse_error = oscillator_error(method, coarse, &coarse_moves);
    const double fine_error = oscillator_error(method, fine, &fine_moves);
    const double observed =
        std::log(coarse_error / fine_error) /
        std::log(static_cast<double>(fine_moves) / static_cast<double>(coarse_moves));
    EXPECT_GT(observed, 0.9 * order) << static_cast<int>(method);
    // The companion of a linearly implicit state that is not stiff has no error in the mean: the
    // order is higher, by at most one.
    const bool centred = static_cast<int>(method) >= 3;
    EXPECT_LT(observed, 1.1 * order + (centred ? 1 : 0)) << static_cast<int>(method);
  }
}

// |error| <= |V| |Re(L)^-1 L| |V^-1| dQ for a stable diagonalisable linear system (Kofman); for the
// oscillator, all of modulus one: the bound is worked out by hand.
TEST(QuantisedMethods, ErrorOfALinearSystemStaysBelowTheTextbookBound) {
  // L = -0.1 +- i w, V = [1 1; L1 L2], |L| = 1, |Re L| = 0.1: |V||..||V^-1| <= [10 10 / w; ..].
  const double w = std::sqrt(1 - 0.01);
  const double bound_per_quantum = 10 * (1 / w + 1 / w);
  for (const auto method : {kQss1, kQss2, kQss3}) {
    std::int64_t moves = 0;
    EXPECT_LE(oscillator_error(method, 1e-4, &moves), bound_per_quantum * 1e-4);
  }
}

TEST(QuantisedMethods, ARateThatDependsOnTimeIsFollowed) {
  // x' = cos(t) - x, x(0) = 0: x = (cos t + sin t - exp(-t)) / 2.
  const Scalar driven([](auto t, auto x) { return cos(t) - x; }, false);
  for (const auto method : {kQss1, kQss2, kQss3, kLiqss1, kLiqss2, kLiqss3}) {
    for (const double quantum : {1e-3, 1e-4}) {
      const auto integrator = run(method, driven, {0}, quantum, 7);
      const double exact = (std::cos(7) + std::sin(7) - std::exp(-7)) / 2;
      EXPECT_NEAR(integrator->value(0, 7), exact, 3 * quantum) << static_cast<int>(method);
    }
  }
}

TEST(QuantisedMethods, AStiffStateThatTimeDrivesTakesNoMoreMovesThanItsEndNeeds) {
  // x' = k (sin t - x): x follows sin t, late by 1/k. What its rate misses is forgotten at once.
  constexpr double kFast = 1e4, kQuantum = 1e-5, kStop = 6;
  const Scalar driven([](auto t, auto x) { return (sin(t) - x) * kFast; }, false);
  for (const auto method : {kLiqss2, kLiqss3}) {
    const auto result = run(method, driven, {0}, kQuantum, kStop);
    EXPECT_LT(result->moves(), method == kLiqss2 ? 2'600 : 350);
    EXPECT_NEAR(result->value(0, kStop), std::sin(kStop) - std::cos(kStop) / kFast, kQuantum);
  }
}

TEST(QuantisedMethods, ARateThatJumpsInTimeIsFollowed) {
  // x' = s, and x' = s - x from zero: s = sign(sin t) for the polynomials, without derivative.
  const auto square = [](const auto& t) { return std::sin(t.c[0]) >= 0 ? 1.0 : -1.0; };
  const Scalar integral([&](auto t, auto x) { return decltype(x)(square(t)); }, false);
  const Scalar low_pass([&](auto t, auto x) { return decltype(x)(square(t)) - x; }, false);
  const double pi = std::acos(-1);
  double filtered = 0;  // at 6 pi, after six half periods
  for (int k = 0; k < 6; ++k) {
    const double input = k % 2 == 0 ? 1 : -1;
    filtered = input + (filtered - input) * std::exp(-pi);
  }
  const double end = 1 + (filtered - 1) * std::exp(6 * pi - 20);
  for (const auto method : {kQss1, kQss2, kQss3, kLiqss1, kLiqss2, kLiqss3}) {
    SCOPED_TRACE(static_cast<int>(method));
    for (const double quantum : {1e-3, 1e-4}) {
      const auto triangle = run(method, integral, {0}, quantum, 20);
      EXPECT_NEAR(triangle->value(0, 20), 20 - 6 * pi, 10 * quantum);
      const auto smoothed = run(method, low_pass, {0}, quantum, 20);
      EXPECT_NEAR(smoothed->value(0, 20), end, 5 * quantum);
      // Between the moves, too: the fourth jump.
      const auto top = run(method, integral, {0}, quantum, 3 * pi + 0.1);
      EXPECT_NEAR(top->value(0, 3 * pi + 0.1), pi - 0.1, 10 * quantum);
    }
  }
}

TEST(QuantisedMethods, ALimitOnTheLooksFindsAShortPulse) {
  // One second in 100.
  const Scalar pulse([](auto t, auto x) { return decltype(x)(t.c[0] > 70 && t.c[0] <= 71); },
                     false);
  for (const auto method : {kQss1, kQss2, kQss3, kLiqss1, kLiqss2, kLiqss3}) {
    QuantumOptions options{0, 1e-3, {}, false};
    options.longest_look = 0.9;
    auto integrator = make_quantised_integrator(method, pulse, options);
    const double zero = 0;
    integrator->start(0, &zero);
    integrator->run(100, 1'000'000);
    EXPECT_NEAR(integrator->value(0, 100), 1, 3e-3) << static_cast<int>(method);
  }
}

TEST(Qss1, DiffusionTakesActivityOverQuantumTransitionsWithAnErrorOfAQuantum) {
  const Diffusion cells(99, 100);
  std::vector<double> start(99, 0.0);
  start[49] = 1;
  for (const double quantum : {1e-4, 1e-5}) {
    const auto integrator = run(kQss1, cells, start, quantum, 8);
    double activity = 0, worst = 0;
    for (int i = 0; i < 99; ++i) {
      activity += integrator->activity_of(i, 8);
      double exact = 0;
      for (int p = 1; p < 100; ++p) {
        const double s = std::sin(M_PI * p / 200.0);
        exact += 0.02 * std::sin(M_PI * p / 2) * std::sin(M_PI * p * (i + 1) / 100.0) *
                 std::exp(-400 * s * s * 8);
      }
      worst = std::max(worst, std::abs(integrator->value(i, 8) - exact));
    }
    EXPECT_LE(worst, quantum);
    if (quantum == 1e-5) {
      EXPECT_NEAR(static_cast<double>(integrator->moves()) * quantum, 4.4529, 0.05);
    }
    // What moves back and forth counts, too.
    EXPECT_NEAR(activity, 4.4529, quantum == 1e-5 ? 0.1 : 3);
  }
}

// Between two moves as well: what has one direction has gone as far as it is from its start.
TEST(QuantisedMethods, ActivityIsThatUntilTheTimeAskedFor) {
  const Linear decay({-1}, {0});
  for (const auto method : {kQss1, kQss2, kQss3, kLiqss1, kLiqss2, kLiqss3}) {
    auto integrator = make_quantised_integrator(method, decay, {0, 0.05, {}, true});
    const double start[1] = {1};
    integrator->start(0, start);
    for (const double t : {0.3, 0.71, 1.9}) {
      integrator->run(t, 1000);
      EXPECT_NEAR(integrator->activity_of(0, t), 1 - integrator->value(0, t), 1e-12)
          << static_cast<int>(method) << ' ' << t;
    }
  }
}

// x' = y, y' = 100 (1 - x^2) y - x.
class VanDerPol final : public QuantisedEquations {
 public:
  int size() const override { return 2; }
  bool autonomous() const override { return true; }
  std::span<const int> readers(int) const override { return kAll; }
  std::span<const int> reads(int) const override { return kAll; }
  void series(std::span<const int> rows, int order, double, const double* q, double,
              double* f) const override {
    PowerSeries<3> x, y;
    std::copy_n(q, order, x.c.data());
    std::copy_n(q + order, order, y.c.data());
    const PowerSeries<3> rates[2] = {y, 100.0 * ((1.0 - x * x) * y) - x};
    for (std::size_t k = 0; k < rows.size(); ++k)
      std::copy_n(rates[rows[k]].c.data(), order, f + static_cast<std::ptrdiff_t>(k) * order);
  }

 private:
  static constexpr int kAll[2] = {0, 1};
};

// On its slow branch x is the integral of y, and y is at rest on a curve: an error of y within its
// quantum adds up in x. So the quantum has to fit the size of y there.
TEST(Liqss, ASlowBranchNeedsTheQuantumOfItsSmallState) {
  constexpr double kExact = 1.24751950479784;  // x(75), by rodas5p with rtol = 1e-12
  constexpr double kQuantum = 1e-4;
  const VanDerPol equations;
  const double start[2] = {2, 0}, nominal[2] = {1, 0.01};
  for (const auto method : {kLiqss2, kLiqss3}) {
    auto integrator = make_quantised_integrator(method, equations, {kQuantum, kQuantum, nominal});
    integrator->start(0, start);
    integrator->run(75, 100'000);
    EXPECT_NEAR(integrator->value(0, 75), kExact, 5 * kQuantum * 2);
    EXPECT_LT(integrator->moves(), 400);
  }
}

TEST(QuantisedMethods, CellsAtRestCostNothingAndChangeNothing) {
  std::int64_t moves[2];
  double middle[2];
  for (int big = 0; big < 2; ++big) {
    const int n = big != 0 ? 100'001 : 401;
    const Diffusion cells(n, 100);
    auto integrator = make_quantised_integrator(kQss1, cells, {0, 1e-4, {}, false});
    const int pulse[1] = {n / 2};
    const double one[1] = {1};
    integrator->start_sparse(0, pulse, one);
    EXPECT_EQ(integrator->run(1, 100'000'000), QuantisedIntegrator::Outcome::kLimit);
    moves[big] = integrator->moves();
    middle[big] = integrator->value(n / 2, 1);
  }
  EXPECT_EQ(moves[0], moves[1]);
  EXPECT_EQ(middle[0], middle[1]);
}

TEST(QuantisedMethods, ANotANumberIsReportedWithItsVariable) {
  const Scalar broken([](auto, auto x) { return sqrt(x) * -1.0; }, true);
  auto integrator = make_quantised_integrator(kQss1, broken, {0, 0.3, {}, false});
  const double start[1] = {1};
  integrator->start(0, start);
  EXPECT_EQ(integrator->run(100, 1000), QuantisedIntegrator::Outcome::kNonFinite);
  EXPECT_EQ(integrator->culprit(), 0);
}

TEST(FirstExit, IsTheSmallestRootOfThePolynomialMinusTheBand) {
  EXPECT_DOUBLE_EQ(first_exit(0.5, 1, 1), 0.5);
  EXPECT_DOUBLE_EQ(first_exit(0.5, -1, 1), 1.5);
  EXPECT_EQ(first_exit(0.5, 0, 1), kNever);
  EXPECT_EQ(first_exit(1.0, -1, 1), 0);
  EXPECT_DOUBLE_EQ(first_exit(0, 0, 1, 4), 2);
  EXPECT_DOUBLE_EQ(first_exit(0, -4, 1, 3), 1);  // downwards, before the vertex
  EXPECT_DOUBLE_EQ(first_exit(0, -2, 1, 3), 3);  // the vertex stays inside
  EXPECT_NEAR(first_exit(0, 0, 0, 1, 8), 2, 1e-14);
  EXPECT_NEAR(first_exit(0, 0, 3, -1, 4), 2, 1e-7);  // touches the band at its maximum
  for (const double c : {-3.0, -0.1, 0.0, 0.2, 5.0}) {
    for (const double b : {-2.0, -0.3, 0.0, 1.0}) {
      for (const double a : {-1.5, 0.4, 3.0}) {
        const double s = first_exit(0.1, a, b, c, 1);
        const auto value = [&](double r) { return 0.1 + r * (a + r * (b + r * c)); };
        EXPECT_NEAR(std::abs(value(s)), 1, 1e-12);
        for (int k = 1; k < 100; ++k) EXPECT_LT(std::abs(value(s * k / 100)), 1);
      }
    }
  }
}

TEST(PowerSeries, HasTheTaylorCoefficientsOfFunctions) {
  PowerSeries<3> t(0.5);
  t.c[1] = 1;
  const auto e = exp(t * 2.0);
  EXPECT_NEAR(e.c[2], 2 * std::exp(1.0), 1e-14);
  const auto r = sqrt(t);
  EXPECT_NEAR(r.c[1], 0.5 / std::sqrt(0.5), 1e-15);
  EXPECT_NEAR(r.c[2], -0.125 / std::pow(0.5, 1.5), 1e-15);
  const auto s = sin(t);
  EXPECT_NEAR(s.c[1], std::cos(0.5), 1e-15);
  EXPECT_NEAR(s.c[2], -std::sin(0.5) / 2, 1e-15);
  const auto q = PowerSeries<3>(1) / t;
  EXPECT_NEAR(q.c[2], 1 / std::pow(0.5, 3), 1e-13);
}

}  // namespace
}  // namespace arges
