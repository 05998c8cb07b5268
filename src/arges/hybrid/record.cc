// What a run shows of itself: rows, and the curves between them.

#include <algorithm>
#include <limits>

#include "arges/hybrid/mode_runtime.h"
#include "arges/hybrid/simulator.h"

namespace arges {

// Rows at the output times in (t_old, until), or the end of the step when every step is wanted.
double Simulator::next_row_time() const {
  constexpr double kNever = std::numeric_limits<double>::infinity();
  const double on_grid =
      interval_ > 0 ? options_.start_time + static_cast<double>(output_index_) * interval_ : kNever;
  const bool listed = listed_index_ < options_.rows_at.size();
  return std::min(on_grid, listed ? options_.rows_at[listed_index_] : kNever);
}

void Simulator::record_until(Stepper& stepper, double until) {
  if (sink_ == nullptr) return;
  for (;;) {
    const double t = next_row_time();
    if (!(t < until) || t >= options_.stop_time) break;
    if (listed_index_ < options_.rows_at.size() && options_.rows_at[listed_index_] == t) {
      ++listed_index_;
    } else {
      ++output_index_;
    }
    if (t <= last_row_) continue;  // already written, as one side of an event
    show_curve_until(stepper, t);
    stepper.interpolate(t, x_row_.data());
    take_rates(stepper, t);
    record_row(t, x_row_.data(), nullptr);
    // One step can have many rows.
    if ((output_index_ & 1023) == 0) check_limits();
    if (ended_) {
      context_.t = t;
      std::copy_n(x_row_.data(), context_.x.size(), context_.x.data());
      return;
    }
  }
  show_curve_until(stepper, until);
  if (interval_ < 0 && until == stepper.t() && until < options_.stop_time) {
    take_rates(stepper, until);
    record_row(until, stepper.x(), nullptr);
  }
}

// The part of the present step that the sink has not seen, for one that looks between rows.
void Simulator::show_curve_until(Stepper& stepper, double until) {
  const double from = std::max(shown_until_, stepper.t_old());
  if (!wants_curves_ || !(until > from)) return;
  sink_->curve(from, until, [&](double t) {
    stepper.interpolate(t, x_row_.data());
    take_rates(stepper, t);
    return row_at(t, x_row_.data(), nullptr);
  });
  shown_until_ = until;
}

// In a fully implicit mode only the solver knows x'.
void Simulator::take_rates(const Stepper& stepper, double t) {
  if (runtime(context_.mode).equations.form() == EquationForm::kImplicit) {
    stepper.interpolate_rates(t, xdot_.data());
  }
}

std::span<const double> Simulator::row_at(double t, const double* x, const double* xdot) {
  const ModeEquations& equations = runtime(context_.mode).equations;
  if (equations.form() == EquationForm::kImplicit && xdot == nullptr) xdot = xdot_.data();
  if (sliding_ && xdot == nullptr) {
    sliding_->rhs(t, x, xdot_.data());
    xdot = xdot_.data();
  }
  return rows_.row(equations, context_, t, x, xdot);
}

void Simulator::record_row(double t, const double* x, const double* xdot) {
  if (sink_ == nullptr) return;
  last_row_ = t;
  sink_->row(t, row_at(t, x, xdot));
  check_outputs(t, x);
}

}  // namespace arges
