#include "arges/external/time_table.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "arges/base/error.h"

namespace arges::external {

namespace {

constexpr double kNever = std::numeric_limits<double>::max();
// Times of a table that differ by less stand at the same instant.
constexpr double kSameTime = 1e-10;
// An event so close before t is over.
constexpr double kRounding = 1e-12;

bool same_time(double a, double b) {
  return std::abs(a - b) < kSameTime * std::max({std::abs(a), std::abs(b), kSameTime});
}

}  // namespace

TimeTable::TimeTable(std::vector<double> times, const std::vector<std::vector<double>>& columns,
                     const Settings& settings)
    : times_(std::move(times)), settings_(settings) {
  const bool smooth =
      settings.smoothness != Smoothness::kLinear && settings.smoothness != Smoothness::kConstant;
  const std::size_t n = times_.size();
  for (std::size_t i = 0; i + 1 < n; ++i) {
    if (times_[i + 1] > times_[i] || (!smooth && times_[i + 1] == times_[i])) continue;
    throw EvaluationError(
        fmt::format("the times of a table must {}ascend: row {} has {:.9g}, row {} has {:.9g}",
                    smooth ? "strictly " : "", i + 1, times_[i], i + 2, times_[i + 1]),
        false);
  }
  for (const auto& c : columns) curves_.emplace_back(times_, c, settings.smoothness);
  // Rows at the same instant form one event; inner events only as the settings say.
  for (std::size_t i = 0; i < n;) {
    std::size_t last = i;
    while (last + 1 < n && same_time(times_[last], times_[last + 1])) ++last;
    const bool at_end = i == 0 || last + 1 == n;
    const bool wanted = settings.events == TimeEvents::kAlways
                            ? !smooth || is_periodic()
                            : settings.events == TimeEvents::kAtDiscontinuities && last > i;
    if (at_end || wanted) events_.push_back({times_[i], i, last});
    i = last + 1;
  }
}

double TimeTable::time_of(const Event& e, double period_number) const {
  return period_number == 0 ? e.x + settings_.shift
                            : e.x + period_number * period() + settings_.shift;
}

int TimeTable::find(double next, double* period_number) const {
  const double guess =
      is_periodic() ? std::floor((next - settings_.shift - front()) / period()) : 0;
  // Rounding may put the end of a period into the next one.
  for (const double k : {guess, guess - 1, guess + 1}) {
    if (k != 0 && !is_periodic()) break;
    const double x = next - settings_.shift - k * period();
    auto it = std::lower_bound(events_.begin(), events_.end(), x,
                               [](const Event& e, double v) { return e.x < v; });
    if (it != events_.begin()) --it;
    for (int tries = 0; tries < 3 && it != events_.end(); ++tries, ++it) {
      const bool begin_of_period = is_periodic() && it == events_.begin();
      if (begin_of_period || time_of(*it, k) != next) continue;
      *period_number = k;
      return static_cast<int>(it - events_.begin());
    }
  }
  return -1;
}

Jet TimeTable::at(int column, double t, double next, double previous_next) const {
  if (t < settings_.start) return {};
  const bool pending = next == previous_next && next < kNever && t >= next;
  if (pending && settings_.start >= next) return {};  // the start itself is not noticed yet
  const Curve& curve = curves_.at(static_cast<std::size_t>(column) - 1);
  if (times_.size() == 1) return curve.inside(t, 0);
  double k = 0;
  const int number = find(next, &k);
  const double u = t - settings_.shift - k * period();
  if (number > 0) {
    const Event& from = events_[static_cast<std::size_t>(number) - 1];
    const Event& to = events_[static_cast<std::size_t>(number)];
    const double inside = pending ? to.x : std::clamp(u, from.x, to.x);
    const std::size_t segment = std::clamp(curve.segment(inside), from.right, to.left - 1);
    return curve.inside(inside, segment);
  }
  if (number == 0) return curve.outside(std::min(u, front()), false, settings_.extrapolation);
  if (is_periodic()) return curve.at(u, Extrapolation::kPeriodic);
  if (next == kNever) return curve.outside(std::max(u, back()), true, settings_.extrapolation);
  return curve.at(u, settings_.extrapolation);
}

double TimeTable::next_event(double t) const {
  const auto is_later = [&](double event) {
    return event - t > kRounding * std::max(std::abs(event), std::abs(t));
  };
  if (is_later(settings_.start)) return settings_.start;
  if (times_.size() == 1) return kNever;
  const double u = t - settings_.shift;
  const double first = is_periodic() ? std::floor((u - front()) / period()) - 1 : 0;
  const double last = is_periodic() ? first + 3 : 0;
  for (double k = first; k <= last; ++k) {
    for (std::size_t i = is_periodic() ? 1 : 0; i < events_.size(); ++i) {
      const double event = time_of(events_[i], k);
      if (is_later(event)) return event;
    }
  }
  return kNever;
}

}  // namespace arges::external
