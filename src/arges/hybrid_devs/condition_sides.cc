#include "arges/hybrid_devs/condition_sides.h"

#include <limits>

#include "arges/base/error.h"
#include "arges/hybrid/event_side.h"
#include "arges/hybrid/pushes.h"

namespace arges::hybrid_devs {

namespace {

constexpr double kUnits = EventMonitor::kSimultaneous * std::numeric_limits<double>::epsilon();

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
  measure_rounding(part, at);
  const std::vector<double> blurs = is_looked_at_ ? std::vector<double>() : blur(part, at);
  std::size_t next = 0;  // of the old ones
  for (const ContinuousPart::Entry& entry : part.entries()) {
    for (std::size_t k = entry.first_g; !is_looked_at_ && k < entry.first_g + entry.g_count; ++k) {
      const EventId event{static_cast<int>(k)};
      Stand stand{entry.component, entry.model, static_cast<int>(k - entry.first_g), g_[k],
                  std::abs(g_[k]) <= rounding_[k] + blurs[k] ? 0 : sign(g_[k])};
      stand.rounding = rounding_[k];
      stand.blur = blurs[k];
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
  }
  is_looked_at_ = true;
}

// What some units in the last place of each state do to each condition.
void ConditionSides::measure_rounding(const ContinuousPart& part, const Point& at) {
  rounding_.assign(g_.size(), 0.0);
  if (g_.empty()) return;
  const std::size_t n = part.state_count();
  g_aside_.resize(g_.size());
  Point aside = at;
  for (int round = 0; round < kPushes; ++round) {
    x_aside_.assign(at.x, at.x + n);
    for (std::size_t i = 0; i < n; ++i)
      x_aside_[i] += push(round, static_cast<int>(i)) * kUnits * std::abs(x_aside_[i]);
    if (n == 0) x_aside_.push_back(0);
    aside.x = x_aside_.data();
    try {
      part.conditions(aside, Conditions(g_aside_.data()));
    } catch (const EvaluationError&) {  // at the border of what the model can take
      return;
    }
    for (std::size_t k = 0; k < g_.size(); ++k) {
      const double change = std::abs(g_aside_[k] - g_[k]);
      if (std::isfinite(change)) rounding_[k] = std::max(rounding_[k], change);
    }
  }
}

// What some units in the last place of t do, along the motion.
std::vector<double> ConditionSides::blur(const ContinuousPart& part, const Point& at) {
  std::vector<double> result(g_.size());
  if (g_.empty()) return result;
  const std::size_t n = std::max<std::size_t>(part.state_count(), 1);
  const double apart = kUnits * std::abs(at.t);
  x_aside_.resize(n);
  Point aside = at;
  aside.t += apart;
  try {
    part.derivatives(at, Rates(x_aside_.data()));
    for (std::size_t i = 0; i < n; ++i) x_aside_[i] = at.x[i] + apart * x_aside_[i];
    aside.x = x_aside_.data();
    part.conditions(aside, Conditions(g_aside_.data()));
  } catch (const EvaluationError&) {
    return result;
  }
  for (std::size_t k = 0; k < g_.size(); ++k) {
    const double change = std::abs(g_aside_[k] - g_[k]);
    if (std::isfinite(change)) result[k] = change;
  }
  return result;
}

void ConditionSides::look(const ContinuousPart& part, const Point& at,
                          const EventMonitor* monitor) {
  if (!is_looked_at_) renew(part, at, monitor);
}

void ConditionSides::cross(Crossing crossing, bool located) {
  Stand& stand = stands_[crossing.event.index];
  stand.side = crossing.rising ? 1 : -1;
  stand.is_known = true;
  if (located) stand.missed = 2 * std::abs(stand.g);
  stand.crossed = stand.is_on_root();
  stand.fired = true;
  stand.told = stand.turned = false;
}

void ConditionSides::turn(EventId event) {
  Stand& stand = stands_[event.index];
  stand.turned = true;
  stand.side = -stand.side;
}

void ConditionSides::follow(const EventMonitor& monitor) {
  for (std::size_t k = 0; k < stands_.size(); ++k) {
    Stand& stand = stands_[k];
    const int side = side_by(monitor, EventId{static_cast<int>(k)});
    if (side == 0) continue;
    if (stand.crossed && stand.is_known && side != stand.side) stand.turned = true;
    stand.side = side;
    stand.is_known = true;
  }
}

std::vector<Crossing> ConditionSides::passed(const ContinuousPart& part, const Point& at) {
  renew(part, at, nullptr);
  std::vector<Crossing> result;
  for (const ContinuousPart::Entry& entry : part.entries()) {
    for (std::size_t k = 0; k < entry.g_count; ++k) {
      const std::size_t index = entry.first_g + k;
      Stand& stand = stands_[index];
      const int side = stand.side;
      if (!passes(stand, g_[index], rounding_[index], entry.behaviour->conditions_of[k])) continue;
      const bool rising = side == 0 ? stand.g > 0 : side < 0;
      result.push_back({EventId{static_cast<int>(index)}, rising});
    }
  }
  return result;
}

bool ConditionSides::passes(Stand& stand, double g, double rounding, Direction direction) {
  if (g == stand.g) return false;  // nothing has moved it
  const bool was_on_root = stand.is_on_root();
  const double before = stand.rounding;
  stand.g = g;
  if (std::isnan(g)) return false;
  stand.rounding = std::max(before, rounding);
  const bool on_root = stand.is_on_root();
  stand.rounding = rounding;
  stand.moved = true;
  if (on_root && was_on_root) return false;
  stand.crossed = stand.turned = false;
  stand.missed = on_root ? std::abs(g) : 0;
  const int side = on_root ? 0 : sign(g);
  if (stand.side != 0 && side == stand.side) return false;
  const bool rising = stand.side == 0 ? side > 0 : stand.side < 0;
  if (matches(direction, rising)) return true;
  if (side != 0) {
    stand.side = side;
    stand.is_known = true;
  }
  return false;
}

}  // namespace arges::hybrid_devs
