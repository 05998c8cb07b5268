#include "arges/external/curve.h"

#include <cmath>

#include <gtest/gtest.h>

#include "arges/base/error.h"
#include "arges/external/surface.h"

namespace arges::external {
namespace {

const Smoothness kSmooth[] = {Smoothness::kAkima, Smoothness::kModifiedAkima,
                              Smoothness::kFritschButland, Smoothness::kSteffen};

TEST(Curve, LinearIsExactOnLinesAndExtrapolates) {
  const Curve c({0, 1, 3}, {1, 3, 7}, Smoothness::kLinear);
  for (const double u : {-1.0, 0.0, 0.5, 1.0, 2.25, 3.0, 5.0}) {
    const Jet j = c.at(u, Extrapolation::kLastTwoPoints);
    EXPECT_DOUBLE_EQ(j.value, 1 + 2 * u);
    EXPECT_DOUBLE_EQ(j.first, 2);
  }
  EXPECT_DOUBLE_EQ(c.at(-1, Extrapolation::kHold).value, 1);
  EXPECT_DOUBLE_EQ(c.at(9, Extrapolation::kHold).value, 7);
  EXPECT_DOUBLE_EQ(c.at(9, Extrapolation::kHold).first, 0);
  EXPECT_DOUBLE_EQ(c.at(3.5, Extrapolation::kPeriodic).value, 2);
  EXPECT_DOUBLE_EQ(c.at(-0.5, Extrapolation::kPeriodic).value, 6);
  EXPECT_THROW(c.at(3.5, Extrapolation::kNone), EvaluationError);
  EXPECT_DOUBLE_EQ(c.at(3, Extrapolation::kNone).value, 7);
}

TEST(Curve, ConstantHoldsTheValueOnTheLeft) {
  const Curve c({0, 1, 2}, {5, 6, 7}, Smoothness::kConstant);
  EXPECT_EQ(c.at(0.999, Extrapolation::kHold).value, 5);
  EXPECT_EQ(c.at(1, Extrapolation::kHold).value, 6);
  EXPECT_EQ(c.at(2, Extrapolation::kHold).value, 7);
  EXPECT_EQ(c.at(4, Extrapolation::kLastTwoPoints).value, 9);
}

TEST(Curve, SmoothKindsInterpolateWithContinuousSlope) {
  const std::vector<double> x{0, 0.7, 1.5, 2, 3.2, 4}, y{0, 0.9, 0.4, 0.5, 3, 3.1};
  for (const Smoothness s : kSmooth) {
    const Curve c(x, y, s);
    for (std::size_t i = 0; i < x.size(); ++i) {
      EXPECT_NEAR(c.at(x[i], Extrapolation::kHold).value, y[i], 1e-14);
      if (i == 0 || i + 1 == x.size()) continue;
      EXPECT_NEAR(c.inside(x[i], i - 1).first, c.inside(x[i], i).first, 1e-12);
    }
    // Derivatives against differences.
    const double u = 1.234, h = 1e-4;
    const auto f = [&](double v) { return c.at(v, Extrapolation::kHold).value; };
    EXPECT_NEAR(c.at(u, Extrapolation::kHold).first, (f(u + h) - f(u - h)) / (2 * h), 1e-6);
    EXPECT_NEAR(c.at(u, Extrapolation::kHold).second, (f(u + h) - 2 * f(u) + f(u - h)) / (h * h),
                1e-5);
  }
}

TEST(Curve, AkimaIsExactOnParabolasAwayFromTheEnds) {
  std::vector<double> x, y;
  for (int i = 0; i < 9; ++i) {
    x.push_back(i);
    y.push_back(0.5 * i * i - i);
  }
  const Curve c(x, y, Smoothness::kAkima);
  for (double u = 2; u <= 6; u += 0.1)
    EXPECT_NEAR(c.at(u, Extrapolation::kHold).value, 0.5 * u * u - u, 1e-12);
}

TEST(Curve, MonotoneKindsDoNotOvershoot) {
  const Curve a({0, 1, 2, 3, 4}, {0, 0, 1, 10, 10}, Smoothness::kFritschButland);
  const Curve b({0, 1, 2, 3, 4}, {0, 0, 1, 10, 10}, Smoothness::kSteffen);
  for (const Curve& c : {a, b}) {
    double last = 0;
    for (double u = 0; u <= 4; u += 0.01) {
      const double v = c.at(u, Extrapolation::kHold).value;
      EXPECT_GE(v, last - 1e-12);
      EXPECT_LE(v, 10 + 1e-12);
      last = v;
    }
  }
}

TEST(Surface, BilinearIsExactOnBilinearFunctions) {
  const std::vector<double> x{0, 1, 3}, y{-1, 2};
  std::vector<double> z;
  const auto f = [](double u, double v) { return 1 + 2 * u - v + 3 * u * v; };
  for (const double u : x) {
    for (const double v : y) z.push_back(f(u, v));
  }
  const Surface s(x, y, z, Smoothness::kLinear);
  for (const double u : {-2.0, 0.5, 1.0, 2.9, 5.0}) {
    for (const double v : {-3.0, -1.0, 0.3, 2.0, 4.0}) {
      const SurfaceJet j = s.at(u, v, Extrapolation::kLastTwoPoints);
      EXPECT_NEAR(j.z, f(u, v), 1e-12);
      EXPECT_NEAR(j.z1, 2 + 3 * v, 1e-12);
      EXPECT_NEAR(j.z2, -1 + 3 * u, 1e-12);
      EXPECT_NEAR(j.z12, 3, 1e-12);
    }
  }
  EXPECT_NEAR(s.at(9, 9, Extrapolation::kHold).z, f(3, 2), 1e-12);
  EXPECT_THROW(s.at(9, 0, Extrapolation::kNone), EvaluationError);
}

TEST(Surface, AkimaIsExactOnParabolasAndSmooth) {
  std::vector<double> x, y, z;
  const auto f = [](double u, double v) { return u * u - 0.5 * v * v + u * v; };
  for (int i = 0; i < 8; ++i) {
    x.push_back(i);
    y.push_back(0.5 * i);
  }
  for (const double u : x) {
    for (const double v : y) z.push_back(f(u, v));
  }
  const Surface s(x, y, z, Smoothness::kAkima);
  for (double u = 2; u <= 5; u += 0.3) {
    for (double v = 1; v <= 2.5; v += 0.2) {
      const SurfaceJet j = s.at(u, v, Extrapolation::kHold);
      EXPECT_NEAR(j.z, f(u, v), 1e-11);
      EXPECT_NEAR(j.z1, 2 * u + v, 1e-11);
      EXPECT_NEAR(j.z22, -1, 1e-10);
    }
  }
  // Beyond the edge it goes on along the tangent.
  const SurfaceJet edge = s.at(7, 1.3, Extrapolation::kLastTwoPoints);
  EXPECT_NEAR(s.at(9, 1.3, Extrapolation::kLastTwoPoints).z, edge.z + 2 * edge.z1, 1e-11);
}

TEST(Surface, OneRowIsACurve) {
  const std::vector<double> y{0, 1, 2, 4}, z{1, 0, 2, 3};
  const Surface s({5}, y, z, Smoothness::kAkima);
  const Curve c(y, z, Smoothness::kAkima);
  for (double u = -1; u < 6; u += 0.37) {
    const Jet j = c.at(u, Extrapolation::kLastTwoPoints);
    const SurfaceJet t = s.at(0, u, Extrapolation::kLastTwoPoints);
    EXPECT_NEAR(t.z, j.value, 1e-13);
    EXPECT_NEAR(t.z2, j.first, 1e-13);
  }
}

}  // namespace
}  // namespace arges::external
