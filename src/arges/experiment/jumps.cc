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

// So near to the end an event may be that comes behind it in another run.
double near_the_end(double shift, double most) {
  return std::min(most, std::max(kShifts * shift, kPart * most));
}

// How far the k-th events of two runs may be apart to be the same one: not as far as from one to
// the next, where that can be told from the shifts so far.
double largest_shift(const std::vector<double>& a, const std::vector<double>& b, std::size_t k,
                     double shift, double most) {
  for (const std::vector<double>* each : {&a, &b}) {
    if (k + 1 >= each->size()) continue;
    const double gap = (*each)[k + 1] - (*each)[k];
    if (gap > 2 * kShifts * shift) most = std::min(most, gap / 2);
  }
  return most;
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
  events_.clear();
  any_event_ = false;
}

void JumpRecorder::event(const EventRecord& record) {
  const bool follows = any_event_ && record.time == instant_;
  any_event_ = true;
  instant_ = record.time;
  if (follows && record.iteration > 0 && record.kind == "SE-O") return;
  events_[record.component].push_back(record.time);
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
  const double near = near_the_end(shift, most);
  for (const double here : alone) {
    if (here <= end && end - here <= near) mark(here, end);
  }
  const auto count = static_cast<std::size_t>(std::ranges::count(between, true));
  if (2 * count > samples.size()) between.assign(samples.size(), false);
  return between;
}

std::optional<LoneEvent> first_lone_event(const EventTimes& first, const EventTimes& second,
                                          double end, double most) {
  std::optional<LoneEvent> found;
  const auto note = [&](const std::string& name, double time, bool in_first) {
    if (!found || time < found->time) found = {name, time, in_first};
  };
  double shift = 0;
  const std::vector<double> none;
  const auto of = [&](const EventTimes& all, const std::string& name) -> const auto& {
    const auto place = all.find(name);
    return place == all.end() ? none : place->second;
  };
  const auto pair_up = [&](const std::string& name) {
    const std::vector<double>&a = of(first, name), &b = of(second, name);
    double of_these = 0;
    for (std::size_t k = 0; k < std::min(a.size(), b.size()); ++k) {
      const double apart = std::abs(a[k] - b[k]);
      if (apart > largest_shift(a, b, k, of_these, most))
        return note(name, std::min(a[k], b[k]), a[k] < b[k]);
      of_these = std::max(of_these, apart);
    }
    shift = std::max(shift, of_these);
  };
  for (const auto& each : first) pair_up(each.first);
  const double last = end - near_the_end(shift, most);
  const auto find_more = [&](const EventTimes& here, const EventTimes& there, bool in_first) {
    for (const auto& [name, times] : here) {
      const std::size_t partners = of(there, name).size();
      if (times.size() > partners && times[partners] < last) note(name, times[partners], in_first);
    }
  };
  find_more(first, second, true);
  find_more(second, first, false);
  return found;
}

}  // namespace arges
