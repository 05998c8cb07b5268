// How a run ends: at its limits, and what it leaves.

#include <chrono>
#include <set>
#include <string>

#include <fmt/format.h>

#include "arges/hybrid/mode_runtime.h"
#include "arges/hybrid/simulator.h"

namespace arges {

bool Simulator::limit_reached() const {
  return steps_ >= options_.max_steps || (options_.cancel != nullptr && *options_.cancel);
}

// Advice for a run that has not come to its end.
std::string Simulator::faster_way(const char* otherwise) const {
  if (stepper_ == nullptr || !stepper_->suspects_stiffness())
    return fmt::format("{}, loosen the tolerance, or take another solver", otherwise);
  return fmt::format("the problem is stiff for '{}': take --solver {}", context_.solver,
                     stepper_->makes_moves() ? "liqss2 or liqss3" : "rodas5p or cvode-bdf");
}

void Simulator::check_limits() {
  using namespace std::chrono;
  if (ended_) return;
  if (options_.cancel != nullptr && *options_.cancel) {
    return end(RunReason::kCancelled, "interrupted; what was computed until then is kept");
  }
  if (steps_ >= options_.max_steps) {
    return end(
        RunReason::kTooManySteps,
        fmt::format("{} steps were not enough to reach t = {} (now at t = {:.6g}); {}", steps_,
                    options_.stop_time, stepper_ != nullptr ? stepper_->t() : context_.t,
                    faster_way("raise --max-steps")));
  }
  const auto now = steady_clock::now();
  const double elapsed = duration<double>(now - wall_start_).count();
  if (elapsed > options_.time_limit) {
    return end(RunReason::kTimeLimit,
               fmt::format("the time limit of {} s is over; {}", options_.time_limit,
                           faster_way("raise --time-limit")));
  }
  if (options_.progress && duration<double>(now - last_progress_).count() > 0.1) {
    last_progress_ = now;
    const double t = stepper_ != nullptr ? stepper_->t() : context_.t;
    options_.progress((t - options_.start_time) / (options_.stop_time - options_.start_time));
  }
}

// Of all methods that were used, and a note for each that was held back.
void Simulator::gather_statistics() {
  std::set<std::string> stiff_for;  // one note for each solver, not for each mode
  for (const auto& mode : modes_) {
    if (!mode) continue;
    for (const auto& [name, method] : mode->methods) {
      if (!method.used) continue;
      result_.statistics += method.stepper->statistics();
      result_.statistics -= method.before_run;
      if (method.stepper->suspects_stiffness() && stiff_for.insert(name).second) {
        result_.notes.push_back(
            find_solver(name).adaptive
                ? fmt::format(
                      "the problem looks stiff: '{}' is held back by stability, not "
                      "accuracy; try --solver {}",
                      name,
                      method.stepper->makes_moves() ? "liqss2 or rodas5p" : "rodas5p or cvode-bdf")
                : fmt::format("the step is too long for '{}' to be stable on this problem, and the "
                              "result is wrong; take a shorter --step, or --solver rodas5p or "
                              "cvode-bdf",
                              name));
      }
    }
  }
}

void Simulator::gather_activity() {
  for (const auto& mode : modes_) {
    if (!mode || !mode->meter) continue;
    std::vector<StateActivity> measured = mode->meter->result();
    for (const auto& [name, method] : mode->methods) {
      if (!method.used || !method.stepper->makes_moves()) continue;
      for (std::size_t i = 0; i < measured.size(); ++i) {
        const std::int64_t before =
            method.moves_before_run.empty() ? 0 : method.moves_before_run[i];
        measured[i].moves =
            measured[i].moves.value_or(0) + method.stepper->moves_of(static_cast<int>(i)) - before;
      }
    }
    for (StateActivity& each : measured) result_.activity.push_back(std::move(each));
  }
}

void Simulator::finish(ResultSink* sink) {
  // What is left to do may take a moment, also after the time limit.
  constexpr std::chrono::seconds kGrace{1};
  interrupt_ = Interrupt(nullptr, std::chrono::steady_clock::now() + kGrace);
  gather_statistics();
  gather_activity();
  if (!ended_) result_.status.message = fmt::format("reached t = {}", options_.stop_time);
  if (sink != nullptr && !result_.status.ok() && context_.t < options_.stop_time) {
    // The last state reached, unless it is the one recorded at the last event.
    if (result_.status.reason != RunReason::kInitialisationFailed) {
      record_row(context_.t, context_.x.data(), nullptr);
    }
  }
  pacer_.wait_until(context_.t);
  result_.real_time = pacer_.report();
  result_.status.time = context_.t;
  if (sliding_stepper_) result_.statistics += sliding_stepper_->statistics();
  result_.solver = context_.solver;
  result_.final = context_;
  result_.final.interrupt = nullptr;
  if (system_.schema().projection != Projection::kNone && result_.status.ok() &&
      !(stepper_ != nullptr && stepper_->keeps_constraints()))
    system_.project(point_at(context_), result_.final.x.data());
  const ModeEquations& equations = runtime(context_.mode).equations;
  if (sliding_) sliding_->rhs(context_.t, context_.x.data(), xdot_.data());
  const bool rates_known = sliding_ || equations.form() == EquationForm::kImplicit;
  const auto row = rows_.row(equations, context_, context_.t, context_.x.data(),
                             rates_known ? xdot_.data() : nullptr);
  check_outputs(context_.t, context_.x.data());
  result_.final_row.assign(row.begin(), row.end());
  result_.final_row_exists = rows_.exists_in(context_.mode);
  result_.wall_s =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - wall_start_).count();
  if (options_.progress) options_.progress(1);
}

}  // namespace arges
