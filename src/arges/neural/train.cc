#include <cmath>

#include <fmt/format.h>

#include "arges/base/error.h"
#include "arges/linear/dense.h"
#include "arges/neural/network.h"
#include "arges/random/stream.h"

namespace arges::neural {

namespace {

// The net on all examples.
class Lesson {
 public:
  explicit Lesson(const Examples& examples) : examples_(examples) {}

  std::span<const double> inputs(std::size_t k) const {
    const auto n = static_cast<std::size_t>(examples_.inputs);
    return {examples_.x.data() + k * n, n};
  }
  double squares(const Network& net) const {
    double sum = 0;
    for (std::size_t k = 0; k < examples_.size(); ++k)
      sum += std::pow(net(inputs(k)) - examples_.y[k], 2);
    return sum;
  }
  // J'J and J'r; an example after another, so that no large matrix is needed.
  void normal_equations(const Network& net, Eigen::MatrixXd& normal,
                        Eigen::VectorXd& gradient) const {
    const auto n = static_cast<Eigen::Index>(net.weights().size());
    normal.setZero(n, n);
    gradient.setZero(n);
    Eigen::VectorXd slopes(n);
    for (std::size_t k = 0; k < examples_.size(); ++k) {
      const double r =
          net.slopes(inputs(k), {slopes.data(), static_cast<std::size_t>(n)}) - examples_.y[k];
      normal.selfadjointView<Eigen::Lower>().rankUpdate(slopes);
      gradient += r * slopes;
    }
  }

 private:
  const Examples& examples_;
};

Network first_guess(const Examples& examples, const TrainingOptions& options) {
  Network net(examples.inputs, options.units);
  const auto count = static_cast<double>(examples.size());
  for (int i = 0; i < examples.inputs; ++i) {
    double mean = 0, squares = 0;
    for (std::size_t k = 0; k < examples.size(); ++k) {
      const double x =
          examples.x[k * static_cast<std::size_t>(examples.inputs) + static_cast<std::size_t>(i)];
      mean += x / count;
      squares += x * x / count;
    }
    const double deviation = std::sqrt(std::max(0.0, squares - mean * mean));
    net.set_scale(i, mean, deviation > 0 ? deviation : 1);
  }
  random::Stream stream(options.seed, 0, "weights");
  for (double& each : net.weights()) each = stream.uniform(-0.5, 0.5);
  return net;
}

}  // namespace

void Examples::add(std::span<const double> of_inputs, double output) {
  inputs = static_cast<int>(of_inputs.size());
  x.insert(x.end(), of_inputs.begin(), of_inputs.end());
  y.push_back(output);
}

Training train(const Examples& examples, const TrainingOptions& options) {
  Training training{first_guess(examples, options)};
  Network& net = training.network;
  const std::size_t weights = net.weights().size();
  if (examples.size() < weights)
    throw UserError(fmt::format("{} examples do not determine the {} weights of a net",
                                examples.size(), weights));
  const Lesson lesson(examples);
  const auto count = static_cast<double>(examples.size());
  const auto cost_of = [&](const Network& each) {
    double decay = 0;
    for (const double w : each.weights()) decay += w * w;
    return lesson.squares(each) + count * options.decay * decay;
  };
  double cost = cost_of(net), damping = 1e-2;
  Eigen::MatrixXd normal;
  Eigen::VectorXd gradient;
  for (int step = 0; step < options.steps; ++step) {
    lesson.normal_equations(net, normal, gradient);
    const auto n = static_cast<Eigen::Index>(weights);
    const Eigen::Map<const Eigen::VectorXd> now(net.weights().data(), n);
    gradient += count * options.decay * now;
    normal.diagonal().array() += count * options.decay;
    const double before = cost;
    for (; damping < 1e12; damping *= 4) {
      Eigen::MatrixXd damped = normal;
      damped.diagonal().array() += damping;
      const Eigen::VectorXd change = dense::solve_symmetric(damped, gradient);
      Network trial = net;
      for (std::size_t i = 0; i < weights; ++i)
        trial.weights()[i] -= change[static_cast<Eigen::Index>(i)];
      const double there = cost_of(trial);
      if (!(there < cost)) continue;
      net = std::move(trial);
      cost = there;
      damping = std::max(damping / 10, 1e-15);
      break;
    }
    training.errors.push_back(std::sqrt(lesson.squares(net) / count));
    if (!(before - cost > options.tolerance * before)) break;
  }
  training.error = std::sqrt(lesson.squares(net) / count);
  return training;
}

}  // namespace arges::neural
