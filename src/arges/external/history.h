#pragma once
// The past of a quantity.

#include <mutex>
#include <span>
#include <vector>

#include "arges/external/smooth_pieces.h"

namespace arges::external {

// Smooth pieces over time, with *breaks* among them: times from which on the curve is another one,
// whose value or slope is not that of the old one. A reader goes from one break to the next by an
// event of its own, and tells the last one that it has passed; so the curve that it sees between
// events is smooth. Before the beginning, which is a break, the value was constant. Pieces that
// meet without a break are read one after the other. Thread safe.
class History {
 public:
  void begin(double t, double value);
  // The next piece, by its values at the places of SmoothPieces. Earlier than the end: ignored.
  void add_piece(double from, double to, std::span<const double> values);
  // The value after an event at t. There is a break if it `breaks`, and in any case if the value is
  // another one.
  void add_event(double t, double value, bool breaks);
  // From t on the curve is another one, which begins at the present value. If that is long after
  // the end, it has rested until then (`rests`), or there is no break.
  void add_break(double t, bool rests);
  // The value at time t, as it was after the break at `passed` and before the next one.
  double at(double t, double passed) const;
  // The time of the first break after `t`; infinity when there is none.
  double next_break(double t) const;
  // The last break that a reader has passed who is at time t now and had passed the one at `before`
  // so far. It is passed at half its margin before it already, and goes back a margin before it:
  // rounding must not lead to and fro.
  double passed_at(double t, double before) const;
  static double margin(double time);
  // The last break that has come through a delay of this duration at time t; less than all times
  // when there is none.
  double last_break(double t, double duration) const;
  // Values at an event that differ by less are no jump.
  static bool jumps(double before, double after);

 private:
  struct Break {
    double time;
    std::size_t piece;  // the first one after it, a point
  };
  std::vector<Break>::const_iterator break_after(double t) const;
  void split(double t, double value);

  mutable std::mutex mutex_;
  SmoothPieces pieces_;
  std::vector<Break> breaks_;
};

}  // namespace arges::external
