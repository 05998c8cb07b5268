#include <algorithm>
#include <cmath>
#include <map>
#include <span>

#include <fmt/format.h>

#include "argesim/benchmarks.h"
#include "argesim/c11_scara/reference.h"
#include "argesim/common/experiment.h"

namespace arges::argesim {

namespace {

using enum ReferenceSource;

constexpr const char* kText = "argesim/c11_scara/Scara.mo";
constexpr const char* kSolver = "dop853";
constexpr double kRtol = 1e-12;
constexpr double kNineDigits = 1e-9;
constexpr const char* kNames[] = {"q[1]", "q[2]", "q[3]", "w[1]", "w[2]",
                                  "w[3]", "I[1]", "I[2]", "I[3]"};
// Sizes of the states along a motion.
constexpr double kSizes[] = {2, 2, 0.3, 2, 3, 0.2, 6, 2, 1};

double largest_error(const Recording& result, const c11::State& expected) {
  double worst = 0;
  for (std::size_t i = 0; i < expected.x.size(); ++i) {
    const double error = result.value_at(expected.t, kNames[i]) - expected.x[i];
    worst = std::max(worst, std::abs(error) / kSizes[i]);
  }
  return worst;
}

RunOptions recorded(const std::string& solver, double rtol, double stop) {
  RunOptions wanted = options(solver, rtol, stop);
  for (const c11::State& state : c11::kStates) {
    if (state.t < stop) wanted.rows_at.push_back(state.t);
  }
  return wanted;
}

// The limits are met and left in this order; a variable may change several times.
void compare_limits(BenchmarkReport& report, const Recording& result,
                    std::span<const c11::Limit> limits, ReferenceSource source) {
  std::map<std::pair<std::string, bool>, std::size_t> seen;
  for (const c11::Limit& limit : limits) {
    const std::vector<double> times = result.change_times(limit.variable, limit.to ? 1 : 0);
    // Leaving a limit because a target has jumped is not in the list.
    const auto near = std::min_element(times.begin(), times.end(), [&](double a, double b) {
      return std::abs(a - limit.t) < std::abs(b - limit.t);
    });
    const std::size_t number = ++seen[{limit.what, limit.to}];
    report.compare(number == 1 ? limit.what : fmt::format("{} ({})", limit.what, number),
                   near == times.end() ? NAN : *near, limit.t, kNineDigits * limit.t, source);
  }
}

void implicit_model(BenchmarkReport& report) {
  report.begin_task("a", "The implicit model");
  const auto model = text_model(kText, "PointToPoint");
  std::vector<std::vector<std::string>> rows = {{"solver", "rtol",
                                                 "largest error of the states against their sizes",
                                                 "steps", "evaluations"}};
  const auto add = [&](const char* solver, double rtol, double tolerance) {
    const Recording result = run(*model, recorded(solver, rtol, 2));
    double worst = 0;
    for (const c11::State& state : c11::kStates)
      worst = std::max(worst, largest_error(result, state));
    report.compare(fmt::format("largest error of the states, {}, rtol {:g}", solver, rtol), worst,
                   0, tolerance, kReference);
    rows.push_back({solver, fmt::format("{:g}", rtol), fmt::format("{:.2g}", worst),
                    std::to_string(result.result.statistics.steps),
                    std::to_string(result.result.statistics.rhs)});
  };
  for (const char* solver : {"rodas5p", "dopri5", "tsit5", "dop853", "cvode-bdf", "ida"})
    add(solver, 1e-10, 1e-8);
  report.table("Point to point, with several methods.", std::move(rows));
  report.text(
      "The equations of motion are written with the mass matrix. Arges finds the two accelerations "
      "that are coupled and solves this linear system in each evaluation; nothing is inverted by "
      "hand, and any method can be used.");
}

void point_to_point(BenchmarkReport& report) {
  report.begin_task("b", "Point to point");
  const auto model = text_model(kText, "PointToPoint");
  RunOptions wanted = recorded(kSolver, kRtol, 2);
  wanted.interval = 0.0005;
  const Recording result = run(*model, wanted);
  compare_limits(report, result, c11::kLimits, kReference);
  for (const c11::State& state : c11::kStates) {
    for (std::size_t i = 0; i < 3; ++i) {
      report.compare(fmt::format("{}({:g})", kNames[i], state.t),
                     result.value_at(state.t, kNames[i]), state.x[i], kNineDigits * kSizes[i],
                     kReference);
    }
    report.compare(fmt::format("largest error of the states against their sizes, {:g} s", state.t),
                   largest_error(result, state), 0, kNineDigits, kReference);
  }
  const std::vector<double> angle = result.trajectory.values_of("q[2]");
  report.compare("largest q[2]", *std::max_element(angle.begin(), angle.end()), c11::kLargestAngle,
                 1e-7, kReference);
  const double rest = final_values(*model, options(kSolver, 1e-10, 5), {}, {"q[3]"})[0];
  report.compare("static error of axis 3", 0.3 - rest, c11::kStaticError, 1e-11, kReference);
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
  report.compare("the tool is near and too low", critical, c11::kCritical,
                 kNineDigits * c11::kCritical, kAssumed);
  for (std::size_t i = 0; i < 3; ++i) {
    report.compare(fmt::format("{} there", kNames[i]), result.value_at(critical, kNames[i]),
                   c11::kCriticalPosition[i], kNineDigits * kSizes[i], kAssumed);
  }
  report.compare("the tool is high enough", clear, c11::kClear, kNineDigits * c11::kClear,
                 kAssumed);
  compare_limits(report, result, c11::kObstacleLimits, kAssumed);
  report.compare("largest error of the states against their sizes, 2.5 s",
                 largest_error(result, c11::kObstacleFinal), 0, kNineDigits, kAssumed);

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
          }};
}

}  // namespace arges::argesim
