// Solutions of z = G(z) that are known beforehand.

#include "arges/hybrid_devs/fixed_point.h"

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
