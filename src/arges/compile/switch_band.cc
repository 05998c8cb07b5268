#include "arges/compile/switch_band.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace arges {

namespace {

// The kernel calls it chattering from 1e-10 on: what chatters stays below that.
constexpr double kMoment = 5e-13, kLargest = 1e-9;
constexpr double kLongestGap = 200;  // of what chatters, in moments
constexpr double kSmallest = SwitchBand::kRounding * SwitchBand::kRounding;
constexpr double kLoopNoise = 1e-7;

}  // namespace

bool SwitchBand::note_switch(double t, double span) {
  const double moment = kMoment * std::max(std::abs(t), 1e-3 * span);
  const double gap = t - switched_;
  // What chatters may be slow on one side: when that takes longer than a moment, the band is wide
  // enough.
  const bool is_slow_side = gap_ > moment && gap_ <= kLongestGap * moment;
  const bool is_back = gap <= moment;
  if (!is_back) width_ = width_ > kSmallest ? width_ / 10 : 0;
  switched_ = t;
  gap_ = gap;
  return is_back && !is_slow_side;
}

void SwitchBand::widen(double scale) {
  width_ = std::max({10 * width_, kRounding * scale, kSmallest});
  width_ = std::min(width_, kLargest * (1 + scale));
}

void SwitchBand::narrow(double width) { width_ = std::min(width_, width); }

void SwitchBand::hold(double width) { width_ = std::max(width_, width); }

void SwitchBand::cover(double missed_by) {
  // Zero itself may be the old side.
  constexpr double kLeast = 2 * std::numeric_limits<double>::min();
  const double beyond = std::nextafter(missed_by, std::numeric_limits<double>::infinity());
  width_ = std::max({width_, beyond, kLeast});
}

bool SwitchBand::cover_noise(double g, double other, double scale) {
  constexpr double kLittleMore = 100;
  const double noise = kLoopNoise * (1 + scale);
  if (std::abs(g) > noise || other > kLittleMore * noise) return false;
  width_ += 2 * std::abs(g);
  return true;
}

}  // namespace arges
