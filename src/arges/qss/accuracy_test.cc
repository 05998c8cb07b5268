// How far results are from the solution: orders, bounds, slow branches.

#include <cmath>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "arges/qss/integrator.h"
#include "arges/qss/test_equations.h"

namespace arges {
namespace {

using enum QuantisedMethod;

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

// The largest error of logistic growth over t = 0 .. 8.
double logistic_error(QuantisedMethod method, double quantum, std::int64_t* moves) {
  const Scalar logistic([](auto, auto x) { return x * (1 - x); }, true);
  auto integrator = make_quantised_integrator(method, logistic, {0, quantum, {}, false});
  const double start[1] = {0.125};
  integrator->start(0, start);
  double worst = 0;
  for (int k = 1; k <= 160; ++k) {
    const double t = 0.05 * k;
    EXPECT_EQ(integrator->run(t, 100'000'000), QuantisedIntegrator::Outcome::kLimit);
    worst = std::max(worst, std::abs(integrator->value(0, t) - 1 / (1 + 7 * std::exp(-t))));
  }
  *moves = integrator->moves();
  return worst;
}

// The error is in proportion to the quantum, and the number of steps grows with its N-th root: the
// error falls with the N-th power of the mean step.
TEST(QuantisedMethods, ErrorFallsWithTheOrderOfTheMethodAgainstTheMeanStep) {
  for (const auto& error_of : {oscillator_error, logistic_error}) {
    for (const auto method : kQuantisedMethods) {
      SCOPED_TRACE(static_cast<int>(method) + (error_of == logistic_error ? 10 : 0));
      const int order = order_of(method);
      const double coarse = order == 1 ? 1e-3 : 1e-5, fine = order == 1 ? 1e-5 : 1e-8;
      std::int64_t coarse_moves = 0, fine_moves = 0;
      const double coarse_error = error_of(method, coarse, &coarse_moves);
      const double fine_error = error_of(method, fine, &fine_moves);
      const double observed =
          std::log(coarse_error / fine_error) /
          std::log(static_cast<double>(fine_moves) / static_cast<double>(coarse_moves));
      EXPECT_GT(observed, 0.85 * order);
      // The companion of a linearly implicit state that is not stiff has no error in the mean: the
      // order is higher, by at most one.
      EXPECT_LT(observed, 1.1 * order + (is_linearly_implicit(method) ? 1 : 0));
    }
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

using Matrix = std::vector<double>;  // by rows

Matrix product(const Matrix& a, const Matrix& b, int n) {
  Matrix c(a.size(), 0.0);
  for (int i = 0; i < n; ++i) {
    for (int k = 0; k < n; ++k) {
      for (int j = 0; j < n; ++j) c[i * n + j] += a[i * n + k] * b[k * n + j];
    }
  }
  return c;
}

// exp(A h), of a short h.
Matrix exponential(const Matrix& a, double h, int n) {
  Matrix sum(a.size(), 0.0), term(a.size(), 0.0);
  for (int i = 0; i < n; ++i) sum[i * n + i] = term[i * n + i] = 1;
  for (int k = 1; k <= 12; ++k) {
    term = product(term, a, n);
    for (std::size_t e = 0; e < sum.size(); ++e) sum[e] += (term[e] *= h / k);
  }
  return sum;
}

// A stable linear system x' = A x, what it does to disturbances, and its solution in steps of h.
struct LinearCase {
  static constexpr double kStep = 1e-2;
  int n;
  Matrix a;
  std::vector<double> start;
  std::vector<std::vector<double>> solution;
  // Of each state, in quanta: the integral of |exp(A s) A|, and of |exp(A s) B| with B = A without
  // its diagonal.
  std::vector<double> bound, bound_of_neighbours;
};

// False: it does not decay, or not by t = 40.
bool make_case(std::mt19937& random, int n, LinearCase& result) {
  std::uniform_real_distribution<double> uniform(-1, 1);
  result = {n,
            Matrix(n * n),
            std::vector<double>(n),
            {},
            std::vector<double>(n, 0.0),
            std::vector<double>(n, 0.0)};
  for (int i = 0; i < n; ++i) {
    const double speed = std::pow(10, std::abs(uniform(random)));
    for (int j = 0; j < n; ++j) result.a[i * n + j] = (i == j ? 2 : 1) * speed * uniform(random);
    result.start[i] = uniform(random);
  }
  Matrix own = result.a, others = result.a;
  for (int i = 0; i < n; ++i) others[i * n + i] = 0;
  const Matrix step = exponential(result.a, LinearCase::kStep, n);
  for (int k = 0; k < 4000; ++k) {
    own = product(step, own, n);
    others = product(step, others, n);
    std::vector<double> x(n, 0.0);
    const std::vector<double>& before = k == 0 ? result.start : result.solution.back();
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j < n; ++j) {
        x[i] += step[i * n + j] * before[j];
        result.bound[i] += LinearCase::kStep * std::abs(own[i * n + j]);
        result.bound_of_neighbours[i] += LinearCase::kStep * std::abs(others[i * n + j]);
      }
      if (!(std::abs(x[i]) < 1e3)) return false;
    }
    result.solution.push_back(x);
  }
  return std::all_of(own.begin(), own.end(), [](double value) { return std::abs(value) < 1e-6; });
}

// |x - q| is at most the quantum. A state of QSS follows x' = A q, so that the error obeys
// e' = A e + A (q - x); a stiff one of LIQSS follows its own equation, and its neighbours alone see
// what is missing, e' = A e + B (q - x). Dense systems of up to five states, which are stiff in
// pairs and through more of them, are within that, and end.
TEST(QuantisedMethods, ErrorsOfAnyLinearSystemAreWithinTheBoundOfItsDisturbances) {
  constexpr double kQuantum = 1e-2;
  std::mt19937 random(5);
  for (int found = 0; found < 40;) {
    LinearCase each;
    if (!make_case(random, 2 + static_cast<int>(random() % 4), each)) continue;
    ++found;
    const Linear equations(each.a, std::vector<double>(each.n, 0.0));
    for (const auto method : kQuantisedMethods) {
      SCOPED_TRACE(static_cast<int>(method) + 10 * found);
      auto integrator = make_quantised_integrator(method, equations, {0, kQuantum, {}, false});
      integrator->start(0, each.start.data());
      std::vector<double> worst(each.n, 0.0);
      for (std::size_t k = 0; k < each.solution.size(); k += 10) {
        const double t = LinearCase::kStep * static_cast<double>(k + 1);
        ASSERT_EQ(integrator->run(t, 1'000'000), QuantisedIntegrator::Outcome::kLimit);
        for (int i = 0; i < each.n; ++i) {
          worst[i] = std::max(worst[i], std::abs(integrator->value(i, t) - each.solution[k][i]));
        }
      }
      for (int i = 0; i < each.n; ++i) {
        const double bound = is_linearly_implicit(method)
                                 ? std::max(each.bound[i], each.bound_of_neighbours[i])
                                 : each.bound[i];
        EXPECT_LE(worst[i], bound * kQuantum) << i;
      }
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

}  // namespace
}  // namespace arges
