// Solutions of z = G(z) that are known beforehand.

#include "arges/hybrid_devs/fixed_point.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include "arges/random/stream.h"

namespace arges::hybrid_devs {
namespace {

using Numbers = std::vector<double>;
constexpr double kRefused = std::numeric_limits<double>::infinity();

// G(z) = z* + A (z - z*) + bend * (sin(z - z*), scaled), in units over 24 orders of magnitude.
TEST(FixedPoint, FindsItInAnyUnits) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    random::Stream draw = random::Streams{.seed = seed}("map");
    const auto n = static_cast<std::size_t>(draw.integer(1, 8));
    const bool bends = seed % 2 == 1;
    Numbers solution(n), unit(n), a(n * n);
    for (std::size_t i = 0; i < n; ++i) {
      unit[i] = std::pow(10.0, static_cast<double>(draw.integer(-12, 12)));
      solution[i] = draw.uniform(-1, 1);
    }
    for (double& entry : a)
      entry = bends ? draw.uniform(-0.5, 0.5) / static_cast<double>(n) : draw.uniform(-2, 2);
    const auto g = [&](const Numbers& z, Numbers& value) {
      double largest = 0;
      for (std::size_t i = 0; i < n; ++i) {
        double sum = solution[i];
        for (std::size_t j = 0; j < n; ++j) {
          const double aside = z[j] / unit[j] - solution[j];
          sum += a[i * n + j] * (bends ? aside + std::sin(aside) / 2 : aside);
        }
        value[i] = unit[i] * sum;
        largest = std::max(largest, std::abs(value[i]));
      }
      return largest;
    };
    FixedPoint point(n);
    Numbers z(n);
    ASSERT_EQ(point.search(g, z), FixedPoint::Outcome::kFound) << seed;
    for (std::size_t i = 0; i < n; ++i) EXPECT_NEAR(z[i] / unit[i], solution[i], 1e-10) << seed;
  }
}

TEST(FixedPoint, FollowsTheSolutionNextToTheLastOne) {
  double x = 1;
  const auto g = [&](const Numbers& z, Numbers& value) {  // z^2 = x
    value[0] = z[0] == 0 ? kRefused : x / z[0];
    return std::abs(value[0]);
  };
  for (const double side : {1.0, -1.0}) {
    FixedPoint point(1);
    Numbers z = {side};
    for (x = 1; x < 100; x *= 1.1) {
      ASSERT_EQ(point.follow(g, z), FixedPoint::Outcome::kFound);
      EXPECT_NEAR(z[0], side * std::sqrt(x), 1e-14 * std::sqrt(x));
    }
  }
}

TEST(FixedPoint, TellsWhatHasNoneOrMany) {
  for (const double aside : {0.0, 1.0, 1e-9}) {
    const auto g = [&](const Numbers& z, Numbers& value) {  // the first is the second, and back
      value = {z[1] + aside, z[0]};
      return std::max(std::abs(z[0]), std::abs(z[1])) + aside;
    };
    FixedPoint point(2);
    Numbers z(2);
    EXPECT_EQ(point.search(g, z), FixedPoint::Outcome::kSingular) << aside;
  }
  const auto relay = [](const Numbers& z, Numbers& value) {
    value[0] = z[0] > 0.5 ? -1 : 1;
    return 1.0;
  };
  FixedPoint point(1);
  Numbers z(1);
  EXPECT_EQ(point.search(relay, z), FixedPoint::Outcome::kNotFound);
}

using Map = double (*)(double);

FixedPoint::Function single(Map map) {
  return [map](const Numbers& z, Numbers& value) {
    value[0] = map(z[0]);
    return std::max(std::abs(z[0]), std::abs(value[0]));
  };
}

double cubic(double z) { return z - z * z * z + 8; }
double steep(double z) { return 1 - 1000 * std::pow(z, 5); }
double above(double z) { return z + 1 + std::pow(z, 4); }

