#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "arges/experiment/coupled_run.h"
#include "arges/hybrid/simulator.h"
#include "argesim/benchmarks.h"
#include "argesim/common/experiment.h"
#include "argesim/cp1_parallel/monte_carlo.h"
#include "argesim/cp1_parallel/reference.h"
#include "argesim/cp1_parallel/speed_up.h"

namespace arges::argesim {

namespace {

using enum ReferenceSource;

const char* const kRope = "argesim/cp1_parallel/Rope.mo";
const char* const kPopulations = "argesim/cp1_parallel/PredatorPrey.mo";

void monte_carlo(BenchmarkReport& report) {
  report.begin_task("TE-1", "Monte Carlo study");
  const auto oscillator = text_model("argesim/cp1_parallel/Oscillator.mo");
  constexpr std::int64_t kRuns = 1000;
  const MeanCurve serial = mean_curve(*oscillator, kRuns, 1);
  const MeanCurve parallel = mean_curve(*oscillator, kRuns, 2);
  compare_with_exact_mean(serial, report);
  report.compare("largest difference between 1 and 2 threads",
                 largest_difference(serial.means(), parallel.means()), 0, 0, kReference);
  report.figure("cp1-mean", "Mean, least and largest x(t) of 1000 runs.", band_figure(serial));
  report.table("1000 runs, 200 intervals each, on this machine.",
               {{"threads", "ms", "speed-up"},
                {"1", fmt::format("{:.1f}", serial.wall_s * 1e3), "1"},
                {"2", fmt::format("{:.1f}", parallel.wall_s * 1e3),
                 fmt::format("{:.2f}", serial.wall_s / parallel.wall_s)}});
  report.text(
      "The interval of d is that of CP2, which has taken the case over. Rows go to their place in "
      "the order of their number, so the mean is the same, bit for bit, for any number of "
      "threads.");
}

void predators(BenchmarkReport& report) {
  report.begin_task("TE-2", "Coupled predators and prey");
  const auto whole = text_model(kPopulations, "PredatorPrey.Together"),
             common = text_model(kPopulations, "PredatorPrey.Common"),
             pair = text_model(kPopulations, "PredatorPrey.Pair");
  const std::vector<std::string> names = {"v.v1", "v.v2", "w.p1", "w.p2", "x.p1",
                                          "x.p2", "y.p1", "y.p2", "z.p1", "z.p2"};
  const Recording serial = run(*whole, options("dop853", 1e-12, 100));
  for (std::size_t i = 0; i < names.size(); ++i)
    report.compare(names[i] + "(100)", serial.final(names[i]), cp1::kPopulations[i], 1e-10,
                   kAssumed);
  std::vector<CoupledPart> parts = {{*common, make_context(*common)}};
  std::vector<CoupledLink> links;
  const std::vector<std::string> inputs = {"w1", "x1", "y1", "z1"};
  const double growth[] = {1.0, 1.1, 1.2, 1.3};
  for (std::size_t i = 0; i < 4; ++i) {
    Context start = make_context(*pair);
    set_value(*pair, start, "a", growth[i]);
    parts.push_back({*pair, start});
    links.push_back({i + 1, "p1", 0, inputs[i]});
    links.push_back({0, "v2", i + 1, "v2"});
    links.push_back({i == 3 ? 1 : i + 2, "p2", i + 1, "n2"});
  }
  const SpeedUp found =
      speed_up(*whole, parts, links, {0, 100, 0.05, 0, 1}, {0, 1, 5, 10, 20}, &all_states);
  report.compare("five parts against one model, inputs at each stage", found.at_each_stage, 0,
                 1e-12, kReference);
  report.compare("1 thread against 2", found.between_threads, 0, 0, kReference);
  report.table("Five parts on two threads, Runge-Kutta with h = 0.05, t from 0 to 100.",
               found.table);
  report.text(
      "The coefficients and the coupling of the last four pairs were not recovered: they are "
      "assumed. Two equations are some nanoseconds of work, and a meeting of two threads takes "
      "about a microsecond: parallel loses, as it did in nearly all published solutions. "
      "Exchanging "
      "less often makes it cheaper and wrong.");
}

void rope(BenchmarkReport& report) {
  report.begin_task("TE-3", "Swinging rope, 800 intervals");
  const auto whole = text_model(kRope, "Rope.Whole");
  RunOptions how = options("dop853", 1e-8, 30);
  how.interval = 0.1;
  const Recording serial = run(*whole, how);
  plot::Figure figure = plot::make_figure("Lines of the rope", {"t", "s"}, {"u", "m"});
  for (const cp1::Deflection& at : cp1::kDeflections) {
    const std::string name = fmt::format("u[{}]", std::lround(800 * at.part));
    report.compare(fmt::format("u({} L, {})", at.part, at.t), serial.value_at(at.t - 1e-6, name),
                   at.lines, 1e-7, kReference);
    if (at.t == 10)
      figure.panel().add(plot::line(serial.trajectory.times, serial.trajectory.values_of(name),
                                    fmt::format("x = {} L", at.part)));
  }
  figure.panel().legend = plot::LegendPlace::kOutside;
  report.figure("cp1-rope", "The five lines that the definition asks for.", std::move(figure));

  const auto half = text_model(kRope, "Rope.Half"), last = text_model(kRope, "Rope.LastHalf");
  const std::vector<CoupledPart> parts = {{*half, make_context(*half)},
                                          {*last, make_context(*last)}};
  const std::vector<CoupledLink> links = {{0, "u[400]", 1, "left"}, {1, "u[1]", 0, "right"}};
  const SpeedUp found =
      speed_up(*whole, parts, links, {0, 30, 0.0125, 0, 1}, {0, 1, 2, 4, 8}, &first_halves);
  report.compare("two halves against one model, inputs at each stage", found.at_each_stage, 0,
                 1e-11, kReference);
  report.compare("1 thread against 2", found.between_threads, 0, 0, kReference);
  report.table("Two halves on two threads, Runge-Kutta with h = 0.0125, t from 0 to 30.",
               found.table);
  report.table("Speed-ups of the published solutions (Table 2 of the comparison).", [] {
    std::vector<std::vector<std::string>> rows = {{"solution", "TE-1", "TE-2", "TE-3"}};
    rows.insert(rows.end(), cp1::kPublishedSpeedUps.begin(), cp1::kPublishedSpeedUps.end());
    return rows;
  }());
  report.text(
      "Two neighbours exchange one number each: the work of 400 lines lies between two meetings of "
      "the threads. Where the machine has two free cores this pays; where it has not, each meeting "
      "costs a change of process. Held inputs are no way out here: the border of the halves then "
      "lags behind by the interval, which reflects the waves, and from four steps on the motion "
      "grows without bound. Only the exchange at each stage does what one model does.");
}

}  // namespace

Benchmark parallel_benchmark() {
  return {"CP1", "Parallel Simulation Techniques", "argesim/cp1_parallel/lesson.md",
          [](BenchmarkReport& report) {
            monte_carlo(report);
            predators(report);
            rope(report);
          }};
}

}  // namespace arges::argesim
