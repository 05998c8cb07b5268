#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "arges/experiment/find_root.h"
#include "argesim/benchmarks.h"
#include "argesim/c12_spheres/reference.h"
#include "argesim/common/experiment.h"

namespace arges::argesim {

namespace {

using enum ReferenceSource;

// Uniform motion is exact for every method; what remains is rounding, and a collision at a small
// relative velocity enlarges it: the velocities differ by 1e-4 in the later collisions of e = 0.2.
constexpr const char* kSolver = "dopri5";
constexpr double kRtol = 1e-10;
constexpr double kTimeTolerance = 1e-10;
constexpr double kVelocityTolerance = 1e-14;

// Which pair collided when: the events that count one of them.
std::vector<c12::Collision> collisions_of(const Recording& result) {
  std::vector<c12::Collision> list;
  for (const EventRecord& event : result.trajectory.events) {
    for (const EventChange& change : event.changes) {
      if (change.name.starts_with("hits[")) list.push_back({event.time, change.name[5] - '0'});
    }
  }
  return list;
}

struct Outcome {
  int collisions;
  std::array<double, 4> v;
};

// All collisions are over long before t = 1e9, unless e is within 1e-9 of a step of N(e).
Outcome outcome(const HybridSystem& model, double e, double stop_time = 1e9) {
  const std::vector<double> end =
      final_values(model, options(kSolver, kRtol, stop_time), {{"e", e}},
                   {"collisions", "v[1]", "v[2]", "v[3]", "v[4]"});
  return {static_cast<int>(end[0]), {end[1], end[2], end[3], end[4]}};
}

plot::Figure distance_time(const Recording& result, const std::string& title) {
  plot::Figure figure = plot::make_figure(title, {"t", "s"}, {"x", "m"});
  figure.panel().legend = plot::LegendPlace::kOutside;
  for (int i = 1; i <= 4; ++i) {
    figure.panel().add(plot::line(result.trajectory.times,
                                  result.trajectory.values_of(fmt::format("x[{}]", i)),
                                  fmt::format("sphere {}", i)));
  }
  for (const double t : result.change_times("collisions")) figure.panel().events.push_back({t});
  return figure;
}

template <std::size_t N>
void compare_sequence(BenchmarkReport& report, const Recording& result, double e,
                      const std::array<c12::Collision, N>& expected) {
  const std::vector<c12::Collision> found = collisions_of(result);
  report.compare(fmt::format("number of collisions, e = {:g}", e),
                 static_cast<double>(found.size()), N, 0, kReference);
  double wrong_pairs = 0;
  std::string sequence;
  for (std::size_t i = 0; i < std::min(N, found.size()); ++i) {
    const int pair = found[i].pair;
    if (pair != expected[i].pair) wrong_pairs += 1;
    sequence += fmt::format("{}{}-{}", i == 0 ? "" : ", ", pair, pair + 1);
    report.compare(
        fmt::format("time of collision {} ({} hits {}), e = {:g}", i + 1, pair, pair + 1, e),
        found[i].t, expected[i].t, kTimeTolerance, kAssumed);
  }
  report.compare(fmt::format("collisions out of order, e = {:g}", e), wrong_pairs, 0, 0,
                 kReference);
  report.text(fmt::format("Sequence for e = {:g}: {}.", e, sequence));
}

void task_a(const HybridSystem& model, BenchmarkReport& report) {
  report.begin_task("a", "Collision sequences, elastic and nearly plastic");
  const Recording elastic = run(model, options(kSolver, kRtol, 5), {{"e", 1}});
  compare_sequence(report, elastic, 1, c12::kSequence10);
  report.figure("c12-elastic", "Elastic spheres, e = 1: the impact runs through the row.",
                distance_time(elastic, "Row of spheres, e = 1"));
  const Recording soft = run(model, options(kSolver, kRtol, 20), {{"e", 0.2}});
  compare_sequence(report, soft, 0.2, c12::kSequence02);
  report.figure("c12-plastic", "Nearly plastic spheres, e = 0.2: thirteen collisions.",
                distance_time(soft, "Row of spheres, e = 0.2"));
  report.text(
      "The definition as it is known gives no numbers for the gap a, the diameter d and the "
      "velocity "
      "v0: a = d = v0 = 1 was assumed, so the times (which scale with a/v0) are marked as assumed. "
      "The sequence and the velocities in units of v0 do not depend on these values.");
}

void task_b(const HybridSystem& model, BenchmarkReport& report) {
  report.begin_task("b", "Number of collisions and final velocities over e");
  for (const c12::Outcome& expected : c12::kOutcomes) {
    const Outcome found = outcome(model, expected.e);
    report.compare(fmt::format("N({:g})", expected.e), found.collisions, expected.collisions, 0,
                   kReference);
    for (int i = 0; i < 4; ++i) {
      report.compare(fmt::format("v{}/v0, e = {:g}", i + 1, expected.e), found.v[i], expected.v[i],
                     kVelocityTolerance, kReference);
    }
  }
  // Bisection between values of e that lie in neighbouring steps of N.
  constexpr std::array<std::array<double, 2>, 4> brackets = {
      {{0.26, 0.28}, {0.23, 0.25}, {0.21, 0.22}, {0.198, 0.2}}};
  for (std::size_t i = 0; i < c12::kSteps.size(); ++i) {
    const c12::Step& step = c12::kSteps[i];
    const auto side = [&](double e) {
      return outcome(model, e, 1e12).collisions == step.above ? 1.0 : -1.0;
    };
    const double e = find_root(side, brackets[i][0], brackets[i][1], 1e-11);
    report.compare(fmt::format("e where N goes from {} to {}", step.above, step.below), e, step.e,
                   1e-9, kReference);
  }
  std::vector<double> e_values, n_values;
  std::array<std::vector<double>, 4> v_values;
  for (int i = 0; i <= 412; ++i) {
    const double e = i < 100 ? 0.176 + 0.001 * i : std::min(1.0, 0.276 + 0.00232 * (i - 100));
    const Outcome found = outcome(model, e);
    e_values.push_back(e);
    n_values.push_back(found.collisions);
    for (int k = 0; k < 4; ++k) v_values[k].push_back(found.v[k]);
  }
  plot::Figure figure = plot::make_stack("Row of four spheres", {"e"}, {{"N"}, {"v/v_{0}"}});
  figure.panels[0].add(plot::steps(e_values, n_values));
  for (int k = 0; k < 4; ++k) {
    figure.panels[1].add(plot::line(e_values, v_values[k], fmt::format("v_{{{}}}", k + 1)));
  }
  for (plot::Panel& panel : figure.panels) {
    panel.references = {{c12::kCriticalE, true}};
    panel.x.lower = 0.15;
    panel.x.upper = 1;
  }
  figure.panels[0].references[0].label = "limit";
  figure.panels[1].legend = plot::LegendPlace::kOutside;
  report.figure("c12-restitution",
                "Number of collisions and final velocities over the coefficient of restitution.",
                std::move(figure));
  // The run may end as Zeno, which is what happens: then the collisions are over, too.
  const Recording below = try_run(model, options(kSolver, kRtol, 500), {{"e", 0.17}});
  double spread = 0;
  for (int i = 1; i <= 4; ++i)
    spread = std::max(spread, std::abs(below.final(fmt::format("v[{}]", i)) - 0.25));
  report.compare("largest |v/v0 - 1/4| below the limit, e = 0.17", spread, 0, 1e-9, kReference);
  report.text(fmt::format(
      "The collision limit is e = 3 - 2 sqrt(2) = {:.12f}. Towards it N grows without bound (25 at "
      "e = 0.18, 40 at 0.175, 115 at 0.172, 877 at 0.17158), while the relative velocities fall by "
      "a nearly constant factor with each collision. At 0.172 the exact relative velocities of the "
      "last collisions are below the last digit of a double, so neither this nor any other program "
      "in double precision can count all 115: the sweep stops at 0.176. Below the limit there are "
      "infinitely many collisions in finite time, and all velocities tend to v0/4.",
      c12::kCriticalE));
}

void task_c(const HybridSystem& model, BenchmarkReport& report) {
  report.begin_task("c", "Boundary value problem: the last sphere leaves with v0/2");
  const double e =
      find_root([&](double trial) { return outcome(model, trial).v[3] - 0.5; }, 0.3, 1, 1e-14);
  report.compare("e for v4 = v0/2", e, c12::kHalfSpeedE, 1e-13, kReference);
  report.text(
      "For e > 2 - sqrt(3) sphere 4 is hit once, and v4 = ((1 + e)/2)^3 v0: so e = 2^(2/3) - 1. "
      "The "
      "part with a random e in each collision needs streams of random numbers, which the kernel "
      "does not have yet; it is left out.");
}

}  // namespace

Benchmark spheres_benchmark() {
  return {"C12", "Collision Processes in Rows of Spheres", "argesim/c12_spheres/lesson.md",
          [](BenchmarkReport& report) {
            const auto text = text_model("argesim/c12_spheres/RowOfSpheres.mo");
            const HybridSystem& model = *text;
            task_a(model, report);
            task_b(model, report);
            task_c(model, report);
          }};
}

}  // namespace arges::argesim
