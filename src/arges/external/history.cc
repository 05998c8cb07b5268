#include "arges/external/history.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace arges::external {

bool History::jumps(double before, double after) {
  constexpr double kRounding = 1e-9;
  return !(std::abs(after - before) <= kRounding * (std::abs(after) + std::abs(before)));
}

double History::margin(double time) { return 1e-10 * (1 + std::abs(time)); }

void History::begin(double t, double value) {
  const std::lock_guard lock(mutex_);
  pieces_.clear();
  breaks_.clear();
  pieces_.add_point(t, value);
  split(t, value);
}

// A second break at the same time replaces the first.
void History::split(double t, double value) {
  if (!breaks_.empty() && breaks_.back().piece + 1 == pieces_.size() && breaks_.back().time == t) {
    pieces_.set_last(value);
    return;
  }
  breaks_.push_back({t, pieces_.size()});
  pieces_.add_point(t, value);
}

void History::add_piece(double from, double to, std::span<const double> values) {
  const std::lock_guard lock(mutex_);
  if (pieces_.size() > 0 && from < pieces_.end(pieces_.size() - 1)) return;
  pieces_.add(from, to, values);
}

void History::add_event(double t, double value, bool breaks) {
  const std::lock_guard lock(mutex_);
  if (pieces_.size() == 0 || t < pieces_.end(pieces_.size() - 1)) return;
  if (breaks || jumps(pieces_.last_value(pieces_.size() - 1), value)) split(t, value);
}

void History::add_break(double t, bool rests) {
  const std::lock_guard lock(mutex_);
  if (pieces_.size() == 0) return;
  const double end = pieces_.end(pieces_.size() - 1);
  const double value = pieces_.last_value(pieces_.size() - 1);
  if (t < end || (t > end && !rests)) return;
  split(end, value);
  if (t == end) return;
  pieces_.add(end, t, std::array{value, value});
  split(t, value);
}

double History::at(double t, double passed) const {
  const std::lock_guard lock(mutex_);
  if (pieces_.size() == 0) return 0;
  const auto next = break_after(passed);
  const std::size_t first = next == breaks_.begin() ? 0 : (next - 1)->piece;
  const std::size_t last = next == breaks_.end() ? pieces_.size() : next->piece;
  if (last == pieces_.size() && t > pieces_.end(last - 1)) return pieces_.beyond(t);
  return pieces_.at(t, first, last);
}

double History::next_break(double t) const {
  const std::lock_guard lock(mutex_);
  const auto next = break_after(t);
  return next == breaks_.end() ? std::numeric_limits<double>::infinity() : next->time;
}

double History::passed_at(double t, double before) const {
  const std::lock_guard lock(mutex_);
  double passed = before;
  if (t < before - 0.75 * margin(before)) {
    const auto next = break_after(t);
    passed = next == breaks_.begin() ? -std::numeric_limits<double>::max() : (next - 1)->time;
  }
  for (auto next = break_after(passed); next != breaks_.end(); ++next) {
    if (next->time - 0.5 * margin(next->time) > t) break;
    passed = next->time;
  }
  return passed;
}

std::vector<History::Break>::const_iterator History::break_after(double t) const {
  return std::upper_bound(breaks_.begin(), breaks_.end(), t,
                          [](double p, const Break& b) { return p < b.time; });
}

double History::last_break(double t, double duration) const {
  const std::lock_guard lock(mutex_);
  double last = -std::numeric_limits<double>::max();
  for (const Break& b : breaks_) {
    if (b.time + duration <= t) last = b.time;
  }
  return last;
}

}  // namespace arges::external
