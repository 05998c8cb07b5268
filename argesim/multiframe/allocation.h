#pragma once
// Processors for the two parts of a multirate simulation.

namespace arges::argesim::multiframe {

struct Allocation {
  int fast = 0, slow = 0;
};

// m processors (two or more) for the loads of the parts: in proportion, rounded, and at least one
// for each.
Allocation allocate(int m, double fast_load, double slow_load);

// Processors that stand idle, of m: what the part with more of them than its share has too many.
double lost_capacity(int m, double fast_load, double slow_load);

// Values to be sent when m processors share each part, against groups of their own, for the same
// number of values to and from each processor.
double communication_ratio(int m);

}  // namespace arges::argesim::multiframe
