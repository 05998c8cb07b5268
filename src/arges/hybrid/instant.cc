// What happens at one instant: the part of the Simulator that docs/guide/time-and-events.md calls
// "One instant".

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "arges/base/error.h"
#include "arges/hybrid/context_changes.h"
#include "arges/hybrid/mode_runtime.h"
#include "arges/solvers/failure_messages.h"

namespace arges {

namespace {

constexpr int kMaxIterations = 1000;

void copy_values(const std::vector<double>& from, std::vector<double>& to) {
  if (from.size() != to.size()) to.resize(from.size());
  if (!from.empty()) std::copy(from.begin(), from.end(), to.begin());
}

// What changed_since() compares. (Timers and all that cost more than most models do at an event.)
void copy_values(const Context& from, Context& to) {
  to.mode = from.mode;
  if (to.solver != from.solver) to.solver = from.solver;
  copy_values(from.x, to.x);
  copy_values(from.p, to.p);
  copy_values(from.u, to.u);
  copy_values(from.z, to.z);
}

}  // namespace

void Simulator::initial_instant() {
  const Schema& schema = system_.schema();
  before_ = context_;
  next_due_.reset();
  Update update(system_, before_, context_);
  try {
    system_.initialize(update);
  } catch (const EvaluationError& error) {
    check_limits();
    if (!ended_) end(RunReason::kInitialisationFailed, error.what());
  }
  // An earlier run may have had other parameters, and other nominal values by them.
  for (auto& mode : modes_) {
    if (mode && !std::ranges::equal(mode->equations.present_nominal(), mode->equations.nominal()))
      mode.reset();
  }
  if (!ended_ && !all_finite("the initialisation of", schema.name))
    result_.status.reason = RunReason::kInitialisationFailed;
  // In modes with derivatives known only implicitly, the first guess of x' is zero.
  std::fill(xdot_.begin(), xdot_.end(), 0.0);
  if (!ended_ && !make_consistent()) {
    result_.status.reason = RunReason::kInitialisationFailed;
  }
  if (!ended_) {
    try {
      settle(update, 0);
    } catch (const EvaluationError& error) {
      check_limits();
      if (!ended_) end(RunReason::kInitialisationFailed, error.what());
    }
  }
  if (!ended_ && !make_consistent()) result_.status.reason = RunReason::kInitialisationFailed;

  const ModeEquations& equations = runtime(context_.mode).equations;
  if (context_.solver.empty()) context_.solver = options_.solver;
  if (context_.solver == "auto") {
    context_.solver =
        schema.modes[context_.mode.index].form == EquationForm::kImplicit ? "ida" : "rodas5p";
    if (!ended_) {
      const SolverChoice choice =
          choose_solver(equations, options_.numerics, context_.t, context_.x.data(),
                        options_.stop_time - options_.start_time);
      context_.solver = choice.name;
      result_.solver_reason = choice.reason;
      consider_other_modes();
    }
  }
  begin_sink();
  if (ended_) return;

  has_memory_ = schema.has_memory;
  remembered_ = context_.t;
  if (has_memory_) system_.remember(point_at(context_));
  stepper();  // a solver that cannot solve this kind of equations is an error before anything is
              // computed
  record_row(context_.t, context_.x.data(), nullptr);
  if (update.termination()) return end(RunReason::kStopped, *update.termination());
  output_index_ = 1;
  instant({}, true);
  restart_needed_ = true;
}

void Simulator::last_instant() {
  before_ = context_;
  Update update(system_, before_, context_);
  system_.on_end(update);
  settle(update, 0);
  if (changed_since(before_)) record_row(context_.t, context_.x.data(), nullptr);
}

// `auto` looks at the equations of the first mode; what it chose must be able to solve those of the
// others, too.
void Simulator::consider_other_modes() {
  for (const ModeInfo& mode : system_.schema().modes) {
    if (can_solve(find_solver(context_.solver), mode.form)) continue;
    context_.solver = mode.form == EquationForm::kImplicit ? "ida" : "rodas5p";
    result_.solver_reason = fmt::format("mode '{}' is a DAE", mode.name);
  }
}

// Runs all that is due at context_.t, to the end of all chains. Sets restart_needed_ when anything
// changed.
void Simulator::instant(std::span<const Crossing> crossings, bool at_start) {
  copy_values(context_, before_);
  before_.t = context_.t;
  due_.clear();
  const auto add = [&](std::span<const Crossing> list) {
    for (const Crossing& crossing : list) {
      due_.push_back({system_.schema().events[crossing.event.index].priority, false,
                      crossing.event.index, crossing.rising});
    }
  };
  add(crossings);
  take_due_timers();
  const std::int64_t events_before = result_.events;
  const bool state_event = !crossings.empty();
  changed_nothing_ = false;
  if (!at_start && sink_ != nullptr && !due_.empty() && !has_left_row_)
    record_row(context_.t, context_.x.data(), nullptr);
  if (ended_) return;

  int turns = 0;  // passes because a condition was about to cross, not because an action moved it
  bool chatters = false;
  try {
    for (int iteration = 0;; ++iteration) {
      if (iteration == kMaxIterations) {
        std::string names;
        for (const Due& due : due_) {
          const auto& name = due.is_timer ? system_.schema().timers[due.index].name
                                          : system_.schema().events[due.index].name;
          names += (names.empty() ? "'" : ", '") + name + "'";
        }
        for (const Due& due : due_) {
          if (due.is_timer || !(zeno_[2 * due.index].found() || zeno_[2 * due.index + 1].found()))
            continue;
          const std::string& name = system_.schema().events[due.index].name;
          return end(RunReason::kZeno,
                     fmt::format("event '{}' has accumulated at t = {:.17g} (Zeno): {} iterations "
                                 "there without progress, with {}",
                                 name, context_.t, kMaxIterations, names),
                     name);
        }
        return end(
            RunReason::kEventsDidNotSettle,
            fmt::format(
                "{} iterations at t = {:.17g} did not settle; still firing: {}; an action undoes "
                "what another did, or a condition stays true after its action",
                kMaxIterations, context_.t, names),
            names);
      }
      const bool crossings_only = iteration == 0 && state_event && due_.size() == crossings.size();
      const bool acted = !due_.empty();
      if (acted) run_pass(iteration);
      if (ended_) return;
      const ModeEquations& equations = runtime(context_.mode).equations;
      // An output trace: the motion goes on as it was, and the monitor follows it.
      changed_nothing_ = crossings_only && !changed_since(before_) && next_due() >= stepper_->t() &&
                         !monitor_.any_rests(context_.t, context_.x.data(), rates(equations));
      if (changed_nothing_) break;
      if (acted && !make_consistent()) return;
      due_.clear();
      if (iteration > 0 || acted) {
        add(monitor_.chained(equations, context_.t, context_.x.data()));
      }
      take_due_timers();
      if (!due_.empty()) continue;
      // All is quiet. Take position for the continuous motion; a condition that has just become
      // active, stands on zero and is about to cross, fires now.
      add(monitor_.restart(equations, context_.t, context_.x.data(),
                           EventMonitor::Slopes([&] { return rates(equations); })));
      if (!monitor_.undecided().empty()) add(look_ahead());
      if (due_.empty()) break;
      // Actions that only switch, and the motion turns round each time: no hysteresis between them.
      chatters = ++turns >= ZenoGuard::kBurst && same(before_.x, context_.x) && last_fired_;
      if (chatters) break;
    }
  } catch (const EvaluationError& error) {
    return end(RunReason::kEvaluationFailed,
               fmt::format("the model reported at the event at t = {:.17g}: {}", context_.t,
                           error.what()));
  }

  if (has_memory_) system_.remember(point_at(context_));
  const bool changed = changed_since(before_);
  const bool inside_step = state_event && context_.t < stepper_->t();
  restart_needed_ = restart_needed_ || changed || (inside_step && !changed_nothing_);
  if (sliding_ && changed) review_surfaces();
  if (sink_ != nullptr && (events_before != result_.events))
    record_row(context_.t, context_.x.data(), nullptr);
  if (chatters && !ended_) {
    chatter_at_one_instant(*last_fired_);
  } else if (state_event && !ended_) {
    check_zeno(crossings);
  }
  if (result_.events > options_.max_events) {
    const std::string name = busiest(crossings);
    end(RunReason::kZeno,
        fmt::format("more than {} events by t = {:.17g}{}; {}", options_.max_events, context_.t,
                    name.empty() ? "" : fmt::format(", the last of '{}'", name),
                    way_out_of_many_events(stepper_, context_.solver)),
        name);
  }
}

// What to blame for too many events: of those at this instant, or with them, the one that acts.
std::string Simulator::busiest(std::span<const Crossing> crossings) {
  if (crossings.empty()) return records_.empty() ? std::string() : records_.back().component;
  return system_.schema().events[leader(crossings.front()).event.index].name;
}

// The slope of the motion from here on, for the monitor; in an implicit mode it is known already.
// That of algebraic variables is not known: a condition that they alone move is looked at ahead.
const double* Simulator::rates(const ModeEquations& equations) {
  if (system_.schema().events.empty()) return nullptr;
  if (equations.form() != EquationForm::kImplicit)
    equations.rhs(context_.t, context_.x.data(), xdot_.data());
  for (int i = 0; equations.form() == EquationForm::kSemiExplicit && i < equations.size(); ++i) {
    if (!equations.is_differential(i)) xdot_[i] = 0;
  }
  return xdot_.data();
}

void Simulator::take_due_timers() {
  if (next_due() > context_.t) return;
  next_due_.reset();
  const auto& timers = system_.schema().timers;
  const bool at_end = context_.t == options_.stop_time;
  const double end = at_end ? end_of_coincidence(context_.t) : context_.t;
  for (std::size_t j = 0; j < timers.size(); ++j) {
    TimerState& timer = context_.timers[j];
    if (due_time(j) > end || (timer.due > context_.t && !comes_before(j))) continue;
    due_.push_back({timers[j].priority, true, static_cast<int>(j), true});
    ++timer.count;
    timer.due = timers[j].period > 0
                    ? timer.first + static_cast<double>(timer.count) * timers[j].period
                    : std::numeric_limits<double>::infinity();
  }
}

// One round of actions, then the discrete equations.
void Simulator::run_pass(int iteration) {
  const Schema& schema = system_.schema();
  std::sort(due_.begin(), due_.end(), [](const Due& a, const Due& b) {
    return std::tuple(a.priority, !a.is_timer, a.index) <
           std::tuple(b.priority, !b.is_timer, b.index);
  });
  Update update(system_, before_, context_);
  next_due_.reset();
  records_.clear();
  // Copies are for those who look back, no others.
  const bool asks_for_effect =
      std::any_of(due_.begin(), due_.end(), [&](const Due& due) { return needs_effect(due); });
  const bool looks_back = sink_ != nullptr || !last_changes_.empty();
  if (asks_for_effect) pass_begin_ = context_;
  std::size_t done = 0;
  bool finite = true;
  while (finite && done < due_.size()) {
    const Due& due = due_[done++];
    const bool is_last = done == due_.size();
    if (looks_back) pass_ = context_;
    if (due.is_timer) {
      system_.on_timer(TimerId{due.index}, update);
    } else {
      last_fired_ = {EventId{due.index}, due.rising};
      const ModeEquations& equations = runtime(context_.mode).equations;
      monitor_.note_motion(equations, context_.t, context_.x.data(), rates(equations),
                           *last_fired_);
      monitor_.mark_fired(*last_fired_);
      update.set_rising(due.rising);
      system_.on_event(EventId{due.index}, update);
      note_turn(*last_fired_);
    }
    // What the discrete equations change is written down with the last event of the pass.
    if (is_last) settle(update, iteration);
    if (!due.is_timer && !last_changes_.empty()) note_change(*last_fired_, pass_);
    const std::string& name =
        due.is_timer ? schema.timers[due.index].name : schema.events[due.index].name;
    if (sink_ != nullptr) {
      EventRecord& record = records_.emplace_back();
      record.time = context_.t;
      record.iteration = iteration;
      record.is_time_event = due.is_timer;
      record.component = name;
      const auto declared =
          due.is_timer ? schema.timers[due.index].kind : schema.events[due.index].kind;
      note_changes(pass_, context_, record);
      if (declared) record.kind = to_string(*declared);
    }
    finite = all_finite(due.is_timer ? "timer" : "event", name);
  }
  count_and_log(done,
                !asks_for_effect || !finite || update.termination() || has_effect(pass_begin_));
  if (finite && update.termination()) {
    if (sink_ != nullptr) record_row(context_.t, context_.x.data(), nullptr);
    end(RunReason::kStopped, *update.termination());
  }
}

// After an action: NaN in a state is found here, where it can be said who put it there.
bool Simulator::all_finite(const char* what, const std::string& culprit) {
  const auto bad = std::find_if(context_.x.begin(), context_.x.end(),
                                [](double value) { return !std::isfinite(value); });
  if (bad == context_.x.end()) return true;
  const std::string& name =
      system_.schema().modes[context_.mode.index].states[bad - context_.x.begin()].name;
  end(RunReason::kNonFinite,
      fmt::format("{} '{}' sets '{}' to {} at t = {:.17g}", what, culprit, name, *bad, context_.t),
      name);
  return false;
}

// Only several events can undo what one of them did.
void Simulator::note_turn(Crossing crossing) {
  if (system_.schema().events.size() < 2) return;
  const ModeEquations& equations = runtime(context_.mode).equations;
  if (equations.form() != EquationForm::kExplicit) return;
  equations.rhs(context_.t, context_.x.data(), xdot_.data());
  monitor_.note_turn(equations, context_.t, context_.x.data(), xdot_.data(), crossing);
}

void Simulator::settle(Update& update, int iteration) {
  for (int round = 0;; ++round) {
    copy_values(context_, round_);
    hold_relations();
    system_.settle(update);
    if (!changed_since(round_)) return;
    if (round == kMaxIterations) {
      std::vector<EventChange> changes;
      note(system_.schema().discretes, round_.z, context_.z, changes);
      std::string names;
      for (const EventChange& change : changes)
        names += (names.empty() ? " because of '" : ", '") + change.name + "'";
      throw EvaluationError(
          fmt::format("the discrete equations{} did not settle within {} rounds (iteration {}): no "
                      "value agrees with the one before it, as in b = not pre(b)",
                      names, kMaxIterations, iteration),
          false);
    }
  }
}

bool Simulator::make_consistent() {
  ModeRuntime& mode = runtime(context_.mode);
  if (!mode.consistency) return true;
  const std::string open = mode.consistency->solve(context_.t, context_.x.data(), xdot_.data());
  if (open.empty()) return true;
  const std::string& name = system_.schema().modes[context_.mode.index].name;
  end(RunReason::kNewtonFailed,
      fmt::format("no consistent values at t = {:.17g}{}: {}", context_.t,
                  name.empty() ? "" : fmt::format(" in mode '{}'", name), open));
  return false;
}

bool Simulator::changed_since(const Context& before) const {
  return before.mode != context_.mode || before.solver != context_.solver ||
         !same(before.x, context_.x) || !same(before.p, context_.p) ||
         !same(before.u, context_.u) || !same(before.z, context_.z);
}

}  // namespace arges
