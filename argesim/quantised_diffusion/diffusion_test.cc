#include <gtest/gtest.h>

#include "argesim/quantised_diffusion/model.h"
#include "argesim/quantised_diffusion/time_stepping.h"

namespace arges::argesim {
namespace {

// Both steppers have the error of order one, with opposite signs.
TEST(EulerRow, GoesToTheExactSolutionWithItsStep) {
  const PulseDiffusion model(19, 4);
  const auto error = [&](void (EulerRow::*step)(), int steps) {
    EulerRow row(19, 4, 1.0 / steps);
    for (int i = 0; i < steps; ++i) (row.*step)();
    return model.error(row.values(), 1);
  };
  for (const auto step : {&EulerRow::explicit_step, &EulerRow::implicit_step}) {
    const double coarse = error(step, 400), fine = error(step, 800);
    EXPECT_LT(fine, 1e-3);
    EXPECT_NEAR(coarse / fine, 2, 0.1);
  }
}

// Each wave of the row decays by itself; t = 0 is the pulse.
TEST(PulseDiffusion, BeginsWithThePulse) {
  const std::vector<double> start = PulseDiffusion(9, 4).exact(0);
  for (int i = 0; i < 9; ++i) EXPECT_NEAR(start[i], i == 4 ? 1 : 0, 1e-15);
}

}  // namespace
}  // namespace arges::argesim
