#include "arges/experiment/jumps.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace arges {

namespace {

constexpr std::size_t kNoColumn = static_cast<std::size_t>(-1);
// How late the partner of a jump may come: so many times what others are apart, or this part of the
// longest distance.
constexpr double kShifts = 10, kPart = 0.01;
constexpr double kRounding = 1e-10;  // consistent values are found again at each event

bool is_jump(double before, double after) {
  if (std::isnan(before) || std::isnan(after)) return std::isnan(before) != std::isnan(after);
  return std::abs(after - before) > kRounding * std::max(std::abs(before), std::abs(after));
}

double nearest(const std::vector<double>& ascending, double to) {
  double best = std::numeric_limits<double>::infinity();
  const auto above = std::ranges::lower_bound(ascending, to);
  if (above != ascending.end() && *above - to <= std::abs(best - to)) best = *above;
  if (above != ascending.begin() && to - above[-1] <= std::abs(best - to)) best = above[-1];
  return best;
}

}  // namespace

JumpRecorder::JumpRecorder(std::vector<std::string> names)
    : names_(std::move(names)), times_(names_.size()) {}

void JumpRecorder::begin(const ResultLayout& layout) {
  columns_.clear();
  last_row_.clear();
  for (const std::string& name : names_) {
    const auto column = std::ranges::find(layout.columns, name, &Column::name);
    columns_.push_back(column == layout.columns.end()
                           ? kNoColumn
                           : static_cast<std::size_t>(column - layout.columns.begin()));
  }
  for (std::vector<double>& each : times_) each.clear();
}

void JumpRecorder::row(double time, std::span<const double> values) {
  if (!last_row_.empty() && time == last_time_) {
    for (std::size_t i = 0; i < names_.size(); ++i) {
      const std::size_t column = columns_[i];
      if (column == kNoColumn || !is_jump(last_row_[column], values[column])) continue;
      if (times_[i].empty() || times_[i].back() != time) times_[i].push_back(time);
    }
  }
  last_row_.assign(values.begin(), values.end());
  last_time_ = time;
}

std::vector<bool> samples_between_jumps(const std::vector<double>& samples,
                                        const std::vector<double>& a, const std::vector<double>& b,
                                        double most) {
  std::vector<bool> between(samples.size(), false);
  if (samples.empty()) return between;
  const double end = samples.back();
  double shift = 0;
  const auto mark = [&](double here, double there) {
    const auto first = std::ranges::lower_bound(samples, std::min(here, there));
    for (auto each = first; each != samples.end() && *each <= std::max(here, there); ++each)
      between[static_cast<std::size_t>(each - samples.begin())] = true;
  };
  std::vector<double> alone;
  const auto match = [&](const std::vector<double>& jumps, const std::vector<double>& others) {
    for (const double here : jumps) {
      const double there = nearest(others, here);
      if (here == there) continue;
      if (std::abs(here - there) > most) {
        alone.push_back(here);
        continue;
      }
      shift = std::max(shift, std::abs(here - there));
      mark(here, there);
    }
  };
  match(a, b);
  match(b, a);
  const double near = std::min(most, std::max(kShifts * shift, kPart * most));
  for (const double here : alone) {
    if (here < end && end - here <= near) mark(here, end);
  }
  const auto count = static_cast<std::size_t>(std::ranges::count(between, true));
  if (2 * count > samples.size()) between.assign(samples.size(), false);
  return between;
}

}  // namespace arges
