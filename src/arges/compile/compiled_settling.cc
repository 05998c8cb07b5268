// What follows from the relations and samples of an instant: the event iteration, reinit,
// assertions.

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "arges/base/error.h"
#include "arges/compile/compiled_system.h"
#include "arges/compile/switch_band.h"
#include "arges/compile/workspace_lease.h"
#include "arges/hybrid/update.h"

namespace arges {

namespace {

constexpr int kMaxRelationRounds = 100, kSimultaneousRounds = 20, kExactRounds = 80;
// How far the motion is looked at, relative to the time.
constexpr double kAhead = 1e-6;

}  // namespace

// pre() of algebraic variables: from the values before the instant.
std::vector<double> CompiledSystem::left_limits(vm::Workspace& w, const Update& now) const {
  std::vector<double> left;
  if (algebraic_pres_.empty()) return left;
  load(w, point_at(now.before()));
  w.run(code_.output_program);
  for (const PreLink& link : algebraic_pres_) left.push_back(at(w, link.of));
  return left;
}

// A floor of an argument that jumps at this instant is computed anew, however far that is from the
// number that it was. Where the argument only moves, the kernel finds what it crosses.
bool CompiledSystem::settle_floors(vm::Workspace& w, Update& now, bool one_only,
                                   std::vector<double>& arguments_before) const {
  const std::size_t relations = model_.relations.size();
  bool changed = false;
  for (std::size_t i = 0; i < model_.floors.size(); ++i) {
    const std::size_t k = relations + 2 * i;
    const Hysteresis& h = model_.floors[i].hysteresis;
    const double m = at(w, model_.floors[i].var);
    const double above = w[code_.conditions[k]], above_next = w[code_.conditions[k + 1]];
    if (!std::isfinite(above) || (above >= 0 && above_next < 0)) continue;
    if (now.holds(EventId{static_cast<std::int32_t>(k)}) ||
        now.holds(EventId{static_cast<std::int32_t>(k + 1)}))
      continue;
    if (arguments_before.empty()) arguments_before = floor_arguments(now.before());
    const double jump = above + m - arguments_before[i];
    const bool has_jumped = std::abs(jump) > SwitchBand::kIteration * scale(w, relations + i);
    if (!has_jumped && m == now.pre(discrete(model_.floors[i].var))) continue;
    const bool fell = std::signbit(at(w, h.gap));
    const double band = at(w, h.band);
    // A band of another time says nothing about where it has jumped to.
    const bool is_covered =
        fell ? above >= 0 && above_next < band : above >= -band && above_next < 0;
    if (is_covered && (!has_jumped || at(w, h.switched) == now.t())) continue;
    land_floor(w, now, i, jump);
    changed = changed || at(w, model_.floors[i].var) != m;
    if (changed && one_only) break;
  }
  return changed;
}

// Sets a floor to the number of an argument that has jumped there. What the instant is off, and
// rounding, may leave the argument a little beside a number that it is to have: then its motion
// decides, as when it crosses that number by itself.
void CompiledSystem::land_floor(vm::Workspace& w, Update& now, std::size_t i, double jump) const {
  const std::size_t condition = model_.relations.size() + i;
  const std::size_t k = condition + i;
  double& m = at(w, model_.floors[i].var);
  const double a = m + w[code_.conditions[k]], nearest = std::round(a);
  const double rounding = SwitchBand::kIteration * (scale(w, condition) + std::abs(jump));
  const double period = std::max(std::abs(now.t()), 1e-3 * run_span());
  const Hysteresis& h = model_.floors[i].hysteresis;
  const double old = m;
  m = std::floor(a);
  at(w, h.band) = 0;
  at(w, h.gap) = std::copysign(at(w, h.gap), m < old ? -1.0 : 1.0);
  at(w, h.switched) = now.t();
  if (a == nearest) return;
  const double slope = floor_slope(w, now, i);
  const double noise = rounding + SwitchBand::kIteration * period * std::abs(slope);
  if (std::abs(a - nearest) > noise || std::abs(slope) * kAhead * period <= rounding) return;
  const bool rises = slope > 0;
  m = rises ? nearest : nearest - 1;
  at(w, h.gap) = std::copysign(at(w, h.gap), rises ? 1.0 : -1.0);
  if (rises ? a < nearest : a > nearest) band(condition, w).cover(std::abs(a - nearest));
  if (iterates_) band(condition, w).hold(SwitchBand::kIteration * scale(w, condition));
}

std::vector<double> CompiledSystem::floor_arguments(const Context& c) const {
  Lease w(*this);
  load(*w, point_at(c));
  (*w).run(code_.condition_program);
  std::vector<double> arguments;
  for (std::size_t i = 0; i < model_.floors.size(); ++i)
    arguments.push_back((*w)[code_.conditions[model_.relations.size() + 2 * i]] +
                        at(*w, model_.floors[i].var));
  return arguments;
}

// How fast the argument of a floor moves from here on; 0 where that cannot be computed.
double CompiledSystem::floor_slope(vm::Workspace& w, Update& now, std::size_t i) const {
  Context here = now.context();
  std::copy_n(w.registers() + code_.discrete_at, code_.discretes.size(), here.z.begin());
  const double ahead = kAhead * std::max(std::abs(here.t), 1e-3 * run_span());
  Context later = here;
  std::vector<double> rates(here.x.size());
  try {
    derivatives(point_at(here), Rates(rates.data()));
    later.t += ahead;
    for (std::size_t j = 0; j < rates.size(); ++j) later.x[j] += ahead * rates[j];
    const double slope =
        (floor_arguments(later)[i] - floor_arguments(here)[i]) / (later.t - here.t);
    return std::isfinite(slope) ? slope : 0;
  } catch (const EvaluationError&) {
    return 0;
  }
}

// On its root to the last digit, wherever the states were and whatever the time: nothing moves it.
bool CompiledSystem::rests_on_root(vm::Workspace& w, Update& now, std::size_t i) const {
  if (w[code_.conditions[i]] != 0) return false;
  constexpr double kFurther = 1e-3;
  Context there = now.context();
  std::copy_n(w.registers() + code_.discrete_at, code_.discretes.size(), there.z.begin());
  there.t += kFurther * run_span();
  for (double& x : there.x) x += kFurther * (1 + std::abs(x));
  try {
    Lease at_there(*this);
    load(*at_there, point_at(there));
    (*at_there).run(code_.condition_program);
    return (*at_there)[code_.conditions[i]] == 0;
  } catch (const EvaluationError&) {
    return false;
  }
}

// A relation has been switched at this instant, and what it compares has come to rest on its root
// (a signal at its limit): there it is what it is by its numbers, if it rests then, too. True: it
// has been switched back.
bool CompiledSystem::take_back_at_rest(vm::Workspace& w, Update& now, std::size_t i) const {
  double& value = at(w, model_.relations[i].var);
  double& band = at(w, model_.relations[i].hysteresis.band);
  const bool is = value != 0, was = now.pre(discrete(model_.relations[i].var)) != 0;
  if (is == was || is == (holds_at_zero_[i] != 0) || !rests_on_root(w, now, i)) return false;
  const double band_before = band;
  const auto set = [&](bool holds, double width) {
    value = holds ? 1 : 0;
    band = width;
    w.run(code_.update_program);
    w.run(code_.condition_program);
  };
  set(!is, 0);
  if (rests_on_root(w, now, i)) return true;
  set(is, band_before);
  return false;
}

// Relations, floors and equations have to agree with each other for the same left limits: all
// relations that do not hold are switched, and everything is evaluated again. When that does not
// end soon, they are switched one at a time, the first in order, which ends wherever a diode
// circuit has a solution. Rounding may hide that: where nothing flows, the sides on which the
// diodes stand are noise of the loop that they are part of, and neither side may agree with itself.
// So at last one that misses both sides by so little stays where it is. What is still open then is
// found by the kernel.
void CompiledSystem::settle_relations(vm::Workspace& w, Update& now) const {
  constexpr double kFar = std::numeric_limits<double>::infinity();
  std::vector<double> missed_by;  // when it was switched last
  std::vector<double> arguments_before;
  if (model_.relations.empty() && model_.floors.empty()) return;
  for (int round = 0; round < kMaxRelationRounds; ++round) {
    w.run(code_.condition_program);
    bool changed = false;
    for (std::size_t i = 0; i < model_.relations.size(); ++i) {
      const Relation& r = model_.relations[i];
      const bool is = at(w, r.var) != 0;
      const double g = relation_condition(w, i);
      if (std::isnan(g) || now.holds(EventId{static_cast<std::int32_t>(i)})) continue;
      if ((g > 0) == is) {
        changed = take_back_at_rest(w, now, i) || changed;
        continue;
      }
      if (round == kSimultaneousRounds) missed_by.resize(model_.relations.size(), kFar);
      if (round >= kExactRounds && band(i, w).cover_noise(g, missed_by[i], scale(w, i))) continue;
      if (round >= kSimultaneousRounds) missed_by[i] = std::abs(g);
      at(w, r.var) = is ? 0 : 1;
      // All have agreed at this instant, and now it is back, because a loop came out a little
      // different: the next time it must go further.
      if (iterates_ && round == 0 && at(w, r.hysteresis.switched) == now.t())
        band(i, w).widen(scale(w, i));
      at(w, r.hysteresis.switched) = now.t();
      changed = true;
      if (round >= kSimultaneousRounds) break;
    }
    const bool one_only = round >= kSimultaneousRounds;
    if (!(changed && one_only)) changed |= settle_floors(w, now, one_only, arguments_before);
    if (!changed) return;
    w.run(code_.update_program);
  }
}

void CompiledSystem::settle(Update& now) const {
  if (code_.discretes.empty() && model_.checks.empty()) return;
  settle_once(now);
  check_replaced(now);
  note_breaks(now);
}

void CompiledSystem::settle_once(Update& now) const {
  Lease lease(*this);
  vm::Workspace& w = *lease;
  const std::vector<double> left = left_limits(w, now);
  load(w, now.point());
  for (const PreLink& p : model_.pres) at(w, p.pre) = at(w, p.of);
  for (std::size_t i = 0; i < left.size(); ++i) at(w, algebraic_pres_[i].pre) = left[i];
  w.run(code_.update_program);
  settle_relations(w, now);
  for (const SampleTimer& s : model_.samples) at(w, s.var) = 0;
  schedule_times(w, now);
  const double* r = w.registers();
  std::copy_n(r + code_.discrete_at, code_.discretes.size(), now.context().z.begin());
  tell_open(w.nearest_chosen(), now.t());
  check(w, now);
  jump(w, now, fired_reinits(w));
  if (iterates_) w.remember_start();
}

std::vector<CompiledSystem::StateJump> CompiledSystem::fired_reinits(vm::Workspace& w) const {
  std::vector<StateJump> jumps;
  for (std::size_t i = 0; i < model_.reinits.size(); ++i) {
    if (w[code_.reinit_fires[i]] == 0) continue;
    const std::size_t x =
        code_.slot[static_cast<std::size_t>(model_.reinits[i].state.index)] - code_.state_at;
    jumps.push_back({x, w[code_.reinit_values[i]]});
  }
  return jumps;
}

void CompiledSystem::jump(vm::Workspace& w, Update& now,
                          const std::vector<StateJump>& jumps) const {
  if (jumps.empty()) return;
  const std::vector<double> x_before = now.context().x;
  for (const StateJump& j : jumps) now.context().x[j.state] = j.to;
  if (selects()) keep_set_states(w, now);
  narrow_bands(w, now, x_before);
}

void CompiledSystem::check(vm::Workspace& w, Update& now) const {
  for (std::size_t i = 0; i < model_.checks.size(); ++i) check(w, now, i);
}

void CompiledSystem::check(vm::Workspace& w, Update& now, std::size_t i) const {
  if (w[code_.check_violated[i]] == 0) return;
  if (model_.checks[i].terminates)
    now.terminate(check_text(w, i));
  else
    tell_violated(w, i, now.t());
}

// The solutions of loops at the end of an accepted step are those that trials begin from.
void CompiledSystem::follow_motion(const Point& p) const {
  Lease lease(*this);
  vm::Workspace& w = *lease;
  const double* x = w.registers() + code_.state_at;
  if (w[0] != p.t || !std::equal(x, x + code_.states.size(), p.x)) {
    try {
      load(w, p);
      w.run(code_.rate_program);
    } catch (const EvaluationError&) {
      return;  // whoever needs these values says so
    }
  }
  w.remember_start();
}

// At no instant of an event: what is said of one is false.
void CompiledSystem::watch(const Point& p) const {
  if (iterates_) follow_motion(p);
  if (code_.watched.empty()) return;
  Lease lease(*this);
  vm::Workspace& w = *lease;
  load(w, p);
  for (const PreLink& l : model_.pres) at(w, l.pre) = at(w, l.of);
  for (const SampleTimer& s : model_.samples) at(w, s.var) = 0;
  w.run(code_.output_program);
  w.run(code_.watch_program);
  for (const std::uint32_t i : code_.watched) {
    if (w[code_.check_violated[i]] != 0) tell_violated(w, i, p.t);
  }
}

std::string CompiledSystem::check_text(vm::Workspace& w, std::size_t check) const {
  w.run(code_.check_messages[check]);
  return code_.tables.environment->text(w[code_.check_texts[check]]);
}

void CompiledSystem::tell_violated(vm::Workspace& w, std::size_t check, double t) const {
  const CheckAction& c = model_.checks[check];
  const bool is_warning = c.level == AssertionLevel::kWarning;
  if (is_warning) {
    const std::lock_guard lock(warned_mutex_);
    if (warned_[check] != 0) return;
    warned_[check] = 1;
  }
  const FlatModel& flat = model_.flat;
  std::string text = check_text(w, check);
  if (c.origin.component.valid() && !flat.pool.text(c.origin.component).empty())
    text = fmt::format("{}: {}", flat.pool.text(c.origin.component), text);
  text += place_text(flat.pool, c.origin);
  if (!is_warning) throw EvaluationError("assertion failed: " + text, false);
  code_.tables.environment->print(fmt::format("warning: t = {:.9g}: {}", t, text));
}

}  // namespace arges
