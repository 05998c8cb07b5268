#include "arges/compile/switching_system.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "arges/base/error.h"
#include "arges/base/index.h"
#include "arges/compile/switching_builder.h"
#include "arges/hybrid/update.h"

namespace arges {

namespace {

constexpr double kAbsent = std::numeric_limits<double>::quiet_NaN();
constexpr double kNever = std::numeric_limits<double>::infinity();
// Of a transition that is not immediate.
constexpr double kArmed = 0, kWaits = 1;
// So many transitions more than there are modes, at one instant, will not end.
constexpr double kManySwitches = 100;

}  // namespace

// Vectors for the part of the kernel's values that one mode sees; kept, so that nothing is
// allocated at an event.
struct SwitchingSystem::Scratch {
  Context before, now;
  std::vector<double> reads, given, status;
};

// The values of a mode as its CompiledSystem knows them, for the time of one call.
class SwitchingSystem::Part {
 public:
  Part(const SwitchingSystem& system, Update& whole)
      : system_(system), whole_(whole), scratch_(system.idle_.take()) {
    if (scratch_ == nullptr) scratch_ = new Scratch;
  }
  ~Part() { system_.idle_.give_back(scratch_); }
  Part(const Part&) = delete;
  Part& operator=(const Part&) = delete;

  Scratch& scratch() { return *scratch_; }
  const Mode& mode() const { return system_.modes_[at(whole_.mode().index)]; }

  // Runs `action` on the values of the present mode, and takes over what it changed. Left limits
  // are those from before the instant, unless the mode is new.
  template <class Action>
  bool run(Action action) {
    const Mode& m = mode();
    Context& c = whole_.context();
    take(m, c, scratch_->now);
    const bool is_new = whole_.before().mode != c.mode;
    take(m, is_new ? c : whole_.before(), scratch_->before);
    Update part(*m.system, scratch_->before, scratch_->now);
    part.set_rising(whole_.rising());
    action(part);
    Context& made = scratch_->now;
    const auto differs = [](double a, double b) { return a != b && !(a != a && b != b); };
    bool changed = false;
    for (std::size_t i = 0; i < m.discretes; ++i) {
      changed = changed || differs(c.z[m.z + i], made.z[i]);
      c.z[m.z + i] = made.z[i];
    }
    for (std::size_t i = 0; i < c.x.size(); ++i) changed = changed || differs(c.x[i], made.x[i]);
    c.x = made.x;
    c.p = made.p;
    for (std::size_t j = 0; j < m.timers; ++j) c.timers[m.timer + j] = made.timers[j];
    if (part.termination()) whole_.terminate(*part.termination());
    return changed;
  }

 private:
  static void take(const Mode& m, const Context& from, Context& to) {
    to.t = from.t;
    to.mode = ModeId{0};
    to.x = from.x;
    to.p = from.p;
    to.u = from.u;
    const auto z = from.z.begin() + static_cast<std::ptrdiff_t>(m.z);
    to.z.assign(z, z + static_cast<std::ptrdiff_t>(m.discretes));
    const auto timer = from.timers.begin() + static_cast<std::ptrdiff_t>(m.timer);
    to.timers.assign(timer, timer + static_cast<std::ptrdiff_t>(m.timers));
  }

