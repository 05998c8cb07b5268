#include "argesim/c15_clearance/identification.h"

#include <cmath>

#include <fmt/format.h>

#include "arges/experiment/specification.h"
#include "arges/hybrid/simulator.h"
#include "arges/linear/dense.h"
#include "arges/random/stream.h"
#include "argesim/common/experiment.h"

namespace arges::argesim::c15 {

// x1 is a sum of two exponentials, the answer to an impulse, which is spread over the duration.
double concentration(const Rates& rates, double t) {
  const double sum = rates.k01 + rates.k12 + rates.k21, product = rates.k01 * rates.k12;
  const double root = std::sqrt(sum * sum / 4 - product);
  const double fast = sum / 2 + root, slow = product / fast;
  const auto part = [&](double rate, double other) {
    const double weight = (rates.k12 - rate) / (other - rate);
    return weight * std::expm1(rate * kDuration) / (rate * kDuration) * std::exp(-rate * t);
  };
  return kDose / rates.V1 * (part(fast, slow) + part(slow, fast));
}

std::vector<double> measurements(std::int64_t run) {
  random::Stream stream(1, static_cast<std::uint64_t>(run), "c15");
  std::vector<double> values;
  for (const double t : kTimes)
    values.push_back(concentration(kTrue, t) * (run > 0 ? stream.normal(1, kNoise) : 1));
  return values;
}

FitResult identify(const HybridSystem& model, const std::vector<double>& measured) {
  FitRequest request;
  request.times.assign(kTimes.begin(), kTimes.end());
  request.series = {{"c1", measured, 0}};
  const std::pair<const char*, double> unknowns[] = {
      {"k01", kTrue.k01}, {"k12", kTrue.k12}, {"k21", kTrue.k21}, {"V1", kTrue.V1}};
  for (const auto& [name, value] : unknowns)
    request.variables.push_back(parse_search_variable(
        fmt::format("{}=log:{}:{}@{}", name, value / 20, value * 20, 2 * value)));
  return fit_model(model, make_context(model), options("dop853", 1e-9, 240), request);
}

std::array<double, 5> linear_deviations(const FitResult& exact) {
  constexpr auto kRows = static_cast<Eigen::Index>(kTimes.size());
  const Eigen::Map<const Eigen::MatrixXd> jacobian(exact.jacobian.data(), kRows, 4);
  // The series was weighted by its largest value.
  const std::vector<double> values = measurements(0);
  Eigen::VectorXd noise(kRows);
  for (Eigen::Index k = 0; k < kRows; ++k)
    noise[k] = kNoise * values[static_cast<std::size_t>(k)] / values[0];
  const Eigen::MatrixXd inverse =
      dense::least_squares(jacobian, Eigen::MatrixXd::Identity(kRows, kRows)).x;
  const Eigen::MatrixXd covariance = inverse * noise.cwiseAbs2().asDiagonal() * inverse.transpose();
  std::array<double, 5> deviations;
  for (int i = 0; i < 4; ++i) deviations[i] = std::sqrt(covariance(i, i));
  const Eigen::Vector4d clearance(exact.x[3], 0, 0, exact.x[0]);
  deviations[4] = std::sqrt(clearance.dot(covariance * clearance));
  return deviations;
}

}  // namespace arges::argesim::c15
