#pragma once
// Sides of an event's condition: what the parts of the EventMonitor share.

#include "arges/hybrid/schema.h"

namespace arges {

inline int sign(double value) { return (value > 0) - (value < 0); }

inline bool matches(Direction direction, bool rising) {
  return direction == Direction::kBoth || (direction == Direction::kRising) == rising;
}

// The condition has left `side`; reaching zero counts.
inline bool leaves(int side, double g) { return (side < 0 && g >= 0) || (side > 0 && g <= 0); }

}  // namespace arges