  const SwitchingSystem& system_;
  Update& whole_;
  Scratch* scratch_;
};

SwitchingSystem::SwitchingSystem(const FlatModel& whole,
                                 const std::shared_ptr<const external::SharedLibraries>& libraries)
    : HybridSystem(whole.name, whole.description) {
  Builder(*this, whole).run(libraries);
  set_constraints(ConstraintPolicy::kSelect);
}

SwitchingSystem::~SwitchingSystem() = default;

void SwitchingSystem::set_tier(Tier tier) {
  for (Mode& mode : modes_) mode.system->set_tier(tier);
}

void SwitchingSystem::set_constraints(ConstraintPolicy policy) {
  schema_.projection = Projection::kNone;
  for (std::size_t k = 0; k < modes_.size(); ++k) {
    CompiledSystem& system = *modes_[k].system;
    system.set_constraints(policy);
    schema_.projection = std::max(schema_.projection, system.schema().projection);
    schema_.modes[k].constraints = system.schema().modes[0].constraints;
    schema_.modes[k].has_jacobian = system.schema().modes[0].has_jacobian;
  }
}

void SwitchingSystem::constraints(const Point& p, double* c) const {
  modes_[at(p.mode.index)].system->constraints(part(p), c);
}

bool SwitchingSystem::constraint_jacobian(const Point& p, double* values) const {
  return modes_[at(p.mode.index)].system->constraint_jacobian(part(p), values);
}

void SwitchingSystem::project(const Point& p, double* x) const {
  modes_[at(p.mode.index)].system->project(part(p), x);
}

std::string SwitchingSystem::native_problem() const {
  for (const Mode& mode : modes_) {
    const vm::NativeTier* native = mode.system->native();
    if (native != nullptr && native->image() == nullptr) return native->problem();
  }
  return {};
}

Point SwitchingSystem::part(const Point& p) const {
  return {p.t, p.x, p.p, p.u, p.z + modes_[at(p.mode.index)].z, ModeId{0}, p.interrupt};
}

void SwitchingSystem::derivatives(const Point& p, Rates xdot) const {
  modes_[at(p.mode.index)].system->derivatives(part(p), xdot);
}

void SwitchingSystem::jacobian(const Point& p, const double* xdot, double c,
                               JacobianEntries J) const {
  modes_[at(p.mode.index)].system->jacobian(part(p), xdot, c, J);
}

void SwitchingSystem::outputs(const Point& p, Outputs y) const {
  const Mode& mode = modes_[at(p.mode.index)];
  std::vector<double> values(mode.outputs.size());
  mode.system->outputs(part(p), Outputs(values.data()));
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (mode.outputs[i] >= 0) y.data()[mode.outputs[i]] = values[i];
  }
}

HybridSystem::NonFinite SwitchingSystem::find_non_finite(const Point& p) const {
  return modes_[at(p.mode.index)].system->find_non_finite(part(p));
}

void SwitchingSystem::conditions(const Point& p, Conditions g) const {
  const Mode& mode = modes_[at(p.mode.index)];
  mode.system->conditions(part(p), Conditions(g.data() + mode.event));
}

void SwitchingSystem::initialize(Update& now) const {
  for (const Mode& mode : modes_) mode.system->forget_warnings();
  Context& c = now.context();
  {
    Part part(*this, now);
    part.run([&](Update& own) { part.mode().system->initialize(own); });
  }
  for (const std::int32_t s : configurations_[0].active) c.p[at(entered_[at(s)])] = now.t();
  for (std::size_t i = 0; i < modes_[0].outgoing.size(); ++i) {
    const Outgoing& out = modes_[0].outgoing[i];
    c.z[modes_[0].status + i] =
        !out.transition->immediate && holds(modes_[0], out, c) ? kWaits : kArmed;
  }
}

void SwitchingSystem::on_event(EventId event, Update& now) const {
  Part part(*this, now);
  const Mode& mode = part.mode();
  const std::size_t first = mode.event, count = mode.system->schema().events.size();
  const std::size_t k = at(event.index);
  if (k < first || k >= first + count) return;  // of a mode that an earlier event has left
  part.run([&](Update& own) {
    mode.system->on_event(EventId{static_cast<std::int32_t>(k - first)}, own);
  });
}

void SwitchingSystem::on_timer(TimerId timer, Update& now) const {
  Part part(*this, now);
  const Mode& mode = part.mode();
  const std::size_t k = at(timer.index);
  if (k < mode.timer || k >= mode.timer + mode.timers) return;
  part.run([&](Update& own) {
    mode.system->on_timer(TimerId{static_cast<std::int32_t>(k - mode.timer)}, own);
  });
}

void SwitchingSystem::on_end(Update& now) const {
  Part part(*this, now);
  const Mode& mode = part.mode();
  if (mode.system->schema().acts_at_end) part.run([&](Update& own) { mode.system->on_end(own); });
}

void SwitchingSystem::watch(const Point& p) const {
  modes_[at(p.mode.index)].system->watch(part(p));
}

void SwitchingSystem::remember(const Point& p) const {
  modes_[at(p.mode.index)].system->remember(part(p));
}

void SwitchingSystem::remember_step(const Passage& step) const {
  Passage own = step;
  own.at = [&](double t) { return part(step.at(t)); };
  modes_[at(step.at(step.from).mode.index)].system->remember_step(own);
}

