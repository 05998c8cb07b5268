#include "arges/hybrid_devs/condition_sides.h"

#include <limits>

#include "arges/hybrid/event_side.h"

namespace arges::hybrid_devs {

namespace {

bool is_same(const ConditionSides::Stand& a, const ConditionSides::Stand& b) {
  return a.component == b.component && a.model == b.model && a.condition == b.condition;
}

int side_by(const EventMonitor& monitor, EventId event) {
  return monitor.is_armed({event, true}) ? -1 : monitor.is_armed({event, false}) ? 1 : 0;
}

}  // namespace

// Values now, into g_, and a stand for each; those that were there before keep all but their
// number.
void ConditionSides::renew(const ContinuousPart& part, const Point& at,
                           const EventMonitor* monitor) {
  g_.resize(part.condition_count());
  if (!g_.empty()) part.conditions(at, Conditions(g_.data()));
  std::vector<Stand> old;
  if (!is_looked_at_) {
    old.swap(stands_);
    stands_.reserve(g_.size());
  }
  constexpr double kUnits = EventMonitor::kSimultaneous * std::numeric_limits<double>::epsilon();
  std::size_t next = 0;  // of the old ones
  for (const ContinuousPart::Entry& entry : part.entries()) {
    const double rounding = entry.g_count > 0 ? kUnits * part.magnitude(entry, at) : 0;
    for (std::size_t k = entry.first_g; k < entry.first_g + entry.g_count; ++k) {
      if (!is_looked_at_) {
        const EventId event{static_cast<int>(k)};
        Stand stand{entry.component, entry.model, static_cast<int>(k - entry.first_g), g_[k],
                    sign(g_[k])};
        // Components keep their order; new ones come at the end, or with another model.
        const auto found = std::find_if(old.begin() + static_cast<std::ptrdiff_t>(next), old.end(),
                                        [&](const Stand& other) { return is_same(stand, other); });
        if (found != old.end()) {
          stand = *found;
          next = static_cast<std::size_t>(found - old.begin()) + 1;
        } else if (monitor != nullptr) {
          stand.side = side_by(*monitor, event);
          stand.is_known = true;
        }
        stands_.push_back(stand);
      }
      stands_[k].rounding = rounding;
    }
  }
  is_looked_at_ = true;
}

void ConditionSides::look(const ContinuousPart& part, const Point& at,
                          const EventMonitor* monitor) {
  if (!is_looked_at_) renew(part, at, monitor);
}

void ConditionSides::cross(Crossing crossing, bool located) {
  Stand& stand = stands_[crossing.event.index];
  stand.side = crossing.rising ? 1 : -1;
  stand.is_known = true;
  stand.crossed = true;
  stand.told = false;
  stand.missed = located ? 2 * std::abs(stand.g) : 0;
}

std::vector<Crossing> ConditionSides::passed(const ContinuousPart& part, const Point& at) {
  renew(part, at, nullptr);
  std::vector<Crossing> result;
  for (const ContinuousPart::Entry& entry : part.entries()) {
    for (std::size_t k = 0; k < entry.g_count; ++k) {
      const std::size_t index = entry.first_g + k;
      Stand& stand = stands_[index];
      const int side = stand.side;
      if (!passes(stand, g_[index], entry.behaviour->conditions_of[k])) continue;
      const bool rising = side == 0 ? stand.g > 0 : side < 0;
      result.push_back({EventId{static_cast<int>(index)}, rising});
    }
  }
  return result;
}

bool ConditionSides::passes(Stand& stand, double g, Direction direction) {
  const bool was_on_root = stand.is_on_root();
  if (g == stand.g) return false;  // nothing has moved it
  stand.g = g;
  if (std::isnan(g)) return false;
  if (stand.is_on_root() && (stand.crossed || was_on_root)) return false;
  stand.crossed = false;
  stand.missed = 0;
  if (stand.side != 0 && !leaves(stand.side, g)) return false;
  const bool rising = stand.side == 0 ? g > 0 : stand.side < 0;
  if (matches(direction, rising)) return true;
  if (g != 0) {
    stand.side = sign(g);
    stand.is_known = true;
  }
  return false;
}

}  // namespace arges::hybrid_devs
