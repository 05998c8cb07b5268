#pragma once
// What is in a pipe through which something moves.

#include <deque>
#include <mutex>
#include <optional>
#include <span>
#include <utility>

namespace arges::external {

// The solution z(y, t) of  dz/dt + v dz/dy = 0  on 0 <= y <= 1 with dx/dt = v: what has entered
// moves along unchanged, so that z depends on the *place* y - x alone. Kept are samples over the
// places, ascending; two at the same place are a break (a jump, or a kink of the initial profile),
// between breaks the profile is smooth and read by cubics.
//
//   x rises (forward):   the inlet is at y = 0, place -x;      the outlet at y = 1, place 1 - x
//   x falls (backward):  the inlet is at y = 1, place 1 - x;   the outlet at y = 0, place -x
//
// When the direction changes, what has left is cut off, and what enters begins with a break. Thread
// safe.
class MovingProfile {
 public:
  // z = values at y = points, ascending from 0 to 1, linear between; equal points are a jump.
  void begin(double x, std::span<const double> points, std::span<const double> values);
  // `entering` is at the inlet when the position is x. Calls come in the order of time.
  void add(double t, double x, double entering, bool forward);
  // What is at the outlet while the break at the place `front` has not reached it yet: the smooth
  // piece that ends there, no further.
  double at(double x, double front, bool forward) const;
  // The place of the break that comes to the outlet next after the place `after`.
  std::optional<double> next_break(double after, bool forward) const;
  // The direction of the last sample; nothing before the first.
  std::optional<bool> forward() const;
  // |v| between the last two calls of add(); 0 before.
  double speed() const;

 private:
  void cut(double place, bool keep_above);
  void push(double place, double value, bool forward, bool is_break);
  void trim(double x, bool forward);
  double read(double place, std::size_t from, std::size_t to) const;
  // Samples [from, to) of a piece: forward, above the last break at or below `front`; backward,
  // below the first break at or above it.
  std::pair<std::size_t, std::size_t> piece(double front, bool forward) const;

  mutable std::mutex mutex_;
  std::deque<double> places_, values_, breaks_;
  std::optional<bool> forward_;  // of the last sample
  double last_t_ = 0, last_x_ = 0, speed_ = 0;
};

}  // namespace arges::external