double SwitchingSystem::longest_step(const Point& p) const {
  return modes_[at(p.mode.index)].system->longest_step(part(p));
}

void SwitchingSystem::scale_nominal(const Point& p, std::vector<double>& nominal) const {
  modes_[at(p.mode.index)].system->scale_nominal(part(p), nominal);
}

void SwitchingSystem::settle(Update& now) const {
  Part part(*this, now);
  const Mode& mode = part.mode();
  if (part.run([&](Update& own) { mode.system->settle(own); })) return;
  if (now.termination()) return;
  if (const Outgoing* out = firing(mode, now)) take(mode, *out, now, part.scratch());
}

bool SwitchingSystem::holds(const Mode& mode, const Outgoing& out, const Context& now) const {
  return out.fires.valid() ? mode.system->is_true(out.fires, part(point_at(now))) : out.always;
}

// The first transition that fires. Arms those whose condition does not hold.
const SwitchingSystem::Outgoing* SwitchingSystem::firing(const Mode& mode, Update& now) const {
  Context& c = now.context();
  const Outgoing* first = nullptr;
  for (std::size_t i = 0; i < mode.outgoing.size(); ++i) {
    const Outgoing& out = mode.outgoing[i];
    double& status = c.z[mode.status + i];
    if (!holds(mode, out, c)) {
      if (status == kWaits) mode.system->left_standing(out.relations, c.z.data() + mode.z);
      status = kArmed;
      continue;
    }
    if (status != kArmed) continue;
    if (first == nullptr) {
      first = &out;
      continue;
    }
    const FlatTransition& a = *first->transition;
    const FlatTransition& b = *out.transition;
    if (a.from != b.from || a.priority != b.priority) continue;
    throw EvaluationError(
        fmt::format("the transitions from '{}' to '{}' ({}) and to '{}' ({}) hold at the same time "
                    "and have the same priority {}: give one of them another, transition(..., "
                    "priority = {})",
                    machines_.states[at(a.from)].name, machines_.states[at(a.to)].name, a.place,
                    machines_.states[at(b.to)].name, b.place, a.priority, a.priority + 1),
        false);
  }
  return first;
}

const SwitchingSystem::Arrival& SwitchingSystem::arrival(const Mode&, const Outgoing& out,
                                                         const Context& now) const {
  const std::int32_t to = out.transition->to;
  const double left = now.z[left_ + at(to)];
  if (out.again.empty() || left < 0) return out.fresh;
  // With the states inside that were active when it was left.
  const Configuration& then = configurations_[static_cast<std::size_t>(left)];
  const auto fits = [&](const Arrival& a) {
    const Configuration& next = configurations_[at(a.mode)];
    return std::all_of(then.active.begin(), then.active.end(),
                       [&](std::int32_t s) { return !machines_.is_within(s, to) || next.has(s); });
  };
  const auto it = std::find_if(out.again.begin(), out.again.end(), fits);
  return it != out.again.end() ? *it : out.fresh;
}

