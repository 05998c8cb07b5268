#include "arges/experiment/delayed_model.h"

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "arges/base/error.h"
#include "arges/experiment/frequency.h"
#include "arges/experiment/pade.h"

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

// The coefficients of the approximant of order 2: (1 - x/2 + x^2/12) / (1 + x/2 + x^2/12), x = s T.
TEST(Pade, IsTheKnownRationalFunction) {
  DelayedModel pure;  // y = u(t - T)
  pure.open.A = Matrix(0, 0);
  pure.open.B = Matrix(0, 2);
  pure.open.C = Matrix(2, 0);
  pure.open.D = Matrix(2, 2);
  pure.open.D(0, 1) = pure.open.D(1, 0) = 1;
  pure.times = {0.3};
  const std::vector<double> omega{0.01, 1, 7, 50};
  const LinearModel model = with_pade(pure, 2);
  const auto response = frequency_response(model, 0, 0, omega);
  for (std::size_t i = 0; i < omega.size(); ++i) {
    const std::complex<double> x(0, 0.3 * omega[i]), even = 1.0 + x * x / 12.0;
    EXPECT_LE(std::abs(response[i] - (even - x / 2.0) / (even + x / 2.0)), 1e-14) << omega[i];
  }
  for (int order = 1; order <= 10; ++order) {  // an all-pass, right to (s T)^(2 N)
    const auto all = frequency_response(with_pade(pure, order), 0, 0, omega);
    for (const auto each : all) EXPECT_NEAR(std::abs(each), 1, 1e-12) << order;
    const std::complex<double> error = all[0] - std::exp(std::complex<double>(0, -0.003));
    EXPECT_LE(std::abs(error), std::pow(0.003, 2 * order + 1) / 12 + 1e-15) << order;
  }
  pure.times = {0};
  EXPECT_EQ(with_pade(pure, 3).states.size(), 0u);
  EXPECT_EQ(with_pade(pure, 3).D(0, 0), 1);
}

// The roots of s = -exp(-s) are the values of Lambert's W at -1.
TEST(Pade, FindsTheLeadingRoots) {
  const LinearModel model = with_pade(feedback(0, -1, 1), 8);
  ASSERT_EQ(model.eigenvalues.size(), 9u);
  const std::complex<double> leading = model.eigenvalues.back();
  EXPECT_NEAR(leading.real(), -0.31813150520476413, 1e-13);
  EXPECT_NEAR(leading.imag(), 1.3372357014306895, 1e-13);
  EXPECT_NEAR(model.eigenvalues[model.eigenvalues.size() - 3].real(), -2.062277729598284, 1e-3);
}

TEST(Pade, AnswersLikeTheDelays) {
  DelayedModel model = feedback(-1, -3, 0.7);
  model.open.D(0, 0) = 0.5;
  model.open.D(1, 0) = 2;    // the input reaches the delay,
  model.open.D(0, 1) = 1.5;  // which reaches the output,
  model.open.D(1, 1) = 0.4;  // and itself
  const std::vector<double> omega{0, 0.1, 1, 2.5};
  const auto exact = frequency_response(model, 0, 0, omega);
  for (const int order : {9, 10}) {
    const auto response = frequency_response(with_pade(model, order), 0, 0, omega);
    for (std::size_t i = 0; i < omega.size(); ++i)
      EXPECT_LE(std::abs(response[i] - exact[i]), 1e-11 * std::abs(exact[i])) << omega[i];
  }
  model.open.D(1, 1) = 1;  // w(t) = w(t - T) + ...
  EXPECT_THROW(with_pade(model, 2), EvaluationError);
  EXPECT_NO_THROW(with_pade(model, 3));
}

}  // namespace
}  // namespace arges
