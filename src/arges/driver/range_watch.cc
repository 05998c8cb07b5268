#include "arges/driver/range_watch.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace arges {

namespace {

constexpr std::size_t kMostFindings = 5;
constexpr double kErrors = 10;

bool has_limits(const Column& column) {
  return std::isfinite(column.min) || std::isfinite(column.max);
}

}  // namespace

bool RangeWatch::has_work(const ResultLayout& layout) {
  return std::ranges::any_of(layout.columns, has_limits);
}

void RangeWatch::begin(const ResultLayout& layout) {
  for (std::size_t i = 0; i < layout.columns.size(); ++i) {
    const Column& column = layout.columns[i];
    if (has_limits(column)) watched_.push_back({i, column.name, column.min, column.max});
  }
}

void RangeWatch::row(double time, std::span<const double> values) {
  for (Watched& w : watched_) {
    const double x = values[w.column];
    if (w.told || !std::isfinite(x)) continue;
    w.largest = std::max(w.largest, std::abs(x));
    if (x >= w.min && x <= w.max) continue;
    const double error = kErrors * (numerics_.rtol * w.largest + numerics_.effective_atol());
    const bool is_low = x < w.min;
    if ((is_low ? w.min - x : x - w.max) <= error) continue;
    w.told = true;
    if (findings_.size() == kMostFindings) {
      ++more_;
      continue;
    }
    findings_.push_back(fmt::format("'{}' is {:.9g} at t = {:.9g}, {} its {} = {:.9g}", w.name, x,
                                    time, is_low ? "below" : "above", is_low ? "min" : "max",
                                    is_low ? w.min : w.max));
  }
}

std::vector<std::string> RangeWatch::findings() const {
  std::vector<std::string> all = findings_;
  if (more_ > 0) all.push_back(fmt::format("{} more variables leave their min or max", more_));
  return all;
}

}  // namespace arges
