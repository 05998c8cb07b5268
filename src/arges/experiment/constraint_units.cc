#include "arges/experiment/constraint_units.h"

#include <algorithm>
#include <cmath>

namespace arges {

namespace {

// Division by a power of two does not round.
double next_power_of_two(double value) { return std::exp2(std::ceil(std::log2(value))); }

bool is_usable(double unit) { return std::isnormal(unit) && std::isnormal(1 / unit); }

}  // namespace

bool is_finite(const Appraisal& appraisal) {
  const auto all = [](const std::vector<double>& list) {
    return std::ranges::all_of(list, [](double v) { return std::isfinite(v); });
  };
  return std::isfinite(appraisal.value) && all(appraisal.at_most_zero) && all(appraisal.zero);
}

ConstraintUnits::ConstraintUnits(const OptimiseRequest& request)
    : equalities_(request.equalities),
      unit_(request.equalities + request.inequalities, 1),
      slack_(unit_) {}

bool ConstraintUnits::measure(const std::vector<Appraisal>& beside) {
  std::vector<const Appraisal*> known;
  for (const Appraisal& each : beside) {
    if (is_finite(each)) known.push_back(&each);
  }
  if (known.size() < 2) return false;
  double value_change = 0;
  for (const Appraisal* each : known)
    value_change = std::max(value_change, std::abs(each->value - known.front()->value));
  const double over_range = value_change / kPartOfRange;
  of_value_ = is_usable(over_range) ? next_power_of_two(over_range) : 1;
  for (std::size_t k = 0; k < unit_.size(); ++k) {
    const bool equality = k < equalities_;
    const std::size_t i = equality ? k : k - equalities_;
    const auto value = [&](const Appraisal& a) { return (equality ? a.zero : a.at_most_zero)[i]; };
    double change = 0, largest = 0, terms = INFINITY;
    for (const Appraisal* each : known) {
      change = std::max(change, std::abs(value(*each) - value(*known.front())));
      largest = std::max(largest, std::abs(value(*each)));
      const std::vector<double>& sizes = equality ? each->terms_zero : each->terms_at_most_zero;
      if (i < sizes.size()) terms = std::min(terms, sizes[i]);
    }
    if (!std::isfinite(terms)) terms = 0;
    // One that does not change here may do so elsewhere.
    const double size = change > 0 ? change : std::max(largest, terms);
    unit_[k] = is_usable(size) ? next_power_of_two(size) : 1;
    slack_[k] = std::max(1.0, terms / unit_[k]);
  }
  return true;
}

void ConstraintUnits::divide(Appraisal& appraisal) const {
  appraisal.value /= of_value_;
  for (std::size_t i = 0; i < appraisal.zero.size(); ++i) appraisal.zero[i] /= unit_[i];
  for (std::size_t i = 0; i < appraisal.at_most_zero.size(); ++i)
    appraisal.at_most_zero[i] /= unit_[equalities_ + i];
}

Violation ConstraintUnits::violation_of(const Appraisal& appraisal) const {
  Violation worst;
  const auto look = [&](double by, std::size_t k) {
    if (by / slack_[k] > worst.relative) worst = {by / slack_[k], by * unit_[k]};
  };
  for (std::size_t i = 0; i < appraisal.zero.size(); ++i) look(std::abs(appraisal.zero[i]), i);
  for (std::size_t i = 0; i < appraisal.at_most_zero.size(); ++i)
    look(appraisal.at_most_zero[i], equalities_ + i);
  return worst;
}

}  // namespace arges
