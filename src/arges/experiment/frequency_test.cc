#include "arges/experiment/frequency.h"

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

}  // namespace
}  // namespace arges
