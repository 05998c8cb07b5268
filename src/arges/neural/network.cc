#include "arges/neural/network.h"

#include <cmath>

#include <fmt/format.h>

#include "arges/base/error.h"

namespace arges::neural {

Network::Network(int inputs, int units)
    : inputs_(inputs),
      units_(units),
      middles_(static_cast<std::size_t>(std::max(inputs, 0)), 0.0),
      widths_(static_cast<std::size_t>(std::max(inputs, 0)), 1.0) {
  if (inputs < 1 || units < 1)
    throw ApiError(fmt::format("a net has inputs and units, not {} and {}", inputs, units));
  weights_.resize(static_cast<std::size_t>(units * (inputs + 2) + 1));
}

double Network::operator()(std::span<const double> x) const {
  const double* w = weights_.data();
  const double* b = w + units_ * inputs_;
  const double* v = b + units_;
  double sum = v[units_];
  for (int j = 0; j < units_; ++j) {
    double inside = b[j];
    for (int i = 0; i < inputs_; ++i)
      inside += w[j * inputs_ + i] * (x[static_cast<std::size_t>(i)] - middles_[i]) / widths_[i];
    sum += v[j] * std::tanh(inside);
  }
  return sum;
}

double Network::slopes(std::span<const double> x, std::span<double> slopes) const {
  const double* w = weights_.data();
  const double* b = w + units_ * inputs_;
  const double* v = b + units_;
  double* dw = slopes.data();
  double* db = dw + units_ * inputs_;
  double* dv = db + units_;
  double sum = v[units_];
  dv[units_] = 1;
  for (int j = 0; j < units_; ++j) {
    double inside = b[j];
    for (int i = 0; i < inputs_; ++i) {
      const double z = (x[static_cast<std::size_t>(i)] - middles_[i]) / widths_[i];
      dw[j * inputs_ + i] = z;
      inside += w[j * inputs_ + i] * z;
    }
    const double h = std::tanh(inside), slope = v[j] * (1 - h * h);
    for (int i = 0; i < inputs_; ++i) dw[j * inputs_ + i] *= slope;
    db[j] = slope;
    dv[j] = h;
    sum += v[j] * h;
  }
  return sum;
}

void Network::set_scale(int input, double middle, double width) {
  if (input < 0 || input >= inputs_ || !(width > 0))
    throw ApiError(fmt::format("input {} cannot have the width {}", input, width));
  middles_[static_cast<std::size_t>(input)] = middle;
  widths_[static_cast<std::size_t>(input)] = width;
}

std::string Network::modelica_text(const std::string& name,
                                   const std::vector<std::string>& inputs) const {
  if (static_cast<int>(inputs.size()) != inputs_)
    throw ApiError(fmt::format("the net has {} inputs, not {}", inputs_, inputs.size()));
  std::string text = fmt::format("function {} \"a trained net with {} units\"\n", name, units_);
  for (const std::string& each : inputs) text += fmt::format("  input Real {};\n", each);
  text += "  output Real y;\nalgorithm\n";
  const double* w = weights_.data();
  const double* b = w + units_ * inputs_;
  const double* v = b + units_;
  text += fmt::format("  y := {:.17g}", v[units_]);
  for (int j = 0; j < units_; ++j) {
    text += fmt::format("\n    + ({:.17g})*tanh({:.17g}", v[j], b[j]);
    for (int i = 0; i < inputs_; ++i) {
      text += fmt::format(" + ({:.17g})*({} - ({:.17g}))/{:.17g}", w[j * inputs_ + i],
                          inputs[static_cast<std::size_t>(i)], middles_[i], widths_[i]);
    }
    text += ")";
  }
  return text + fmt::format(";\nend {};\n", name);
}

}  // namespace arges::neural
