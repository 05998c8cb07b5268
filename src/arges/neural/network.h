#pragma once
// Feed-forward nets: a function with many parameters that are learnt from examples.

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace arges::neural {

// One hidden layer:
//
//   y = c + sum_j v_j tanh(b_j + sum_i w_ji (x_i - m_i)/s_i)
//
// m and s are fixed and bring the inputs to the order of one. It is a value, cheap to copy, and
// evaluates without allocating: models in C++ call it in their equations; for models in text it
// writes itself as a function.
class Network {
 public:
  // All weights zero. Throws ApiError without inputs or units.
  Network(int inputs, int units);

  double operator()(std::span<const double> x) const;
  // dy/d(weights) at x, in the order of weights(); returns y.
  double slopes(std::span<const double> x, std::span<double> slopes) const;
  // A Modelica function `name`, its inputs scalars of these names.
  std::string modelica_text(const std::string& name, const std::vector<std::string>& inputs) const;

  int inputs() const { return inputs_; }
  int units() const { return units_; }
  // w row by row, then b, v, c.
  std::span<const double> weights() const { return weights_; }
  std::span<double> weights() { return weights_; }
  // m and s of input i.
  void set_scale(int input, double middle, double width);

 private:
  int inputs_, units_;
  std::vector<double> weights_, middles_, widths_;
};

// Inputs and the output that is wanted for them.
struct Examples {
  int inputs = 0;
  std::vector<double> x;  // one example after another
  std::vector<double> y;

  void add(std::span<const double> inputs, double output);
  std::size_t size() const { return y.size(); }
};

struct TrainingOptions {
  int units = 8;
  int steps = 200;           // at most
  double decay = 0;          // of the weights: added to the mean square error is decay |weights|^2
  std::uint64_t seed = 1;    // of the first weights
  double tolerance = 1e-10;  // ends when a step lowers the error by less, relatively
};

struct Training {
  Network network;
  double error = 0;              // root of the mean square
  std::vector<double> errors{};  // after each step
};

// Levenberg and Marquardt with the exact Jacobian: w := w - (J'J + mu I)^-1 (J'r + decay w), mu
// smaller after a step that lowered the error, larger after one that did not, which is not taken.
// The first weights are random and small; the same examples and seed give the same net. Throws
// UserError when there are fewer examples than weights.
Training train(const Examples& examples, const TrainingOptions& options);

}  // namespace arges::neural
