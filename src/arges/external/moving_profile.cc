#include "arges/external/moving_profile.h"

#include <algorithm>
#include <cmath>

#include "arges/external/smooth_piece.h"

namespace arges::external {

namespace {

// Values at an event that differ by less are no jump; places that differ by less are the same.
constexpr double kJump = 1e-9, kSame = 1e-12;

double tolerance(double place) { return kSame * (1 + std::abs(place)); }

}  // namespace

void MovingProfile::begin(double x, std::span<const double> points,
                          std::span<const double> values) {
  const std::lock_guard lock(mutex_);
  places_.clear();
  values_.clear();
  breaks_.clear();
  forward_.reset();
  last_x_ = x;
  speed_ = 0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const double place = points[i] - x;
    const bool is_inner = i > 0 && i + 1 < points.size();
    const bool is_jump = i > 0 && points[i] == points[i - 1];
    places_.push_back(place);
    values_.push_back(values[i]);
    if (is_jump && (breaks_.empty() || breaks_.back() != place)) breaks_.push_back(place);
    const bool is_kink = is_inner && !is_jump && points[i] != points[i + 1];
    if (!is_kink) continue;
    places_.push_back(place);
    values_.push_back(values[i]);
    breaks_.push_back(place);
  }
}

// Takes away what is on one side of a place, with a sample at the place itself.
void MovingProfile::cut(double place, bool keep_above) {
  if (places_.size() < 2) return;
  const auto [from, to] = piece(place, keep_above);
  const double value = read(place, from, to);
  if (keep_above) {
    while (!places_.empty() && places_.front() <= place) {
      places_.pop_front();
      values_.pop_front();
    }
    while (!breaks_.empty() && breaks_.front() <= place) breaks_.pop_front();
    places_.push_front(place);
    values_.push_front(value);
  } else {
    while (!places_.empty() && places_.back() >= place) {
      places_.pop_back();
      values_.pop_back();
    }
    while (!breaks_.empty() && breaks_.back() >= place) breaks_.pop_back();
    places_.push_back(place);
    values_.push_back(value);
  }
}

void MovingProfile::push(double place, double value, bool forward, bool is_break) {
  if (forward) {
    places_.push_front(place);
    values_.push_front(value);
    if (is_break) breaks_.push_front(place);
  } else {
    places_.push_back(place);
    values_.push_back(value);
    if (is_break) breaks_.push_back(place);
  }
}

void MovingProfile::add(double t, double x, double entering, bool forward) {
  const std::lock_guard lock(mutex_);
  double place = forward ? -x : 1 - x;
  if (forward_ && t > last_t_) speed_ = std::abs(x - last_x_) / (t - last_t_);
  last_t_ = t;
  last_x_ = x;
  if (forward_ != forward) {
    if (forward_) cut(place, forward);
    forward_ = forward;
    place = forward ? places_.front() : places_.back();
    push(place, entering, forward, true);
    return;
  }
  const double end = forward ? places_.front() : places_.back();
  double& last = forward ? values_.front() : values_.back();
  if (std::abs(place - end) > tolerance(place)) {
    // Going back a little without having said so: the motion has stopped within rounding.
    if (forward ? place > end : place < end) return;
    push(place, entering, forward, false);
    trim(x, forward);
    return;
  }
  if (std::abs(entering - last) <= kJump * (std::abs(entering) + std::abs(last))) return;
  const bool after_break = !breaks_.empty() && (forward ? breaks_.front() : breaks_.back()) == end;
  if (after_break) {
    last = entering;
  } else {
    push(end, entering, forward, true);
  }
}

// Forgets what has left, but for the samples that a cubic next to the outlet needs.
void MovingProfile::trim(double x, bool forward) {
  constexpr std::size_t kKept = 4;
  const double outlet = forward ? 1 - x : -x;
  const auto is_gone = [&](double place) { return forward ? place > outlet : place < outlet; };
  while (places_.size() > kKept &&
         is_gone(forward ? *(places_.end() - kKept) : places_[kKept - 1])) {
    if (forward) {
      places_.pop_back();
      values_.pop_back();
    } else {
      places_.pop_front();
      values_.pop_front();
    }
  }
  // A break has two samples.
  const std::size_t n = places_.size();
  if (forward) {
    while (!breaks_.empty() && (n < 2 || breaks_.back() > places_[n - 2])) breaks_.pop_back();
  } else {
    while (!breaks_.empty() && (n < 2 || breaks_.front() < places_[1])) breaks_.pop_front();
  }
}

std::pair<std::size_t, std::size_t> MovingProfile::piece(double front, bool forward) const {
  const double eps = forward ? tolerance(front) : -tolerance(front);
  const auto next = forward ? std::upper_bound(breaks_.begin(), breaks_.end(), front + eps)
                            : std::lower_bound(breaks_.begin(), breaks_.end(), front + eps);
  const auto begin = places_.begin();
  std::size_t from = 0, to = places_.size();
  if (next != breaks_.begin())  // behind the first of two samples
    from =
        static_cast<std::size_t>(std::upper_bound(begin, places_.end(), *(next - 1)) - begin) - 1;
  if (next != breaks_.end())
    to = static_cast<std::size_t>(std::lower_bound(begin, places_.end(), *next) - begin) + 1;
  return {from, std::max(to, from + 1)};
}

double MovingProfile::read(double place, std::size_t from, std::size_t to) const {
  return read_smooth(places_, values_, from, to, std::clamp(place, places_[from], places_[to - 1]));
}

double MovingProfile::at(double x, double front, bool forward) const {
  const std::lock_guard lock(mutex_);
  if (places_.empty()) return 0;
  const auto [from, to] = piece(front, forward);
  return read(forward ? 1 - x : -x, from, to);
}

std::optional<double> MovingProfile::next_break(double after, bool forward) const {
  const std::lock_guard lock(mutex_);
  if (forward) {
    const auto it = std::lower_bound(breaks_.begin(), breaks_.end(), after - tolerance(after));
    return it == breaks_.begin() ? std::nullopt : std::optional(*(it - 1));
  }
  const auto it = std::upper_bound(breaks_.begin(), breaks_.end(), after + tolerance(after));
  return it == breaks_.end() ? std::nullopt : std::optional(*it);
}

std::optional<bool> MovingProfile::forward() const {
  const std::lock_guard lock(mutex_);
  return forward_;
}

double MovingProfile::speed() const {
  const std::lock_guard lock(mutex_);
  return speed_;
}

}  // namespace arges::external
