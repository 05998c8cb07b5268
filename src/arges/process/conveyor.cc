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
  const double way = speed_ * (time - time_);
  time_ = time;
  double limit = length_;
  for (double& position : positions_) {
    position = std::min(position + way, limit);
    limit = position - pitch_;
  }
}

double BeltPositions::time_to_change() const {
  double change = devs::kInfinity;
  if (empty()) return change;
  if (!first_is_at_end()) change = (length_ - positions_.front()) / speed_;
  // Where the last one will stand when nothing is taken off.
  const double rest = length_ - static_cast<double>(size() - 1) * pitch_;
  if (!has_room() && reaches(rest, pitch_)) {
    change = std::min(change, (pitch_ - positions_.back()) / speed_);
  }
  return change;
}

}  // namespace arges::process
