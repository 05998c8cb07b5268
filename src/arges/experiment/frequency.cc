#include "arges/experiment/frequency.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <optional>

#include "arges/linear/dense.h"

namespace arges {

namespace {

using Real = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

Eigen::Map<const Real> view(const Matrix& matrix) {
  return {matrix.values.data(), matrix.rows, matrix.columns};
}

}  // namespace

std::vector<std::complex<double>> frequency_response(const LinearModel& model, int input,
                                                     int output, std::span<const double> omega) {
  const int n = model.A.rows;
  std::vector<std::complex<double>> response;
  const Eigen::MatrixXcd A = view(model.A).cast<std::complex<double>>();
  const Eigen::VectorXcd b = view(model.B).col(input).cast<std::complex<double>>();
  const Eigen::VectorXd c = view(model.C).row(output);
  const double d = model.D(output, input);
  for (const double w : omega) {
    if (n == 0) {
      response.emplace_back(d);
      continue;
    }
    const Eigen::MatrixXcd M = std::complex<double>(0, w) * Eigen::MatrixXcd::Identity(n, n) - A;
    const std::optional<Eigen::VectorXcd> x = dense::solve_if_regular(M, b);
    if (!x) {
      response.emplace_back(std::numeric_limits<double>::infinity());
      continue;
    }
    response.push_back(c.cast<std::complex<double>>().dot(*x) + d);
  }
  return response;
}

std::vector<std::complex<double>> transmission_zeros(const LinearModel& model, int input,
                                                     int output) {
  const int n = model.A.rows;
  std::vector<std::complex<double>> zeros;
  if (n == 0) return zeros;
  Eigen::MatrixXd pencil(n + 1, n + 1), mass = Eigen::MatrixXd::Zero(n + 1, n + 1);
  pencil << view(model.A), view(model.B).col(input), view(model.C).row(output),
      model.D(output, input);
  mass.topLeftCorner(n, n).setIdentity();
  const auto spectrum = dense::pencil_eigenvalues(pencil, mass);
  if (!spectrum) return zeros;
  // An infinite eigenvalue has beta = 0, with rounding: no zero is so much faster than the model.
  const double fastest = std::max(1.0, view(model.A).cwiseAbs().maxCoeff());
  for (int i = 0; i <= n; ++i) {
    const std::complex<double> alpha = spectrum->alpha[i];
    const double beta = spectrum->beta[i];
    if (std::abs(beta) * 1e8 * fastest > std::abs(alpha)) zeros.push_back(alpha / beta);
  }
  std::ranges::sort(zeros, [](std::complex<double> a, std::complex<double> b) {
    return std::abs(a) != std::abs(b) ? std::abs(a) < std::abs(b) : a.imag() < b.imag();
  });
  return zeros;
}

std::vector<double> frequencies_of_interest(const LinearModel& model, int per_decade) {
  double lowest = std::numeric_limits<double>::infinity(), highest = 0;
  for (const std::complex<double> value : model.eigenvalues) {
    if (!(std::abs(value) > 0)) continue;
    lowest = std::min(lowest, std::abs(value));
    highest = std::max(highest, std::abs(value));
  }
  if (!(highest > 0)) lowest = highest = 1;
  const double from = std::floor(std::log10(lowest)) - 1, to = std::ceil(std::log10(highest)) + 1;
  const int count = static_cast<int>((to - from) * per_decade) + 1;
  std::vector<double> omega(count);
  for (int i = 0; i < count; ++i)
    omega[i] = std::pow(10.0, from + static_cast<double>(i) / per_decade);
  return omega;
}

std::vector<double> unwrapped_phase(std::span<const std::complex<double>> response) {
  std::vector<double> phase;
  double turns = 0;
  for (const std::complex<double> value : response) {
    double degrees = std::arg(value) * 180 / std::numbers::pi + turns;
    if (!phase.empty()) {
      const double jump = std::round((degrees - phase.back()) / 360) * 360;
      degrees -= jump;
      turns -= jump;
    }
    phase.push_back(degrees);
  }
  return phase;
}

}  // namespace arges
