#include "arges/experiment/study.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "arges/base/error.h"
#include "arges/base/parse_number.h"

namespace arges {

std::int64_t sweep_size(const std::vector<SweepAxis>& axes) {
  double product = 1;
  std::int64_t size = 1;
  for (const SweepAxis& axis : axes) {
    product *= static_cast<double>(axis.values.size());
    if (product > 1e9) throw UserError("the sweep has more than 1e9 runs: take fewer values");
    size *= static_cast<std::int64_t>(axis.values.size());
  }
  return size;
}

std::vector<double> sweep_values(const std::vector<SweepAxis>& axes, std::int64_t index) {
  std::vector<double> values(axes.size());
  for (std::size_t k = axes.size(); k-- > 0;) {
    const auto size = static_cast<std::int64_t>(axes[k].values.size());
    values[k] = axes[k].values[static_cast<std::size_t>(index % size)];
    index /= size;
  }
  return values;
}

std::vector<double> random_values(const std::vector<RandomQuantity>& quantities, std::uint64_t seed,
                                  std::int64_t index) {
  std::vector<double> values;
  for (const RandomQuantity& quantity : quantities) {
    random::Stream stream(seed, static_cast<std::uint64_t>(index), quantity.name);
    values.push_back(quantity.draw(stream));
  }
  return values;
}

void Summary::add(double value) {
  if (!std::isfinite(value)) return;
  tally_.add(value);
  values_.add(value);
}

std::vector<double> Summary::spread() const {
  constexpr std::int64_t kMost = 8191;
  const std::int64_t count = std::min(kMost, values_.count());
  std::vector<double> shares;
  for (std::int64_t i = 0; i < count; ++i)
    shares.push_back(count == 1 ? 0.5 : static_cast<double>(i) / static_cast<double>(count - 1));
  return values_.quantiles(shares);
}

bool StopRule::satisfied(const Summary& summary) const {
  return summary.tally().count() >= kLeastRuns && has_scatter(summary) &&
         summary.tally().interval().half_width < limit;
}

bool StopRule::has_scatter(const Summary& summary) {
  constexpr double kRounding = 1e-14;
  const random::TallyState seen = summary.tally().state();
  return seen.count > 1 &&
         seen.max - seen.min > kRounding * std::max(std::abs(seen.min), std::abs(seen.max));
}

StopRule parse_stop_rule(const std::string& text) {
  constexpr std::string_view kBegin = "ci(mean(", kEnd = "))<";
  const std::size_t end = text.rfind(kEnd);
  if (!text.starts_with(kBegin) || end == std::string::npos || end <= kBegin.size()) {
    throw UserError(complaint(
        "a rule to stop is ci(mean(OBSERVABLE))<LIMIT, as in ci(mean(x@2))<1e-3", text, 0));
  }
  const std::size_t number_at = end + kEnd.size();
  const auto limit = parse_number(text.substr(number_at));
  if (!limit || !(*limit > 0))
    throw UserError(complaint("the limit must be a positive number", text, number_at));
  return {text.substr(kBegin.size(), end - kBegin.size()), *limit};
}

}  // namespace arges
