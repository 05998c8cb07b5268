#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "argesim/benchmarks.h"
#include "argesim/c03_class_e/reference.h"
#include "argesim/common/eigenvalues.h"
#include "argesim/common/experiment.h"

namespace arges::argesim {

namespace {

using enum ReferenceSource;

constexpr double kRtol = 1e-9;
// Some hundred steps in each time constant of the resonator, whose errors add up.
constexpr double kErrorGrowth = 100;
constexpr double kVolt = 10, kAmpere = 0.1;  // magnitudes of the states
const std::vector<std::string> kStates = {"x1", "x2", "x3", "x4"};
constexpr double kScale[] = {kAmpere, kVolt, kAmpere, kVolt};

std::vector<double> in_microseconds(std::vector<double> t) {
  for (double& each : t) each *= 1e6;
  return t;
}

void task_a(const HybridSystem& model, BenchmarkReport& report) {
  report.begin_task("a", "Eigenvalues with the device on and off");
  const auto off = eigenvalues(model, final_state(model, options("rodas5p", kRtol, 2.5e-6)).final);
  const auto on = eigenvalues(model, final_state(model, options("rodas5p", kRtol, 7.5e-6)).final);
  // The eigenvalues are exact up to rounding, which the largest one sets.
  const double rounding_on = 1e-15 * std::abs(on[0]), rounding_off = 1e-13 * std::abs(off[0]);
  const auto compare = [&](const std::string& name, std::complex<double> computed,
                           const std::array<double, 2>& expected, double tolerance) {
    report.compare("Re " + name, computed.real(), expected[0], tolerance, kReference);
    if (expected[1] != 0) {
      report.compare("Im " + name, computed.imag(), expected[1], tolerance, kReference);
    }
  };
  compare("eigenvalue 1, on", on[0], c3::kEigenvaluesOn[0], 1e-12 * std::abs(on[0]));
  compare("eigenvalues 2, 3, on", on[1], c3::kEigenvaluesOn[1], 10 * rounding_on);
  compare("eigenvalue 4, on", on[3], c3::kEigenvaluesOn[2], 10 * rounding_on);
  compare("eigenvalues 1, 2, off", off[0], c3::kEigenvaluesOff[1], rounding_off);
  compare("eigenvalues 3, 4, off", off[2], c3::kEigenvaluesOff[0], rounding_off);
  report.text(fmt::format(
      "The same model object is linearised and simulated: the Jacobian is taken in the middle of "
      "each half period. With the device on, the ratio of the largest to the smallest eigenvalue "
      "is {:.3g}; with the device off all four are oscillations, and the system is not stiff.",
      std::abs(on[0] / on[3])));
}

void task_b(const HybridSystem& model, BenchmarkReport& report) {
  report.begin_task("b", "Simulation from rest to 100 us");
  RunOptions plotted = options("rodas5p", kRtol, 100e-6);
  plotted.interval = 0.05e-6;
  const Recording whole = run(model, plotted);
  for (int i = 0; i < 4; ++i) {
    report.compare(kStates[i] + "(100 us)", whole.final(kStates[i]), c3::kFinal[i],
                   kErrorGrowth * kRtol * kScale[i], kReference);
  }
  for (const c3::State& state : c3::kTaskB) {
    const auto x = final_values(model, options("rodas5p", kRtol, state.t), {}, kStates);
    double worst = 0;
    for (int i = 0; i < 4; ++i) worst = std::max(worst, std::abs(x[i] - state.x[i]) / kScale[i]);
    report.compare(
        fmt::format("largest error of x1 .. x4 against their size, {:.0f} us", state.t * 1e6),
        worst, 0, kErrorGrowth * kRtol, kReference);
  }
  // The tool's run is printed with six digits, and its own error is of that order.
  const auto digits = [](double value) {
    return std::pow(10, std::floor(std::log10(std::abs(value))) - 5);
  };
  for (const c3::ToolPoint& point : c3::kTool) {
    const Recording until = run(model, options("rodas5p", kRtol, point.t));
    report.compare(fmt::format("VL({:.1f} us)", point.t * 1e6), until.final("VL"), point.VL,
                   digits(point.VL), kReference);
    report.compare(fmt::format("IR({:.1f} us)", point.t * 1e6), until.final("IR"), point.IR,
                   digits(point.IR), kReference);
  }
  const std::vector<double> t = in_microseconds(whole.trajectory.times);
  plot::Figure figure =
      plot::make_stack("Class-E amplifier from rest", {"t", "µs"},
                       {{"IR", "A", plot::Scale::kLinear, -0.1, 0.4}, {"VL", "V"}});
  figure.panels[0].add(plot::line(t, whole.trajectory.values_of("IR")));
  figure.panels[1].add(plot::line(t, whole.trajectory.values_of("VL")));
  report.figure(
      "c3-transient",
      "Current through the device and voltage on the load. At the end of each closing ramp C2 "
      "discharges through the device; these spikes of some 100 A and 1 ns are cut off.",
      std::move(figure));
  report.text(
      "R(t) is a table whose points are time events: ten periods give 40 events, and the ramps of "
      "1e-15 s are never stepped over. Each run ends exactly on the time asked for. A published "
      "run "
      "of a class-E amplifier in a commercial tool (1001 points, six digits) has been reproduced "
      "with these circuit values and the device off first; some of its points are in the table.");
}

void task_c(const HybridSystem& model, BenchmarkReport& report) {
  report.begin_task("c", "Influence of the rise and fall time TRF");
  const auto start = final_values(model, options("rodas5p", kRtol, 100e-6), {}, kStates);
  plot::Figure figure =
      plot::make_figure("Resonator from 0 to 9 µs", {"x_{3}", "A"}, {"V_{L3}", "V"});
  for (const c3::Ramp& ramp : c3::kTaskC) {
    RunOptions nine = options("rodas5p", kRtol, 9e-6);
    nine.interval = 0.02e-6;
    Settings settings = {{"TRF", ramp.TRF}};
    for (int i = 0; i < 4; ++i) settings.emplace_back(kStates[i], start[i]);
    const Recording result = run(model, nine, settings);
    for (int i = 0; i < 4; ++i) {
      report.compare(fmt::format("x{}(9 us), TRF = {:g}", i + 1, ramp.TRF),
                     result.final(kStates[i]), ramp.x[i], kErrorGrowth * kRtol * kScale[i],
                     kReference);
    }
    plot::Series curve =
        plot::line(result.trajectory.values_of("x3"), result.trajectory.values_of("VL3"),
                   fmt::format("TRF = {:g} s", ramp.TRF));
    if (ramp.TRF < 1e-7)
      curve.dash = ramp.TRF < 1e-12   ? plot::Dash::kSolid
                   : ramp.TRF < 1e-10 ? plot::Dash::kDashed
                                      : plot::Dash::kDotted;
    figure.panel().add(std::move(curve));
  }
  report.figure("c3-phase",
                "Voltage on L3 over its current, for four rise and fall times. The first three "
                "curves lie on each other within the width of the line.",
                std::move(figure));
  report.text(
      "The wording of this task (the four values of TRF, and which quantity is plotted) is "
      "recalled, "
      "not printed in the sources. R rises linearly, so the conductance has gone after the first "
      "1e-8 of a ramp: the device opens at the beginning of its ramp and closes at the end of it, "
      "and the state at 9 us moves in proportion to TRF.");
}

}  // namespace

Benchmark class_e_benchmark() {
  return {"C3", "Generalised Class-E Amplifier", "argesim/c03_class_e/lesson.md",
          [](BenchmarkReport& report) {
            const auto text = text_model("argesim/c03_class_e/ClassE.mo");
            const HybridSystem& model = *text;
            task_a(model, report);
            task_b(model, report);
            task_c(model, report);
          }};
}

}  // namespace arges::argesim
