#include <algorithm>
#include <cmath>
#include <span>

#include <fmt/format.h>

#include "argesim/benchmarks.h"
#include "argesim/c21_circuit/reference.h"
#include "argesim/common/experiment.h"

namespace arges::argesim {

namespace {

using enum ReferenceSource;

constexpr const char* kSolver = "dop853";
constexpr double kRtol = 1e-11;
constexpr double kFrequency = 0.15e6;
// Sizes of the variables: what is near zero cannot have relative digits.
constexpr double kVolt = 0.03, kAmpere = 1e-3, kDiodeAmpere = 2.4e-8;
constexpr double kTenDigits = 1e-10, kNineDigits = 1e-9;

std::unique_ptr<HybridSystem> circuit(const std::string& diode) {
  return text_model("argesim/c21_circuit/DiodeCircuit.mo", diode);
}

RunOptions until(double stop, std::span<const c21::Point> points, double rtol = kRtol) {
  RunOptions wanted = options(kSolver, rtol, stop);
  for (const c21::Point& point : points) {
    if (point.t < stop) wanted.rows_at.push_back(point.t);
  }
  return wanted;
}

void compare(BenchmarkReport& report, const Recording& result, std::span<const c21::Point> points,
             double digits, double diode_ampere, const std::string& diode) {
  for (const c21::Point& point : points) {
    const std::string where = fmt::format("({:g} s), {}", point.t, diode);
    const auto at = [&](const char* name) { return result.value_at(point.t, name); };
    report.compare("u_C" + where, at("u_C"), point.u_C, digits * kVolt, kReference);
    report.compare("u_D" + where, at("u_D"), point.u_D, digits * kVolt, kReference);
    report.compare("i" + where, at("i"), point.i, digits * kAmpere, kReference);
    report.compare("i_D" + where, at("i_D"), point.i_D, digits * diode_ampere, kReference);
  }
}

// Likewise, one row for each point: the largest of the four errors against the sizes.
void compare_all(BenchmarkReport& report, const Recording& result,
                 std::span<const c21::Point> points, double digits, const std::string& diode) {
  for (const c21::Point& point : points) {
    const auto error = [&](const char* name, double expected, double size) {
      return std::abs(result.value_at(point.t, name) - expected) / size;
    };
    const double worst =
        std::max({error("u_C", point.u_C, kVolt), error("u_D", point.u_D, kVolt),
                  error("i", point.i, kAmpere), error("i_D", point.i_D, kDiodeAmpere)});
    report.compare(fmt::format("largest error against the sizes, {:g} s, {}", point.t, diode),
                   worst, 0, digits, kReference);
  }
}

std::vector<double> in_periods(std::vector<double> t) {
  for (double& each : t) each *= kFrequency;
  return t;
}

void variants(BenchmarkReport& report) {
  report.begin_task("3.1", "Model variants");
  const auto ideal = circuit("IdealDiode");
  const Recording result = run(*ideal, until(3.2e-4, c21::kIdeal));
  const std::vector<double> switches = result.change_times("conducts");
  for (std::size_t i = 0; i < c21::kSwitches.size(); ++i) {
    report.compare(
        fmt::format("switching time {}, the diode {}", i + 1, i % 2 == 0 ? "locks" : "conducts"),
        switches.at(i), c21::kSwitches[i], kTenDigits * c21::kSwitches[i], kReference);
  }
  const std::vector<double> begins = result.change_times("conducts", 1);
  const std::vector<double> ends = result.change_times("conducts", 0);
  const auto last = std::find_if(begins.begin(), begins.end(), [](double t) { return t > 3e-4; });
  const double phase = *last * kFrequency;
  report.compare("phase at which conduction begins, periodic state", phase - std::floor(phase),
                 c21::kConductionPhase, kNineDigits, kReference);
  report.compare("duration of conduction, periodic state",
                 *std::upper_bound(ends.begin(), ends.end(), *last) - *last, c21::kConductionTime,
                 kNineDigits * c21::kConductionTime, kReference);
  compare(report, result, c21::kIdeal, kTenDigits, kAmpere, "ideal");
}

// Largest error of the switching times, relative to the times.
double switching_error(const Recording& result) {
  const std::vector<double> times = result.change_times("conducts");
  double worst = 0;
  for (std::size_t i = 0; i < c21::kSwitches.size(); ++i)
    worst = std::max(worst, std::abs(times.at(i) / c21::kSwitches[i] - 1));
  return worst;
}

void solvers(BenchmarkReport& report) {
  report.begin_task("3.2", "Dependence on the solver");
  const auto ideal = circuit("IdealDiode");
  std::vector<std::vector<std::string>> rows = {
      {"solver", "rtol", "relative error of the switching times", "steps", "evaluations"}};
  for (const char* solver :
       {"rodas5p", "dopri5", "dop853", "cvode-bdf", "cvode-adams", "arkode-dirk"}) {
    for (const double rtol : {1e-4, 1e-6, 1e-8, 1e-10}) {
      const Recording result = run(*ideal, options(solver, rtol, 4.2e-5));
      const double error = switching_error(result);
      rows.push_back({solver, fmt::format("{:g}", rtol), fmt::format("{:.2g}", error),
                      std::to_string(result.result.statistics.steps),
                      std::to_string(result.result.statistics.rhs)});
      if (rtol > 1e-10) continue;
      // Multistep methods begin at order one after each event.
      report.compare(fmt::format("relative error of 12 switching times, {}, rtol 1e-10", solver),
                     error, 0, 200 * rtol, kReference);
    }
  }
  report.table("The ideal diode: the first twelve switching times.", std::move(rows));
  report.text(
      "R1/L = 4e7 1/s against a period of 6.7 us: the circuit is a little stiff. An explicit "
      "method "
      "is held back by that at loose tolerances and not at tight ones.");
}

void ideal_and_shockley(BenchmarkReport& report) {
  report.begin_task("3.3", "Ideal diode and Shockley's equation");
  const auto ideal = circuit("IdealDiode"), shockley = circuit("ShockleyVoltage");
  compare(report, run(*shockley, until(1e-4, c21::kShockley)), c21::kShockley, kTenDigits,
          kDiodeAmpere, "Shockley");
  RunOptions plotted = options(kSolver, 1e-8, 3e-4 + 2 / kFrequency);
  plotted.interval = 2e-8;
  plot::Figure figure = plot::make_stack("Two periods, from t = 0.3 ms", {"t f"},
                                         {{"u_{C}", "V"}, {"u_{D}", "V"}, {"i_{D}", "A"}});
  figure.height_mm = 140;
  for (const auto& [model, name] :
       {std::pair{ideal.get(), "ideal"}, std::pair{shockley.get(), "Shockley"}}) {
    const Recording result = run(*model, plotted);
    const std::vector<double> t = in_periods(result.trajectory.times);
    figure.panels[0].add(plot::line(t, result.trajectory.values_of("u_C"), name));
    figure.panels[1].add(plot::line(t, result.trajectory.values_of("u_D"), name));
    figure.panels[2].add(plot::line(t, result.trajectory.values_of("i_D"), name));
  }
  for (plot::Panel& panel : figure.panels) {
    panel.x.lower = 45;
    panel.x.upper = 47;
  }
  report.figure("c21-diode", "The circuit with an ideal diode and with Shockley's equation.",
                std::move(figure));
  report.text(
      "With these data the diode of Shockley's equation carries some 1e-8 A of 1e-3 A: it is as "
      "good "
      "as locked all the time, and u_C swings around zero. The ideal diode carries all of the "
      "current in one direction, and charges the capacitor.");
}

void curves(BenchmarkReport& report) {
  report.begin_task("3.4", "Characteristic curve with 3, 5 and 10 points");
  compare_all(report, run(*circuit("Curve3"), until(1e-4, c21::kCurve3)), c21::kCurve3, kNineDigits,
              "N = 3");
  compare_all(report, run(*circuit("Curve5"), until(1e-4, c21::kCurve5)), c21::kCurve5, kNineDigits,
              "N = 5");
  compare_all(report, run(*circuit("Curve10"), until(1e-4, c21::kCurve10)), c21::kCurve10,
              kNineDigits, "N = 10");
  RunOptions plotted = options(kSolver, 1e-8, 1 / kFrequency);
  plotted.interval = 2e-8;
  plot::Figure figure =
      plot::make_figure("Characteristic curve and Shockley's equation, first period", {"t f"},
                        {"difference of i_{D}", "A"});
  const Recording exact = run(*circuit("ShockleyVoltage"), plotted);
  for (const char* name : {"Curve3", "Curve5", "Curve10"}) {
    const Recording result = run(*circuit(name), plotted);
    std::vector<double> t, difference;
    for (int k = 0; k <= 330; ++k) {
      t.push_back(k * plotted.interval * kFrequency);
      difference.push_back(result.value_at(k * plotted.interval, "i_D") -
                           exact.value_at(k * plotted.interval, "i_D"));
    }
    figure.panel().add(plot::line(t, difference, name));
  }
  report.figure("c21-curves", "Current through the diode: straight lines minus Shockley.",
                std::move(figure));
}

void algebraic_variable(BenchmarkReport& report) {
  report.begin_task("3.5", "Algebraic variable u_D or i_D");
  std::vector<std::vector<std::string>> rows = {
      {"variable", "u_C(1e-4 s)", "steps", "evaluations"}};
  for (const auto& [name, variable] :
       {std::pair{"ShockleyVoltage", "u_D"}, std::pair{"ShockleyCurrent", "i_D"}}) {
    const auto model = circuit(name);
    const Recording result = run(*model, until(1e-4, c21::kShockley, 1e-10));
    rows.push_back({variable, fmt::format("{:.15g}", result.final("u_C")),
                    std::to_string(result.result.statistics.steps),
                    std::to_string(result.result.statistics.rhs)});
    compare_all(report, result, c21::kShockley, kNineDigits, fmt::format("{} algebraic", variable));
  }
  report.table("Shockley's equation with the one or the other unknown, rtol = 1e-10.",
               std::move(rows));
}

void real_time(BenchmarkReport& report) {
  report.begin_task("3.6", "Real time: index-reduced model with fixed steps");
  const auto model = circuit("IndexReduced");
  std::vector<std::vector<std::string>> rows = {
      {"solver", "step in s", "largest error of u_D in V", "of i_D in A", "steps"}};
  for (const char* solver : {"rk4", "ab3"}) {
    for (const double step : {4e-8, 2e-8, 1e-8, 5e-9}) {
      if (std::string_view(solver) == "ab3" && step > 1e-8) continue;  // not stable
      RunOptions wanted = until(1e-4, c21::kShockley);
      wanted.solver = solver;
      wanted.numerics.step = step;
      const Recording result = run(*model, wanted);
      double u_error = 0, i_error = 0;
      for (const c21::Point& point : c21::kShockley) {
        u_error = std::max(u_error, std::abs(result.value_at(point.t, "u_D") - point.u_D));
        i_error = std::max(i_error, std::abs(result.value_at(point.t, "i_D") - point.i_D));
      }
      rows.push_back({solver, fmt::format("{:g}", step), fmt::format("{:.2g}", u_error),
                      fmt::format("{:.2g}", i_error),
                      std::to_string(result.result.statistics.steps)});
      if (std::string_view(solver) == "rk4" && step == 1e-8)
        compare_all(report, result, c21::kShockley, 1e-6, "rk4, step 1e-8 s");
    }
  }
  report.table("Errors at the times of the reference.", std::move(rows));
  report.text(
      "Nothing is iterated: no equation is left to be solved, no event is looked for, so each step "
      "costs the same. What is left of the error at small steps comes from the kink of the diode "
      "at "
      "u_D = 0, which no step hits.");
}

}  // namespace

Benchmark circuit_benchmark() {
  return {"C21-circuit", "State Events: Circuit with a Diode", "argesim/c21_circuit/lesson.md",
          [](BenchmarkReport& report) {
            variants(report);
            solvers(report);
            ideal_and_shockley(report);
            curves(report);
            algebraic_variable(report);
            real_time(report);
          }};
}

}  // namespace arges::argesim
