#include <cmath>

#include <fmt/format.h>

#include "arges/base/error.h"
#include "arges/base/nearest.h"
#include "arges/solvers/factories.h"
#include "arges/solvers/stepper.h"

namespace arges {

namespace {

using Factory = std::unique_ptr<Stepper> (*)(std::string_view, const Equations&,
                                             const SolverOptions&);

struct Entry {
  SolverInfo info;
  Factory make;
};

constexpr bool kAdaptive = true, kFixed = false;
constexpr bool kStiff = true, kNonStiff = false;

const std::vector<Entry>& entries() {
  // name, family, order, adaptive, implicit, semi-explicit DAE, implicit DAE, quantised,
  // description
  static const std::vector<Entry> all = {
      {{"euler", "fixed step", 1, kFixed, kNonStiff, false, false, false, "explicit Euler"},
       make_fixed_step},
      {{"heun", "fixed step", 2, kFixed, kNonStiff, false, false, false,
        "Heun, explicit trapezoidal rule"},
       make_fixed_step},
      {{"rk4", "fixed step", 4, kFixed, kNonStiff, false, false, false,
        "the classical Runge-Kutta method"},
       make_fixed_step},
      {{"ab3", "fixed step", 3, kFixed, kNonStiff, false, false, false,
        "Adams-Bashforth, one evaluation a step"},
       make_fixed_step},
      {{"rt-ab3", "real time", 3, kFixed, kNonStiff, true, false, false,
        "Adams-Bashforth, with projection steps on constraints"},
       make_real_time},
      {{"rt-bdf3", "real time", 3, kFixed, kStiff, true, false, false,
        "BDF with a fixed number of Newton and projection steps"},
       make_real_time},
      {{"rt-ab3-bdf3", "real time", 3, kFixed, kStiff, true, false, false,
        "the same, from an Adams-Bashforth prediction"},
       make_real_time},
      {{"multirate", "real time", 3, kFixed, kNonStiff, false, false, false,
        "Runge-Kutta with short steps for fast states; slow ones interpolated"},
       make_multirate},
      {{"multirate-parallel", "real time", 3, kFixed, kNonStiff, false, false, false,
        "the same, slow states extrapolated: both parts at once"},
       make_multirate},
      {{"dopri5", "explicit Runge-Kutta", 5, kAdaptive, kNonStiff, false, false, false,
        "Dormand-Prince 5(4)"},
       make_explicit_rk},
      {{"tsit5", "explicit Runge-Kutta", 5, kAdaptive, kNonStiff, false, false, false,
        "Tsitouras 5(4)"},
       make_explicit_rk},
      {{"dop853", "explicit Runge-Kutta", 8, kAdaptive, kNonStiff, false, false, false,
        "Dormand-Prince 8(5,3), for tight tolerances"},
       make_explicit_rk},
      {{"rodas5p", "Rosenbrock", 5, kAdaptive, kStiff, true, false, false,
        "Steinebach's Rodas5P; stiff and DAE, best for small systems"},
       make_rosenbrock},
      {{"cvode-bdf", "SUNDIALS multistep", 5, kAdaptive, kStiff, false, false, false,
        "variable-order BDF; stiff, large systems"},
       make_cvode},
      {{"cvode-adams", "SUNDIALS multistep", 12, kAdaptive, kNonStiff, false, false, false,
        "variable-order Adams-Moulton; smooth, costly f"},
       make_cvode},
      {{"ida", "SUNDIALS multistep", 5, kAdaptive, kStiff, true, true, false,
        "variable-order BDF for implicit DAEs"},
       make_ida},
      {{"arkode-erk", "SUNDIALS Runge-Kutta", 5, kAdaptive, kNonStiff, false, false, false,
        "explicit Runge-Kutta of ARKODE"},
       make_arkode},
      {{"arkode-dirk", "SUNDIALS Runge-Kutta", 5, kAdaptive, kStiff, false, false, false,
        "diagonally implicit Runge-Kutta of ARKODE"},
       make_arkode},
      {{"qss1", "quantised state", 1, kAdaptive, kNonStiff, false, false, true,
        "first-order quantised states; activity / quantum moves"},
       make_quantised},
      {{"qss2", "quantised state", 2, kAdaptive, kNonStiff, false, false, true,
        "second-order quantised states; sparse, many events"},
       make_quantised},
      {{"qss3", "quantised state", 3, kAdaptive, kNonStiff, false, false, true,
        "third-order quantised states"},
       make_quantised},
      {{"liqss1", "quantised state", 1, kAdaptive, kStiff, false, false, true,
        "linearly implicit quantised states, first order"},
       make_quantised},
      {{"liqss2", "quantised state", 2, kAdaptive, kStiff, false, false, true,
        "second order; stiff, sparse, many events"},
       make_quantised},
      {{"liqss3", "quantised state", 3, kAdaptive, kStiff, false, false, true,
        "linearly implicit quantised states, third order"},
       make_quantised},
  };
  return all;
}

const Entry& find_entry(std::string_view name) {
  for (const Entry& entry : entries()) {
    if (entry.info.name == name) return entry;
  }
  std::vector<std::string> names;
  for (const Entry& entry : entries()) names.emplace_back(entry.info.name);
  throw UserError(fmt::format("unknown solver '{}'{}", name, did_you_mean(name, names)),
                  {"solver"});
}

void check_options(const SolverInfo& info, const SolverOptions& options) {
  const bool absolute_quantum = info.quantised && options.rtol == 0 && options.atol > 0;
  if (!absolute_quantum && (!(options.rtol > 0) || !(options.rtol < 1))) {
    throw UserError(
        fmt::format("the relative tolerance must lie between 0 and 1, not {}", options.rtol),
        {"rtol"});
  }
  if (!absolute_quantum && options.rtol < 1e-15) {
    throw UserError(fmt::format("the relative tolerance {} is below what double precision can "
                                "resolve; take 1e-15 or more",
                                options.rtol),
                    {"rtol"});
  }
  if (!(options.effective_atol() >= 0) || !std::isfinite(options.effective_atol())) {
    throw UserError(
        fmt::format("the absolute tolerance must be finite and not negative, not {}", options.atol),
        {"atol"});
  }
  if (info.quantised && !(options.effective_atol() > 0)) {
    throw UserError(
        fmt::format("solver '{}' needs an absolute quantum above zero: give it with --atol",
                    info.name),
        {"atol", "solver"});
  }
  if (!(options.step >= 0) || !std::isfinite(options.step)) {
    throw UserError(fmt::format("the step size must be finite and positive, not {}", options.step),
                    {"step"});
  }
  if (!(options.max_step > 0)) {
    throw UserError(fmt::format("the largest step must be positive, not {}", options.max_step),
                    {"max-step"});
  }
  if (options.projection_steps < 0 || options.jacobian_every < 1) {
    throw UserError(fmt::format("projection steps cannot be negative ({}), and the Jacobian is "
                                "renewed after one step or "
                                "more ({})",
                                options.projection_steps, options.jacobian_every),
                    {options.projection_steps < 0 ? "projection" : "jacobian-every"});
  }
  if (options.bdf_order != 1 && options.bdf_order != 3) {
    throw UserError(
        fmt::format("the BDF of real time has order 3, or 1, not {}", options.bdf_order));
  }
  if (!(options.newton_tolerance >= 0) || options.background_lag < 0) {
    throw UserError(
        fmt::format("the tolerance of the Newton steps ({}) and the number of steps until a "
                    "Jacobian from the background is taken ({}) cannot be negative",
                    options.newton_tolerance, options.background_lag),
        {options.background_lag < 0 ? "jacobian-background" : "newton-tolerance"});
  }
  if (!info.adaptive && options.step <= 0) {
    throw UserError(
        fmt::format("solver '{}' has a fixed step: give its size with --step H", info.name),
        {"solver"});
  }
}

}  // namespace

const std::vector<SolverInfo>& solver_catalogue() {
  static const std::vector<SolverInfo> catalogue = [] {
    std::vector<SolverInfo> list;
    for (const Entry& entry : entries()) list.push_back(entry.info);
    return list;
  }();
  return catalogue;
}

bool can_solve(const SolverInfo& info, EquationForm form) {
  switch (form) {
    case EquationForm::kExplicit:
      return true;
    case EquationForm::kSemiExplicit:
      return info.semi_explicit_dae;
    case EquationForm::kImplicit:
      return info.implicit_dae;
  }
  return false;
}

const SolverInfo& find_solver(std::string_view name) { return find_entry(name).info; }

std::unique_ptr<Stepper> make_stepper(std::string_view name, const Equations& equations,
                                      const SolverOptions& options) {
  const Entry& entry = find_entry(name);
  check_options(entry.info, options);
  if (!can_solve(entry.info, equations.form())) {
    std::string able;
    for (const Entry& other : entries()) {
      if (can_solve(other.info, equations.form()))
        able += fmt::format("{}{}", able.empty() ? "" : ", ", other.info.name);
    }
    throw UserError(
        fmt::format("solver '{}' cannot solve a {}; take one of: {}", name,
                    equations.form() == EquationForm::kImplicit ? "fully implicit DAE"
                                                                : "DAE with algebraic variables",
                    able),
        {"solver"});
  }
  return entry.make(name, equations, options);
}

}  // namespace arges
