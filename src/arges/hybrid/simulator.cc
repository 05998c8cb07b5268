#include "arges/hybrid/simulator.h"
#include "arges/hybrid/exit_search.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <new>
#include <set>

#include <fmt/format.h>

#include "arges/base/error.h"
#include "arges/base/float_spacing.h"
#include "arges/hybrid/mode_runtime.h"

namespace arges {

namespace {

int largest_dimension(const Schema& schema) {
  std::size_t largest = 0;
  for (const ModeInfo& mode : schema.modes) largest = std::max(largest, mode.states.size());
  return static_cast<int>(largest);
}

constexpr double kMostRows = 1e9;

}  // namespace

Simulator::Simulator(const HybridSystem& system, RunOptions options)
    : system_(system),
      options_(std::move(options)),
      modes_(system.schema().modes.size()),
      rows_(system),
      monitor_(system, largest_dimension(system.schema())),
      zeno_(2 * system.schema().events.size()) {
  const Schema& schema = system.schema();
  if (schema.modes.empty())
    throw ApiError(fmt::format("model '{}' declares no state", schema.name));
  if (!std::isfinite(options_.start_time) || !std::isfinite(options_.stop_time) ||
      options_.stop_time < options_.start_time) {
    throw UserError(
        fmt::format(
            "the stop time must be finite and not before the start time (start {}, stop {})",
            options_.start_time, options_.stop_time),
        {"stop", "start"});
  }
  if (std::isnan(options_.interval) ||
      (options_.interval < 0 && options_.interval != RunOptions::kEveryStep)) {
    throw UserError(fmt::format("the output interval must be positive, not {}", options_.interval),
                    {"interval"});
  }
  if (!(options_.real_time >= 0) || !std::isfinite(options_.real_time)) {
    throw UserError(fmt::format("the pace must be positive, in model time for each second, not {}",
                                options_.real_time),
                    {"real-time"});
  }
  const double rows = (options_.stop_time - options_.start_time) / options_.interval;
  if (options_.interval > 0 && rows > kMostRows) {
    throw UserError(
        fmt::format(
            "an output interval of {} makes {:.2g} rows, and {:.0e} is the most: take a longer "
            "one, or 0 for a row at each step",
            options_.interval, rows, kMostRows),
        {"interval"});
  }
  if (options_.solver != "auto") find_solver(options_.solver);
  const int n = largest_dimension(schema);
  xdot_.resize(n);
  x_row_.resize(n);
  due_.reserve(schema.events.size() + schema.timers.size());
  immediate_.reserve(schema.events.size());
}

Simulator::~Simulator() = default;

Simulator::ModeRuntime& Simulator::runtime(ModeId mode) {
  auto& slot = modes_[mode.index];
  if (!slot) slot = std::make_unique<ModeRuntime>(system_, context_, mode);
  return *slot;
}

// The stepper of the present mode and solver.
Stepper& Simulator::stepper() {
  if (sliding_) return *sliding_stepper_;
  ModeRuntime& mode = runtime(context_.mode);
  if (mode.latest != nullptr && mode.latest->first == context_.solver) {
    mode.latest->second.used = true;
    return *mode.latest->second.stepper;
  }
  auto found = mode.methods.find(context_.solver);
  if (found == mode.methods.end()) {
    SolverOptions numerics = options_.numerics;
    numerics.every_move =
        options_.interval < 0 || system_.schema().has_memory || options_.measures_activity;
    // SUNDIALS has no vectors without elements.
    const bool is_empty = mode.equations.size() == 0 &&
                          mode.equations.form() == EquationForm::kExplicit &&
                          find_solver(context_.solver).family.starts_with("SUNDIALS");
    auto made = make_stepper(is_empty ? "dopri5" : context_.solver, mode.equations, numerics);
    found = mode.methods.emplace(context_.solver, ModeRuntime::Method{std::move(made), {}, false})
                .first;
  }
  mode.latest = &*found;
  found->second.used = true;
  return *found->second.stepper;
}

RunResult Simulator::run(const Context& initial, ResultSink* sink) {
  begin(initial, sink);
  try {
    initial_instant();
    loop();
    const bool comes_to_its_end = !ended_ || result_.status.reason == RunReason::kStopped;
    if (comes_to_its_end && system_.schema().acts_at_end) last_instant();
  } catch (const ApiError&) {
    throw;
  } catch (const UserError&) {
    throw;
  } catch (const IoError&) {
    throw;
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& error) {
    // From the model, where no other step can be tried: from a condition, or no EvaluationError.
    const bool running = stepper_ != nullptr;
    if (running) go_back_to_what_is_known();
    end(running ? RunReason::kEvaluationFailed : RunReason::kInitialisationFailed,
        fmt::format("the model reported after t = {:.17g}: {}", context_.t, error.what()));
  }
  begin_sink();
  finish(sink);
  return std::move(result_);
}

// To the end of the last step that was looked at and recorded, unless an event came later.
void Simulator::go_back_to_what_is_known() {
  if (!(known_until_ > context_.t)) return;
  context_.t = known_until_;
  if (stepper_->t() == known_until_) {
    std::copy_n(stepper_->x(), context_.x.size(), context_.x.data());
  } else {
    stepper_->interpolate(known_until_, context_.x.data());
  }
}

void Simulator::begin_sink() {
  if (sink_ == nullptr || sink_begun_) return;
  sink_begun_ = true;
  sink_->begin(rows_.layout(context_));
}

void Simulator::begin(const Context& initial, ResultSink* sink) {
  wall_start_ = last_progress_ = std::chrono::steady_clock::now();
  sink_ = sink;
  sink_begun_ = false;
  wants_curves_ = sink != nullptr && sink->wants_curves();
  shown_until_ = options_.start_time;
  result_ = RunResult{};
  ended_ = false;
  last_fired_.reset();
  stepper_ = nullptr;
  first_step_end_ = std::numeric_limits<double>::infinity();
  steps_ = passes_ = 0;
  output_index_ = 0;
  listed_index_ = 0;
  known_until_ = options_.start_time;
  edge_progress_ = -std::numeric_limits<double>::infinity();
  rows_.forget_failure();
  // Assignments, not moves: the steppers of earlier runs are bound to these vectors.
  context_ = initial;
  next_due_.reset();
  context_.t = options_.start_time;
  using std::chrono::steady_clock;
  const std::chrono::duration<double> limit(options_.time_limit);
  interrupt_ = Interrupt(
      options_.cancel, limit < steady_clock::time_point::max() - wall_start_
                           ? wall_start_ + std::chrono::duration_cast<steady_clock::duration>(limit)
                           : steady_clock::time_point::max());
  context_.interrupt = &interrupt_;
  context_.x.reserve(xdot_.size());
  interval_ = options_.interval;
  if (interval_ == 0) interval_ = (options_.stop_time - options_.start_time) / 500;
  for (std::size_t j = 0; j < context_.timers.size(); ++j) {
    TimerState& timer = context_.timers[j];
    const double period = system_.schema().timers[j].period;
    if (period > 0 && timer.due < context_.t) {
      timer.count = static_cast<std::int64_t>(std::ceil((context_.t - timer.first) / period));
      timer.due = timer.first + static_cast<double>(timer.count) * period;
    }
  }
  for (auto& mode : modes_) {
    if (!mode) continue;
    mode->meter.reset();
    for (auto& [name, method] : mode->methods) {
      method.before_run = method.stepper->statistics();
      method.used = false;
      method.moves_before_run.clear();
      for (int i = 0; options_.measures_activity && i < mode->equations.size(); ++i)
        method.moves_before_run.push_back(method.stepper->moves_of(i));
    }
  }
  surfaces_.clear();
  sliding_.reset();
  last_changes_.resize(options_.on_zeno == ZenoPolicy::kStick ? zeno_.size() : 0);
  const double span = options_.stop_time - options_.start_time;
  monitor_.reset(interval_ > 0 ? std::min(interval_, span / 500) : span / 500,
                 options_.numerics.rtol, options_.numerics.effective_atol());
  for (ZenoGuard& guard : zeno_) guard.start(options_.start_time, options_.stop_time);
  pacer_.start(options_.start_time, options_.real_time);
}

void Simulator::loop() {
  for (int passes = 1; !ended_ && context_.t < options_.stop_time; ++passes) {
    if (restart_needed_) restart_solver(0);
    advance();
    // Also when every step ends in an event.
    if (ended_ || context_.t >= options_.stop_time) break;
    if (limit_reached() || passes % 128 == 0) check_limits();
  }
}

double Simulator::end_of_coincidence(double t) const {
  constexpr double kCoincidence = 4 * std::numeric_limits<double>::epsilon();
  return t + kCoincidence * std::max(std::abs(t), -options_.start_time);
}

double Simulator::next_due() {
  if (!next_due_) next_due_ = find_next_due();
  return *next_due_;
}

// Timers that are meant for one instant, and miss each other by rounding (0.1 + 2*0.1 and 0.3), are
// due at the last of them; those that are meant for the end of the run, at that.
double Simulator::find_next_due() const {
  double first = std::numeric_limits<double>::infinity(), second = first;
  for (std::size_t j = 0; j < context_.timers.size(); ++j) {
    const double own = due_time(j);
    second = std::min(second, std::max(first, own));
    first = std::min(first, own);
  }
  const double end = end_of_coincidence(first), stop = options_.stop_time;
  if (end < stop ? !(second <= end) : first > end_of_coincidence(stop)) return first;
  double due = first <= stop ? first : std::numeric_limits<double>::infinity();
  for (std::size_t j = 0; j < context_.timers.size(); ++j) {
    const double own = due_time(j);
    if (own > end || (own > stop && !comes_before(j))) continue;
    due = std::isinf(due) ? stop : std::max(due, std::min(own, stop));
  }
  return std::isinf(due) ? first : due;
}

// Of one that acts after its time there is nothing to be seen in a run that ends then.
double Simulator::due_time(std::size_t timer) const {
  const double due = context_.timers[timer].due;
  const bool is_too_late = due >= options_.stop_time && system_.schema().timers[timer].acts_after;
  return is_too_late ? std::numeric_limits<double>::infinity() : due;
}

// One that sets what a relation of time is has to wait for its time.
bool Simulator::comes_before(std::size_t timer) const {
  return !system_.schema().timers[timer].needs_effect;
}

// Steps until something happens: an event, a timer, the end, a failure.
void Simulator::advance() {
  Stepper& stepper = *stepper_;
  double limit = std::min(options_.stop_time, next_due());
  while (!ended_) {
    double end_of_step = std::min(limit, first_step_end_);
    if (has_memory_) {
      const double longest = system_.longest_step(point_at(context_));
      end_of_step = std::min(end_of_step, stepper.t() + longest);
    }
    if (stepper.makes_moves()) end_of_step = std::min(end_of_step, next_output(stepper.t()));
    stepper.end_at_each_move(monitor_.any_leaves());
    known_until_ = stepper.t();
    pacer_.wait_until(stepper.t());
    const StepStatus status = stepper.step(end_of_step);
    if (status != StepStatus::kOk) {
      context_.t = stepper.t();
      std::copy_n(stepper.x(), context_.x.size(), context_.x.data());
      if (!cross_domain_edge()) step_failed(stepper, status);
      return;
    }
    steps_ += stepper.moves();
    first_step_end_ = std::numeric_limits<double>::infinity();
    const double begin = stepper.smooth_from();
    bool traced = false;  // an event in this step has changed nothing; context_ is there
    const double exit_time = sliding_ ? find_exit(*sliding_, stepper, slide_window())
                                      : std::numeric_limits<double>::infinity();
    for (;;) {
      auto finding = traced ? monitor_.inspect_rest(stepper) : monitor_.inspect(stepper);
      if (finding == EventMonitor::Finding::kNothing && stepper.t() == limit)
        finding = monitor_.inspect_end(stepper);
      if (finding == EventMonitor::Finding::kNothing) break;
      // A condition may be NaN well beyond its event, which a shorter step will find.
      const bool may_be_before = finding == EventMonitor::Finding::kNotANumber &&
                                 !stepper.makes_moves() &&
                                 stepper.t() - begin > 64 * EventMonitor::unit(stepper);
      if (finding == EventMonitor::Finding::kStepTooLong || may_be_before) {
        // Back to the beginning of the step (or to the event in it that changed nothing), and on
        // with a shorter one, also for methods with a fixed step.
        if (traced) {
          monitor_.stay_at_event();
        } else {
          record_until(stepper, begin);  // of methods that make moves it may be well inside
          if (ended_) return;
          context_.t = begin;
          stepper.interpolate(begin, context_.x.data());
        }
        const double h = (stepper.t() - context_.t) / 8;
        first_step_end_ = context_.t + h;
        ++result_.statistics.rejected;
        restart_solver(h);
        check_limits();
        return;
      }
      const bool is_event = finding == EventMonitor::Finding::kEvent;
      if (exit_time <= (is_event ? monitor_.event_time() : stepper.t())) break;  // that comes first
      if (finding == EventMonitor::Finding::kNotANumber) {
        if (!traced) {
          record_until(stepper, begin);
          if (ended_) return;
          context_.t = begin;
          stepper.interpolate(begin, context_.x.data());
        }
        const std::string& name = system_.schema().events[monitor_.broken().index].name;
        return end(
            RunReason::kNonFinite,
            fmt::format("the condition of event '{}' is NaN at t = {:.17g}: write it so that "
                        "it can be evaluated on both sides of its zero",
                        name, stepper.t()),
            name);
      }
      double from = monitor_.event_time();
      const double* event_state = monitor_.event_state();
      if (from < limit && stepper.t() == limit && monitor_.event_is_at(limit)) {
        from = limit;  // rounding apart, the event is at the timer's due time: one instant
        event_state = stepper.x();
      }
      record_until(stepper, from);
      if (ended_) return;
      remember_until(stepper, from);
      if (ActivityMeter* meter = activity_meter()) meter->follow(stepper, from);
      take_rates(stepper, from);
      context_.t = from;
      std::copy_n(event_state, context_.x.size(), context_.x.data());
      immediate_.assign(monitor_.crossings().begin(), monitor_.crossings().end());
      instant(immediate_, false);
      if (ended_ || restart_needed_) return;
      if (!changed_nothing_) break;  // the end of the step, in any case
      traced = true;                 // the rest of the step is still good
      limit = std::min(options_.stop_time, next_due());
    }
    if (exit_time <= stepper.t()) return leave_surfaces(stepper, exit_time);
    record_until(stepper, stepper.t());
    if (ended_) return;
    remember_until(stepper, stepper.t());
    if (system_.schema().watches) watch_step(stepper);
    if (ended_) return;
    if (ActivityMeter* meter = activity_meter()) meter->follow(stepper, stepper.t());
    if (stepper.t() >= limit) {
      take_rates(stepper, stepper.t());
      context_.t = stepper.t();
      std::copy_n(stepper.x(), context_.x.size(), context_.x.data());
      if (next_due() <= context_.t) {
        instant({}, false);
      } else if (context_.t >= options_.stop_time) {
        record_row(context_.t, context_.x.data(), nullptr);
      }
      return;
    }
    if (system_.schema().projection == Projection::kSteps && !stepper.keeps_constraints()) {
      project_step(stepper);
      if (ended_) return;
    }
    if ((++passes_ & 127) == 0) {
      if (becomes_stiff(stepper)) return;
      check_limits();
      if (ended_) {
        context_.t = stepper.t();
        std::copy_n(stepper.x(), context_.x.size(), context_.x.data());
      }
    } else if (limit_reached()) {
      context_.t = stepper.t();
      std::copy_n(stepper.x(), context_.x.size(), context_.x.data());
      check_limits();
    }
  }
}

// The state at the end of the step moves onto the model's constraints, and the method begins anew
// from there. That costs a multistep method its history: it does so only when it has gone astray by
// a hundred times its tolerance.
void Simulator::project_step(Stepper& stepper) {
  const SolverOptions& numerics = options_.numerics;
  const std::span<const double> nominal = runtime(context_.mode).equations.nominal();
  context_.t = stepper.t();
  std::copy_n(stepper.x(), context_.x.size(), context_.x.data());
  try {
    system_.project(point_at(context_), context_.x.data());
  } catch (const EvaluationError& error) {
    return end(RunReason::kEvaluationFailed,
               fmt::format("at t = {:.17g}: {}", context_.t, error.what()));
  }
  double astray = 0;  // in units of the tolerance
  for (std::size_t i = 0; i < context_.x.size(); ++i) {
    const double weight =
        numerics.rtol * std::abs(context_.x[i]) + numerics.effective_atol() * nominal[i];
    astray = std::max(astray, std::abs(context_.x[i] - stepper.x()[i]) / weight);
  }
  constexpr double kOneStep = 1e-3, kMultistep = 100;
  if (astray > (stepper.is_multistep() ? kMultistep : kOneStep))
    restart_solver(stepper.next_step());
}

// `auto` looked at the start only: when its explicit method turns out to be held back by stability,
// an implicit one goes on.
bool Simulator::becomes_stiff(const Stepper& stepper) {
  if (options_.solver != "auto" || sliding_ || !stepper.suspects_stiffness()) return false;
  constexpr std::size_t kManyStates = 100;
  const std::string next = context_.x.size() > kManyStates ? "cvode-bdf" : "rodas5p";
  if (context_.solver == next) return false;
  context_.t = stepper.t();
  std::copy_n(stepper.x(), context_.x.size(), context_.x.data());
  result_.solver_reason = fmt::format("'{}' until t = {:.6g}, where the problem became stiff",
                                      context_.solver, context_.t);
  context_.solver = next;
  restart_needed_ = true;
  return true;
}

void Simulator::restart_solver(double h) {
  const ModeEquations& equations = runtime(context_.mode).equations;
  const bool has_rates = equations.form() == EquationForm::kImplicit;
  try {
    stepper_ = &stepper();
    rows_.show_as_is(stepper_->keeps_constraints());
    if (ActivityMeter* meter = activity_meter()) meter->begin(context_.t, context_.x.data());
    stepper_->start(context_.t, context_.x.data(), has_rates ? xdot_.data() : nullptr, h);
  } catch (const EvaluationError& error) {
    end(RunReason::kEvaluationFailed, error.what());
  } catch (const UserError& error) {  // the solver cannot take the mode that an event led to
    const std::string& mode = system_.schema().modes[context_.mode.index].name;
    end(RunReason::kEvaluationFailed, fmt::format("in mode '{}': {}", mode, error.what()), mode);
  }
  restart_needed_ = false;
}

ActivityMeter* Simulator::activity_meter() {
  if (!options_.measures_activity) return nullptr;
  ModeRuntime& mode = runtime(context_.mode);
  if (!mode.meter) mode.meter = std::make_unique<ActivityMeter>(mode.equations, options_.numerics);
  return mode.meter.get();
}

// Where a step has to end so that dense output covers the next row.
double Simulator::next_output(double t) const {
  constexpr double kNever = std::numeric_limits<double>::infinity();
  if (sink_ == nullptr) return kNever;
  double next = kNever;
  if (interval_ > 0) {
    next = options_.start_time + static_cast<double>(output_index_) * interval_;
    if (!(next > t))
      next = options_.start_time + static_cast<double>(output_index_ + 1) * interval_;
    if (!(next > t)) next = kNever;
  }
  for (std::size_t k = listed_index_; k < options_.rows_at.size(); ++k) {
    if (options_.rows_at[k] > t) return std::min(next, options_.rows_at[k]);
  }
  return next;
}

void Simulator::watch_step(const Stepper& stepper) {
  Point point = point_at(context_);
  point.t = stepper.t();
  point.x = stepper.x();
  try {
    system_.watch(point);
  } catch (const EvaluationError& error) {
    context_.t = stepper.t();
    std::copy_n(stepper.x(), context_.x.size(), context_.x.data());
    end(RunReason::kEvaluationFailed, fmt::format("at t = {:.17g}: {}", context_.t, error.what()));
  }
}

void Simulator::remember_until(Stepper& stepper, double until) {
  if (!has_memory_) return;
  const double from = std::max(remembered_, stepper.t_old());
  if (!(until > from)) return;
  const auto at = [&](double t) {
    Point point = point_at(context_);
    point.t = t;
    point.x = x_row_.data();
    stepper.interpolate(t, x_row_.data());
    return point;
  };
  system_.remember_step(
      {from, until, at, options_.numerics.rtol, options_.numerics.effective_atol()});
  remembered_ = until;
}

RunResult simulate(const HybridSystem& system, const RunOptions& options, ResultSink* sink) {
  return Simulator(system, options).run(make_context(system), sink);
}

}  // namespace arges
