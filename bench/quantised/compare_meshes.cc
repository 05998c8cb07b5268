// The three mesh configurations of Muzy, Jammalamadaka, Zeigler and Nutaro, "The activity-tracking
// paradigm in discrete-event modeling and simulation", section 3: transitions against cells, length
// and quantum, beside those of time stepping.

#include <cmath>
#include <vector>

#include <fmt/format.h>

#include "arges/hybrid/simulator.h"
#include "bench/discrete/stopwatch.h"
#include "bench/quantised/models.h"
#include "bench/quantised/suites.h"

namespace arges::bench {

namespace {

constexpr double kDiffusivity = 0.01, kEnd = 8, kQuantum = 1e-5;
constexpr double kEulerStep = 5e-5;  // of the paper

struct Mesh {
  std::string name;
  int points;
  double length;
  double activity;  // of the exact solution
};

// Transitions times quantum, seconds.
std::pair<double, double> transitions(const Mesh& mesh) {
  const double dx = mesh.length / (mesh.points - 1);
  const PulseDiffusion model(mesh.points - 2, kDiffusivity / (dx * dx));
  RunOptions options;
  options.stop_time = kEnd;
  options.solver = "qss1";
  options.numerics.rtol = 0;
  options.numerics.atol = kQuantum;
  options.max_steps = 1'000'000'000;
  Simulator simulator(model, options);
  const Stopwatch watch;
  const RunResult result = simulator.run(make_context(model));
  return {static_cast<double>(result.statistics.steps) * kQuantum, watch.seconds()};
}

// The slope of log y against log x, by least squares.
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

void run_family(Table& table, const std::string& title, const std::vector<Mesh>& meshes,
                bool by_length) {
  table.section(title);
  std::vector<double> size, count;
  for (const Mesh& mesh : meshes) {
    const auto [scaled, seconds] = transitions(mesh);
    size.push_back(by_length ? mesh.length : mesh.points);
    count.push_back(scaled);
    table.add(
        {mesh.name, scaled, mesh.activity, "transitions x quantum", 0,
         fmt::format("{:.0f} transitions, {:.0f} ms; explicit Euler: {:.3g} updates",
                     scaled / kQuantum, seconds * 1e3, (mesh.points - 2) * kEnd / kEulerStep)});
    // Fine meshes with a coarse quantum oscillate between levels.
    const double dx = mesh.length / (mesh.points - 1);
    if (dx >= 0.01 && std::abs(scaled / mesh.activity - 1) > 0.1)
      table.wrong(mesh.name + ": transitions are not activity / quantum");
  }
  fmt::print("    growth: transitions ~ {}^{:.2f}\n", by_length ? "length" : "cells",
             growth(size, count));
}

}  // namespace

void compare_meshes(Table& table) {
  run_family(table, "Meshes of the paper (quantum 1e-5): constant distance of 0.01, more cells",
             {{"101 points, 1 m", 101, 1, 4.45289},
              {"201 points, 2 m", 201, 2, 4.62996},
              {"401 points, 4 m", 401, 4, 4.65472},
              {"801 points, 8 m", 801, 8, 4.65472}},
             false);
  run_family(table, "100 points, longer and longer",
             {{"1 m", 100, 1, 4.45232},
              {"2 m", 100, 2, 3.95709},
              {"5 m", 100, 5, 3.09638},
              {"10 m", 100, 10, 2.42376},
              {"20 m", 100, 20, 1.74736},
              {"50 m", 100, 50, 0.83463},
              {"100 m", 100, 100, 0.28479}},
             true);
  run_family(table, "1 m, finer and finer",
             {{"51 points", 51, 1, 3.78147},
              {"101 points", 101, 1, 4.45289},
              {"201 points", 201, 1, 5.12391},
              {"351 points", 351, 1, 5.66558}},
             false);
}

}  // namespace arges::bench
