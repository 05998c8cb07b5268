#include <algorithm>
#include <cmath>
#include <ctime>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "arges/hybrid/simulator.h"
#include "argesim/benchmarks.h"
#include "argesim/common/experiment.h"
#include "argesim/quantised_diffusion/many_cells.h"
#include "argesim/quantised_diffusion/model.h"
#include "argesim/quantised_diffusion/time_stepping.h"

namespace arges::argesim {

namespace {

using enum ReferenceSource;

constexpr double kDiffusivity = 0.01, kEnd = 8, kStep = 5e-5;
constexpr double kActivity = 4.45289;  // of the rod of 101 points

struct Count {
  double transitions = 0, seconds = 0, error = 0;
};

Count quantised(const PulseDiffusion& model, double quantum, double stop = kEnd) {
  RunOptions how = options("qss1", 0, stop);
  how.numerics.atol = quantum;
  how.max_steps = 1'000'000'000;
  Simulator simulator(model, how);
  const std::clock_t start = std::clock();
  const RunResult result = simulator.run(make_context(model));
  return {static_cast<double>(result.statistics.steps),
          static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC,
          model.error(result.final.x, stop)};
}

void activity(BenchmarkReport& report) {
  report.begin_task("activity", "how far all cells move");
  const PulseDiffusion model;
  for (const char* solver : {"dopri5", "rodas5p", "cvode-bdf"}) {
    RunOptions how = options(solver, 1e-8, kEnd);
    how.measures_activity = true;
    double sum = 0;
    for (const StateActivity& state : final_state(model, how).activity) sum += state.activity;
    report.compare(fmt::format("activity, {}", solver), sum, kActivity, 1e-5, kReference);
  }
}

void quanta(BenchmarkReport& report) {
  report.begin_task("quanta", "the rod of 101 points, quanta from 1e-3 to 1e-6");
  struct Row {
    double quantum, published;
  };
  const PulseDiffusion model;
  std::vector<std::vector<std::string>> printed = {
      {"quantum", "transitions", "published", "activity / quantum", "error / quantum"}};
  std::vector<double> sizes, counts, bound;
  for (const Row& row : {Row{1e-3, 60489}, {1e-4, 91541}, {1e-5, 463693}, {1e-6, 4.5e6}}) {
    const Count count = quantised(model, row.quantum);
    report.compare(fmt::format("quantum {:g}: error at the end", row.quantum), count.error, 0,
                   row.quantum, kReference);
    printed.push_back({fmt::format("{:g}", row.quantum), fmt::format("{:.0f}", count.transitions),
                       fmt::format("{:.0f}", row.published),
                       fmt::format("{:.0f}", kActivity / row.quantum),
                       fmt::format("{:.2f}", count.error / row.quantum)});
    sizes.push_back(row.quantum);
    counts.push_back(count.transitions);
    bound.push_back(kActivity / row.quantum);
    if (row.quantum == 1e-6) {
      report.compare("quantum 1e-06: transitions", count.transitions, row.published, 0.05e6,
                     kPublished);
      report.compare("quantum 1e-06: transitions x quantum", count.transitions * row.quantum,
                     kActivity, 0.001, kReference);
    }
    // The middle cell is the first to move, at the rate 2 c / dx^2.
    const double first = row.quantum * 0.01 * 0.01 / (2 * kDiffusivity);
    report.compare(fmt::format("quantum {:g}: transitions before {:g}", row.quantum, first),
                   quantised(model, row.quantum, 0.999 * first).transitions, 0, 0, kPublished);
    report.compare(fmt::format("quantum {:g}: some right after", row.quantum),
                   quantised(model, row.quantum, 1.001 * first).transitions > 0, 1, 0, kPublished);
  }
  report.table("Transitions over the quantum (Table 1 of the paper).", printed);
  plot::Figure figure = plot::make_figure("Transitions over the quantum", plot::log_axis("quantum"),
                                          plot::log_axis("transitions"));
  figure.panel().add(plot::line(sizes, counts, "counted"));
  figure.panel().add(plot::line(sizes, bound, "activity / quantum"));
  report.figure("diffusion-quanta",
                "Down to a quantum of 1e-5 the count is the activity over the quantum; with "
                "coarser ones cells jump back and forth between two levels.",
                std::move(figure));
}

struct Mesh {
  int points;
  double length, activity;
};

// One family of meshes: what varies is on the x axis.
struct Family {
  std::string task, title, axis;
  double (*size)(const Mesh&);
  std::vector<Mesh> meshes;
};

// Slope of log y over log x, by least squares.
double growth(const std::vector<double>& x, const std::vector<double>& y) {
  double sx = 0, sy = 0, sxx = 0, sxy = 0;
  const double n = static_cast<double>(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double u = std::log(x[i]), v = std::log(y[i]);
    sx += u;
    sy += v;
    sxx += u * u;
    sxy += u * v;
  }
  return (n * sxy - sx * sy) / (n * sxx - sx * sx);
}

void family(BenchmarkReport& report, const Family& of) {
  constexpr double kQuantum = 1e-5;
  report.begin_task(of.task, of.title);
  std::vector<double> size, moves, moves_s, updates, explicit_s, implicit_s;
  std::vector<std::vector<std::string>> printed = {{of.axis, "transitions", "x quantum", "activity",
                                                    "updates of a time stepper", "quantised (ms)",
                                                    "explicit (ms)", "implicit (ms)"}};
  for (const Mesh& mesh : of.meshes) {
    const double dx = mesh.length / (mesh.points - 1), k = kDiffusivity / (dx * dx);
    const PulseDiffusion model(mesh.points - 2, k);
    const Count count = quantised(model, kQuantum);
    const double scaled = count.transitions * kQuantum;
    // Finer meshes need a finer quantum: their cells jump back and forth between two levels, and
    // transitions are more than the activity. So do, at last, many cells of a long rod.
    if (dx >= 0.0099) {
      const double more = of.size(mesh) > 201 ? 0.12 : 0.05;
      report.compare(fmt::format("{} {:g}: transitions x quantum", of.axis, of.size(mesh)), scaled,
                     mesh.activity, more * mesh.activity, kReference);
    }
    const SteppingTime stepping = time_of_stepping(model.cells(), k, kStep, kEnd);
    size.push_back(of.size(mesh));
    moves.push_back(count.transitions);
    moves_s.push_back(count.seconds);
    updates.push_back(model.cells() * kEnd / kStep);
    explicit_s.push_back(stepping.explicit_seconds);
    implicit_s.push_back(stepping.implicit_seconds);
    printed.push_back({fmt::format("{:g}", size.back()), fmt::format("{:.0f}", count.transitions),
                       fmt::format("{:.4f}", scaled), fmt::format("{:.4f}", mesh.activity),
                       fmt::format("{:.3g}", updates.back()),
                       fmt::format("{:.1f}", count.seconds * 1e3),
                       fmt::format("{:.1f}", stepping.explicit_seconds * 1e3),
                       fmt::format("{:.1f}", stepping.implicit_seconds * 1e3)});
  }
  report.table(
      of.title + fmt::format(" (quantum {:g}, Euler with steps of {:g} s).", kQuantum, kStep),
      printed);
  report.text(
      fmt::format("Fitted growth: transitions ~ ({})^{:.2f}, updates of a time stepper ~ "
                  "({})^{:.2f}.",
                  of.axis, growth(size, moves), of.axis, growth(size, updates)));
  const auto draw = [&](const std::string& what, const std::string& y,
                        const std::vector<std::pair<std::string, std::vector<double>>>& curves) {
    plot::Figure figure = plot::make_figure(of.title, plot::log_axis(of.axis), plot::log_axis(y));
    for (const auto& [name, values] : curves) figure.panel().add(plot::line(size, values, name));
    report.figure(fmt::format("diffusion-{}-{}", of.task, what),
                  fmt::format("{} over {}.", y, of.axis), std::move(figure));
  };
  draw("counts", "updates of a cell", {{"transitions, qss1", moves}, {"Euler", updates}});
  draw("times", "processor time in s",
       {{"qss1", moves_s}, {"explicit Euler", explicit_s}, {"implicit Euler", implicit_s}});
}

// Time and memory follow the activity, not the cells.
void cells(BenchmarkReport& report) {
  constexpr double kQuantum = 1e-5, kSpread = 100;
  report.begin_task("cells", "the same pulse in 1,001 to 1,000,001 cells");
  std::vector<std::vector<std::string>> printed = {
      {"cells", "transitions", "cells that moved", "time (ms)", "memory touched (KiB)"}};
  std::vector<double> sizes, times, memory;
  SparseRun first;
  for (const int count : {1'001, 10'001, 100'001, 1'000'001}) {
    const SparseRun run = run_sparse(count, kSpread, kQuantum, kEnd);
    if (sizes.empty()) first = run;
    sizes.push_back(count);
    times.push_back(run.seconds);
    memory.push_back(run.memory_kib);
    printed.push_back({fmt::format("{}", count), fmt::format("{}", run.moves),
                       fmt::format("{}", run.cells_that_moved),
                       fmt::format("{:.1f}", run.seconds * 1e3),
                       fmt::format("{:.0f}", run.memory_kib)});
    if (count != 1'000'001) continue;
    report.compare("1,000,001 cells: transitions", static_cast<double>(run.moves),
                   static_cast<double>(first.moves), 0, kReference);
    report.compare("1,000,001 cells: cells that moved", run.cells_that_moved,
                   first.cells_that_moved, 0, kReference);
  }
  report.table("A local pulse in ever more cells, started from one of them (quantum 1e-5).",
               printed);
  plot::Figure figure =
      plot::make_figure("A local pulse", plot::log_axis("cells"), {"processor time", "s"});
  figure.panel().add(plot::line_points(sizes, times, "qss1"));
  report.figure("diffusion-cells", "The time does not follow the cells.", std::move(figure));
}

void solve(BenchmarkReport& report) {
  activity(report);
  quanta(report);
  const auto by_points = [](const Mesh& mesh) { return static_cast<double>(mesh.points); };
  const auto by_length = [](const Mesh& mesh) { return mesh.length; };
  family(report, {"longer",
                  "Longer rods of one mesh, 0.01 m",
                  "points",
                  by_points,
                  {{101, 1, 4.45289}, {201, 2, 4.62996}, {401, 4, 4.65472}, {801, 8, 4.65472}}});
  family(report, {"coarser",
                  "Longer rods of 100 points",
                  "length in m",
                  by_length,
                  {{100, 1, 4.45232},
                   {100, 2, 3.95709},
                   {100, 5, 3.09638},
                   {100, 10, 2.42376},
                   {100, 20, 1.74736},
                   {100, 50, 0.83463},
                   {100, 100, 0.28479}}});
  family(report, {"finer",
                  "A rod of 1 m with finer meshes",
                  "points",
                  by_points,
                  {{51, 1, 3.78147}, {101, 1, 4.45289}, {201, 1, 5.12391}, {351, 1, 5.66558}}});
  cells(report);
}

}  // namespace

Benchmark diffusion_benchmark() {
  return {"quantised-diffusion", "A Pulse of Heat in Quanta",
          "argesim/quantised_diffusion/lesson.md", solve};
}

}  // namespace arges::argesim
