#include <cmath>
#include <span>

#include <gtest/gtest.h>

#include "argesim/c21_circuit/reference.h"
#include "argesim/common/experiment.h"

namespace arges::argesim {
namespace {

std::unique_ptr<HybridSystem> circuit(const std::string& diode) {
  return text_model("argesim/c21_circuit/DiodeCircuit.mo", diode);
}

class DiodeCircuit : public ::testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Solvers, DiodeCircuit,
                         ::testing::Values("rodas5p", "dopri5", "dop853", "cvode-bdf",
                                           "cvode-adams", "arkode-dirk"));

TEST_P(DiodeCircuit, IdealDiodeSwitchesOnTime) {
  const auto model = circuit("IdealDiode");
  const Recording result = run(*model, options(GetParam(), 1e-10, 4.2e-5));
  const std::vector<double> times = result.change_times("conducts");
  ASSERT_EQ(times.size(), c21::kSwitches.size());
  for (std::size_t i = 0; i < times.size(); ++i)
    EXPECT_NEAR(times[i] / c21::kSwitches[i], 1, 1e-8) << i;
}

TEST_P(DiodeCircuit, IdealDiodeHasNoCurrentOrNoVoltage) {
  const auto model = circuit("IdealDiode");
  const Recording result = run(*model, options(GetParam(), 1e-8, 4.2e-5));
  const std::vector<double> u = result.trajectory.values_of("u_D"),
                            i = result.trajectory.values_of("i_D"),
                            conducts = result.trajectory.values_of("conducts");
  for (std::size_t row = 0; row < u.size(); ++row) {
    if (conducts[row] != 0) {
      EXPECT_NEAR(u[row], 0, 1e-12);
      EXPECT_GT(i[row], -1e-9);
    } else {
      EXPECT_NEAR(i[row], 0, 1e-14);
      EXPECT_LT(u[row], 1e-9);
    }
  }
}

TEST_P(DiodeCircuit, BothUnknownsOfShockleysEquationGiveTheReference) {
  const c21::Point& last = c21::kShockley.back();
  for (const char* name : {"ShockleyVoltage", "ShockleyCurrent"}) {
    const auto model = circuit(name);
    const Recording result = run(*model, options(GetParam(), 1e-9, last.t));
    EXPECT_NEAR(result.final("u_C"), last.u_C, 1e-8) << name;
    EXPECT_NEAR(result.final("u_D"), last.u_D, 1e-8) << name;
    EXPECT_NEAR(result.final("i"), last.i, 1e-9) << name;
    EXPECT_NEAR(result.final("i_D"), last.i_D, 1e-14) << name;
  }
}

TEST(DiodeCircuit, TheIndexReducedModelHasAllItsVariablesAsStatesAndKeepsItsConstraint) {
  const auto model = circuit("IndexReduced");
  RunOptions wanted = options("rk4", 1e-6, 1e-4);
  wanted.numerics.step = 1e-8;
  const Recording result = run(*model, wanted);
  EXPECT_EQ(result.result.events, 0);
  EXPECT_EQ(result.result.statistics.steps, 10000);
  EXPECT_EQ(result.result.statistics.rhs, 40000);
  EXPECT_NEAR(result.final("u_D"),
              -(20 * (result.final("i") + result.final("i_D")) + result.final("u_C")), 2e-9);
}

}  // namespace
}  // namespace arges::argesim
