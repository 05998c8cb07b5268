// Symbolic Jacobians of the rates against differences of high order.

#include "arges/compile/symbolic_jacobian.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include <fmt/format.h>

#include "arges/compile/compiled_system.h"
#include "arges/flat/builder.h"
#include "arges/hybrid/simulator.h"

namespace arges {
namespace {

struct Jacobian {
  std::vector<double> values, dfdt;
};

Jacobian symbolic(const CompiledSystem& system, const Context& c) {
  const ModeInfo& mode = system.schema().modes[0];
  const int n = static_cast<int>(c.x.size());
  Jacobian result;
  result.dfdt.assign(c.x.size(), 0.0);
  const SparsityPattern* pattern = mode.sparsity ? &*mode.sparsity : nullptr;
  std::vector<double> raw(
      pattern ? static_cast<std::size_t>(pattern->nonzeros()) : c.x.size() * c.x.size(), 0.0);
  system.jacobian(point_at(c), nullptr, 0,
                  JacobianEntries(JacobianTarget{raw.data(), result.dfdt.data(), n, pattern}));
  if (pattern == nullptr) {
    result.values = raw;
    return result;
  }
  result.values.assign(c.x.size() * c.x.size(), 0.0);
  for (int j = 0; j < n; ++j) {
    for (int k = pattern->column_start[j]; k < pattern->column_start[j + 1]; ++k)
      result.values[static_cast<std::size_t>(j * n + pattern->row[k])] =
          raw[static_cast<std::size_t>(k)];
  }
  return result;
}

// Central differences of order six: their error is some 1e-11 of the scale.
Jacobian differences(const CompiledSystem& system, Context c) {
  const std::size_t n = c.x.size();
  Jacobian result{std::vector<double>(n * n), std::vector<double>(n)};
  const double h = 1e-2, weights[] = {45.0 / 60, -9.0 / 60, 1.0 / 60};
  for (std::size_t j = 0; j <= n; ++j) {
    double& x = j < n ? c.x[j] : c.t;
    const double saved = x;
    std::vector<double> sum(n, 0.0), f(n);
    for (int k = 1; k <= 3; ++k) {
      for (const int sign : {1, -1}) {
        x = saved + sign * k * h / 4;
        system.derivatives(point_at(c), Rates(f.data()));
        for (std::size_t i = 0; i < n; ++i) sum[i] += sign * weights[k - 1] * f[i];
      }
    }
    x = saved;
    for (std::size_t i = 0; i < n; ++i)
      (j < n ? result.values[j * n + i] : result.dfdt[i]) = sum[i] / (h / 4);
  }
  return result;
}

void expect_close(const Jacobian& a, const Jacobian& b) {
  for (std::size_t k = 0; k < a.values.size(); ++k)
    EXPECT_NEAR(a.values[k], b.values[k], 1e-8 * (1 + std::abs(b.values[k]))) << "entry " << k;
  for (std::size_t k = 0; k < a.dfdt.size(); ++k)
    EXPECT_NEAR(a.dfdt[k], b.dfdt[k], 1e-8 * (1 + std::abs(b.dfdt[k]))) << "df/dt " << k;
}

// States, and algebraic variables computed from them and from each other, at random.
FlatModel random_model(std::mt19937& random, int states, int others) {
  const auto below = [&](int n) { return std::uniform_int_distribution<int>(0, n - 1)(random); };
  ModelBuilder m("Random");
  std::vector<Ex> known{m.time()};
  std::vector<Ex> x;
  for (int i = 0; i < states; ++i) {
    x.push_back(m.state(fmt::format("x[{}]", i + 1), 0.3 + 0.1 * i));
    known.push_back(x.back());
  }
  const auto any = [&] {
    return known[static_cast<std::size_t>(below(static_cast<int>(known.size())))];
  };
  const auto term = [&]() -> Ex {
    const Ex a = any(), b = any();
    switch (below(7)) {
      case 0:
        return a * b;
      case 1:
        return sin(a) + 0.5 * b;
      case 2:
        return a / (2.0 + b * b);
      case 3:
        return exp(-(a * a)) - b;
      case 4:
        return sqrt(1.0 + a * a) * b;
      case 5:
        return no_event(if_else(no_event(a > 100), b * b, a * cos(b)));
      default:
        return a - 0.7 * b;
    }
  };
  for (int i = 0; i < others; ++i) {
    const Ex v = m.real(fmt::format("v[{}]", i + 1));
    m.equation(v, term());
    known.push_back(v);
  }
  for (const Ex& s : x) m.equation(der(s), term() + 0.1 * term());
  return m.take();
}

TEST(SymbolicJacobian, AgreesWithDifferencesOnRandomModels) {
  std::mt19937 random(7);
  int with = 0;
  for (int k = 0; k < 40; ++k) {
    const auto system = compile_system(random_model(random, 1 + k % 7, k % 9));
    if (!system->schema().modes[0].has_jacobian) continue;
    ++with;
    Context c = make_context(*system);
    c.t = 0.2;
    expect_close(symbolic(*system, c), differences(*system, c));
  }
  EXPECT_GE(with, 30);
}

TEST(SymbolicJacobian, OfAChainHasThreeDiagonals) {
  ModelBuilder m("Chain");
  std::vector<Ex> x;
  for (int i = 0; i < 50; ++i) x.push_back(m.state(fmt::format("x[{}]", i + 1), std::sin(i)));
  for (std::size_t i = 0; i < x.size(); ++i) {
    Ex sum = -2.0 * x[i] * x[i];
    if (i > 0) sum = sum + x[i - 1];
    if (i + 1 < x.size()) sum = sum + sin(x[i + 1]);
    m.equation(der(x[i]), sum);
  }
  const auto system = compile_system(m.take());
  ASSERT_TRUE(system->schema().modes[0].has_jacobian);
  EXPECT_EQ(system->code().jacobian.size(), 148U);
  const Context c = make_context(*system);
  expect_close(symbolic(*system, c), differences(*system, c));
}

TEST(SymbolicJacobian, AColumnThatIsNotFiniteIsFoundByDifferences) {
  ModelBuilder m("Tank");
  const Ex h = m.state("h", 0), q = m.state("q", 1);
  m.equation(der(h), q - sqrt(h));
  m.equation(der(q), h - q);
  const auto system = compile_system(m.take());
  ASSERT_TRUE(system->schema().modes[0].has_jacobian);
  const Jacobian j = symbolic(*system, make_context(*system));
  for (const double v : j.values) EXPECT_TRUE(std::isfinite(v)) << v;
  EXPECT_LT(j.values[0], -100);  // a secant of -sqrt at zero
  EXPECT_EQ(j.values[2], 1);
}

TEST(SymbolicJacobian, OfAKinkIsThatOfOneSide) {
  ModelBuilder m("Kink");
  const Ex x = m.state("x", -2), y = m.state("y", 1);
  m.equation(der(x), m.ex(m.model().pool.make(Op::kAbs, {x.id})) * y);
  m.equation(der(y), m.ex(m.model().pool.make(Op::kMin, {x.id, y.id})));
  const auto system = compile_system(m.take());
  ASSERT_TRUE(system->schema().modes[0].has_jacobian);
  const Context c = make_context(*system);
  expect_close(symbolic(*system, c), differences(*system, c));
}

TEST(SymbolicJacobian, GoesThroughLoopsWithOneAndTwoUnknowns) {
  ModelBuilder m("Loops");
  const Ex x = m.state("x", 1), y = m.state("y", 0.4);
  const Ex v = m.real("v", 1), w = m.real("w", 1);
  m.equation(v + 0.1 * sin(v) * y, x + 0.3 * m.time());
  m.equation(w + 0.2 * exp(w), v * y);
  const Ex p = m.real("p", 1), q = m.real("q", 1);
  m.equation(p + 0.1 * sin(q * p), x * w);
  m.equation(q + 0.3 * sin(p * q), y);
  m.equation(der(x), -v + q);
  m.equation(der(y), w * x - p);
  const auto system = compile_system(m.take());
  ASSERT_TRUE(system->schema().modes[0].has_jacobian);
  Context c = make_context(*system);
  c.t = 0.2;
  expect_close(symbolic(*system, c), differences(*system, c));
}

// A nonlinear loop, and a linear one that depends on it.
FlatModel large_loops() {
  ModelBuilder m("Loops");
  const Ex states[] = {m.state("x", 1), m.state("y", 0.4), m.state("z", -0.7)};
  std::vector<Ex> v, w;
  for (int i = 0; i < 5; ++i) {
    v.push_back(m.real(fmt::format("v[{}]", i + 1), 1));
    w.push_back(m.real(fmt::format("w[{}]", i + 1), 1));
  }
  for (std::size_t i = 0; i < v.size(); ++i) {
    Ex sum = 0.1 * sin(v[i]), row = 3.0 * w[i];
    for (const Ex& each : v) sum = sum + 0.01 * sin(each);
    for (std::size_t k = 0; k < w.size(); ++k)
      row = row + (0.1 * static_cast<double>(i + 2 * k) + states[1]) * w[k];
    m.equation(v[i] + sum, states[i % 3] + 0.3 * m.time());
    m.equation(row, v[i] * v[(i + 1) % 5]);
  }
  m.equation(der(states[0]), -v[0] * w[1]);
  m.equation(der(states[1]), v[2] + w[4]);
  m.equation(der(states[2]), w[0] - w[3] * v[4]);
  return m.take();
}

TEST(SymbolicJacobian, GoesThroughLoopsWithManyUnknownsBySolvingForTheirDerivatives) {
  const auto system = compile_system(large_loops());
  ASSERT_TRUE(system->schema().modes[0].has_jacobian);
  Context c = make_context(*system);
  for (const double t : {0.2, 0.9}) {
    c.t = t;
    c.x = {1 + t, 0.4 - t / 3, -0.7 + t * t};
    expect_close(symbolic(*system, c), differences(*system, c));
  }
}

// With k = 0 the sum is determined, the single ones are not.
TEST(SymbolicJacobian, OfALoopThatIsSingularForNowIsFoundByDifferences) {
  ModelBuilder m("Singular");
  const Ex x = m.state("x", 2), k = m.parameter("k", 0);
  std::vector<Ex> v;
  for (int i = 0; i < 5; ++i) v.push_back(m.real(fmt::format("v[{}]", i + 1)));
  const Ex sum = v[0] + v[1] + v[2] + v[3] + v[4];
  for (std::size_t i = 0; i < v.size(); ++i)
    m.equation((1.0 + k) * v[i] + (1.0 - k) * (sum - v[i]) + k * v[(i + 1) % 5],
               x + 2.0 * m.time());
  m.equation(der(x), -v[0] - v[1] - v[2] - v[3] - v[4]);
  const auto system = compile_system(m.take());
  ASSERT_TRUE(system->schema().modes[0].has_jacobian);
  const Jacobian found = symbolic(*system, make_context(*system));
  EXPECT_NEAR(found.values[0], -1, 1e-6);
  EXPECT_NEAR(found.dfdt[0], -2, 1e-6);
}

TEST(SymbolicJacobian, SavesEvaluationsInAStiffRun) {
  ModelBuilder m("Stiff");
  const Ex x = m.state("x", 2), y = m.state("y", 0);
  m.equation(der(x), y);
  m.equation(der(y), 1000.0 * (1.0 - x * x) * y - x);
  const auto system = compile_system(m.take());
  RunOptions options;
  options.stop_time = 2000;
  options.solver = "rodas5p";
  options.numerics.rtol = 1e-8;
  const RunResult result = simulate(*system, options);
  ASSERT_TRUE(result.status.ok()) << result.status.message;
  // The reference value of van der Pol with mu = 1000 in the test set for initial value problems.
  EXPECT_NEAR(result.final.x[0], 1.706167732170469, 1e-5);
  // Eight stages a step, and sometimes a look inside of one; differences would take two more.
  EXPECT_LE(result.statistics.rhs, 9 * (result.statistics.steps + result.statistics.rejected) + 20);
}

}  // namespace
}  // namespace arges