void SwitchingSystem::take(const Mode& mode, const Outgoing& out, Update& now,
                           Scratch& scratch) const {
  Context& c = now.context();
  count_switch(now, mode, out);
  const std::int32_t from = out.transition->from, to = out.transition->to;
  scratch.reads.resize(out.reads.size());
  mode.system->values_at(part(point_at(c)), out.reads, scratch.reads.data());
  for (const auto& [read, number] : out.saves) c.z[memory_ + at(number)] = scratch.reads[at(read)];
  for (const std::int32_t s : configurations_[at(c.mode.index)].active) {
    if (machines_.is_within(s, from)) c.z[left_ + at(s)] = c.mode.index;
  }
  const Arrival& arrival = this->arrival(mode, out, c);
  scratch.given.clear();
  for (const Source& s : arrival.sources)
    scratch.given.push_back(
        s.sign * (s.read >= 0 ? scratch.reads[at(s.read)] : c.z[memory_ + at(s.memory)]));

  const auto status = c.z.begin() + static_cast<std::ptrdiff_t>(mode.status);
  scratch.status.assign(status, status + static_cast<std::ptrdiff_t>(mode.outgoing.size()));
  std::fill_n(c.z.begin() + static_cast<std::ptrdiff_t>(mode.z), mode.discretes, kAbsent);

  const Mode& next = modes_[at(arrival.mode)];
  now.go_to(ModeId{arrival.mode});
  note_entered(to, at(arrival.mode), c);
  Context& own = scratch.now;
  own.t = c.t;
  own.mode = ModeId{0};
  own.x.resize(c.x.size());
  own.p = c.p;
  own.u = c.u;
  own.z.assign(next.discretes, 0);
  own.timers.assign(next.timers, {kNever, kNever, 0});
  Update entering(*next.system, own, own);
  try {
    next.system->enter(arrival.entry, scratch.given, entering);
  } catch (const EvaluationError& error) {
    throw EvaluationError(
        fmt::format("no start of mode '{}' ({}): {}", configurations_[at(arrival.mode)].name,
                    out.transition->place, error.what()),
        false);
  }
  set_status(next, out, mode, c, scratch);
  c.x = own.x;
  keep_samples(mode, next, c, own);
  for (std::size_t j = 0; j < mode.timers; ++j) c.timers[mode.timer + j] = {kNever, kNever, 0};
  std::copy(own.z.begin(), own.z.end(), c.z.begin() + static_cast<std::ptrdiff_t>(next.z));
  std::copy(own.timers.begin(), own.timers.end(),
            c.timers.begin() + static_cast<std::ptrdiff_t>(next.timer));
}

// What is sampled in both modes has ticked at this instant, in the one that is left: once.
void SwitchingSystem::keep_samples(const Mode& left, const Mode& next, const Context& now,
                                   Context& entered) const {
  const auto name = [&](const Mode& mode, std::size_t j) -> const std::string& {
    return schema_.timers[mode.timer + j].name;
  };
  for (std::size_t j = 0; j < next.system->model().samples.size(); ++j) {
    if (entered.timers[j].due > now.t) continue;
    for (std::size_t i = 0; i < left.system->model().samples.size(); ++i) {
      if (name(left, i) == name(next, j)) entered.timers[j] = now.timers[left.timer + i];
    }
  }
}

void SwitchingSystem::note_entered(std::int32_t top, std::size_t mode, Context& now) const {
  for (const std::int32_t s : configurations_[mode].active) {
    if (machines_.is_within(s, top)) now.p[at(entered_[at(s)])] = now.t;
  }
}

// Transitions of blocks that were active before have the status they had; of those that have just
// been entered, one that is not immediate waits until its condition does not hold.
void SwitchingSystem::set_status(const Mode& mode, const Outgoing& taken, const Mode& from,
                                 Context& now, Scratch& scratch) const {
  for (std::size_t i = 0; i < mode.outgoing.size(); ++i) {
    const Outgoing& out = mode.outgoing[i];
    double& status = now.z[mode.status + i];
    status = kArmed;
    if (!machines_.is_within(out.transition->from, taken.transition->to)) {
      for (std::size_t j = 0; j < from.outgoing.size(); ++j) {
        if (from.outgoing[j].number == out.number) status = scratch.status[j];
      }
      continue;
    }
    if (!out.fires.valid()) continue;
    Update entered(*mode.system, scratch.now, scratch.now);
    const auto standing = mode.system->stand(out.fires, out.relations, entered);
    const bool holds = mode.system->is_true(out.fires, point_at(scratch.now));
    if (standing == CompiledSystem::Standing::kLeaves ||
        (standing == CompiledSystem::Standing::kNo && holds && !out.transition->immediate))
      status = kWaits;
  }
}

void SwitchingSystem::count_switch(Update& now, const Mode&, const Outgoing& out) const {
  double& count = now.context().z[count_];
  double& instant = now.context().z[count_ + 1];
  if (instant != now.t()) count = 0;
  instant = now.t();
  if (++count <= kManySwitches + static_cast<double>(modes_.size())) return;
  throw EvaluationError(
      fmt::format("the machine switches without end at t = {:.17g}, last from '{}' to '{}' ({}): "
                  "the conditions of its transitions hold in turn; with immediate = false a "
                  "transition waits until its condition becomes true",
                  now.t(), machines_.states[at(out.transition->from)].name,
                  machines_.states[at(out.transition->to)].name, out.transition->place),
      false);
}

}  // namespace arges
