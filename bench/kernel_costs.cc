#include <cmath>
#include <filesystem>
#include <numbers>

#include <unistd.h>

#include <fmt/format.h>

#include "arges/hybrid/simulator.h"
#include "arges/results/memory_sink.h"
#include "arges/results/open_sink.h"
#include "argesim/c01_lithium/model.h"
#include "bench/compare.h"
#include "bench/models.h"
#include "bench/reference_values.h"
#include "bench/suites.h"

namespace arges::bench {

namespace {

// Takes everything, keeps nothing: what is left is the kernel's own work for a row.
class NullSink : public ResultSink {
 public:
  void begin(const ResultLayout&) override {}
  void row(double, std::span<const double>) override {}
  void event(const EventRecord&) override {}
  void finish(const Manifest&) override {}
};

RunOptions c1_options(double rtol) {
  RunOptions options;
  options.stop_time = kC1_stop;
  options.solver = "rodas5p";
  options.numerics.rtol = rtol;
  options.numerics.atol = kAtolOf(rtol);
  return options;
}

// A run of length zero: what is paid before the first step, against what CVODE's creation costs.
void set_up(Table& table) {
  const argesim::LithiumClusters lithium;
  for (const char* solver : {"rodas5p", "cvode-bdf"}) {
    RunOptions empty = c1_options(1e-6);
    empty.solver = solver;
    empty.stop_time = 0;
    RunOptions full = c1_options(1e-6);
    full.solver = solver;
    const Times times = compare(in_process([&] { simulate(lithium, empty); }),
                                in_process([&] { simulate(lithium, full); }));
    table.add({fmt::format("set-up / run of C1, {}", solver), times.ours * 1e6,
               times.reference * 1e6, "us", 0, ""});
  }
}

// C1 with rows, against the same run without: the cost of one row, and of one step.
void recording(Table& table) {
  constexpr int kRows = 5000;
  const argesim::LithiumClusters lithium;
  RunOptions options = c1_options(1e-8);
  options.interval = kC1_stop / kRows;
  Simulator simulator(lithium, options);
  const Context start = make_context(lithium);
  const auto steps = static_cast<double>(simulator.run(start).statistics.steps);
  const Timed bare = in_process([&] { simulator.run(start); });

  const std::filesystem::path folder =
      std::filesystem::temp_directory_path() / fmt::format("arges_bench_{}", getpid());
  std::filesystem::create_directories(folder);
  const auto cost = [&](const std::string& what,
                        std::function<std::unique_ptr<ResultSink>()> make) {
    const Timed with_rows = in_process([&] {
      const auto sink = make();
      simulator.run(start, sink.get());
      sink->finish({});
    });
    const Times times = compare(with_rows, bare, 25);
    table.add({fmt::format("row of 6 values to {} / step", what),
               (times.ours - times.reference) / kRows * 1e9, times.reference / steps * 1e9, "ns", 0,
               ""});
  };
  cost("nothing", [] { return std::make_unique<NullSink>(); });
  cost("memory", [] { return std::make_unique<MemorySink>(); });
  for (const char* file : {"run.csv", "run.mat", "run.h5"})
    cost(file + 4, [&] { return open_sink(folder / file); });
  std::filesystem::remove_all(folder);
}

// 1000 switches of a smooth model, against a step.
void events(Table& table) {
  constexpr int kEvents = 1000;
  for (const char* solver : {"rodas5p", "dopri5", "cvode-bdf"}) {
    RunOptions options;
    options.stop_time = kEvents + 0.5;
    options.solver = solver;
    const Switching quiet(Switching::By::kNothing, 1), timed(Switching::By::kTimer, 1),
        state(Switching::By::kState, 1);
    for (const Switching* model : {&timed, &state}) {
      Simulator simulator(*model, options);
      const Context start = make_context(*model);
      const RunResult result = simulator.run(start);
      if (result.events != kEvents) {
        table.wrong(fmt::format("{} events of {}: {} {}", result.events, kEvents, solver,
                                result.status.message));
      }
      RunOptions few = options;
      few.stop_time = 1;
      Simulator plain(quiet, few);
      const Context quiet_start = make_context(quiet);
      const auto steps = static_cast<double>(plain.run(quiet_start).statistics.steps);
      const Times times = compare(in_process([&] { simulator.run(start); }),
                                  in_process([&] { plain.run(quiet_start); }), 25);
      table.add({fmt::format("{} event and restart / step, {}", model == &timed ? "time" : "state",
                             solver),
                 times.ours / kEvents * 1e9, times.reference / steps * 1e9, "ns", 0,
                 fmt::format("{:.1f} steps an event",
                             static_cast<double>(result.statistics.steps) / kEvents)});
    }
  }
}

void large(Table& table) {
  const Heat heat;
  const BareCvode c_program{"heat", 1e-6};
  const BareCvode::Report report = c_program.run(1);
  const double s = 2 * (kHeat_n + 1) * std::sin(0.5 * std::numbers::pi / (kHeat_n + 1));
  for (const auto& [name, kind] :
       {std::pair("band", LinearAlgebra::kBanded), std::pair("KLU", LinearAlgebra::kKlu)}) {
    RunOptions options;
    options.stop_time = kHeat_stop;
    options.solver = "cvode-bdf";
    options.numerics.atol = kAtolOf(options.numerics.rtol);
    options.numerics.linear_algebra = kind;
    const RunResult result = simulate(heat, options);
    const double exact = std::exp(-s * s * kHeat_stop);
    double error = 0;
    for (int i = 0; i < kHeat_n; ++i) {
      const double sine = std::sin(std::numbers::pi * (i + 1) / (kHeat_n + 1));
      error = std::max(error, std::abs(result.final.x[i] / (exact * sine) - 1));
    }
    if (!(error < 1e-4) || !(report.error < 1e-4))
      table.wrong(fmt::format("heat: errors {:.2e} and {:.2e}", error, report.error));
    const Times times =
        compare(in_process([&] { simulate(heat, options); }), c_program.timed(), 25);
    table.add({fmt::format("heat n = {}, cvode-bdf {} / CVODE band in C", kHeat_n, name),
               times.ours * 1e6, times.reference * 1e6, "us", 0,
               fmt::format("error {:.1e} ({:.1e}), steps {} ({})", error, report.error,
                           result.statistics.steps, report.steps)});
  }
}

}  // namespace

void compare_kernel_costs(Table& table) {
  table.section("What the kernel itself costs");
  set_up(table);
  recording(table);
  events(table);
  large(table);
}

}  // namespace arges::bench
