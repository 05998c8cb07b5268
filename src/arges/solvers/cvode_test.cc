#include <cmath>

#include <gtest/gtest.h>

#include "arges/solvers/factories.h"
#include "testing/sundials_problems.h"

namespace arges {
namespace {

using namespace testing;

SolverOptions tolerance(double rtol) {
  SolverOptions options;
  options.rtol = rtol;
  return options;
}

// Nominal values scale the absolute tolerance: a small variable is then as accurate as a large one.
class Scaled : public TestProblem {
 public:
  explicit Scaled(bool with_nominal) : TestProblem({0, 1e-9}, {"q", "p"}, true, false) {
    if (with_nominal) nominal_ = typical_;
  }
  void rhs(double, const double* x, double* f) const override {
    f[0] = x[1];
    f[1] = -x[0];
  }

 private:
  double typical_[2] = {1e-9, 1e-9};
};

TEST(CvodeBdf, NominalValuesScaleTheAbsoluteTolerance) {
  const auto error = [](const Scaled& problem) {
    const auto stepper = make_cvode("cvode-bdf", problem, tolerance(1e-6));
    stepper->start(0, problem.x0.data(), nullptr, 0);
    EXPECT_EQ(run_to(*stepper, 10), StepStatus::kOk);
    return std::abs(stepper->x()[0] - 1e-9 * std::sin(10)) / 1e-9;
  };
  EXPECT_LT(error(Scaled(true)), 1e-3);
  EXPECT_GT(error(Scaled(false)), 1e-2);
}

TEST(CvodeAdams, ReachesHighOrderOnASmoothProblem) {
  const Kepler kepler(0.3);
  const auto adams = make_cvode("cvode-adams", kepler, tolerance(1e-11));
  const auto bdf = make_cvode("cvode-bdf", kepler, tolerance(1e-11));
  for (Stepper* stepper : {adams.get(), bdf.get()}) {
    stepper->start(0, kepler.x0.data(), nullptr, 0);
    ASSERT_EQ(run_to(*stepper, 6), StepStatus::kOk);
    EXPECT_LT(kepler.error(6, stepper->x()), 1e-8);
  }
  EXPECT_LT(2 * adams->statistics().steps, bdf->statistics().steps);
}

}  // namespace
}  // namespace arges
