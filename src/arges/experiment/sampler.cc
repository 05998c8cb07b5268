#include "arges/experiment/sampler.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "arges/base/error.h"
#include "arges/base/nearest.h"

namespace arges {

Sampler::Sampler(const ResultLayout& layout, const std::vector<std::string>& names,
                 std::vector<double> times)
    : times_(std::move(times)) {
  for (const std::string& name : names) {
    const auto column = std::ranges::find(layout.columns, name, &Column::name);
    if (column == layout.columns.end()) {
      std::vector<std::string> known;
      for (const Column& each : layout.columns) known.push_back(each.name);
      throw UserError(
          fmt::format("the model has no variable '{}'{}", name, did_you_mean(name, known)));
    }
    columns_.push_back(static_cast<std::size_t>(column - layout.columns.begin()));
  }
  start_run();
}

RunOptions Sampler::adapt(RunOptions options) const {
  options.rows_at = times_;
  options.interval = std::numeric_limits<double>::max();
  return options;
}

void Sampler::start_run() {
  values_.assign(times_.size() * columns_.size(), std::numeric_limits<double>::quiet_NaN());
  next_ = 0;
}

void Sampler::row(double time, std::span<const double> values) {
  while (next_ < times_.size() && times_[next_] < time) ++next_;
  // Several rows at one time are the sides of an event: the last one stays.
  for (std::size_t k = next_; k < times_.size() && times_[k] == time; ++k) {
    for (std::size_t c = 0; c < columns_.size(); ++c)
      values_[k * columns_.size() + c] = values[columns_[c]];
  }
}

std::vector<double> even_times(double start, double stop, int count) {
  std::vector<double> times;
  for (int k = 0; k <= count; ++k)
    times.push_back(k == count ? stop : std::lerp(start, stop, static_cast<double>(k) / count));
  return times;
}

}  // namespace arges
