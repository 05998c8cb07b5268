// The policy `stick`: the part of the Simulator that holds a model on surfaces and lets it go
// again.

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "arges/hybrid/mode_runtime.h"

namespace arges {

namespace {

using Margins = std::vector<double>;

// Of one event: in this time all that accumulates or chatters together has fired.
constexpr double kGaps = 2.5;

}  // namespace

void Simulator::note_change(Crossing crossing, const Context& before) {
  LastChange& change =
      last_changes_[2 * static_cast<std::size_t>(crossing.event.index) + (crossing.rising ? 1 : 0)];
  change.before = before;
  change.after = context_;
}

const Simulator::LastChange& Simulator::last_change(Crossing crossing) const {
  return last_changes_[2 * static_cast<std::size_t>(crossing.event.index) +
                       (crossing.rising ? 1 : 0)];
}

// The surface on which the variables of `crossing` rest: alone when the present equations hold them
// there, else together with the events whose actions alternate with its own.
Surface Simulator::rest_on(Crossing crossing) {
  const ZenoGuard& own = guard_of(crossing);
  Surface surface;
  surface.members.push_back({crossing, 1, 0, own.beyond()});
  const Sliding now(system_, context_, surfaces_, 1e-2 * slide_window());
  now.prepare_rest(context_.t, context_.x.data(), surface);
  const auto holds = [&] {
    const Sliding resting(system_, context_, {surface}, 1e-2 * slide_window());
    Margins margins(resting.margin_count());
    resting.margins(context_.t, context_.x.data(), margins.data());
    return margins[0] >= 0;
  };
  if (holds()) return surface;

  const auto& modes = system_.schema().modes;
  const auto alternative = [&](Crossing member) {
    const Context& after = last_change(member).after;
    if (modes[after.mode.index].state_space == modes[context_.mode.index].state_space)
      surface.alternatives.push_back(ContextDifference::between(context_, after));
  };
  alternative(crossing);
  for (int k = 0; k < static_cast<int>(modes.empty() ? 0 : system_.schema().events.size()); ++k) {
    const EventId event{k};
    if (event == crossing.event || !monitor_.is_active(event)) continue;
    for (const bool rising : {false, true}) {
      if (!guard_of({event, rising}).fires_with(own, kGaps)) continue;
      surface.members.push_back({{event, rising}, 1, 0, own.beyond()});
      alternative({event, rising});
      break;
    }
  }
  now.prepare_rest(context_.t, context_.x.data(), surface);
  if (surface.members.size() == 1 || !holds()) surface.members.clear();
  return surface;
}

// The surface between what `crossing` has switched. A relation may have switched nothing, and only
// let another one on the same surface become true again: then that one's switch counts.
Surface Simulator::slide_on(Crossing crossing, const LastChange& own) {
  const int count = static_cast<int>(system_.schema().events.size());
  const auto between = [&](Crossing leading, const LastChange& change) {
    std::vector<Surface> surfaces = surfaces_;
    Surface& surface = surfaces.emplace_back();
    surface.slides = true;
    surface.one = ContextDifference::between(change.after, change.before);
    surface.other = ContextDifference::between(change.before, change.after);
    surface.members.push_back({leading, 1, 0, 0});
    const Sliding sliding(system_, context_, surfaces, 1e-2 * slide_window());
    Margins margins(sliding.margin_count());
    sliding.margins(context_.t, context_.x.data(), margins.data());
    if (!(margins[margins.size() - 2] >= 0 && margins.back() >= 0)) return Surface{};
    for (int k = 0; k < count; ++k) {
      const EventId event{k};
      if (event == leading.event || !monitor_.is_active(event)) continue;
      const int orientation =
          sliding.orientation(leading.event, event, context_.t, context_.x.data());
      if (orientation != 0) surface.members.push_back({{event, leading.rising}, orientation, 0, 0});
    }
    return surface;
  };
  Surface found = between(crossing, own);
  const Sliding now(system_, context_, surfaces_, 1e-2 * slide_window());
  for (int i = 0; i < 2 * count && found.members.empty(); ++i) {
    const Crossing other{EventId{i / 2}, i % 2 == 1};
    if (monitor_.is_active(other.event) && guard_of(other).fires_with(guard_of(crossing), kGaps) &&
        now.orientation(crossing.event, other.event, context_.t, context_.x.data()) != 0)
      found = between(other, last_change(other));
  }
  return found;
}

void Simulator::begin_sliding(Crossing crossing, ZenoFinding finding, bool alone) {
  const auto& modes = system_.schema().modes;
  const std::string& name = system_.schema().events[crossing.event.index].name;
  // What else happened at this instant is not part of it.
  const LastChange own = alone ? LastChange{before_, context_} : last_change(crossing);
  const bool jumps =
      modes[own.before.mode.index].state_space != modes[own.after.mode.index].state_space ||
      own.before.x != own.after.x;
  Surface surface;
  if (finding == ZenoFinding::kChattering && !jumps) {
    const bool two_modes =
        own.before.mode != own.after.mode &&
        std::ranges::any_of(surfaces_, [](const Surface& other) { return other.one.mode.valid(); });
    if (two_modes) {
      return end(RunReason::kZeno,
                 fmt::format("event '{}' chatters between two modes while another does: only one "
                             "of them can slide",
                             name),
                 name);
    }
    surface = slide_on(crossing, own);
  } else {
    surface = rest_on(crossing);
  }
  if (surface.members.empty()) {  // it does not stay there: the model goes on
    result_.notes.pop_back();
    return;
  }
  for (const Surface::Member& member : surface.members)
    monitor_.suppress(member.crossing.event, true);
  log_sliding(surface, "sticks");
  surfaces_.push_back(std::move(surface));
  rebuild_sliding();
}

double Simulator::slide_window() const {
  const double window = (options_.stop_time - options_.start_time) / 500;
  return interval_ > 0 ? std::min(interval_, window) : window;
}

// Takes position at t, where a surface is left, and goes on with the equations that are left.
void Simulator::leave_surfaces(Stepper& stepper, double t) {
  record_until(stepper, t);
  remember_until(stepper, t);
  context_.t = t;
  if (!(t > stepper.t_old()) || !stepper.retake(t, context_.x.data()))
    stepper.interpolate(t, context_.x.data());
  record_row(t, context_.x.data(), nullptr);
  release_left_surfaces(true);
  rebuild_sliding();
  const ModeEquations& equations = runtime(context_.mode).equations;
  if (sliding_) {
    sliding_->rhs(t, context_.x.data(), xdot_.data());
  } else {
    equations.rhs(t, context_.x.data(), xdot_.data());
  }
  monitor_.restart(equations, t, context_.x.data(), xdot_.data());
  place_released();
  record_row(t, context_.x.data(), nullptr);
}

// After an instant at which something else changed: what rests or slides goes on doing so, unless
// the change concerns it.
void Simulator::review_surfaces() {
  for (std::size_t i = surfaces_.size(); i-- > 0;) {
    if (still_holds(surfaces_[i])) continue;
    for (const Surface::Member& member : surfaces_[i].members) {
      const EventId event = member.crossing.event;
      const bool armed = !surfaces_[i].slides && is_armed_at_rest(member);
      released_.push_back({event, armed ? member.armed() : latched_side(event), armed});
    }
    release(i);
  }
  rebuild_sliding();
  if (sliding_ && release_left_surfaces(false)) rebuild_sliding();
  place_released();
}

// Of a relation: the side that it remembers; 0: that of its value.
int Simulator::latched_side(EventId event) const {
  const DiscreteId latch = system_.schema().events[event.index].latch;
  if (!latch.valid()) return 0;
  return context_.z[latch.index] != 0 ? 1 : -1;
}

// An event in one direction is, and a relation that has been thrown back.
bool Simulator::is_armed_at_rest(const Surface::Member& member) const {
  const EventInfo& event = system_.schema().events[member.crossing.event.index];
  if (event.direction != Direction::kBoth) return true;
  return latched_side(member.crossing.event) == member.armed();
}

// Before the discrete equations: the relations of surfaces that no action has moved so far are
// held.
void Simulator::hold_relations() {
  context_.held.clear();
  for (const Surface& surface : surfaces_) {
    if (!stays_in_place(surface, 0)) continue;
    context_.held.resize(system_.schema().events.size());
    for (const Surface::Member& member : surface.members)
      context_.held[member.crossing.event.index] = 1;
  }
}

bool Simulator::still_holds(const Surface& surface) const {
  constexpr double kTolerance = 1e-7;
  if (!stays_in_place(surface, kTolerance)) return false;
  for (std::size_t i = 0; i < surface.frozen.size(); ++i) {
    if (surface.frozen[i] != 0 && before_.x[i] != context_.x[i]) return false;
  }
  if (!surface.one.untouched(before_, context_)) return false;
  for (const ContextDifference& alternative : surface.alternatives) {
    if (!alternative.untouched(before_, context_)) return false;
  }
  return true;
}

// The conditions are where they were before the instant, within so much of the states.
bool Simulator::stays_in_place(const Surface& surface, double tolerance) const {
  const auto& modes = system_.schema().modes;
  if (modes[before_.mode.index].state_space != modes[context_.mode.index].state_space) return false;
  double size = 0;
  for (const double value : context_.x) size = std::max(size, std::abs(value));
  std::vector<double> g_before(system_.schema().events.size()), g_after(g_before.size());
  system_.conditions(point_at(before_), Conditions(g_before.data()));
  system_.conditions(point_at(context_), Conditions(g_after.data()));
  return std::ranges::all_of(surface.members, [&](const Surface::Member& member) {
    const EventId event = member.crossing.event;
    const ModeId mode = system_.schema().events[event.index].mode;
    return (!mode.valid() || mode == context_.mode) &&
           std::abs(g_after[event.index] - g_before[event.index]) <=
               tolerance * std::max(1.0, size);
  });
}

// Releases the surfaces that the motion at context_ leaves, to the side to which it leaves them.
bool Simulator::release_left_surfaces(bool at_least_one) {
  Margins margins(sliding_->margin_count());
  sliding_->margins(context_.t, context_.x.data(), margins.data());
  // Rounding may have put the exit a little further.
  const double least = *std::ranges::min_element(margins);
  const double limit = at_least_one && least >= 0 ? least : -std::numeric_limits<double>::min();
  bool any = false;
  for (std::size_t i = surfaces_.size(); i-- > 0;) {
    if (std::min(margins[2 * i], margins[2 * i + 1]) > limit) continue;
    any = true;
    Surface& surface = surfaces_[i];
    const Crossing leading = surface.members.front().crossing;
    if (surface.slides) {
      const bool to_one = margins[2 * i] < margins[2 * i + 1];
      (to_one ? surface.one : surface.other).apply(context_);
      for (const Surface::Member& member : surface.members) {
        const int side = (to_one == leading.rising ? -1 : 1) * member.orientation;
        // A relation that does not know yet fires when it has left.
        const int latched = latched_side(member.crossing.event);
        const bool knows = latched == 0 || latched == side;
        released_.push_back({member.crossing.event, knows ? side : latched, knows});
      }
    } else {
      if (margins[2 * i + 1] < 0) {
        const std::string& name = system_.schema().events[leading.event.index].name;
        end(RunReason::kZeno,
            fmt::format("what rests after the accumulated events '{}' does so on a surface that "
                        "moves at t = {:.12g}: `stick` can rest on one that stands only",
                        name, context_.t),
            name);
      }
      const int alternative =
          sliding_->lifting_alternative(static_cast<int>(i), context_.t, context_.x.data());
      if (alternative >= 0) surface.alternatives[alternative].apply(context_);
      for (const Surface::Member& member : surface.members) {
        // A relation that was not thrown back comes back by another event.
        const bool armed = is_armed_at_rest(member);
        released_.push_back(
            {member.crossing.event, armed ? member.armed() : -member.armed(), armed});
      }
    }
    release(i);
  }
  return any;
}

void Simulator::release(std::size_t surface) {
  for (const Surface::Member& member : surfaces_[surface].members)
    monitor_.suppress(member.crossing.event, false);
  log_sliding(surfaces_[surface], "leaves");
  surfaces_.erase(surfaces_.begin() + static_cast<std::ptrdiff_t>(surface));
}

void Simulator::place_released() {
  for (const Released& event : released_)
    monitor_.depart(event.event, event.side, event.fresh, context_.t, context_.x.data());
  released_.clear();
}

void Simulator::rebuild_sliding() {
  if (sliding_stepper_) {
    result_.statistics += sliding_stepper_->statistics();
    old_sliding_stepper_ = std::move(sliding_stepper_);
    old_sliding_ = std::move(sliding_);
  }
  restart_needed_ = true;
  if (surfaces_.empty()) return;
  sliding_ = std::make_unique<Sliding>(system_, context_, surfaces_, 1e-2 * slide_window());
  sliding_stepper_ = make_stepper(context_.solver, *sliding_, options_.numerics);
}

void Simulator::log_sliding(const Surface& surface, const char* what) {
  if (sink_ == nullptr) return;
  for (const Surface::Member& member : surface.members) {
    EventRecord record;
    record.time = context_.t;
    record.kind = to_string(EventKind::kFunction);
    record.component =
        fmt::format("{} ({})", system_.schema().events[member.crossing.event.index].name, what);
    sink_->event(record);
    if (surface.slides) break;  // the others are the same condition
  }
}

}  // namespace arges
