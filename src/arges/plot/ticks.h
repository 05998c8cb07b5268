#pragma once
// Where the marks of an axis stand and what is written beside them.

#include <string>
#include <vector>

namespace arges::plot {

struct Tick {
  double value = 0;
  std::string label;  // markup of plot/text.h, with U+2212 as the minus sign
};

// The value of a label is  offset + label * 10^exponent;  `note` says so, for the end of the axis:
// "×10^{−6}", "+ 1000000", or "" where labels are the plain values.
struct TickSet {
  std::vector<Tick> major;
  std::vector<double> minor;
  int exponent = 0;
  double offset = 0;
  std::string note;
};

// Marks at multiples of 1, 2, 2.5 or 5 times a power of ten. Among the steps that give 2 to 12
// marks, the one wins whose number of marks is near `target`, whose factor is simple, and whose
// outer marks fall on the ends of the range. Marks are exact decimals: each value is the double
// nearest to what its label says.
//
// An exponent (a multiple of 3) is split off when the largest mark is below 0.001 or from 100000
// on, or labels would have more than 5 decimals after "0."; an offset, when labels would need more
// than 6 digits to differ.
//
// Marks lie in [lower, upper], give or take 1e-9 of the range. ApiError unless lower < upper, both
// are finite and 1e-13 of the larger magnitude apart (drawing code widens narrower ranges first).
// With `whole`, only whole numbers are marked, if the range holds two of them.
TickSet linear_ticks(double lower, double upper, int target, bool whole = false);

// Marks for a logarithmic axis, 0 < lower < upper: whole decades, each or every second, third, ...;
// in ranges without two decades, 1, 2 and 5 times a power of ten; in still shorter ranges, the
// marks of linear_ticks. Minor marks are the other multiples of a decade, or the decades left out.
TickSet log_ticks(double lower, double upper, int target);

}  // namespace arges::plot
