#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "argesim/benchmarks.h"
#include "argesim/c11_scara/earlier_tasks.h"
#include "argesim/c11_scara/reference.h"
#include "argesim/c11_scara/scara_report.h"
#include "argesim/common/experiment.h"

namespace arges::argesim {

namespace {

using enum ReferenceSource;

using namespace c11;

constexpr double kNineDigits = 1e-9;
// Sizes of the states along a motion.
constexpr StateSizes kSizes = {2, 2, 0.3, 2, 3, 0.2, 6, 2, 1};

RunOptions recorded(const std::string& solver, double rtol, double stop) {
  RunOptions wanted = options(solver, rtol, stop);
  for (const State& state : kStates) {
    if (state.t < stop) wanted.rows_at.push_back(state.t);
  }
  return wanted;
}

void implicit_model(BenchmarkReport& report) {
  report.begin_task("a", "The implicit model");
  std::vector<std::vector<std::string>> rows = {{"model", "solver",
                                                 "largest error of the states against their sizes",
                                                 "steps", "evaluations"}};
  constexpr double kMethodRtol = 1e-10;
  for (const auto& [name, what] :
       {std::pair("PointToPoint", "mass matrix"), std::pair("PointToPointByHand", "solved by hand"),
        std::pair("PointToPointWithBodies", "bodies and forces")}) {
    const auto model = text_model(kText, name);
    for (const char* solver : {"rodas5p", "dopri5", "tsit5", "dop853", "cvode-bdf", "ida"}) {
      const Recording result = run(*model, recorded(solver, kMethodRtol, 2));
      double worst = 0;
      for (const State& state : kStates)
        worst = std::max(worst, largest_error(result, state, kSizes));
      report.compare(fmt::format("largest error of the states, {}, {}", what, solver), worst, 0,
                     1e-8, kReference);
      rows.push_back({what, solver, fmt::format("{:.2g}", worst),
                      std::to_string(result.result.statistics.steps),
                      std::to_string(result.result.statistics.rhs)});
    }
  }
  report.table("Point to point at rtol = 1e-10, with three models and several methods.",
               std::move(rows));
  report.text(
      "With the mass matrix Arges finds the two accelerations that are coupled and solves this "
      "linear system in each evaluation; nothing is inverted by hand, and any method can be used. "
      "The model solved by hand has no such system. The physical model says only what the bodies "
      "and joints are: a DAE of index 3, whose index is reduced; the forces are found, too.");
}

void point_to_point(BenchmarkReport& report) {
  report.begin_task("b", "Point to point");
  const auto model = text_model(kText, "PointToPoint");
  RunOptions wanted = recorded(kSolver, kRtol, 2);
  wanted.interval = 0.0005;
  const Recording result = run(*model, wanted);
  compare_limits(report, result, kLimits, kNineDigits, kReference);
  for (const State& state : kStates) {
    for (std::size_t i = 0; i < 3; ++i) {
      report.compare(fmt::format("{}({:g})", kNames[i], state.t),
                     result.value_at(state.t, kNames[i]), state.x[i], kNineDigits * kSizes[i],
                     kReference);
    }
    report.compare(fmt::format("largest error of the states against their sizes, {:g} s", state.t),
                   largest_error(result, state, kSizes), 0, kNineDigits, kReference);
  }
  const std::vector<double> angle = result.trajectory.values_of("q[2]");
  report.compare("largest q[2]", *std::max_element(angle.begin(), angle.end()), kLargestAngle, 1e-7,
                 kReference);
  const double rest = final_values(*model, options(kSolver, 1e-10, 5), {}, {"q[3]"})[0];
  report.compare("static error of axis 3", 0.3 - rest, kStaticError, 1e-11, kReference);
  plot::Figure figure = plot::make_stack("Point to point", {"t", "s"},
                                         {{"q_{1}, q_{2}", "rad"}, {"q_{3}", "m"}, {"I", "A"}});
  const std::vector<double>& t = result.trajectory.times;
  figure.panels[0].add(plot::line(t, result.trajectory.values_of("q[1]"), "axis 1"));
  figure.panels[0].add(plot::line(t, angle, "axis 2"));
  figure.panels[1].add(plot::line(t, result.trajectory.values_of("q[3]")));
  for (int k = 1; k <= 3; ++k) {
    figure.panels[2].add(plot::line(t, result.trajectory.values_of(fmt::format("I[{}]", k)),
                                    fmt::format("axis {}", k)));
  }
  figure.height_mm = 130;
  report.figure("c11-motion", "Angles, height and currents.", std::move(figure));
  report.text(
      "The data of robot and motors are those of a published model that has the structure of C11 "
      "but does not carry its name: that they are the benchmark's is inferred.");
}

void obstacle(BenchmarkReport& report) {
  report.begin_task("c", "Obstacle");
  const auto free = text_model(kText, "PointToPoint"), avoiding = text_model(kText, "Obstacle");
  RunOptions wanted = recorded(kSolver, kRtol, 2.5);
  wanted.interval = 0.002;
  const Recording result = run(*avoiding, wanted);
  const double critical = result.change_times("lifting", 1).at(0),
               clear = result.change_times("lifting", 0).at(0);
  report.compare("the tool is near and too low", critical, kCritical, kNineDigits * kCritical,
                 kAssumed);
  for (std::size_t i = 0; i < 3; ++i) {
    report.compare(fmt::format("{} there", kNames[i]), result.value_at(critical, kNames[i]),
                   kCriticalPosition[i], kNineDigits * kSizes[i], kAssumed);
  }
  report.compare("the tool is high enough", clear, kClear, kNineDigits * kClear, kAssumed);
  compare_limits(report, result, kObstacleLimits, kNineDigits, kAssumed);
  double off = 0;
  const std::vector<double> events = result.event_times();
  const double sizes[] = {0.7, kSizes[0], kSizes[1], kSizes[2]};
  const char* const names[] = {"x", "q[1]", "q[2]", "q[3]"};
  for (const Place& place : kObstaclePlaces) {
    const double t = nearest_event(events, place.t);
    for (std::size_t i = 0; i < 4; ++i)
      off = std::max(off, std::abs(result.value_at(t, names[i]) - place.at[i]) / sizes[i]);
  }
  report.compare("largest error of x and q at these events, against their sizes", off, 0,
                 kNineDigits, kAssumed);
  report.compare("largest error of the states against their sizes, 2.5 s",
                 largest_error(result, kObstacleFinal, kSizes), 0, kNineDigits, kAssumed);

  RunOptions without = recorded(kSolver, kRtol, 1.4);
  without.interval = 0.002;
  const Recording hit = run(*free, without);
  plot::Figure figure = plot::make_figure("Way of the tool", {"x", "m"}, {"z", "m"});
  figure.panel().add(
      plot::line(hit.trajectory.values_of("x"), hit.trajectory.values_of("q[3]"), "no manoeuvre"));
  figure.panel().add(plot::line(result.trajectory.values_of("x"),
                                result.trajectory.values_of("q[3]"), "with manoeuvre"));
  figure.panel().add(plot::line({0.2, 0.2}, {0, 0.2}, "obstacle"));
  report.figure("c11-obstacle", "Height of the tool over its distance.", std::move(figure));
  report.text(
      "Place and height of the obstacle and the rule of the manoeuvre are not in the sources; they "
      "are assumed, and so are the values of this task.");
}

}  // namespace

Benchmark scara_benchmark() {
  return {"C11", "SCARA Robot", "argesim/c11_scara/lesson.md", [](BenchmarkReport& report) {
            implicit_model(report);
            point_to_point(report);
            obstacle(report);
            earlier_point_to_point(report);
            earlier_obstacle(report);
          }};
}

}  // namespace arges::argesim
