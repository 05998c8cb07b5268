#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "arges/hybrid/simulator.h"
#include "argesim/benchmarks.h"
#include "argesim/common/experiment.h"
#include "argesim/cp1_parallel/monte_carlo.h"
#include "argesim/cp1_parallel/speed_up.h"
#include "argesim/cp2_distributed/cavity.h"

namespace arges::argesim {

namespace {

using enum ReferenceSource;

void independent_runs(BenchmarkReport& report) {
  report.begin_task("C1", "Monte Carlo study");
  const auto oscillator = text_model("argesim/cp1_parallel/Oscillator.mo");
  const MeanCurve one = mean_curve(*oscillator, 1000, 1), two = mean_curve(*oscillator, 1000, 2);
  compare_with_exact_mean(one, report);
  report.compare("largest difference between 1 and 2 threads",
                 largest_difference(one.means(), two.means()), 0, 0, kReference);
  const auto in_a_minute = [](const MeanCurve& curve) {
    return fmt::format("{:.2g}", 60 * 1000 / curve.wall_s);
  };
  report.table("Runs in 60 s, extrapolated from 1000 of them; the published solution is in C.",
               {{"processes or threads", "here", "laptop, C and MPI", "cluster, C and MPI"},
                {"1", in_a_minute(one), "3.4e6", "2.4e6"},
                {"2", in_a_minute(two), "5.9e6", "4.8e6"},
                {"288", "", "", "5.9e8"}});
  report.text(
      "The published program integrates with 200 fixed steps, which are its output; here each run "
      "keeps its error below 1e-8 and gives 201 values from the interpolant of the method.");
}

struct Probe {
  int row, column;
  double x, y;
};
// 33 cells, 10000 iterations.
constexpr Probe kProbes[] = {
    {1, 16, 0.769523574612, 0.004628551861},   {8, 16, 0.208790864238, 0.047379946538},
    {16, 16, -0.063367879474, 0.027958363246}, {24, 16, -0.328628094521, 0.014355618325},
    {16, 8, -0.048263547317, 0.304472927886},  {16, 24, -0.096579825683, -0.248500353443}};
constexpr double kMeanInside = 0.239606886006;

void cavity(BenchmarkReport& report) {
  report.begin_task("C2", "Lid-driven cavity, lattice Boltzmann method");
  const cp2::Flow flow = cp2::simulate({}, 10000, 1);
  for (const Probe& at : kProbes) {
    report.compare(fmt::format("ux at ({}, {})", at.row, at.column), flow.x_at(at.row, at.column),
                   at.x, 1e-10, kReference);
    report.compare(fmt::format("uy at ({}, {})", at.row, at.column), flow.y_at(at.row, at.column),
                   at.y, 1e-10, kReference);
  }
  report.compare("mean of |u| inside", flow.mean_inside(), kMeanInside, 1e-10, kReference);
  const cp2::Flow one = cp2::simulate({.cells = 129}, 40, 1),
                  two = cp2::simulate({.cells = 129}, 40, 2);
  report.compare("largest difference between 1 and 2 threads",
                 std::max(largest_difference(one.x, two.x), largest_difference(one.y, two.y)), 0, 0,
                 kReference);
  report.table("129 x 129 cells, 40 iterations.",
               {{"threads", "ms", "speed-up", "ns for a cell"},
                {"1", fmt::format("{:.1f}", one.wall_s * 1e3), "1",
                 fmt::format("{:.0f}", one.wall_s / (129. * 129 * 40) * 1e9)},
                {"2", fmt::format("{:.1f}", two.wall_s * 1e3),
                 fmt::format("{:.2f}", one.wall_s / two.wall_s), ""}});
  plot::Figure figure = plot::make_figure("Velocities on the two middle lines of the cavity",
                                          {"position, from the lid or from the left"}, {"u/u0"});
  std::vector<double> place, across, along;
  for (int i = 0; i < flow.cells; ++i) {
    place.push_back(i / (flow.cells - 1.0));
    across.push_back(flow.x_at(i, flow.cells / 2));
    along.push_back(flow.y_at(flow.cells / 2, i));
  }
  figure.panel().add(plot::line(place, across, "ux, down the middle"));
  figure.panel().add(plot::line(place, along, "uy, from left to right"));
  report.figure("cp2-cavity", "33 cells, after 10000 iterations.", std::move(figure));
  report.text(
      "The sizes of the definition are 256 to 2048 cells with 350000 to 500000 iterations: hours. "
      "The small one is that of the published program's own test.");
}

void plucked_string(BenchmarkReport& report) {
  report.begin_task("C3", "Plucked string, 500 intervals");
  const char* const file = "argesim/cp1_parallel/Rope.mo";
  const auto whole = text_model(file, "Rope.Plucked");
  RunOptions how = options("dop853", 1e-9, 10);
  how.interval = 0.05;
  const Recording result = run(*whole, how);
  struct At {
    double x, t, lines, exact;
  };
  constexpr At kAt[] = {{0.25, 5, -0.010002194758301, -0.01},
                        {0.25, 8, -0.046001308786081, -0.046},
                        {0.375, 5, -0.010000861400057, -0.01},
                        {0.375, 8, -0.025003445749886, -0.025}};
  for (const At& at : kAt) {
    const double computed =
        result.value_at(at.t - 1e-6, fmt::format("u[{}]", std::lround(1000 * at.x)));
    const std::string name = fmt::format("u({}, {})", at.x, at.t);
    report.compare(name + ", lines", computed, at.lines, 1e-9, kReference);
    // The corners of the string are rounded off by the lines.
    report.compare(name + ", string", computed, at.exact, 1e-5, kReference);
  }
  plot::Figure figure = plot::make_figure("Plucked string", {"x", "m"}, {"u", "m"});
  for (const double t : {0.0, 5.0, 8.0}) {
    std::vector<double> x, u;
    for (int i = 1; i < 500; i += 2) {
      x.push_back(0.001 * i);
      u.push_back(result.value_at(t - 1e-6, fmt::format("u[{}]", i)));
    }
    figure.panel().add(plot::line(x, u, fmt::format("t = {} s", t)));
  }
  report.figure("cp2-string", "The string at the beginning, after 5 s and after 8 s.",
                std::move(figure));

  const auto half = text_model(file, "Rope.PluckedHalf"),
             last = text_model(file, "Rope.PluckedLastHalf");
  const SpeedUp found = speed_up(
      *whole, {{*half, make_context(*half)}, {*last, make_context(*last)}},
      {{0, "u[250]", 1, "left"}, {1, "u[1]", 0, "right"}}, {0, 10, 0.01, 0, 1}, {0}, &first_halves);
  report.compare("two halves against one model", found.at_each_stage, 0, 1e-11, kReference);
  report.compare("1 thread against 2", found.between_threads, 0, 0, kReference);
  report.table("Two halves on two threads, Runge-Kutta with h = 0.01.", found.table);
  report.text(
      "The wave speed is 0.06: the definition prints 0.6, which its authors call a misprint.");
}

}  // namespace

Benchmark distributed_benchmark() {
  return {"CP2", "Parallel and Distributed Simulation", "argesim/cp2_distributed/lesson.md",
          [](BenchmarkReport& report) {
            independent_runs(report);
            cavity(report);
            plucked_string(report);
          }};
}

}  // namespace arges::argesim
