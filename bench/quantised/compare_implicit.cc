// liqss2 beside cvode-bdf at the same tolerance, and how far both are from an accurate solution.

#include <algorithm>
#include <cmath>
#include <functional>

#include <fmt/format.h>

#include "arges/hybrid/simulator.h"
#include "arges/results/memory_sink.h"
#include "argesim/c05_two_state/model.h"
#include "bench/discrete/stopwatch.h"
#include "bench/quantised/models.h"
#include "bench/quantised/suites.h"

namespace arges::bench {

namespace {

struct Case {
  std::string name;
  std::function<std::unique_ptr<HybridSystem>()> make;
  double stop, tolerance;
  std::string peer;      // what the QSS Solver took on another machine
  double largest_error;  // in quanta
  bool at_end;           // the error at the end only: near a jump, a shift in time is a large error
  std::int64_t more_events = 0;  // than the reference
};

struct Measured {
  double seconds = 1e9;
  double error = 0;  // in quanta, over 200 points
  RunResult run;
};

Trajectory trajectory_of(const HybridSystem& model, const RunOptions& options, RunResult* result) {
  MemorySink sink;
  RunOptions recorded = options;
  recorded.interval = options.stop_time / 200;
  *result = simulate(model, recorded, &sink);
  sink.finish(Manifest{});
  return sink.take();
}

// Rows at events are left out: their times differ in the last digits.
double distance(const HybridSystem& model, const Trajectory& a, const Trajectory& b,
                const Case& each) {
  const auto twice = [](const Trajectory& all, std::size_t row) {
    return row + 1 < all.rows() && all.times[row + 1] == all.times[row];
  };
  const ModeInfo& mode = model.schema().modes[0];
  double worst = 0;
  std::size_t at = 0;
  for (std::size_t row = each.at_end ? b.rows() - 1 : 0; row < b.rows(); ++row) {
    while (at < a.rows() && a.times[at] < b.times[row]) ++at;
    if (at == a.rows()) break;
    if (a.times[at] != b.times[row] || twice(a, at) || twice(b, row)) continue;
    for (std::size_t i = 0; i < mode.states.size(); ++i) {
      const double right = b.values(i)[row];
      const double quantum = each.tolerance * std::max(std::abs(right), mode.nominal[i]);
      worst = std::max(worst, std::abs(a.values(i)[at] - right) / quantum);
    }
  }
  return worst;
}

Measured measure(const HybridSystem& model, const Case& each, const std::string& solver,
                 const Trajectory& right) {
  RunOptions options;
  options.stop_time = each.stop;
  options.solver = solver;
  options.numerics.rtol = options.numerics.atol = each.tolerance;
  options.max_steps = 1'000'000'000;
  Measured result;
  const Trajectory own = trajectory_of(model, options, &result.run);
  result.error = distance(model, own, right, each);
  Simulator simulator(model, options);
  const Context start = make_context(model);
  const bool large = model.schema().modes[0].states.size() > 1000;
  for (int repetition = 0; repetition < (large ? 1 : 20); ++repetition) {
    const Stopwatch watch;
    simulator.run(start);
    result.seconds = std::min(result.seconds, watch.seconds());
  }
  return result;
}

}  // namespace

void compare_linearly_implicit(Table& table) {
  // The Cuk converter starts with its diode on its root, between on and off for some nanoseconds.
  // The events of C5 come late by much for a small error (the fast state nears its threshold
  // slowly), and whether the last one is before t = 5 is decided by the eighth digit: up to 4.5. A
  // front that is late by a part of a cell is many quanta off where it is steep.
  const Case cases[] = {
      {"buck", [] { return std::make_unique<Buck>(); }, 0.01, 1e-3, "0.48 ms", 10, false},
      {"interleaved", [] { return std::make_unique<Interleaved>(); }, 0.01, 1e-3, "1.65 ms", 3,
       false},
      {"Cuk", [] { return std::make_unique<Cuk>(); }, 0.01, 1e-3, "15.6 ms (mLIQSS2)", 30, false,
       4},
      {"C21 diode", [] { return std::make_unique<DiodeCircuit>(); }, 1e-4, 1e-3, "", 10, false},
      {"C5", [] { return std::make_unique<argesim::TwoState>(); }, 4.5, 1e-4, "", 1000, true},
      {"advection, 2000 cells", [] { return std::make_unique<Advection>(2000); }, 1, 1e-3, "", 1000,
       false},
      {"advection, 20000 cells", [] { return std::make_unique<Advection>(20000); }, 1, 1e-3,
       "195 ms", 1000, false},
  };
  table.section("liqss2 against cvode-bdf, the same tolerance");
  for (const Case& each : cases) {
    const auto model = each.make();
    RunOptions accurate;
    accurate.stop_time = each.stop;
    const bool large = model->schema().modes[0].states.size() > 100;
    accurate.solver = large ? "cvode-bdf" : "rodas5p";
    accurate.numerics.rtol = large ? 1e-8 : 1e-10;
    RunResult reference;
    const Trajectory right = trajectory_of(*model, accurate, &reference);
    const Measured quantised = measure(*model, each, "liqss2", right);
    const Measured multistep = measure(*model, each, "cvode-bdf", right);
    table.add({each.name, quantised.seconds * 1e3, multistep.seconds * 1e3, "ms", 0,
               fmt::format("steps {} and {}, error {:.2f} and {:.2f} quanta{}",
                           quantised.run.statistics.steps, multistep.run.statistics.steps,
                           quantised.error, multistep.error,
                           each.peer.empty() ? "" : "; QSS Solver elsewhere " + each.peer)});
    if (!quantised.run.status.ok()) {
      table.wrong(each.name + ": " + quantised.run.status.message);
    } else if (quantised.run.events < reference.events ||
               quantised.run.events > reference.events + each.more_events) {
      table.wrong(
          fmt::format("{}: {} events, not {}", each.name, quantised.run.events, reference.events));
    } else if (!(quantised.error <= each.largest_error)) {
      table.wrong(fmt::format("{}: {} quanta from the solution", each.name, quantised.error));
    }
  }
}

}  // namespace arges::bench
