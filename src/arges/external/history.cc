#include "arges/external/history.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "arges/external/smooth_piece.h"

namespace arges::external {

namespace {

// Values at an event that differ by less are no jump.
constexpr double kJump = 1e-9;

}  // namespace

void History::clear() {
  const std::lock_guard lock(mutex_);
  times_.clear();
  values_.clear();
  jumps_.clear();
}

void History::add(double t, double value) {
  const std::lock_guard lock(mutex_);
  if (!times_.empty() && t < times_.back()) return;
  if (!times_.empty() && t == times_.back()) {
    const double before = values_.back();
    if (std::abs(value - before) <= kJump * (std::abs(value) + std::abs(before))) return;
    // A second jump at the same time replaces the first.
    if (!jumps_.empty() && jumps_.back() + 1 == times_.size()) {
      values_.back() = value;
      return;
    }
    jumps_.push_back(times_.size());
  }
  times_.push_back(t);
  values_.push_back(value);
}

void History::add_break(double t, bool rests) {
  const std::lock_guard lock(mutex_);
  if (times_.empty() || t < times_.back() || (t > times_.back() && !rests)) return;
  const auto split = [this] {
    if (!jumps_.empty() && jumps_.back() + 1 == times_.size()) return;  // there is one already
    jumps_.push_back(times_.size());
    times_.push_back(times_.back());
    values_.push_back(values_.back());
  };
  split();
  if (t == times_.back()) return;
  times_.push_back(t);
  values_.push_back(values_.back());
  split();
}

bool History::empty() const {
  const std::lock_guard lock(mutex_);
  return times_.empty();
}

double History::last() const {
  const std::lock_guard lock(mutex_);
  return values_.empty() ? 0 : values_.back();
}

double History::at(double t, double passed) const {
  const std::lock_guard lock(mutex_);
  if (times_.empty()) return 0;
  // The values [from, to) between the jumps.
  const auto next = jump_after(passed);
  const std::size_t from = next == jumps_.begin() ? 0 : *(next - 1);
  const std::size_t to = next == jumps_.end() ? times_.size() : *next;
  t = std::max(t, times_[from]);
  if (t > times_[to - 1] && next != jumps_.end()) return values_[to - 1];
  return read_smooth(times_, values_, from, to, t);
}

double History::next_jump(double t) const {
  const std::lock_guard lock(mutex_);
  const auto next = jump_after(t);
  return next == jumps_.end() ? std::numeric_limits<double>::infinity() : times_[*next];
}

double History::margin(double jump) { return 1e-10 * (1 + std::abs(jump)); }

double History::passed_at(double t, double before) const {
  const std::lock_guard lock(mutex_);
  double passed = before;
  if (t < before - 0.75 * margin(before)) {
    const auto next = jump_after(t);
    passed = next == jumps_.begin() ? -std::numeric_limits<double>::max() : times_[*(next - 1)];
  }
  for (auto next = jump_after(passed); next != jumps_.end(); ++next) {
    if (times_[*next] - 0.5 * margin(times_[*next]) > t) break;
    passed = times_[*next];
  }
  return passed;
}

std::vector<std::size_t>::const_iterator History::jump_after(double t) const {
  return std::upper_bound(jumps_.begin(), jumps_.end(), t,
                          [&](double p, std::size_t j) { return p < times_[j]; });
}

double History::last_jump(double t, double duration) const {
  const std::lock_guard lock(mutex_);
  double last = -std::numeric_limits<double>::max();
  for (const std::size_t j : jumps_) {
    if (times_[j] + duration <= t) last = times_[j];
  }
  return last;
}

}  // namespace arges::external
