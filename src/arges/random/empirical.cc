#include "arges/random/empirical.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "arges/base/error.h"

namespace arges::random {

Discrete::Discrete(std::vector<double> values, std::vector<double> weights)
    : values_(std::move(values)), sums_(std::move(weights)) {
  double sum = 0;
  bool good = values_.size() == sums_.size();
  for (double& weight : sums_) {
    good = good && weight >= 0;  // NaN is not
    sum += weight;
    weight = sum;
  }
  for (const double value : values_) good = good && std::isfinite(value);
  if (!good || !(sum > 0) || !std::isfinite(sum)) {
    throw ApiError(
        "discrete values are finite and have a weight each, of 0 or more and finite, and one above "
        "0");
  }
}

std::size_t Discrete::index(Stream& stream) const {
  const double sought = stream.uniform() * sums_.back();
  // The first sum above: never at a weight of 0. At the end by rounding alone.
  const auto found = std::upper_bound(sums_.begin(), sums_.end(), sought);
  if (found != sums_.end()) return static_cast<std::size_t>(found - sums_.begin());
  return static_cast<std::size_t>(std::lower_bound(sums_.begin(), sums_.end(), sums_.back()) -
                                  sums_.begin());
}

Empirical::Empirical(std::vector<double> values, std::vector<double> levels)
    : values_(std::move(values)), levels_(std::move(levels)) {
  const auto finite = [](double value) { return std::isfinite(value); };
  const bool good = values_.size() >= 2 && values_.size() == levels_.size() &&
                    std::all_of(values_.begin(), values_.end(), finite) &&
                    std::all_of(levels_.begin(), levels_.end(), finite) &&
                    std::is_sorted(values_.begin(), values_.end()) &&
                    std::is_sorted(levels_.begin(), levels_.end()) && levels_.front() == 0 &&
                    levels_.back() == 1;
  if (!good) {
    throw ApiError(
        "an empirical distribution has two points or more, values ascending, levels from 0 to 1");
  }
}

Empirical Empirical::of_sample(std::vector<double> sample) {
  std::sort(sample.begin(), sample.end());
  std::vector<double> levels;
  for (std::size_t i = 0; i < sample.size(); ++i) {
    levels.push_back(
        sample.size() < 2 ? 0 : static_cast<double>(i) / static_cast<double>(sample.size() - 1));
  }
  return {std::move(sample), std::move(levels)};
}

double Empirical::quantile(double level) const {
  if (!(level >= 0 && level <= 1)) {
    throw ApiError(fmt::format("quantile(level) needs a level from 0 to 1, not {}", level));
  }
  const auto above = std::upper_bound(levels_.begin(), levels_.end(), level);
  if (above == levels_.end()) return values_.back();
  if (above == levels_.begin()) return values_.front();
  const auto i = static_cast<std::size_t>(above - levels_.begin());
  const double part = (level - levels_[i - 1]) / (levels_[i] - levels_[i - 1]);
  const double low = values_[i - 1], high = values_[i], width = high - low;
  return std::isfinite(width) ? low + part * width : low * (1 - part) + high * part;
}

}  // namespace arges::random