// Where |G| is larger than |z| by orders of magnitude.
TEST(FixedPoint, TakesNothingForASolutionThatIsNone) {
  for (const double start : {0.0, 1.0, -1.0, 5.0, -0.5, 1e3, 1e9}) {
    for (const Map map : {cubic, steep}) {
      FixedPoint point(1);
      Numbers z = {start};
      ASSERT_EQ(point.search(single(map), z), FixedPoint::Outcome::kFound) << start;
      EXPECT_NEAR(map(z[0]), z[0], 1e-13) << start;
      FixedPoint along(1);
      z = {start};
      if (along.follow(single(map), z) == FixedPoint::Outcome::kFound) {
        EXPECT_NEAR(map(z[0]), z[0], 1e-13) << start;
      }
    }
    FixedPoint point(1);
    Numbers z = {start};
    EXPECT_NE(point.search(single(above), z), FixedPoint::Outcome::kFound) << start;
  }
}

// A difference across a jump looks like a steep slope, and a solution is no better than the last
// digits on such a slope: 1e-6 of the jump. Slopes that are steep indeed have theirs.
TEST(FixedPoint, AJumpOverTheSolutionIsNone) {
  for (double above = 1e-5; above < 1; above *= 1.7) {
    for (double below = 1e-3; below < 1e3; below *= 1.7) {
      const auto jump = [&](const Numbers& z, Numbers& value) {
        value[0] = 0.3 + (z[0] > 0.3 ? -below : above) + 0.2 * (z[0] - 0.3);
        return std::max(std::abs(z[0]), std::abs(value[0]));
      };
      FixedPoint point(1);
      Numbers z(1), value(1);
      if (point.search(jump, z) != FixedPoint::Outcome::kFound) continue;
      jump(z, value);
      EXPECT_NEAR(value[0], z[0], 1e-6 * (1 + below)) << above << " " << below;
    }
  }
  for (double gain = 1; gain < 1e13; gain *= 3) {
    const auto slope = [&](const Numbers& z, Numbers& value) {
      value[0] = gain * (2.7 - z[0]);
      return std::max(std::abs(z[0]), std::abs(value[0]));
    };
    FixedPoint point(1);
    Numbers z(1);
    ASSERT_EQ(point.search(slope, z), FixedPoint::Outcome::kFound) << gain;
    EXPECT_NEAR(z[0], 2.7 * gain / (1 + gain), 1e-14) << gain;
  }
}

// z^3 - 3 z = u: two of the solutions end at u = 2, z = -1. The third is another one.
TEST(FixedPoint, FollowsNoSolutionBeyondItsEnd) {
  double u = 0;
  const auto g = [&](const Numbers& z, Numbers& value) {
    value[0] = z[0] + 0.2 * (z[0] * z[0] * z[0] - 3 * z[0] - u);
    return std::max(std::abs(z[0]), std::abs(value[0]));
  };
  FixedPoint point(1);
  Numbers z = {-1.8};
  for (; u < 2; u += 0.25) {
    ASSERT_EQ(point.follow(g, z), FixedPoint::Outcome::kFound) << u;
    EXPECT_NEAR(z[0] * z[0] * z[0] - 3 * z[0], u, 1e-13);
    EXPECT_LT(z[0], -1);
  }
  const Numbers last = z;
  for (u = 2.25; u < 3; u += 0.25) {
    z = last;
    EXPECT_EQ(point.follow(g, z), FixedPoint::Outcome::kNotFound) << u;
  }
}

