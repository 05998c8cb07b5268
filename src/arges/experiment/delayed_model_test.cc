#include "arges/experiment/delayed_model.h"

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

namespace arges {
namespace {

// x' = a x + b x(t - T) + u, y = x
DelayedModel feedback(double a, double b, double T) {
  DelayedModel model;
  model.open.A = Matrix(1, 1);
  model.open.A(0, 0) = a;
  model.open.B = Matrix(1, 2);
  model.open.B(0, 0) = 1;
  model.open.B(0, 1) = b;
  model.open.C = Matrix(2, 1);
  model.open.C(0, 0) = model.open.C(1, 0) = 1;
  model.open.D = Matrix(2, 2);
  model.times = {T};
  return model;
}

TEST(DelayedModelTest, TheResponseIsExact) {
  const DelayedModel model = feedback(-1, -3, 0.7);
  const std::vector<double> omega{0, 0.1, 1, 2.5, 40};
  const auto response = frequency_response(model, 0, 0, omega);
  for (std::size_t i = 0; i < omega.size(); ++i) {
    const std::complex<double> s(0, omega[i]), exact = 1.0 / (s + 1.0 + 3.0 * std::exp(-s * 0.7));
    EXPECT_LE(std::abs(response[i] - exact), 1e-14 * std::abs(exact)) << omega[i];
  }
}

// x' = -b x(t - T) is stable for 0 < b T < pi / 2; beyond, a pair of roots more comes over the axis
// each time that b T passes 2 pi k + pi / 2.
TEST(DelayedModelTest, CountsUnstableRoots) {
  const double half = std::numbers::pi / 2;
  const auto count = [](double a, double b, double T) {
    const auto roots = count_unstable_roots(feedback(a, b, T)).value();
    EXPECT_FALSE(roots.neutral) << a << ' ' << b << ' ' << T;
    return roots.count;
  };
  EXPECT_EQ(count(0, -0.999 * half, 1), 0);
  EXPECT_EQ(count(0, -1.001 * half, 1), 2);
  EXPECT_EQ(count(0, -1, 0.999 * half), 0);
  EXPECT_EQ(count(0, -1, 5.001 * half), 4);
  EXPECT_EQ(count(0, -100, 1), 32);  // 2 (floor((100 - pi / 2) / (2 pi)) + 1)
  EXPECT_EQ(count(0, 0.1, 1), 1);
  EXPECT_EQ(count(-2, 1, 50), 0);  // |b| < -a: for any delay
  EXPECT_EQ(count(-2, -1, 50), 0);
  EXPECT_EQ(count(1, 0, 1), 1);
  EXPECT_EQ(count(-1, 0, 1), 0);
}

TEST(DelayedModelTest, ARootOnTheAxisIsNeutral) {
  EXPECT_TRUE(count_unstable_roots(feedback(0, 0, 1)).value().neutral);
  EXPECT_TRUE(count_unstable_roots(feedback(-1, 1, 2)).value().neutral);
  EXPECT_TRUE(count_unstable_roots(feedback(0, -std::numbers::pi / 2, 1)).value().neutral);
}

// z = d z(t - 1) + x: what goes around in a loop without a state.
TEST(DelayedModelTest, ALoopWithoutStatesIsJudgedWhenItLessens) {
  DelayedModel model = feedback(-1, 0, 1);
  model.open.D(1, 1) = 0.5;
  EXPECT_EQ(count_unstable_roots(model).value().count, 0);
  model.open.D(1, 1) = 1;
  std::string why;
  EXPECT_FALSE(count_unstable_roots(model, &why));
  EXPECT_NE(why.find("a loop without states"), std::string::npos) << why;
}

TEST(DelayedModelTest, FrequenciesThatAreTooHighAgainstTheDelayAreNotALoop) {
  std::string why;
  EXPECT_FALSE(count_unstable_roots(feedback(-1e5, 1, 1), &why));
  EXPECT_NE(why.find("as fast as 1.1e+05 rad/s"), std::string::npos) << why;
}

}  // namespace
}  // namespace arges
