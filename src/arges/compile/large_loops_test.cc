// Loops of many equations: which are torn, and what comes out.

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "arges/causalize/passes.h"
#include "arges/compile/compiled_system.h"
#include "arges/flat/builder.h"
#include "arges/hybrid/simulator.h"

namespace arges {
namespace {

double output_at_start(const CompiledSystem& system, const std::string& name) {
  const Context c = make_context(system);
  std::vector<double> y(system.schema().outputs.size());
  system.outputs(point_at(c), Outputs(y.data()));
  for (std::size_t i = 0; i < y.size(); ++i) {
    if (system.schema().outputs[i].name == name) return y[i];
  }
  ADD_FAILURE() << "no output " << name;
  return NAN;
}

// f(k+1) = f(k) / 2 + s and 3 s = 1 - f(n): from s all others follow, and errors die away.
TEST(LargeLoops, AreTornWhenFewGuessesGiveAllOthers) {
  constexpr int n = 100;
  ModelBuilder m("Chain");
  const Ex s = m.real("s");
  Ex last = m.number(0);
  for (int k = 1; k <= n; ++k) {
    const Ex f = m.real(fmt::format("f{}", k));
    m.equation(f, 0.5 * last + s);
    last = f;
  }
  m.equation(3 * s + last, 1);
  const CompiledSystem system(causalize(m.take()));
  EXPECT_EQ(system.model().statistics.largest_loop, n);
  EXPECT_EQ(system.model().statistics.largest_tears, 1);
  // f(n) = 2 s (1 - 2^-n)
  EXPECT_NEAR(output_at_start(system, "s"), 0.2, 1e-15);
  EXPECT_NEAR(output_at_start(system, "f100"), 0.4, 1e-15);
}

// A ladder of unit resistors, closed by what an endless one would be: u(k) = phi^(-2 k). Computed
// from one end to the other, errors would grow by phi^2 from each section to the next.
TEST(LargeLoops, AreSolvedAsAWholeWhenErrorsWouldGrow) {
  constexpr int n = 40;
  constexpr double phi = std::numbers::phi;
  ModelBuilder m("Ladder");
  Ex u = m.number(1), i = m.real("i0");
  m.equation(i, u - m.real("u1"));
  u = m.ex(m.model().ref(VarId{1}));
  for (int k = 1; k <= n; ++k) {
    const Ex next_i = m.real(fmt::format("i{}", k));
    m.equation(i, next_i + u);
    if (k == n) {
      m.equation(next_i, u * (1 / phi));
      break;
    }
    const Ex next_u = m.real(fmt::format("u{}", k + 1));
    m.equation(next_i, u - next_u);
    u = next_u;
    i = next_i;
  }
  const CompiledSystem system(causalize(m.take()));
  const CausalStatistics& statistics = system.model().statistics;
  EXPECT_EQ(statistics.largest_tears, statistics.largest_loop);
  for (const int k : {1, 20, n}) {
    const double exact = std::pow(phi, -2 * k);
    EXPECT_NEAR(output_at_start(system, fmt::format("u{}", k)), exact, 1e-12 * exact);
  }
}

}  // namespace
}  // namespace arges
