// The event conditions of a compiled system, their hysteresis, and what sets relations, samples and
// timers. What follows from them: compiled_settling.cc.

#include <algorithm>
#include <cmath>
#include <limits>

#include "arges/compile/compiled_system.h"
#include "arges/compile/switch_band.h"
#include "arges/compile/workspace_lease.h"
#include "arges/hybrid/update.h"

namespace arges {

namespace {

// No value that a condition has by itself.
constexpr double kLeast = std::numeric_limits<double>::denorm_min();

// At zero the condition has the side of what holds there.
double side(double value, bool above) {
  if (value != 0) return value;
  return above ? kLeast : -kLeast;
}

// The two events of a floor m of an argument a: one is on its even roots, the other on its odd
// ones. As for a relation, the root that an event has crossed is still its root on the other side:
// each condition is a wave in a, of four units, with the signs + + - - and + - - + for m = 0, 1,
// 2, 3. Of the roots of m, m itself and m + 1, the one that is crossed next is known by where a
// leaves to.
struct FloorPhase {
  bool is_lower;  // the root is m: a leaves downwards
  double sign;    // of the condition where a is above the root

  FloorPhase(double m, bool is_odd_event) {
    const double rest = m - 4 * std::floor(m / 4);
    const int phase = rest > 0 ? static_cast<int>(rest) : 0;  // also of what is not finite
    is_lower = (phase % 2 != 0) == is_odd_event;
    const bool is_positive = is_odd_event ? phase == 0 || phase == 3 : phase < 2;
    sign = is_positive == is_lower ? 1 : -1;
  }
};

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

// Relations and floors that are not asked for here, because others (that have a meaning) say so.
// After the condition program.
std::vector<char> CompiledSystem::unasked(vm::Workspace& w) const {
  w.run(code_.guard_program);
  const auto side_of = [&](std::size_t i) {
    const double g = matters(w, i) ? relation_condition(w, i) : std::nan("");
    return std::isnan(g) ? g : g > 0 ? 1 : 0;
  };
  return code_.guard_logic.false_guards(side_of, [&](std::size_t k) { return w[code_.guards[k]]; });
}

void CompiledSystem::conditions(const Point& p, Conditions g) const {
  Lease w(*this);
  load(*w, p);
  (*w).run(code_.condition_program);
  const std::size_t relations = model_.relations.size();
  std::vector<char> spared;  // what may be NaN
  const auto is_spared = [&](std::size_t condition) {
    if (code_.guard_logic.empty()) return false;
    if (spared.empty()) spared = unasked(*w);
    return spared[condition] != 0;
  };
  for (std::size_t i = 0; i < relations; ++i) {
    const double kept = at(*w, model_.relations[i].var) != 0 ? 1 : -1;
    const double now = matters(*w, i) ? relation_condition(*w, i) : kept;
    g.data()[i] = std::isnan(now) && is_spared(i) ? kept : now;
  }
  for (std::size_t i = 0; i < model_.floors.size(); ++i) {
    const Hysteresis& h = model_.floors[i].hysteresis;
    const bool fell = std::signbit(at(*w, h.gap));  // see switch_floor()
    const std::size_t k = relations + 2 * i;
    for (const bool is_odd : {false, true}) {
      const FloorPhase phase(at(*w, model_.floors[i].var), is_odd);
      double above = side((*w)[code_.conditions[phase.is_lower ? k : k + 1]], true);
      if (std::isnan(above) && is_spared(relations + i)) above = phase.is_lower ? 1 : -1;
      const double band = phase.is_lower != fell ? at(*w, h.band) : 0;
      g.data()[is_odd ? k + 1 : k] = phase.sign * (phase.is_lower ? above + band : above - band);
    }
  }
  for (std::size_t i = 0; i < model_.constraint_sets.size(); ++i)
    g.data()[selection_event() + i] = selection_condition(*w, i);
}

const Hysteresis& CompiledSystem::hysteresis(std::size_t condition) const {
  const std::size_t relations = model_.relations.size();
  return condition < relations ? model_.relations[condition].hysteresis
                               : model_.floors[condition - relations].hysteresis;
}

SwitchBand CompiledSystem::band(std::size_t condition, Update& now) const {
  const Hysteresis& h = hysteresis(condition);
  return {now[discrete(h.band)], now[discrete(h.switched)], now[discrete(h.gap)]};
}

SwitchBand CompiledSystem::band(std::size_t condition, vm::Workspace& w) const {
  const Hysteresis& h = hysteresis(condition);
  return {at(w, h.band), at(w, h.switched), at(w, h.gap)};
}

// Of what a condition compares. After load().
double CompiledSystem::scale(vm::Workspace& w, std::size_t condition) const {
  w.run(code_.scale_program);
  return w[code_.scales[condition]];
}

double CompiledSystem::run_span() const {
  return std::abs(schema_.experiment.stop_time - schema_.experiment.start_time);
}

void CompiledSystem::note_switch(std::size_t condition, Update& now) const {
  // After an action that set a state, it goes back because the motion has turned, not by rounding.
  if (now.context().x != now.before().x) return;
  SwitchBand band = this->band(condition, now);
  if (!band.note_switch(now.t(), run_span())) return;
  Lease w(*this);
  load(*w, now.point());
  band.widen(scale(*w, condition));
}

// Before a switch at the root of g. Rounding may leave g on its old side, or exactly on zero, where
// side() may put it there: it must not go back for that. (By no more than that: a ball sinks so far
// each time. Nor by where another action of this instant has put it: settle() sees that.)
void CompiledSystem::cover_miss(std::size_t condition, std::size_t g_index, bool rises,
                                Update& now) const {
  Lease w(*this);
  load(*w, now.point());
  (*w).run(code_.condition_program);
  const double g = (*w)[code_.conditions[g_index]];
  const double size = scale(*w, condition);
  if (iterates_) band(condition, now).hold(SwitchBand::kIteration * size);
  if (rises ? g > 0 : g < 0) return;
  double missed_by = std::abs(g);
  if (missed_by > SwitchBand::kIteration * size) {
    load(*w, point_at(now.before()));
    (*w).run(code_.condition_program);
    missed_by = std::min(missed_by, std::abs((*w)[code_.conditions[g_index]]));
  }
  band(condition, now).cover(missed_by);
}

// A state was set that was x_before: rounding apart, the conditions that this has moved, or whose
// motion it has changed, shall be where they are now.
void CompiledSystem::narrow_bands(vm::Workspace& w, Update& now,
                                  const std::vector<double>& x_before) const {
  load(w, now.point());
  w.run(code_.scale_program);
  const double rounding = iterates_ ? SwitchBand::kIteration : SwitchBand::kRounding;
  std::vector<double> without, with;  // conditions a little later
  const auto is_moved = [&](std::size_t condition) {
    if (condition >= model_.relations.size()) return true;
    if (with.empty()) {
      with = conditions_ahead(now.context(), now.context().x);
      without = conditions_ahead(now.context(), x_before);
    }
    return with[condition] != without[condition];
  };
  for (std::size_t k = 0; k < code_.scales.size(); ++k) {
    const double narrowed = rounding * w[code_.scales[k]];
    const bool is_held = k < model_.relations.size() && now.holds(relation_event(k));
    if (now[discrete(hysteresis(k).band)] > narrowed && !is_held && is_moved(k))
      band(k, now).narrow(narrowed);
  }
}

// The conditions a little later, if the states were x now; NaN where that cannot be computed.
std::vector<double> CompiledSystem::conditions_ahead(const Context& now,
                                                     const std::vector<double>& x) const {
  constexpr double kLittle = 1e-6;
  const double ahead = kLittle * std::max(std::abs(now.t), 1e-3 * run_span());
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
    note_switch(k, now);
    cover_miss(k, k, now.rising(), now);
    value = now.rising() ? 1 : 0;
    return;
  }
  if (k >= selection_event()) return select_states(k - selection_event(), now);
  switch_floor((k - relations) / 2, (k - relations) % 2 != 0, now);
}

// The argument has left [m, m + 1): by one, or further after a jump. The root that it crosses gets
// the band, not the other one; which one that is, the sign of the gap remembers.
void CompiledSystem::switch_floor(std::size_t i, bool is_odd_event, Update& now) const {
  const std::size_t relations = model_.relations.size();
  double& m = now[discrete(model_.floors[i].var)];
  const FloorPhase phase(m, is_odd_event);
  const bool rises = now.rising() == (phase.sign > 0);
  if (rises == phase.is_lower) return;  // after a jump: the other event has seen it already
  double exact;
  {
    Lease w(*this);
    load(*w, now.point());
    (*w).run(code_.relation_program);
    exact = (*w)[code_.exact[relations + i]];
    // On the root, to the last digit, that is what it is. It falls a little later: a band puts it
    // back on the side from which it does. (Numbers are one apart, whatever their size.)
    (*w).run(code_.condition_program);
    if (!rises && (*w)[code_.conditions[relations + 2 * i]] == 0) {
      double& gap = now[discrete(model_.floors[i].hysteresis.gap)];
      gap = std::abs(gap);
      band(relations + i, now).hold(SwitchBand::kIteration * (1 + scale(*w, relations + i)));
      return;
    }
  }
  double& gap = now[discrete(model_.floors[i].hysteresis.gap)];
  gap = std::abs(gap);
  note_switch(relations + i, now);
  gap = std::copysign(gap, rises ? 1.0 : -1.0);
  cover_miss(relations + i, relations + 2 * i + (rises ? 1 : 0), rises, now);
  m = rises ? std::max(m + 1, exact) : std::min(m - 1, exact);
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

}  // namespace arges
