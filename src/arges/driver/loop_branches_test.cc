// Models in text whose algebraic loops have several solutions, or equations with several branches.

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>

#include <gtest/gtest.h>

#include "arges/driver/model_text.h"
#include "arges/hybrid/simulator.h"
#include "arges/results/memory_sink.h"

namespace arges {
namespace {

Trajectory branch_run(const std::string& text, const std::string& solver, double stop_time) {
  const auto model = model_from_text("Model.mo", text);
  RunOptions options;
  options.stop_time = stop_time;
  options.interval = stop_time / 50;
  options.solver = solver;
  options.numerics.rtol = 1e-7;
  MemorySink sink;
  const RunResult result = Simulator(*model, options).run(make_context(*model), &sink);
  EXPECT_TRUE(result.status.ok()) << result.status.message;
  sink.finish({});
  return sink.take();
}

class LoopBranches : public ::testing::TestWithParam<std::string> {};

// An amplifier that holds itself at its limits: three solutions for -7.5 < c < 7.5. The motion
// stays on its branch until that ends, however far a trial step has gone.
TEST_P(LoopBranches, TheMotionStaysOnItsBranch) {
  constexpr double kGain = 1000, kLimit = 15;
  const Trajectory run = branch_run(R"(model Multivibrator
      Real y(start=-15), c(start=1, fixed=true);
    equation
      y = noEvent(if 1000*(y/2 - c) > 15 then 15 else if 1000*(y/2 - c) < -15 then -15
                  else 1000*(y/2 - c));
      der(c) = y - c;
    end Multivibrator;)",
                                    GetParam(), 2.5);
  // c goes to -15 until the branch ends at -edge, then to 15, then to -15.
  constexpr double kEdge = kLimit / 2 - kLimit / kGain;
  const double first = std::log((kLimit + 1) / (kLimit - kEdge));
  const double half = std::log((kLimit + kEdge) / (kLimit - kEdge));
  const double expected = -kLimit + (kLimit + kEdge) * std::exp(-(2.5 - first - half));
  EXPECT_NEAR(run.values_of("c").back(), expected, 2e-3);
  EXPECT_EQ(run.values_of("y").back(), -kLimit);
}

// 16 unknowns v = abs(b) that nothing computes one after the other, and v^1.5, which there is not
// for the -abs(b) to which a Newton step leads when b changes its sign.
TEST_P(LoopBranches, AnAbsoluteValueStaysPositiveInALoop) {
  const Trajectory run = branch_run(R"(model Branches
      parameter Integer n = 16;
      Real b[n], v[n], r[n], s, q(start=0, fixed=true);
    equation
      s = 3.6*cos(time);
      for k in 1:n loop
        v[k] = abs(b[k]);
        r[k] = 1 + v[k]^1.5;
        b[k]*r[k] = s - 0.1*sum(b);
      end for;
      der(q) = b[1];
    end Branches;)",
                                    GetParam(), std::numbers::pi);
  // b (1 + b^1.5) = s - 1.6 b
  EXPECT_NEAR(run.values_of("b[1]").front(), 1, 1e-9);
  EXPECT_NEAR(run.values_of("b[16]").back(), -1, 1e-9);
  EXPECT_NEAR(run.values_of("q").back(), 0, 1e-4);
}

INSTANTIATE_TEST_SUITE_P(Solvers, LoopBranches,
                         ::testing::Values("tsit5", "dopri5", "rodas5p", "cvode-bdf"),
                         [](const auto& test) {
                           std::string name = test.param;
                           std::ranges::replace(name, '-', '_');
                           return name;
                         });

// Of the three solutions at the start the one is meant to which the simplified equation leads; with
// relations that make events, too.
TEST(Homotopy, SaysWhichSolutionIsMeant) {
  for (const std::string limited :
       {"noEvent(if 1000*u > 15 then 15 else if 1000*u < -15 then -15 else 1000*u)",
        "if 1000*u > 15 then 15 else if 1000*u < -15 then -15 else 1000*u"}) {
    for (const std::string limit : {"15", "-15"}) {
      const Trajectory run = branch_run(
          "model Trigger Real u, y, c(start=1, fixed=true); equation "
          "y = homotopy(" +
              limited + ", " + limit +
              ");"
              "u = 0.4*y + 0.6*c; der(c) = -c; end Trigger;",
          "tsit5", 1);
      EXPECT_EQ(run.values_of("y").front(), std::stod(limit)) << limited;
      EXPECT_EQ(run.values_of("y").back(), std::stod(limit)) << limited;
    }
  }
}

// The simplified equation has no solution: the actual one is solved from the start value.
TEST(Homotopy, IsLeftAsideWhereTheSimplifiedEquationHasNoSolution) {
  const Trajectory run = branch_run(
      "model Root Real x(start=3), c(start=0, fixed=true); equation "
      "0 = homotopy(x^2 - 4, x^2 + 4); der(c) = x; end Root;",
      "tsit5", 1);
  EXPECT_NEAR(run.values_of("x").front(), 2, 1e-12);
}

}  // namespace
}  // namespace arges
