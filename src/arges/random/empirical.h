#pragma once
// Distributions that are given by data.

#include <cstddef>
#include <vector>

#include "arges/random/stream.h"

namespace arges::random {

// Given values, each as often as its weight says (weights need not sum to 1). By inversion: one
// uniform a draw, and with values in ascending order monotone in it.
class Discrete {
 public:
  // Throws ApiError unless there are as many weights as values, none below 0, and one above;
  // all finite.
  Discrete(std::vector<double> values, std::vector<double> weights);
  double operator()(Stream& stream) const { return values_[index(stream)]; }
  std::size_t index(Stream& stream) const;  // of the value

 private:
  std::vector<double> values_, sums_;  // of the weights up to and with each
};

// A distribution function that is linear between the points (values[i], levels[i]): values ascend,
// levels go from 0 to 1. By inversion.
class Empirical {
 public:
  // Throws ApiError unless there are at least two such points.
  Empirical(std::vector<double> values, std::vector<double> levels);
  // Of observations, two or more: the i-th of n in order of size has the level (i - 1) / (n - 1).
  static Empirical of_sample(std::vector<double> sample);
  double operator()(Stream& stream) const { return quantile(stream.uniform()); }
  double quantile(double level) const;  // throws ApiError unless 0 <= level <= 1

 private:
  std::vector<double> values_, levels_;
};

}  // namespace arges::random
