#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "argesim/benchmarks.h"
#include "argesim/c13_crane/reference.h"
#include "argesim/common/experiment.h"

namespace arges::argesim {

namespace {

using enum ReferenceSource;

constexpr const char* kText = "argesim/c13_crane/CraneCrab.mo";
constexpr double kHalfADigit = 0.51e-6;  // references with six digits behind the point

void task_a(BenchmarkReport& report) {
  report.begin_task("A", "Open loop: linear and nonlinear");
  const auto model = text_model(kText, "OpenLoop");
  plot::Figure figure =
      plot::make_figure("Open loop, the load is pushed with -800 N", {"t", "s"}, {"x_{c}", "m"});
  for (const c13::OpenLoopRun& expected : c13::kOpenLoop) {
    RunOptions wanted = options("dop853", 1e-11, 2000);
    wanted.interval = 50;
    for (int i = 1; i <= 600; ++i) wanted.rows_at.push_back(0.05 * i);
    const Recording result =
        run(*model, wanted, {{"push", expected.push}, {"linear", expected.linear ? 1 : 0}});
    const std::string name =
        fmt::format("{}, {:g} N", expected.linear ? "linear" : "nonlinear", expected.push);
    // The references have 8 digits behind the point; the car comes up to 300 m far.
    const double tolerance = 2e-8;
    report.compare("xc(7), " + name, result.value_at(7, "xc"), expected.xc_7, tolerance,
                   kReference);
    report.compare("alpha(7), " + name, result.value_at(7, "alpha"), expected.alpha_7, tolerance,
                   kReference);
    report.compare("xc(15), " + name, result.value_at(15, "xc"), expected.xc_15, tolerance,
                   kReference);
    report.compare("alpha(15), " + name, result.value_at(15, "alpha"), expected.alpha_15, tolerance,
                   kReference);
    report.compare("xc(2000), " + name, result.final("xc"), expected.xc_2000, tolerance,
                   kReference);
    report.compare("xl(2000), " + name, result.final("xl"), expected.xl_2000, tolerance,
                   kReference);
    if (expected.push != -800) continue;
    figure.panel().add(plot::line(result.trajectory.times, result.trajectory.values_of("xc"),
                                  expected.linear ? "linear" : "nonlinear"));
    figure.panel().x.upper = 30;
  }
  report.figure("c13-open", "Position of the car, both models.", std::move(figure));
  report.text(
      "In the end the car stands at (15 s 160 N + 3 s push)/(dc + dl), whatever happens between: "
      "for each push the two models differ only on their way.");
}

void compare(BenchmarkReport& report, const c13::ControlledRun& expected, const Recording& result,
             bool every_point) {
  const std::string name = expected.name;
  double worst = 0;
  for (std::size_t i = 0; i < c13::kTimes.size(); ++i) {
    const double xc = result.value_at(c13::kTimes[i], "xc"),
                 xl = result.value_at(c13::kTimes[i], "xl");
    worst = std::max({worst, std::abs(xc - expected.xc[i]), std::abs(xl - expected.xl[i])});
    if (!every_point) continue;
    report.compare(fmt::format("xc({:g}), {}", c13::kTimes[i], name), xc, expected.xc[i],
                   kHalfADigit, kReference);
    report.compare(fmt::format("xl({:g}), {}", c13::kTimes[i], name), xl, expected.xl[i],
                   kHalfADigit, kReference);
  }
  report.compare("largest error of xc and xl at 16 times, " + name, worst, 0, kHalfADigit,
                 kReference);
  const std::vector<double> xc = result.trajectory.values_of("xc");
  // The rows are 10 ms apart; the car moves by less than this between the largest two.
  report.compare("largest xc, " + name, *std::max_element(xc.begin(), xc.end()), expected.max_xc,
                 1e-6, kReference);
  const std::vector<double> on = result.change_times("brake", 1),
                            off = result.change_times("brake", 0);
  const std::size_t brakings = (expected.brake_on > 0 ? 1 : 0) + (expected.emergency > 0 ? 1 : 0);
  report.compare("number of brakings, " + name, static_cast<double>(on.size()),
                 static_cast<double>(brakings), 0, kReference);
  // Samples of the controller.
  constexpr double kCycleTolerance = 1e-9;
  if (expected.brake_on > 0) {
    report.compare("brake on, " + name, on.at(0), expected.brake_on, kCycleTolerance, kReference);
    report.compare("brake off, " + name, off.at(0), expected.brake_off, kCycleTolerance,
                   kReference);
  }
  if (expected.emergency > 0) {
    report.compare("end of the rail, " + name, result.change_times("at_end", 1).at(0),
                   expected.end_of_rail, 1e-9, kReference);
    report.compare("emergency stop, " + name, result.change_times("emergency", 1).at(0),
                   expected.emergency, kCycleTolerance, kReference);
    report.compare("xc then, " + name, result.value_at(expected.emergency, "xc"),
                   expected.xc_emergency, 1e-8, kReference);
  }
}

plot::Figure controlled_figure(const std::string& title, const Recording& result) {
  plot::Figure figure =
      plot::make_stack(title, {"t", "s"}, {{"x_{c}, x_{l}", "m"}, {"motor", "N"}, {"brake"}});
  const std::vector<double>& t = result.trajectory.times;
  figure.panels[0].add(plot::line(t, result.trajectory.values_of("xc"), "car"));
  figure.panels[0].add(plot::line(t, result.trajectory.values_of("xl"), "load"));
  figure.panels[0].height = 2;
  figure.panels[1].add(plot::steps(t, result.trajectory.values_of("motor")));
  figure.panels[2].add(plot::steps(t, result.trajectory.values_of("brake")));
  figure.panels[2].height = 0.5;
  figure.height_mm = 130;
  return figure;
}

void tasks_b_and_c(BenchmarkReport& report) {
  const auto model = text_model(kText, "Controlled");
  for (const bool emergency : {false, true}) {
    report.begin_task(emergency ? "C" : "B",
                      emergency ? "Closed loop with diagnosis: emergency stop" : "Closed loop");
    for (const c13::ControlledRun& expected : c13::kControlled) {
      if (expected.second_push != emergency) continue;
      // The brake makes the car 2e5 times stiffer.
      const Recording result = run(*model, options("rodas5p", 1e-9, 60),
                                   {{"diagnosis", expected.diagnosis ? 1 : 0},
                                    {"second_push", expected.second_push ? 1 : 0},
                                    {"linear", expected.linear ? 1 : 0},
                                    {"delayed", expected.delayed ? 1 : 0}});
      const bool basic = !expected.linear && !expected.delayed && expected.diagnosis == emergency;
      compare(report, expected, result, basic);
      if (basic) {
        report.figure(emergency ? "c13-emergency" : "c13-closed",
                      "Positions of car and load, what the motor is asked for, and the brake.",
                      controlled_figure(emergency ? "Emergency stop" : "Closed loop", result));
      }
    }
  }
  report.text(
      "Whether a new control value acts at once or one cycle later is left open by the definition; "
      "both are computed, the first one is what the lesson shows.");
}

}  // namespace

Benchmark crane_benchmark() {
  return {"C13", "Crane Crab with Embedded Control", "argesim/c13_crane/lesson.md",
          [](BenchmarkReport& report) {
            task_a(report);
            tasks_b_and_c(report);
          }};
}

}  // namespace arges::argesim