// Polynomials of several unknowns, with solutions or without, in units over 18 orders of magnitude.
TEST(FixedPoint, LeavesNothingOfTheEquationsOfPolynomials) {
  int found = 0;
  constexpr int kMaps = 500;
  for (int seed = 0; seed < kMaps; ++seed) {
    random::Stream draw = random::Streams{.seed = static_cast<std::uint64_t>(seed)}("polynomial");
    const auto n = static_cast<std::size_t>(draw.integer(1, 6));
    const auto degree = static_cast<double>(draw.integer(2, 5));
    const double size = std::pow(10.0, draw.uniform(-1, 1.5)) / static_cast<double>(n);
    Numbers unit(n), free(n), linear(n * n), bent(n * n);
    for (double& one : unit) one = std::pow(10.0, draw.uniform(-9, 9));
    for (double& one : free) one = draw.uniform(-2, 2);
    for (double& one : linear) one = size * draw.uniform(-1, 1);
    for (double& one : bent) one = size * draw.uniform(-1, 1);
    const auto g = [&](const Numbers& z, Numbers& value) {
      double largest = 0;
      for (std::size_t i = 0; i < n; ++i) {
        double sum = free[i];
        for (std::size_t j = 0; j < n; ++j) {
          const double own = z[j] / unit[j];
          sum += linear[i * n + j] * own + bent[i * n + j] * std::pow(own, degree);
        }
        value[i] = unit[i] * sum;
        largest = std::max({largest, std::abs(value[i]), std::abs(z[i])});
      }
      return largest;
    };
    FixedPoint point(n);
    Numbers z(n), value(n);
    const auto outcome = point.search(g, z);
    EXPECT_NE(outcome, FixedPoint::Outcome::kSingular) << seed;
    if (outcome != FixedPoint::Outcome::kFound) continue;
    ++found;
    g(z, value);
    for (std::size_t i = 0; i < n; ++i)
      EXPECT_NEAR(value[i] / unit[i], z[i] / unit[i], 1e-6 * std::abs(z[i] / unit[i])) << seed;
  }
  EXPECT_GT(found, kMaps * 3 / 4);  // some have none
}

// 1.1 u - 0.3 u - 0.8 u is not zero, but a rounding of u.
TEST(FixedPoint, ARegularLoopAtRestIsNotSingular) {
  for (double u = 0.1; u < 1e9; u *= 1.37) {
    const auto g = [&](const Numbers& z, Numbers& value) {
      const double sum = 1.1 * u + 3 * z[0] + z[1];
      value[0] = 0.25 * (sum - 0.3 * u - 0.8 * u);
      value[1] = std::sin(2 * value[0] + u) - std::sin(u) + 0.3 * z[1];
      return std::max(std::abs(sum), std::abs(value[1]));
    };
    FixedPoint point(2);
    Numbers z(2);
    ASSERT_EQ(point.search(g, z), FixedPoint::Outcome::kFound) << u;
    EXPECT_NEAR(z[0], 0, 1e-13 * u);
    EXPECT_NEAR(z[1], 0, 1e-13 * u);
  }
}

TEST(FixedPoint, WhatRoundingLeavesOfALoopAtRestIsNoReasonToFail) {
  for (double slope = -3; slope < 3; slope += 0.01) {
    if (std::abs(slope - 1) < 0.1) continue;
    for (double u = 0.1; u < 1e3; u *= 1.7) {
      const auto g = [&](const Numbers& z, Numbers& value) {
        const double sum = 1.1 * u + z[0];
        value[0] = slope * (sum - 0.3 * u - 0.8 * u);
        return std::max(std::abs(sum), std::abs(value[0]));
      };
      FixedPoint point(1);
      Numbers z(1);
      ASSERT_EQ(point.search(g, z), FixedPoint::Outcome::kFound) << slope << " " << u;
      EXPECT_NEAR(z[0], 0, 1e-13 * u);
    }
  }
}

// A kink, and arguments that are refused on the way.
TEST(FixedPoint, FindsItsWayRoundWhatIsRefused) {
  const auto g = [](const Numbers& z, Numbers& value) {  // ln z = 3 - z
    value[0] = z[0] > 0 ? 3 - std::log(z[0]) : kRefused;
    return std::abs(value[0]);
  };
  FixedPoint point(1);
  Numbers z = {1e-6};
  ASSERT_EQ(point.search(g, z), FixedPoint::Outcome::kFound);
  EXPECT_NEAR(z[0] + std::log(z[0]), 3, 1e-14);
  const auto kink = [](const Numbers& at, Numbers& value) {
    value[0] = 4 - 3 * std::abs(at[0]);
    return 4 + std::abs(at[0]);
  };
  z = {100};
  ASSERT_EQ(point.search(kink, z), FixedPoint::Outcome::kFound);
  EXPECT_NEAR(4 - 3 * std::abs(z[0]), z[0], 1e-14);
}

}  // namespace
}  // namespace arges::hybrid_devs
