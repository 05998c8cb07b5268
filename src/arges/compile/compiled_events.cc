// What a compiled system does at events: conditions and their hysteresis, timers, the event
// iteration, assertions.

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "arges/base/error.h"
#include "arges/compile/compiled_system.h"
#include "arges/compile/workspace_lease.h"
#include "arges/hybrid/update.h"

namespace arges {

namespace {

constexpr int kMaxRelationRounds = 100, kSimultaneousRounds = 20, kExactRounds = 80;
// Of hysteresis, relative to time and to the values compared. A band grows tenfold while
// switches are within a moment of each other: what chatters stays below the resolution of time at
// which the kernel calls it chattering, 1e-10.
constexpr double kMoment = 5e-13, kSmallestBand = 1e-15, kLargestBand = 1e-9;
constexpr double kLongestGap = 200;  // of what chatters, in moments
// What loops that are solved by iteration leave open, relative to the values compared: they come
// out a little different each time.
constexpr double kIterationBand = 1e-12;
// And what of badly conditioned ones, where no other side is better.
constexpr double kLoopNoise = 1e-7;

constexpr double kLeast = std::numeric_limits<double>::min();

// At zero the condition has the side of what holds there.
double side(double value, bool above) {
  if (value != 0) return value;
  return above ? kLeast : -kLeast;
}

EventId relation_event(std::size_t i) { return EventId{static_cast<std::int32_t>(i)}; }

}  // namespace

// After the condition program. Hysteresis moves it to the present side.
double CompiledSystem::relation_condition(vm::Workspace& w, std::size_t i) const {
  const Relation& r = model_.relations[i];
  const double band = at(w, r.hysteresis.band);
  return side(w[code_.conditions[i]], holds_at_zero_[i]) + (at(w, r.var) != 0 ? band : -band);
}

bool CompiledSystem::matters(vm::Workspace& w, std::size_t i) const {
  return w[code_.conditions[model_.relations.size() + 2 * model_.floors.size() + i]] != 0;
}

void CompiledSystem::conditions(const Point& p, Conditions g) const {
  Lease w(*this);
  load(*w, p);
  (*w).run(code_.condition_program);
  const std::size_t relations = model_.relations.size();
  for (std::size_t i = 0; i < relations; ++i) {
    const bool holds = at(*w, model_.relations[i].var) != 0;
    g.data()[i] = matters(*w, i) ? relation_condition(*w, i) : holds ? 1 : -1;
  }
  for (std::size_t i = 0; i < model_.floors.size(); ++i) {
    const double band = at(*w, model_.floors[i].hysteresis.band);
    const std::size_t k = relations + 2 * i;
    g.data()[k] = side((*w)[code_.conditions[k]], true) + band;
    g.data()[k + 1] = side((*w)[code_.conditions[k + 1]], true) - band;
  }
  for (std::size_t i = 0; i < model_.constraint_sets.size(); ++i)
    g.data()[selection_event() + i] = selection_condition(*w, i);
}

// The condition must go further to switch back. After load().
void CompiledSystem::widen(vm::Workspace& w, std::size_t condition) const {
  const std::size_t relations = model_.relations.size();
  const Hysteresis& hysteresis = condition < relations
                                     ? model_.relations[condition].hysteresis
                                     : model_.floors[condition - relations].hysteresis;
  w.run(code_.scale_program);
  const double scale = w[code_.scales[condition]];
  double& band = at(w, hysteresis.band);
  band = std::max({10 * band, kSmallestBand * scale, kSmallestBand * kSmallestBand});
  band = std::min(band, kLargestBand * (1 + scale));
}

// A relation does not hold, but by no more than the noise of a loop, and nor did it, by little
// more, on its other side: its band is made as wide as that. After load().
bool CompiledSystem::stays(vm::Workspace& w, std::size_t relation, double g, double other) const {
  constexpr double kLittleMore = 100;
  w.run(code_.scale_program);
  const double noise = kLoopNoise * (1 + w[code_.scales[relation]]);
  if (std::abs(g) > noise || other > kLittleMore * noise) return false;
  at(w, model_.relations[relation].hysteresis.band) += 2 * std::abs(g);
  return true;
}

// A condition switches. If it did so a moment ago, rounding may have moved it back over its root:
// it must go further the next time, by more and more, until it rests or is known to chatter. (What
// chatters may be slow on one side: when that takes longer than a moment, the band is wide enough.)
void CompiledSystem::note_switch(std::size_t condition, const Hysteresis& hysteresis,
                                 Update& now) const {
  double& band = now[discrete(hysteresis.band)];
  double& switched = now[discrete(hysteresis.switched)];
  const ExperimentInfo& experiment = schema_.experiment;
  const double span = std::abs(experiment.stop_time - experiment.start_time);
  const double moment = kMoment * std::max(std::abs(now.t()), 1e-3 * span);
  const double gap = now.t() - switched;
  double& last_gap = now[discrete(hysteresis.gap)];
  const bool is_slow_side = last_gap > moment && last_gap <= kLongestGap * moment;
  if (gap <= moment && is_slow_side) {
    // It stays as it is.
  } else if (gap <= moment) {
    Lease w(*this);
    load(*w, now.point());
    widen(*w, condition);
    band = at(*w, hysteresis.band);
  } else {
    band = band > kSmallestBand * kSmallestBand ? band / 10 : 0;
  }
  switched = now.t();
  last_gap = gap;
}

// A state was set that was x_before: rounding apart, the conditions that this has moved, or whose
// motion it has changed, shall be where they are now.
void CompiledSystem::narrow_bands(vm::Workspace& w, Update& now,
                                  const std::vector<double>& x_before) const {
  load(w, now.point());
  w.run(code_.scale_program);
  std::size_t k = 0;
  const double rounding = iterates_ ? kIterationBand : kSmallestBand;
  std::vector<double> without, with;  // conditions a little later
  const auto is_moved = [&](std::size_t condition) {
    if (condition >= model_.relations.size()) return true;
    if (with.empty()) {
      with = conditions_ahead(now.context(), now.context().x);
      without = conditions_ahead(now.context(), x_before);
    }
    return with[condition] != without[condition];
  };
  const auto narrow = [&](const Hysteresis& hysteresis) {
    double& band = now[discrete(hysteresis.band)];
    const double narrowed = rounding * w[code_.scales[k]];
    const bool is_held = k < model_.relations.size() && now.holds(relation_event(k));
    if (band > narrowed && !is_held && is_moved(k)) band = narrowed;
    ++k;
  };
  for (const Relation& r : model_.relations) narrow(r.hysteresis);
  for (const FloorMemory& f : model_.floors) narrow(f.hysteresis);
}

// The conditions a little later, if the states were x now; NaN where that cannot be computed.
std::vector<double> CompiledSystem::conditions_ahead(const Context& now,
                                                     const std::vector<double>& x) const {
  constexpr double kLittle = 1e-6;
  const ExperimentInfo& experiment = schema_.experiment;
  const double span = std::abs(experiment.stop_time - experiment.start_time);
  const double ahead = kLittle * std::max(std::abs(now.t), 1e-3 * span);
  Context later = now;
  later.x = x;
  std::vector<double> g(schema_.events.size(), std::numeric_limits<double>::quiet_NaN());
  std::vector<double> rates(x.size());
  try {
    derivatives(point_at(later), Rates(rates.data()));
    later.t += ahead;
    for (std::size_t i = 0; i < x.size(); ++i) later.x[i] += ahead * rates[i];
    conditions(point_at(later), Conditions(g.data()));
  } catch (const EvaluationError&) {
  }
  return g;
}

// Before the first action of an instant: relations that did not matter so far get their left
// limits, since what happens now may ask for them.
void CompiledSystem::look_again(Update& now) const {
  if (!has_guards_) return;
  for (std::size_t i = 0; i < code_.discretes.size(); ++i) {
    const DiscreteId z{static_cast<std::int32_t>(i)};
    if (now[z] != now.pre(z)) return;
  }
  Lease w(*this);
  load(*w, now.point());
  (*w).run(code_.condition_program);
  for (std::size_t i = 0; i < model_.relations.size(); ++i) {
    const double g = relation_condition(*w, i);
    if (!matters(*w, i) && !std::isnan(g)) now[discrete(model_.relations[i].var)] = g > 0 ? 1 : 0;
  }
}

void CompiledSystem::on_event(EventId event, Update& now) const {
  look_again(now);
  const std::size_t k = static_cast<std::size_t>(event.index);
  const std::size_t relations = model_.relations.size();
  if (k < relations) {
    const Relation& relation = model_.relations[k];
    double& value = now[discrete(relation.var)];
    if ((value != 0) == now.rising()) return;  // settle() has seen it already
    // After an action that set a state, it goes back because the motion has turned, not by
    // rounding.
    if (now.context().x == now.before().x) note_switch(k, relation.hysteresis, now);
    // Rounding may leave the condition on its old side, or exactly on zero, where side() may put it
    // there: it must not go back for that. (By no more than that: a ball sinks so far each time.)
    Lease w(*this);
    load(*w, now.point());
    (*w).run(code_.condition_program);
    const double g = (*w)[code_.conditions[k]];
    double& band = now[discrete(relation.hysteresis.band)];
    if (now.rising() ? g <= 0 : g >= 0) {
      constexpr double kInfinity = std::numeric_limits<double>::infinity();
      band = std::max({band, std::nextafter(std::abs(g), kInfinity), 2 * kLeast});
    }
    if (iterates_) {
      (*w).run(code_.scale_program);
      band = std::max(band, kIterationBand * (*w)[code_.scales[k]]);
    }
    value = now.rising() ? 1 : 0;
    return;
  }
  if (k >= selection_event()) return select_states(k - selection_event(), now);
  // The argument has left [m, m + 1): by one, or further after a jump.
  const FloorMemory& f = model_.floors[(k - relations) / 2];
  note_switch(relations + (k - relations) / 2, f.hysteresis, now);
  Lease w(*this);
  load(*w, now.point());
  (*w).run(code_.relation_program);
  const double exact = (*w)[code_.exact[relations + (k - relations) / 2]];
  double& m = now[discrete(f.var)];
  m = now.rising() ? std::max(m + 1, exact) : std::min(m - 1, exact);
}

void CompiledSystem::on_timer(TimerId timer, Update& now) const {
  look_again(now);
  const std::size_t j = static_cast<std::size_t>(timer.index);
  if (j >= model_.samples.size()) {
    const std::size_t k = j - model_.samples.size();
    if (k >= model_.time_relations.size()) return;  // of a delay: schedule_delays() sees it
    const TimeRelation& r = model_.time_relations[k];
    if (r.reached.valid()) now[discrete(r.reached)] = 1;
    return;
  }
  now[discrete(model_.samples[j].var)] = 1;
  Lease w(*this);
  load(*w, now.point());
  (*w).run(code_.sample_program);
  const double start = (*w)[code_.sample_start[j]], interval = (*w)[code_.sample_interval[j]];
  const double k = std::round((now.t() - start) / interval) + 1;
  now.schedule(timer, start + k * interval);
}

// Timers for the relations of time that have still to become true.
void CompiledSystem::schedule_times(vm::Workspace& w, Update& now) const {
  if (code_.thresholds.empty()) return;
  w.run(code_.threshold_program);
  schedule_delays(w, now);
  move_fronts(w);
  for (std::size_t j = 0; j < model_.time_relations.size(); ++j) {
    const TimeRelation& r = model_.time_relations[j];
    const double threshold = w[code_.thresholds[j]];
    const bool waits = r.reached.valid() && threshold == now.t() && at(w, r.reached) == 0;
    if (r.reached.valid() && threshold != now.t()) at(w, r.reached) = 0;
    now.schedule(
        TimerId{static_cast<std::int32_t>(model_.samples.size() + j)},
        threshold > now.t() || waits ? threshold : std::numeric_limits<double>::infinity());
  }
}

void CompiledSystem::on_end(Update& now) const {
  look_again(now);
  now[discrete(model_.terminal_flag)] = 1;
}

// pre() of algebraic variables: from the values before the instant.
std::vector<double> CompiledSystem::left_limits(vm::Workspace& w, const Update& now) const {
  std::vector<double> left;
  if (algebraic_pres_.empty()) return left;
  load(w, point_at(now.before()));
  w.run(code_.output_program);
  for (const PreLink& link : algebraic_pres_) left.push_back(at(w, link.of));
  return left;
}

// Relations and equations have to agree with each other for the same left limits: all relations
// that do not hold are switched, and everything is evaluated again. When that does not end soon,
// they are switched one at a time, the first in order, which ends wherever a diode circuit has a
// solution. Rounding may hide that: where nothing flows, the sides on which the diodes stand are
// noise of the loop that they are part of, and neither side may agree with itself. So at last one
// that misses both sides by so little stays where it is. What is still open then is found by the
// kernel.
void CompiledSystem::settle_relations(vm::Workspace& w, const Update& now) const {
  constexpr double kFar = std::numeric_limits<double>::infinity();
  std::vector<double> missed_by;  // when it was switched last
  for (int round = 0; round < kMaxRelationRounds && !model_.relations.empty(); ++round) {
    w.run(code_.condition_program);
    bool changed = false;
    for (std::size_t i = 0; i < model_.relations.size(); ++i) {
      const Relation& r = model_.relations[i];
      const bool is = at(w, r.var) != 0;
      const double g = relation_condition(w, i);
      if (std::isnan(g) || (g > 0) == is || now.holds(relation_event(i))) continue;
      if (round == kSimultaneousRounds) missed_by.resize(model_.relations.size(), kFar);
      if (round >= kExactRounds && stays(w, i, g, missed_by[i])) continue;
      if (round >= kSimultaneousRounds) missed_by[i] = std::abs(g);
      at(w, r.var) = is ? 0 : 1;
      // All have agreed at this instant, and now it is back, because a loop came out a little
      // different: the next time it must go further.
      if (iterates_ && round == 0 && at(w, r.hysteresis.switched) == now.t()) widen(w, i);
      at(w, r.hysteresis.switched) = now.t();
      changed = true;
      if (round >= kSimultaneousRounds) break;
    }
    if (!changed) return;
    w.run(code_.update_program);
  }
}

void CompiledSystem::settle(Update& now) const {
  if (code_.discretes.empty() && model_.checks.empty()) return;
  settle_once(now);
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
  check(w, now);
  bool jumps = false;
  std::vector<double> x_before;
  if (!model_.reinits.empty()) x_before = now.context().x;
  for (std::size_t i = 0; i < model_.reinits.size(); ++i) {
    if (w[code_.reinit_fires[i]] == 0) continue;
    const std::size_t x =
        code_.slot[static_cast<std::size_t>(model_.reinits[i].state.index)] - code_.state_at;
    now.context().x[x] = w[code_.reinit_values[i]];
    jumps = true;
  }
  if (jumps && selects()) keep_set_states(w, now);
  if (jumps) narrow_bands(w, now, x_before);
}

void CompiledSystem::check(vm::Workspace& w, Update& now) const {
  for (std::size_t i = 0; i < model_.checks.size(); ++i) {
    const CheckAction& c = model_.checks[i];
    if (w[code_.check_violated[i]] == 0) continue;
    const bool warning = c.level == AssertionLevel::kWarning && !c.terminates;
    if (warning) {
      const std::lock_guard lock(warned_mutex_);
      if (warned_[i] != 0) continue;
      warned_[i] = 1;
    }
    const FlatModel& flat = model_.flat;
    w.run(code_.check_messages[i]);
    std::string text = code_.tables.environment->text(w[code_.check_texts[i]]);
    if (c.terminates) {
      now.terminate(text);
      continue;
    }
    if (c.origin.component.valid() && !flat.pool.text(c.origin.component).empty())
      text = fmt::format("{}: {}", flat.pool.text(c.origin.component), text);
    text += place_text(flat.pool, c.origin);
    if (warning) {
      code_.tables.environment->print(fmt::format("warning: t = {:.9g}: {}", now.t(), text));
      continue;
    }
    throw EvaluationError("assertion failed: " + text, false);
  }
}

}  // namespace arges
