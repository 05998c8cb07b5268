#include "arges/experiment/frequency.h"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

namespace arges {
namespace {

// w0^2 (1 + s/z) / (s^2 + 2 d w0 s + w0^2) in controllable form.
LinearModel second_order(double w0, double damping, double zero) {
  LinearModel model;
  model.A = Matrix(2, 2);
  model.A.values = {0, 1, -w0 * w0, -2 * damping * w0};
  model.B = Matrix(2, 1);
  model.B.values = {0, 1};
  model.C = Matrix(1, 2);
  model.C.values = {w0 * w0, std::isinf(zero) ? 0 : w0 * w0 / zero};
  model.D = Matrix(1, 1);
  model.eigenvalues = {{-damping * w0, w0 * std::sqrt(1 - damping * damping)},
                       {-damping * w0, -w0 * std::sqrt(1 - damping * damping)}};
  return model;
}

TEST(Frequency, ResponseOfALowPassIsThatOfTheory) {
  const double w0 = 50, damping = 0.3;
  const LinearModel model = second_order(w0, damping, INFINITY);
  const std::vector<double> omega = frequencies_of_interest(model, 20);
  EXPECT_LE(omega.front(), 1.0 + 1e-12);
  EXPECT_GE(omega.back(), 1000 - 1e-9);
  const auto response = frequency_response(model, 0, 0, omega);
  for (std::size_t i = 0; i < omega.size(); ++i) {
    const std::complex<double> s(0, omega[i]);
    const std::complex<double> exact = w0 * w0 / (s * s + 2 * damping * w0 * s + w0 * w0);
    EXPECT_LT(std::abs(response[i] / exact - 1.0), 1e-12) << omega[i];
  }
  EXPECT_NEAR(unwrapped_phase(response).back(), -180, 5);
}

// w0^2 (u - y) - 2 d w0 v = v', y' = v: rates of v in the square of those of y.
LinearModel low_pass(double w0, double damping) {
  LinearModel model = second_order(w0, damping, INFINITY);
  model.B.values = {0, w0 * w0};
  model.C.values = {1, 0};
  return model;
}

TEST(Frequency, ResponseDoesNotDependOnTheUnitOfTime) {
  struct Case {
    double w0, damping;
  };
  for (const auto [w0, damping] :
       {Case{1e9, 0.5}, Case{1e-9, 0.5}, Case{1e4, 0.01}, Case{1e6, 1e-4}, Case{1e6, 1e-5}}) {
    const LinearModel model = low_pass(w0, damping);
    std::vector<double> omega = {w0};
    for (double decade = -6; decade < 6; decade += 0.013)
      omega.push_back(w0 * std::pow(10, decade));
    const auto response = frequency_response(model, 0, 0, omega);
    for (std::size_t i = 0; i < omega.size(); ++i) {
      const double ratio = omega[i] / w0;
      const std::complex<double> exact =
          1.0 / std::complex((1 - ratio) * (1 + ratio), 2 * damping * ratio);
      EXPECT_LT(std::abs(response[i] / exact - 1.0), 1e-10) << w0 << ' ' << omega[i];
    }
    EXPECT_TRUE(transmission_zeros(model, 0, 0).empty()) << w0;
  }
}

// 1 / (s + a) + 1 / (s + b).
TEST(Frequency, StatesOfDifferentSpeedsDoNotHideEachOther) {
  const double slow = 1e-10, fast = 1e10;
  LinearModel model;
  model.A = Matrix(2, 2);
  model.A.values = {-slow, 0, 0, -fast};
  model.B = Matrix(2, 1);
  model.B.values = {1, 1};
  model.C = Matrix(1, 2);
  model.C.values = {1, 1};
  model.D = Matrix(1, 1);
  for (const double w : {1e-12, 1e-10, 1.0, 1e10, 1e12}) {
    const double omega[] = {w};
    const std::complex<double> exact = 1.0 / std::complex(slow, w) + 1.0 / std::complex(fast, w);
    EXPECT_LT(std::abs(frequency_response(model, 0, 0, omega)[0] / exact - 1.0), 1e-14) << w;
  }
  const auto zeros = transmission_zeros(model, 0, 0);
  ASSERT_EQ(zeros.size(), 1u);
  EXPECT_NEAR(zeros[0].real() / (-0.5 * (slow + fast)), 1, 1e-14);
}

TEST(Frequency, PhaseOfFourPolesGoesOnWithoutJumps) {
  std::vector<std::complex<double>> response;
  for (double w = 0.01; w < 100; w *= 1.2) response.push_back(std::pow(std::complex(1.0, w), -4.0));
  const std::vector<double> phase = unwrapped_phase(response);
  for (std::size_t i = 1; i < phase.size(); ++i) EXPECT_LT(phase[i], phase[i - 1]);
  EXPECT_LT(phase.back(), -350);  // -360 in the end
}

TEST(Frequency, ResponseAtAnUndampedPoleIsInfinite) {
  const LinearModel model = second_order(2, 0, INFINITY);
  const double omega[] = {2};
  EXPECT_TRUE(std::isinf(std::abs(frequency_response(model, 0, 0, omega)[0])));
}

TEST(Frequency, ZerosAreFound) {
  const auto zeros = transmission_zeros(second_order(50, 0.3, -7), 0, 0);
  ASSERT_EQ(zeros.size(), 1u);
  EXPECT_NEAR(zeros[0].real(), 7, 1e-9);
  EXPECT_TRUE(transmission_zeros(second_order(50, 0.3, INFINITY), 0, 0).empty());
}

// Any zeros, in controllable form with states in different units: y = p(s) / q(s) u, the degree of
// q larger by 0 to 3.
TEST(Frequency, ZerosOfAllRelativeDegreesAreFound) {
  const std::vector<double> expected = {-1, 20, -300};  // p = s^3 + 281 s^2 - 5720 s - 6000
  const double p[] = {-6000, -5720, 281, 1};
  for (int degree = 0; degree <= 3; ++degree) {
    const int n = 3 + degree;
    const auto unit = [](int i) { return std::pow(1000.0, (i * i) % 5 - 2); };
    LinearModel model;
    model.A = Matrix(n, n);
    for (int i = 0; i + 1 < n; ++i) model.A(i, i + 1) = unit(i + 1) / unit(i);
    for (int i = 0; i < n; ++i) model.A(n - 1, i) = -std::pow(10.0, n - i) * unit(i) / unit(n - 1);
    model.B = Matrix(n, 1);
    model.B(n - 1, 0) = 1 / unit(n - 1);
    model.C = Matrix(1, n);
    for (int i = 0; i < std::min(n, 4); ++i) model.C(0, i) = p[i] * unit(i);
    model.D = Matrix(1, 1);
    if (degree == 0) {  // s^3 is -10 s^2 - 100 s - 1000 and the input
      for (int i = 0; i < n; ++i) model.C(0, i) -= std::pow(10.0, n - i) * unit(i);
      model.D(0, 0) = 1;
    }
    const auto zeros = transmission_zeros(model, 0, 0);
    ASSERT_EQ(zeros.size(), 3u) << degree;
    for (int k = 0; k < 3; ++k)
      EXPECT_LT(std::abs(zeros[k] / expected[k] - 1.0), 1e-10) << degree << ' ' << k;
  }
}

// 1e-3 (s + 4) / ((s + 1) (s + 2)) beside a state that is faster by 13 decades.
TEST(Frequency, AFastStateBesideThePathHidesNoZero) {
  LinearModel model;
  model.A = Matrix(3, 3);
  model.A.values = {-1, 2e-3, 0, 0, -2, 0, 0, 0, -1e13};
  model.B = Matrix(3, 1);
  model.B.values = {1e-3, 1, 1e9};
  model.C = Matrix(1, 3);
  model.C.values = {1, 0, 0};
  model.D = Matrix(1, 1);
  const auto zeros = transmission_zeros(model, 0, 0);
  ASSERT_EQ(zeros.size(), 2u);
  EXPECT_NEAR(zeros[0].real(), -4, 1e-12);
  EXPECT_NEAR(zeros[1].real(), -1e13, 1);  // not seen by the output
}

TEST(Frequency, AnOutputThatTheInputDoesNotReachHasNoZeros) {
  LinearModel model = low_pass(50, 0.3);
  model.C.values = {0, 0};
  EXPECT_TRUE(transmission_zeros(model, 0, 0).empty());
  model = low_pass(50, 0.3);
  model.B.values = {0, 0};
  EXPECT_TRUE(transmission_zeros(model, 0, 0).empty());
}

}  // namespace
}  // namespace arges
