#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "arges/experiment/optimise.h"
#include "arges/experiment/run_function.h"
#include "arges/random/stream.h"
#include "argesim/benchmarks.h"
#include "argesim/common/experiment.h"
#include "argesim/supervisor/reference.h"

namespace arges::argesim {

namespace {

using namespace supervisor;
using enum ReferenceSource;

const char* const kNames[4] = {"r1", "r2", "r3", "r4"};

std::vector<SearchVariable> admissible() {
  std::vector<SearchVariable> all;
  for (std::size_t i = 0; i < 4; ++i) all.push_back({kNames[i], kLow[i], kHigh[i], kNominal[i]});
  return all;
}

Point point_of(std::span<const double> x) { return {x[0], x[1], x[2], x[3]}; }

// The point of the admissible set with the largest value.
SearchResult largest(const std::function<double(const Point&)>& value) {
  OptimiseRequest request;
  request.variables = admissible();
  request.limits.max_evaluations = 4000;
  SearchResult result = optimise(
      [&](std::span<const double> x) {
        return Appraisal{-value(point_of(x)), {}, {}};
      },
      request);
  result.value = -result.value;
  return result;
}

std::vector<Point> samples(int count) {
  random::Stream stream(1, 0, "samples");
  std::vector<Point> all(static_cast<std::size_t>(count));
  for (Point& y : all) {
    for (std::size_t i = 0; i < 4; ++i) y[i] = stream.uniform(kLow[i], kHigh[i]);
  }
  return all;
}

Identification identify(const std::vector<Point>& at) {
  std::vector<double> z;
  for (const Point& y : at) z.push_back(concentration(kRepaired, y));
  return {at, z};
}

double largest_error(const Theta& theta) {
  double error = 0;
  for (std::size_t i = 0; i < 6; ++i)
    error = std::max(error, std::abs(theta[i] / kRepaired[i] - 1));
  return error;
}

void solve_printed(BenchmarkReport& report) {
  report.begin_task("print", "the model as printed");
  report.compare("concentration at the printed optimum", concentration(kPrinted, kOptimum),
                 30346.751506907374, 1e-8, kReference);
  report.compare("gain from the two printed productions", kBestProduction / kMeanProduction - 1,
                 kGain, 5e-4, kPublished);
  report.text(
      "A concentration is at most one: the coefficients (39) are not those of the result (42). "
      "What "
      "follows uses a set that is marked as assumed.");
}

void solve_identification(BenchmarkReport& report) {
  report.begin_task("ident", "identification from 400 samples without noise");
  const Identification found = identify(samples(400));
  report.compare("largest relative error, QR", largest_error(found.by_qr()), 0, 1e-8, kReference);
  report.table(
      fmt::format("The same data, two ways; the matrix has the condition {:.1e}.",
                  found.condition()),
      {{"method", "largest relative error of a coefficient"},
       {"QR", fmt::format("{:.1e}", largest_error(found.by_qr()))},
       {"normal equations", fmt::format("{:.1e}", largest_error(found.by_normal_equations()))}});
}

void solve_decision(BenchmarkReport& report) {
  report.begin_task("optimum", "the decision of the supervisor, from runs of the reactor");
  const auto reactor = text_model("argesim/supervisor/PyrolysisReactor.mo");
  RunOptions run_options = options("dopri5", 1e-10, 5);
  RunFunction production(*reactor, make_context(*reactor), run_options,
                         {kNames[0], kNames[1], kNames[2], kNames[3]},
                         {parse_observable("I"), parse_observable("I@0.9")});
  double before = 0;
  const SearchResult best = largest([&](const Point& y) {
    const auto result = production(y);
    before = result.observables[1];
    return result.observables[0];
  });
  const char* const units[4] = {"oil flow", "water flow", "pressure", "temperature"};
  const double digits[4] = {0.05, 0.05, 0.005, 0.05};
  for (std::size_t i = 0; i < 4; ++i)
    report.compare(units[i], best.x[i], kOptimum[i], digits[i], kAssumed);
  report.compare("production", best.value, kBestProduction, 0.005, kAssumed);
  report.compare("nominal production", before, kMeanProduction, 0.005, kAssumed);
  report.compare("gain", best.value / before - 1, kGain, 5e-4, kAssumed);

  Settings decision;
  for (std::size_t i = 0; i < 4; ++i) decision.emplace_back(kNames[i], best.x[i]);
  run_options.interval = 0.01;
  const Recording recording = run(*reactor, run_options, decision);
  plot::Figure figure = plot::make_figure("", {"t", "h"}, {"ethylene", "m3/h"});
  figure.panel().add(plot::line(recording.trajectory.times, recording.trajectory.values_of("I")));
  report.figure("decision", "The production when the supervisor's decision arrives, at t = 1 h.",
                std::move(figure));
}

// (22): along the gradient, with the reciprocal eigenvalues of the Hessian in turn.
void solve_canonical(BenchmarkReport& report) {
  report.begin_task("canonical", "a quadratic objective in its principal axes");
  const std::vector<double> eigenvalues = {1, 3, 7, 20};
  std::vector<double> y = {3, -2, 5, 1};
  for (const double step : eigenvalues) {
    for (std::size_t i = 0; i < y.size(); ++i) y[i] -= eigenvalues[i] * y[i] / step;
  }
  double distance = 0;
  for (const double each : y) distance = std::max(distance, std::abs(each));
  report.compare("distance from the optimum after four steps", distance, 0, 1e-12, kReference);
}

void solve_risk(BenchmarkReport& report) {
  report.begin_task("risk", "coefficients that are known only so well");
  constexpr double kNoise = 0.005;  // of a measured concentration
  constexpr int kDraws = 100000;
  const Identification found = identify(samples(400));
  // By repetition: how often the production at y is below a limit.
  const auto share_below = [&](const Point& y, double limit) {
    random::Stream stream(1, 0, "coefficients");
    int below = 0;
    for (int i = 0; i < kDraws; ++i)
      below += y[0] * concentration(found.draw(stream, kNoise), y) < limit;
    return static_cast<double>(below) / kDraws;
  };
  const auto mean = [&](const Point& y) { return y[0] * concentration(found.by_qr(), y); };
  const auto deviation = [&](const Point& y) { return y[0] * kNoise * found.deviation(y); };
  const auto tolerance = [](double p) { return 4 * std::sqrt(p * (1 - p) / kDraws) + 1e-9; };

  constexpr double kQuantile = -1.6448536269514722;  // of the normal distribution, at 0.05
  const auto assured = [&](const Point& y) { return mean(y) + kQuantile * deviation(y); };
  const SearchResult imposed = largest(assured);
  report.compare("imposed risk 0.05: share of draws below",
                 share_below(point_of(imposed.x), imposed.value), 0.05, tolerance(0.05),
                 kReference);
  constexpr double kWanted = 427;
  const SearchResult safest =
      largest([&](const Point& y) { return (mean(y) - kWanted) / deviation(y); });
  const double risk = 0.5 * std::erfc(safest.value / std::sqrt(2.0));
  report.compare(fmt::format("minimal risk of less than {:g}: share of draws below", kWanted),
                 share_below(point_of(safest.x), kWanted), risk, tolerance(risk), kReference);
  const Point& best = kOptimum;
  const auto row = [&](const char* name, const Point& y) {
    const double z = (mean(y) - kWanted) / deviation(y);
    return std::vector<std::string>{name,
                                    fmt::format("{:.1f}", y[0]),
                                    fmt::format("{:.1f}", y[3]),
                                    fmt::format("{:.3f}", mean(y)),
                                    fmt::format("{:.3f}", deviation(y)),
                                    fmt::format("{:.3f}", assured(y)),
                                    fmt::format("{:.4f}", 0.5 * std::erfc(z / std::sqrt(2.0)))};
  };
  report.table("Decisions under uncertainty (noise of a measurement: 0.005, assumed).",
               {{"decision", "y1", "y4", "mean", "deviation", "assured at 95 %", "risk below 427"},
                row("best mean", best),
                row("imposed risk", point_of(imposed.x)),
                row("minimal risk", point_of(safest.x))});
}

void solve(BenchmarkReport& report) {
  solve_printed(report);
  solve_identification(report);
  solve_decision(report);
  solve_canonical(report);
  solve_risk(report);
}

}  // namespace

Benchmark supervisor_benchmark() {
  return {"nonlinear-supervisor", "Systems Simulation with Nonlinear Supervisor",
          "argesim/supervisor/lesson.md", solve};
}

}  // namespace arges::argesim
