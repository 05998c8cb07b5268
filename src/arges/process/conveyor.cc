#include "arges/process/conveyor.h"

#include <algorithm>

#include "arges/devs/clock.h"

namespace arges::process {

BeltPositions::BeltPositions(double length, double speed, double pitch)
    : length_(length), speed_(speed), pitch_(pitch) {
  if (!(length > 0 && speed > 0 && pitch > 0 && pitch <= length)) {
    throw ApiError("a conveyor has a length, a speed and a pitch above 0, and room for one pitch");
  }
}

void BeltPositions::advance_to(double time) {
  time_ = time;
  double limit = length_;
  for (Thing& thing : things_) {
    const double free = thing.from + speed_ * (time - thing.since);
    thing.position = std::min(free, limit);
    // Held up, and not by rounding: from here it goes on when the way is free.
    if (free > limit + 1e-12 * length_) {
      thing.from = limit;
      thing.since = time;
    }
    limit = thing.position - pitch_;
  }
}

double BeltPositions::time_to_change() const {
  double change = devs::kInfinity;
  if (empty()) return change;
  if (!first_is_at_end()) change = time_to(things_.front(), length_);
  // Where the last one will stand when nothing is taken off.
  const double rest = length_ - static_cast<double>(size() - 1) * pitch_;
  if (!has_room() && reaches(rest, pitch_)) {
    change = std::min(change, time_to(things_.back(), pitch_));
  }
  return std::max(change, 0.0);
}

}  // namespace arges::process
