#include "arges/experiment/coupled_run.h"

#include <cmath>

#include <gtest/gtest.h>

#include "arges/base/error.h"
#include "arges/hybrid/simulator.h"

namespace arges {
namespace {

// x' = gain * input: two of them, with gains 1 and -1, are a harmonic oscillator.
class Integrator : public HybridSystem {
 public:
  explicit Integrator(double gain, double start, bool fails = false)
      : HybridSystem("Integrator"), gain_(gain), fails_(fails) {
    x_ = declare_state("x", start);
    u_ = declare_input("u", 0);
  }
  void derivatives(const Point& at, Rates rates) const override {
    if (fails_ && at.t > 0.5) throw EvaluationError("the model says no");
    rates[x_] = gain_ * at[u_];
  }

 private:
  double gain_;
  bool fails_;
  StateId x_;
  InputId u_;
};

class CoupledOscillator : public ::testing::Test {
 protected:
  const Integrator velocity_{-1, 0}, position_{1, 1};
  const std::vector<CoupledLink> links_ = {{0, "x", 1, "u"}, {1, "x", 0, "u"}};
  CoupledResult run(double step, int exchange_every, int threads) const {
    return run_coupled({{velocity_, make_context(velocity_)}, {position_, make_context(position_)}},
                       links_, {0, 2, step, exchange_every, threads});
  }
};

TEST_F(CoupledOscillator, IsOfFourthOrderWhenInputsAreHandedOverAtEachStage) {
  const double coarse = run(0.02, 0, 1).states[1][0] - std::cos(2);
  const double fine = run(0.01, 0, 1).states[1][0] - std::cos(2);
  EXPECT_LT(std::abs(fine), 1e-9);
  EXPECT_NEAR(coarse / fine, 16, 1);
}

TEST_F(CoupledOscillator, IsOfFirstOrderWhenInputsAreHeld) {
  const double every = run(0.001, 1, 1).states[1][0] - std::cos(2);
  const double fourth = run(0.001, 4, 1).states[1][0] - std::cos(2);
  EXPECT_LT(std::abs(every), 2e-3);
  EXPECT_NEAR(fourth / every, 4, 0.1);
}

TEST_F(CoupledOscillator, IsTheSameForAnyNumberOfThreads) {
  for (const int exchange : {0, 1, 5}) {
    const CoupledResult serial = run(0.01, exchange, 1);
    for (const int threads : {2, 7})
      EXPECT_EQ(run(0.01, exchange, threads).states, serial.states) << exchange;
  }
}

TEST(CoupledRun, FitsTheStepToTheEnd) {
  const Integrator only(1, 0);
  Context start = make_context(only);
  set_value(only, start, "u", 3);
  EXPECT_NEAR(run_coupled({{only, start}}, {}, {0, 1, 0.3, 0, 1}).states[0][0], 3, 1e-14);
}

TEST(CoupledRun, HandsOnWhatAModelThrowsAndDoesNotWaitForIt) {
  const Integrator good(1, 0), bad(1, 0, true);
  for (const int threads : {1, 2}) {
    EXPECT_THROW(run_coupled({{good, make_context(good)}, {bad, make_context(bad)}},
                             {{0, "x", 1, "u"}}, {0, 1, 0.01, 0, threads}),
                 EvaluationError);
  }
}

TEST(CoupledRun, RefusesLinksToWhatIsNotThere) {
  const Integrator model(1, 0);
  const std::vector<CoupledPart> parts = {{model, make_context(model)}};
  EXPECT_THROW(run_coupled(parts, {{0, "y", 0, "u"}}, {}), ApiError);
  EXPECT_THROW(run_coupled(parts, {{0, "x", 0, "v"}}, {}), ApiError);
  EXPECT_THROW(run_coupled(parts, {{0, "x", 1, "u"}}, {}), ApiError);
}

}  // namespace
}  // namespace arges
