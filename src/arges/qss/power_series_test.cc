#include "arges/qss/power_series.h"

#include <cmath>

#include <gtest/gtest.h>

namespace arges {
namespace {

TEST(PowerSeries, HasTheTaylorCoefficientsOfFunctions) {
  PowerSeries<3> t(0.5);
  t.c[1] = 1;
  const auto e = exp(t * 2.0);
  EXPECT_NEAR(e.c[2], 2 * std::exp(1.0), 1e-14);
  const auto r = sqrt(t);
  EXPECT_NEAR(r.c[1], 0.5 / std::sqrt(0.5), 1e-15);
  EXPECT_NEAR(r.c[2], -0.125 / std::pow(0.5, 1.5), 1e-15);
  const auto s = sin(t);
  EXPECT_NEAR(s.c[1], std::cos(0.5), 1e-15);
  EXPECT_NEAR(s.c[2], -std::sin(0.5) / 2, 1e-15);
  const auto q = PowerSeries<3>(1) / t;
  EXPECT_NEAR(q.c[2], 1 / std::pow(0.5, 3), 1e-13);
}

}  // namespace
}  // namespace arges
