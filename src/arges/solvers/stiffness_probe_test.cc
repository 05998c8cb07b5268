#include "arges/solvers/stiffness_probe.h"

#include <gtest/gtest.h>

#include "arges/solvers/stepper.h"
#include "testing/test_problems.h"

namespace arges {
namespace {

using namespace testing;

class ProbedMethods : public ::testing::TestWithParam<const char*> {
 protected:
  static std::unique_ptr<Stepper> started(const TestProblem& problem, double rtol) {
    SolverOptions options;
    options.rtol = rtol;
    auto stepper = make_stepper(GetParam(), problem, options);
    stepper->start(problem.t0, problem.x0.data(), nullptr, 0);
    return stepper;
  }
};
INSTANTIATE_TEST_SUITE_P(Stiffness, ProbedMethods, ::testing::Values("arkode-erk", "cvode-adams"),
                         [](const auto& each) {
                           return each.param == std::string("arkode-erk") ? "arkode_erk"
                                                                          : "cvode_adams";
                         });

TEST_P(ProbedMethods, SuspectStiffnessWhereItIs) {
  const Lithium stiff;
  for (const double rtol : {1e-6, 1e-8, 1e-10}) {
    const auto stepper = started(stiff, rtol);
    while (stepper->t() < 10) ASSERT_EQ(stepper->step(10), StepStatus::kOk);
    EXPECT_TRUE(stepper->suspects_stiffness()) << rtol;
  }
}

TEST_P(ProbedMethods, SuspectNoStiffnessInSmoothProblems) {
  const Kepler kepler(0.5);
  const VanDerPol van_der_pol;
  const HarmonicOscillator oscillator;
  for (const TestProblem* problem :
       {static_cast<const TestProblem*>(&kepler), static_cast<const TestProblem*>(&van_der_pol),
        static_cast<const TestProblem*>(&oscillator)}) {
    for (const double rtol : {1e-3, 1e-6, 1e-9, 1e-12}) {
      const auto stepper = started(*problem, rtol);
      while (stepper->t() < 50) {
        ASSERT_EQ(stepper->step(50), StepStatus::kOk);
        ASSERT_FALSE(stepper->suspects_stiffness()) << "rtol " << rtol << " t " << stepper->t();
      }
    }
  }
}

// x' = -1000 x, y' = -y.
class TwoDecays : public TestProblem {
 public:
  TwoDecays() : TestProblem({1, 1}, {"x", "y"}, true, false) {}
  void rhs(double, const double* x, double* f) const override {
    f[0] = -1000 * x[0];
    f[1] = -x[1];
  }
};

TEST(StiffnessProbe, ComparesTheFastestDecayWithTheStep) {
  const TwoDecays problem;
  const double x[] = {1e-9, 0.5};
  for (const double h : {2.5e-3, 3.5e-3}) {
    StiffnessProbe probe(problem, StiffnessProbe::Counts::kDecay);
    std::int64_t rhs = 0;
    for (int i = 0; i < 10; ++i) probe.look(1, x, h, 3, rhs);
    EXPECT_EQ(probe.suspects_stiffness(), h > 3e-3) << h;
    EXPECT_EQ(rhs, 30);
  }
}

TEST(StiffnessProbe, AnOscillationIsNotADecay) {
  const HarmonicOscillator oscillator;
  const double x[] = {1, 0.5};
  StiffnessProbe decay(oscillator, StiffnessProbe::Counts::kDecay),
      any(oscillator, StiffnessProbe::Counts::kAnyMotion);
  std::int64_t rhs = 0;
  for (int i = 0; i < 10; ++i) {
    decay.look(1, x, 1000, 3, rhs);
    any.look(1, x, 1000, 3, rhs);
  }
  EXPECT_FALSE(decay.suspects_stiffness());
  EXPECT_TRUE(any.suspects_stiffness());
}

}  // namespace
}  // namespace arges
