#pragma once
// The past of a quantity.

#include <mutex>
#include <vector>

namespace arges::external {

// Values at ascending times; two values at the same time are a jump. Between jumps the past is a
// smooth curve, read by cubic interpolation through the four values around. Thread safe.
class History {
 public:
  void clear();
  // Earlier than the last time: ignored.
  void add(double t, double value);
  // From t on the curve is another one, which begins at the present value: its slope may jump. A
  // value that was added before t has rested until then (`rests`), or there is no break.
  void add_break(double t, bool rests);
  bool empty() const;
  double last() const;  // the last value
  // The value at time t, as it was after the jump at `passed` and before the next one; before all
  // values the first of them.
  double at(double t, double passed) const;
  // The time of the first jump after `t`; infinity when there is none.
  double next_jump(double t) const;
  // The last jump that a reader has passed who is at time t now and had passed the one at `before`
  // so far. It is passed at half its margin before it already, and goes back a margin before it:
  // rounding must not lead to and fro.
  double passed_at(double t, double before) const;
  static double margin(double jump);
  // The last jump that has come through a delay of this duration at time t; less than all times
  // when there is none.
  double last_jump(double t, double duration) const;

 private:
  std::vector<std::size_t>::const_iterator jump_after(double t) const;

  mutable std::mutex mutex_;
  std::vector<double> times_, values_;
  std::vector<std::size_t> jumps_;  // positions of the values behind the jumps
};

}  // namespace arges::external
