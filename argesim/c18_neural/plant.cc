#include "argesim/c18_neural/plant.h"

#include <cmath>
#include <cstdint>

#include "arges/experiment/fit.h"
#include "arges/experiment/least_squares.h"
#include "arges/linear/dense.h"

namespace arges::argesim::c18 {

namespace {

// Weights as variables of a search.
std::vector<SearchVariable> as_variables(std::span<const double> weights) {
  constexpr double kLargest = 30;
  std::vector<SearchVariable> variables;
  for (const double each : weights)
    variables.push_back({"w", -kLargest, kLargest, std::clamp(each, -kLargest, kLargest)});
  return variables;
}

void put(neural::Network& net, std::span<const double> weights) {
  std::copy(weights.begin(), weights.end(), net.weights().begin());
}

void set_difference(const std::vector<double>& simulated, const Record& record,
                    std::vector<double>& r) {
  r.resize(simulated.size());
  for (std::size_t k = 0; k < r.size(); ++k) r[k] = simulated[k] - record.y[k];
}

}  // namespace

std::vector<double> input_levels() {
  std::vector<double> levels;
  std::uint64_t s = 12345;
  for (int i = 0; i < kSamples / kHold; ++i) {
    s = (1103515245 * s + 12345) % (std::uint64_t{1} << 31);
    levels.push_back(-1 + 2 * static_cast<double>(s) / 0x1p31);
  }
  return levels;
}

Record recorded() {
  // x(t + T) = E x(t) + (1 - E applied to rest) u, for s^2 + 0.8 s + 1: damped oscillation.
  const double d = 0.4, w = std::sqrt(1 - d * d);
  const double decay = std::exp(-d * kPeriod);
  const double c = decay * std::cos(w * kPeriod), s = decay * std::sin(w * kPeriod) / w;
  const double e11 = c + d * s, e12 = s, e21 = -s, e22 = c - d * s;
  const std::vector<double> levels = input_levels();
  Record record;
  double x1 = 0, x2 = 0;
  for (int k = 0; k < kSamples; ++k) {
    const double u = levels[static_cast<std::size_t>(k / kHold)];
    record.u.push_back(u);
    record.y.push_back(x1 + 0.3 * x1 * x1 - 0.1 * x1 * x1 * x1);
    // Around the rest at x1 = u.
    const double z1 = x1 - u;
    x1 = u + e11 * z1 + e12 * x2;
    x2 = e21 * z1 + e22 * x2;
  }
  return record;
}

double step(const Linear& t, double y1, double y2, double u1, double u2) {
  return t[0] * y1 + t[1] * y2 + t[2] * u1 + t[3] * u2 + t[4];
}

Linear fit_linear(const Record& record) {
  Eigen::MatrixXd regressors(kTraining - 2, 5);
  Eigen::VectorXd right(kTraining - 2);
  for (int row = 0; row < kTraining - 2; ++row) {
    const auto k = static_cast<std::size_t>(row + 2);
    regressors.row(row) << record.y[k - 1], record.y[k - 2], record.u[k - 1], record.u[k - 2], 1;
    right[row] = record.y[k];
  }
  const Eigen::VectorXd theta = dense::least_squares(regressors, right).x;
  return {theta[0], theta[1], theta[2], theta[3], theta[4]};
}

double NetModel::next(double y1, double y2, double u1, double u2) const {
  return y1 + kScale * net(std::array{y1, y1 - y2, u1, u2});
}

NetModel fit_net(const Record& record) {
  neural::Examples examples;
  for (std::size_t k = 2; k < kTraining; ++k) {
    const double y1 = record.y[k - 1], y2 = record.y[k - 2];
    examples.add(std::array{y1, y1 - y2, record.u[k - 1], record.u[k - 2]},
                 (record.y[k] - y1) / NetModel::kScale);
  }
  neural::TrainingOptions options;
  options.decay = 1e-7;
  options.steps = 60;
  NetModel model{neural::train(examples, options).network};
  SearchLimits limits;
  limits.max_evaluations = 4000;
  const auto simulate = [&](std::span<const double> weights) {
    put(model.net, weights);
    return free_run(record, kTraining, [&](double y1, double y2, double u1, double u2) {
      return model.next(y1, y2, u1, u2);
    });
  };
  const LeastSquaresResult best =
      least_squares([&](std::span<const double> weights,
                        std::vector<double>& r) { set_difference(simulate(weights), record, r); },
                    as_variables(model.net.weights()), limits);
  put(model.net, best.x);
  double squares = 0;
  for (std::size_t k = 2; k < kTraining; ++k)
    squares +=
        std::pow(model.next(record.y[k - 1], record.y[k - 2], record.u[k - 1], record.u[k - 2]) -
                     record.y[k],
                 2);
  model.step_error = std::sqrt(squares / (kTraining - 2));
  return model;
}

std::vector<double> WienerModel::run(const Record& record, int count) const {
  std::vector<double> y;
  double z1 = 0, z2 = 0, u1 = 0, u2 = 0;
  for (int k = 0; k < count; ++k) {
    const double z = step(linear, z1, z2, u1, u2);
    y.push_back(net(std::array{z}));
    z2 = z1;
    z1 = z;
    u2 = u1;
    u1 = record.u[static_cast<std::size_t>(k)];
  }
  return y;
}

WienerModel fit_wiener(const Record& record) {
  // First a net on the output of the linear model as it is, then both together.
  WienerModel model{fit_linear(record), neural::Network(1, 8)};
  model.linear[4] = 0;
  neural::Examples examples;
  const std::vector<double> z =
      free_run(record, kTraining, [&](double y1, double y2, double u1, double u2) {
        return step(model.linear, y1, y2, u1, u2);
      });
  for (std::size_t k = 0; k < kTraining; ++k) examples.add(std::array{z[k]}, record.y[k]);
  neural::TrainingOptions options;
  options.decay = 1e-6;
  options.steps = 60;
  model.net = neural::train(examples, options).network;
  std::vector<SearchVariable> variables{{"t1", 1.5, 2, model.linear[0]},
                                        {"t2", -1, -0.7, model.linear[1]},
                                        {"t3", -0.1, 0.1, model.linear[2]},
                                        {"t4", -0.1, 0.1, model.linear[3]}};
  for (const SearchVariable& each : as_variables(model.net.weights())) variables.push_back(each);
  const auto take = [&](std::span<const double> values) {
    std::copy_n(values.begin(), 4, model.linear.begin());
    put(model.net, values.subspan(4));
  };
  SearchLimits limits;
  limits.max_evaluations = 3000;
  const LeastSquaresResult best = least_squares(
      [&](std::span<const double> values, std::vector<double>& r) {
        take(values);
        set_difference(model.run(record, kTraining), record, r);
      },
      variables, limits);
  take(best.x);
  return model;
}

double distance(const std::vector<double>& a, const std::vector<double>& b, int first, int last) {
  double squares = 0;
  for (int i = first; i < last; ++i) {
    const auto k = static_cast<std::size_t>(i);
    squares += (a[k] - b[k]) * (a[k] - b[k]);
  }
  return std::sqrt(squares / (last - first));
}

}  // namespace arges::argesim::c18
