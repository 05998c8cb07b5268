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

enum class Measure {
  kAllStates,  // at 1000 points
  kEnd,        // near a jump, a shift in time is a large error: there, the states at the end
  kFront,      // where it is: the mean of all cells, at 200 points
};

struct Case {
  std::string name;
  std::function<std::unique_ptr<HybridSystem>()> make;
  double stop, tolerance;
  std::string peer;  // what the QSS Solver took on another machine
  Measure measure = Measure::kAllStates;
};

// How far a solution is from the reference.
struct Distance {
  // The largest one, in quanta: those of the method, the tolerance times the largest value that the
  // state has had so far (or its nominal value). A state that has become smaller still carries
  // errors of the time when its quantum was larger.
  double quanta = 0;
  double relative = 0;  // sqrt(sum of errors^2 / sum of values^2), of the worst state
};

struct Measured {
  double seconds = 1e9;
  Distance error;
  RunResult run;
};

bool is_large(const HybridSystem& model) { return model.schema().modes[0].states.size() > 1000; }

Trajectory trajectory_of(const HybridSystem& model, const RunOptions& options, RunResult* result) {
  MemorySink sink;
  RunOptions recorded = options;
  recorded.interval = options.stop_time / (is_large(model) ? 200 : 1000);
  *result = simulate(model, recorded, &sink);
  sink.finish(Manifest{});
  return sink.take();
}

// Compares rows of the same time. Rows at events are left out: their times differ in the last
// digits.
template <class Compare>
void for_common_rows(const Trajectory& a, const Trajectory& b, const Compare& compare) {
  const auto twice = [](const Trajectory& all, std::size_t row) {
    return row + 1 < all.rows() && all.times[row + 1] == all.times[row];
  };
  std::size_t at = 0;
  for (std::size_t row = 0; row < b.rows(); ++row) {
    while (at < a.rows() && a.times[at] < b.times[row]) ++at;
    if (at == a.rows()) return;
    if (a.times[at] == b.times[row] && !twice(a, at) && !twice(b, row)) compare(at, row);
  }
}

Distance distance(const HybridSystem& model, const Trajectory& own, const Trajectory& right,
                  const Case& each) {
  const ModeInfo& mode = model.schema().modes[0];
  const std::size_t n = mode.states.size();
  Distance result;
  std::vector<double> shift(right.rows());
  double all_errors = 0, all_values = 0;
  for (std::size_t i = 0; i < n; ++i) {
    double largest = mode.nominal[i], errors = 0, values = 0;
    for_common_rows(own, right, [&](std::size_t at, std::size_t row) {
      const double value = right.values(i)[row], error = own.values(i)[at] - value;
      largest = std::max(largest, std::abs(value));
      errors += error * error;
      values += value * value;
      shift[row] += error / static_cast<double>(n);
      if (each.measure == Measure::kAllStates ||
          (each.measure == Measure::kEnd && row + 1 == right.rows())) {
        result.quanta = std::max(result.quanta, std::abs(error) / (each.tolerance * largest));
      }
    });
    all_errors += errors;
    all_values += values;
    result.relative = std::max(result.relative, std::sqrt(errors / values));
  }
  if (each.measure == Measure::kFront) {
    for (const double mean : shift)
      result.quanta = std::max(result.quanta, std::abs(mean) / each.tolerance);
    result.relative = std::sqrt(all_errors / all_values);
  }
  return result;
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
  for (int repetition = 0; repetition < (is_large(model) ? 3 : 50); ++repetition) {
    const Stopwatch watch;
    simulator.run(start);
    result.seconds = std::min(result.seconds, watch.seconds());
  }
  return result;
}

}  // namespace

void compare_linearly_implicit(Table& table) {
  // The events of C5 come late by much for a small error (the fast state nears its threshold
  // slowly), and whether the last one is before t = 5 is decided by the eighth digit: up to 4.5.
  const Case cases[] = {
      {"buck", [] { return std::make_unique<Buck>(); }, 0.01, 1e-3, "0.48 ms"},
      {"interleaved", [] { return std::make_unique<Interleaved>(); }, 0.01, 1e-3, "1.65 ms"},
      {"Cuk", [] { return std::make_unique<Cuk>(); }, 0.01, 1e-3, "15.6 ms (mLIQSS2)"},
      {"C21 diode", [] { return std::make_unique<DiodeCircuit>(); }, 1e-4, 1e-3, ""},
      {"C5", [] { return std::make_unique<argesim::TwoState>(); }, 4.5, 1e-4, "", Measure::kEnd},
      {"advection, 2000 cells", [] { return std::make_unique<Advection>(2000); }, 1, 1e-3, "",
       Measure::kFront},
      {"advection, 20000 cells", [] { return std::make_unique<Advection>(20000); }, 1, 1e-3,
       "195 ms", Measure::kFront},
  };
  table.section("liqss2 against cvode-bdf, the same tolerance");
  for (const Case& each : cases) {
    const auto model = each.make();
    RunOptions accurate;
    accurate.stop_time = each.stop;
    const bool large = is_large(*model);
    accurate.solver = large ? "cvode-bdf" : "rodas5p";
    accurate.numerics.rtol = large ? 1e-8 : 1e-10;
    RunResult reference;
    const Trajectory right = trajectory_of(*model, accurate, &reference);
    const Measured quantised = measure(*model, each, "liqss2", right);
    const Measured multistep = measure(*model, each, "cvode-bdf", right);
    table.add({each.name, quantised.seconds * 1e3, multistep.seconds * 1e3, "ms", 0,
               fmt::format("steps {} and {}, error {:.2f} and {:.2f} quanta, relative {:.1e} and "
                           "{:.1e}{}",
                           quantised.run.statistics.steps, multistep.run.statistics.steps,
                           quantised.error.quanta, multistep.error.quanta, quantised.error.relative,
                           multistep.error.relative,
                           each.peer.empty() ? "" : "; QSS Solver elsewhere " + each.peer)});
    if (!quantised.run.status.ok()) {
      table.wrong(each.name + ": " + quantised.run.status.message);
    } else if (quantised.run.events != reference.events) {
      table.wrong(
          fmt::format("{}: {} events, not {}", each.name, quantised.run.events, reference.events));
    } else if (!(quantised.error.quanta <= 1)) {
      table.wrong(
          fmt::format("{}: {} quanta from the solution", each.name, quantised.error.quanta));
    }
  }
}

}  // namespace arges::bench
