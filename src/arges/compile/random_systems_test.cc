// Random equation systems whose solution is known by construction.

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include <fmt/format.h>

#include "arges/compile/compiled_system.h"
#include "arges/flat/builder.h"
#include "arges/hybrid/simulator.h"
#include "arges/hybrid/update.h"

namespace arges {
namespace {

// Each unknown v[i] = solution[i] * x, where x is a state with the value 1. Row i has its own
// unknown with a dominant factor and some others; the rows are written in different shapes (the
// unknown on the left, right, in a quotient), so that solving, tearing and Newton are all used.
struct RandomSystem {
  FlatModel flat;
  std::vector<double> solution;
};

RandomSystem random_system(std::mt19937& random, int n, int others, bool nonlinear) {
  std::uniform_real_distribution<double> uniform(-1, 1);
  std::uniform_int_distribution<int> any(0, n - 1);
  RandomSystem result;
  for (int i = 0; i < n; ++i) result.solution.push_back(uniform(random));
  ModelBuilder m("Random");
  const Ex x = m.state("x", 1);
  m.equation(der(x), 0);
  std::vector<Ex> v;
  for (int i = 0; i < n; ++i) {
    const double guess = result.solution[static_cast<std::size_t>(i)] + 0.05 * uniform(random);
    v.push_back(m.real(fmt::format("v[{}]", i + 1), guess));
  }
  for (int i = 0; i < n; ++i) {
    const std::size_t self = static_cast<std::size_t>(i);
    const double own = (uniform(random) < 0 ? -1 : 1) * (others + 1);
    Ex sum = own * v[self];
    double value = own * result.solution[self];
    for (int k = 0; k < others; ++k) {
      const std::size_t j = static_cast<std::size_t>(any(random));
      const double factor = uniform(random) * 0.9;
      if (nonlinear && k % 2 == 0) {
        sum = sum + factor * sin(v[j]);
        value += factor * std::sin(result.solution[j]);
      } else {
        sum = sum - factor * v[j];
        value -= factor * result.solution[j];
      }
    }
    switch (i % 3) {
      case 0:
        m.equation(sum, value * x);
        break;
      case 1:
        m.equation(value * x - sum, 0);
        break;
      default:
        m.equation(m.number(value), sum / x);
    }
  }
  result.flat = m.take();
  return result;
}

void expect_solution(RandomSystem system, double tolerance) {
  const std::size_t n = system.solution.size();
  const auto compiled = compile_system(std::move(system.flat));
  Context c = make_context(*compiled);
  const Context before = c;
  Update update(*compiled, before, c);
  compiled->initialize(update);
  std::vector<double> y(compiled->schema().outputs.size());
  compiled->outputs(point_at(c), Outputs(y.data()));
  ASSERT_EQ(y.size(), n);
  for (std::size_t i = 0; i < n; ++i)
    EXPECT_NEAR(y[i], system.solution[i], tolerance) << compiled->schema().outputs[i].name;
}

TEST(RandomSystems, LinearOnesAreSolvedToRounding) {
  std::mt19937 random(7);
  for (int trial = 0; trial < 60; ++trial)
    expect_solution(random_system(random, 2 + trial % 30, 1 + trial % 3, false), 1e-12);
  for (int trial = 0; trial < 5; ++trial)
    expect_solution(random_system(random, 300, 3, false), 1e-12);
}

TEST(RandomSystems, NonlinearOnesAreSolvedToRounding) {
  std::mt19937 random(8);
  for (int trial = 0; trial < 60; ++trial)
    expect_solution(random_system(random, 2 + trial % 30, 1 + trial % 3, true), 1e-11);
  for (int trial = 0; trial < 5; ++trial)
    expect_solution(random_system(random, 200, 3, true), 1e-11);
}

}  // namespace
}  // namespace arges
