#include <algorithm>
#include <chrono>
#include <cmath>

#include <fmt/format.h>

#include "argesim/benchmarks.h"
#include "argesim/c09_fuzzy_tanks/model.h"
#include "argesim/c09_fuzzy_tanks/reference.h"
#include "argesim/common/experiment.h"

namespace arges::argesim {

namespace {

using enum ReferenceSource;

constexpr int kGrid = 40;
double node(int k) { return -1 + 2.0 * k / (kGrid - 1); }

void surfaces(BenchmarkReport& report) {
  report.begin_task("a", "Control surfaces");
  const c9::Controllers controllers;
  std::vector<std::vector<std::string>> times = {{"controller", "rules", "40 x 40 values, us"}};
  for (int which = 1; which <= 3; ++which) {
    std::vector<double> u;
    const auto begin = std::chrono::steady_clock::now();
    for (int i = 0; i < kGrid; ++i) {
      for (int j = 0; j < kGrid; ++j) u.push_back(controllers.control(which, node(i), node(j)));
    }
    const double seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    const std::string name = fmt::format("FC{}", which);
    times.push_back({name,
                     which == 1   ? "25"
                     : which == 2 ? "9"
                                  : "34",
                     fmt::format("{:.0f}", seconds * 1e6)});
    double sum = 0, squares = 0;
    for (const double each : u) {
      sum += each;
      squares += each * each;
    }
    const c9::Surface& expected = c9::kSurfaces[which - 1];
    report.compare(name + ", sum", sum, expected.sum, 1e-9, kAssumed);
    report.compare(name + ", sum of squares", squares, expected.sum_of_squares, 1e-9, kAssumed);
    report.compare(name + ", [10][20]", u[10 * kGrid + 20], expected.at_10_20, 1e-11, kAssumed);
    report.compare(name + ", [20][10]", u[20 * kGrid + 10], expected.at_20_10, 1e-11, kAssumed);
    plot::Figure figure = plot::make_figure("Control surface of " + name, {"e"}, {"u"});
    figure.panel().palette = plot::Palette::kSequential;
    figure.panel().legend = plot::LegendPlace::kOutside;
    for (int j = 0; j < kGrid; j += 3) {
      std::vector<double> e, cut;
      for (int i = 0; i < kGrid; ++i) {
        e.push_back(node(i));
        cut.push_back(u[static_cast<std::size_t>(i) * kGrid + j]);
      }
      figure.panel().add(plot::line(e, cut, fmt::format("v = {:.2f}", node(j))));
    }
    report.figure(fmt::format("c9-surface-{}", which),
                  fmt::format("Opening u over the error e, for fourteen values of the rise v: {}.",
                              which == 1   ? "five triangles, product"
                              : which == 2 ? "three trapezoids, minimum"
                                           : "the mixture"),
                  std::move(figure));
  }
  report.table("Computing times.", std::move(times));
}

void closed_loop(const HybridSystem& text, const HybridSystem& twin, int controller,
                 BenchmarkReport& report, plot::Figure& figure) {
  RunOptions how = options("dop853", 1e-12, 1000);
  how.interval = 5;
  const Settings settings = {{"controller", controller}};
  const Recording result = run(text, how, settings), in_cpp = run(twin, how, settings);
  for (const c9::Levels& at : c9::kLevels) {
    if (at.controller != controller) continue;
    report.compare(fmt::format("FC{}, x1({:.0f})", controller, at.t), result.value_at(at.t, "x1"),
                   at.x1, 1e-9, kAssumed);
    report.compare(fmt::format("FC{}, x2({:.0f})", controller, at.t), result.value_at(at.t, "x2"),
                   at.x2, 1e-9, kAssumed);
  }
  report.compare(fmt::format("FC{}, x2(1000): text minus C++", controller),
                 result.final("x2") - in_cpp.final("x2"), 0, 1e-10, kReference);
  const std::string name = fmt::format("FC{}", controller);
  const std::vector<double>& t = result.trajectory.times;
  figure.panels[0].add(plot::line(t, result.trajectory.values_of("x2"), name));
  figure.panels[1].add(plot::steps(t, result.trajectory.values_of("u"), name));
}

}  // namespace

Benchmark fuzzy_tanks_benchmark() {
  return {
      "C9", "Fuzzy Control of a Two Tank System", "argesim/c09_fuzzy_tanks/lesson.md",
      [](BenchmarkReport& report) {
        surfaces(report);
        const auto text = text_model("argesim/c09_fuzzy_tanks/FuzzyTanks.mo", "FuzzyTanks.Tanks");
        const FuzzyTanks twin;
        plot::Figure figure =
            plot::make_stack("Two tanks with fuzzy control", {"t", "s"}, {{"x_{2}", "m"}, {"u"}});
        figure.panels[0].references = {{0.4, false, "wanted"}};
        report.begin_task("b", "Closed loop with FC1 and with FC2");
        closed_loop(*text, twin, 1, report, figure);
        closed_loop(*text, twin, 2, report, figure);
        report.begin_task("c", "A weighted controller");
        closed_loop(*text, twin, 3, report, figure);
        report.figure("c9-levels", "Level of the second tank, and the valve.", std::move(figure));
        report.text(
            "Plant, sets and rules of the definition were not recovered: all values are for "
            "assumed data. The rules have no integral part, so the level stays above the wanted "
            "one: u = 0.5 at e = 0 is more than the 0.42 that hold 0.4 m.");
      }};
}

}  // namespace arges::argesim
