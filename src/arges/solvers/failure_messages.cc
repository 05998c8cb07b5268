#include "arges/solvers/failure_messages.h"

#include <cmath>

#include <fmt/format.h>

namespace arges {

int find_non_finite(int n, const double* values) {
  for (int i = 0; i < n; ++i) {
    if (!std::isfinite(values[i])) return i;
  }
  return -1;
}

std::string non_finite_state_message(const Equations& equations, int i, double value, double t,
                                     bool fixed_step) {
  return fmt::format("'{}' becomes {} in the step from t = {:.17g}{}", equations.name(i), value, t,
                     fixed_step
                         ? ": the solution grows without bound, or the step is too long for this "
                           "method, as it is when the problem is stiff; take a shorter --step, or "
                           "--solver rodas5p or cvode-bdf"
                         : ", with the shortest possible step, too: the solution grows without "
                           "bound here");
}

std::string non_finite_slope_message(const Equations& equations, int i, double value, double t) {
  return fmt::format(
      "the derivative of '{}' is {} near t = {:.17g}: look for a division by zero or a function "
      "outside its domain in its equation",
      equations.name(i), value, t);
}

std::string evaluation_message(const std::string& what, double t, bool fixed_step) {
  return fmt::format("the model could not be evaluated in the step from t = {:.17g}: {}{}", t, what,
                     fixed_step ? "; a shorter step or an adaptive solver may help" : "");
}

std::string step_too_small_message(const Equations& equations, int i, double t, double h) {
  return fmt::format(
      "at t = {:.17g} even a step of {:.3g} fails the error test, mostly because of '{}': look for "
      "a discontinuity or singularity in its equation that is not declared as an event, or take a "
      "looser tolerance",
      t, h, equations.name(i));
}

std::string singular_matrix_message(const Equations& equations, int i, double t) {
  return fmt::format(
      "the equations do not determine '{}' at t = {:.17g}: the matrix of the implicit step is "
      "singular; look for algebraic equations that depend on each other",
      equations.name(i), t);
}

std::string no_progress_message(double t, double h) {
  return fmt::format(
      "a step of {:.3g} at t = {:.17g} is below the resolution of time: the solution grows without "
      "bound there, or a function of the model is outside its domain beyond that point",
      h, t);
}

std::string limit_passed_message(double t, double limit) {
  return fmt::format("a step from t = {:.17g} to the limit {:.17g} would not go forward", t, limit);
}

std::string way_out_of_chattering(const Stepper* stepper, std::string_view solver) {
  std::string in_model = "a hysteresis in the model, or a wider one, would end it";
  if (stepper == nullptr || !stepper->makes_moves()) return in_model;
  if (stepper->suspects_stiffness())
    return fmt::format("the problem is stiff for '{}': take --solver liqss2 or rodas5p", solver);
  return fmt::format("{}; where the condition moves by less than the quantum, {}", in_model,
                     stepper->sets_out_along_equations()
                         ? "take --solver liqss2 or rodas5p"
                         : "take a smaller --rtol and --atol, or --solver rodas5p");
}

std::string way_out_of_many_events(const Stepper* stepper, std::string_view solver) {
  std::string meant = "raise --max-events if they are meant";
  if (!find_solver(solver).adaptive)
    return "a fixed step that is too long for the problem can make events without end: take a "
           "shorter --step or an adaptive solver (--solver auto)";
  if (stepper == nullptr || !stepper->makes_moves()) return meant;
  return fmt::format(
      "where a condition moves by less than the quantum, '{}' can make events without end: take a "
      "smaller --rtol and --atol, or --solver rodas5p; {}",
      solver, meant);
}

}  // namespace arges
