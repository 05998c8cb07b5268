#include "arges/experiment/search.h"

#include <algorithm>
#include <cmath>

namespace arges {

double SearchVariable::to_unit(double value) const {
  switch (scale) {
    case Scale::kLogarithmic:
      return std::log(value / low) / std::log(high / low);
    case Scale::kInteger:
      return (value - low + 0.5) / (high - low + 1);
    default:
      return (value - low) / (high - low);
  }
}

double SearchVariable::from_unit(double part) const {
  double value = low + part * (high - low);
  if (scale == Scale::kLogarithmic) value = low * std::pow(high / low, part);
  if (scale == Scale::kInteger) value = std::floor(low + part * (high - low + 1));
  return std::clamp(value, low, high);
}

double SearchVariable::first_guess() const {
  return std::isfinite(start) ? std::clamp(start, low, high) : from_unit(0.5);
}

std::string_view to_string(SearchStatus status) {
  switch (status) {
    case SearchStatus::kFound:
      return "found";
    case SearchStatus::kLimit:
      return "limit";
    case SearchStatus::kCancelled:
      return "cancelled";
    default:
      return "not_found";
  }
}

void SearchLimits::report(std::int64_t evaluations) const {
  if (progress)
    progress(
        std::min(1.0, static_cast<double>(evaluations) / static_cast<double>(max_evaluations)));
}

}  // namespace arges
