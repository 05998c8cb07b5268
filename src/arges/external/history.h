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
  bool empty() const;
  double last() const;  // the last value
  // The value at time t, as it was after the jump at `passed` and before the next one; before all
  // values the first of them.
  double at(double t, double passed) const;
  // The time of the first jump after `t`; infinity when there is none.
  double next_jump(double t) const;

 private:
  mutable std::mutex mutex_;
  std::vector<double> times_, values_;
  std::vector<std::size_t> jumps_;  // positions of the values behind the jumps
};

}  // namespace arges::external
