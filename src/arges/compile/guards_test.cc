// Relations that nothing depends on for a while.

#include <gtest/gtest.h>

#include <numbers>

#include "arges/causalize/passes.h"
#include "arges/compile/compiled_system.h"
#include "arges/flat/builder.h"
#include "arges/hybrid/simulator.h"

namespace arges {
namespace {

constexpr double kPi = std::numbers::pi;

RunResult run_to_ten(const CompiledSystem& system) {
  RunOptions o;
  o.stop_time = 10;
  o.numerics.rtol = 1e-9;
  o.numerics.atol = 1e-11;
  RunResult r = simulate(system, o);
  EXPECT_EQ(r.status.reason, RunReason::kFinished) << r.status.message;
  return r;
}

// x = 1/2 + sin t falls through zero at 7/6 pi and 19/6 pi, and rises at 11/6 pi.
struct Wave {
  ModelBuilder m{"Wave"};
  Ex x = m.state("x", 0.5);
  Ex on = m.discrete("on", 0, ScalarType::kBoolean);
  Ex above = m.state("above", 0);  // time for which x was positive while on

  explicit Wave(double since) {
    m.equation(der(x), cos(m.time()));
    m.equation(on, m.time() >= since);
    m.equation(der(above), if_else(on && x > 0, m.number(1), m.number(0)));
  }
};

TEST(Guards, ARelationThatDecidesNothingMakesNoEvents) {
  Wave wave(6);
  const auto system = compile_system(wave.m.take());
  const RunResult r = run_to_ten(*system);
  EXPECT_EQ(r.events, 2);  // 6 and 19/6 pi, but not 7/6 pi and 11/6 pi
  EXPECT_NEAR(r.final.x[1], 19 * kPi / 6 - 6, 1e-7);
}

TEST(Guards, ARelationThatIsAskedForHasTheValueOfThatMoment) {
  Wave wave(5);
  const Ex count = wave.m.discrete("count", 0);
  // At t = 5 the left limit of x > 0, which was last looked at when it was true, must not count.
  wave.m.when(wave.on && wave.x > 0, {ModelBuilder::assign(count, wave.m.time())});
  const auto system = compile_system(wave.m.take());
  const RunResult r = run_to_ten(*system);
  EXPECT_NEAR(r.final.z[1], 11 * kPi / 6, 1e-7);
  EXPECT_NEAR(r.final.x[1], 4 * kPi / 3, 1e-7);
}

// Both y = 1 and y = 0 agree with y > 1/2 at t = 5; the one from before must be taken.
TEST(Guards, ARelationThatIsAskedForBeginsWithItsLeftLimit) {
  ModelBuilder m("Memory");
  const Ex x = m.state("x", 0), y = m.real("y");
  const Ex on = m.discrete("on", 0, ScalarType::kBoolean);
  m.equation(der(x), 0.1);
  m.equation(on, m.time() >= 5);
  m.equation(y, if_else(on, if_else(y > 0.5, m.number(1), m.number(0)), 1 - 2 * x));
  const auto system = compile_system(m.take());
  const RunResult r = run_to_ten(*system);
  std::vector<double> outputs(system->schema().outputs.size());
  system->outputs(point_at(r.final), Outputs(outputs.data()));
  EXPECT_EQ(outputs[0], 0);  // y was 1 at the start
}

TEST(Guards, AVisibleRelationAlwaysMakesEvents) {
  Wave wave(6);
  const Ex positive = wave.m.discrete("positive", 0, ScalarType::kBoolean);
  wave.m.equation(positive, wave.x > 0);
  const auto system = compile_system(wave.m.take());
  EXPECT_EQ(run_to_ten(*system).events, 4);
}

TEST(Guards, TwoRelationsDoNotHideEachOther) {
  ModelBuilder m("Both");
  const Ex x = m.state("x", -1), y = m.state("y", -2), both = m.state("both", 0);
  m.equation(der(x), 1);
  m.equation(der(y), 1);
  m.equation(der(both), if_else(x > 0 && y > 0, m.number(1), m.number(0)));
  const auto system = compile_system(m.take());
  EXPECT_NEAR(run_to_ten(*system).final.x[2], 8, 1e-7);
}

}  // namespace
}  // namespace arges
