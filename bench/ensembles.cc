// Studies: what a run costs within an ensemble, what a second thread brings, and that memory does
// not grow with the number of runs.

#include <algorithm>
#include <chrono>
#include <cmath>
#include <fstream>
#include <limits>

#include <unistd.h>

#include <fmt/format.h>

#include "arges/experiment/ensemble.h"
#include "arges/experiment/study.h"
#include "arges/hybrid/simulator.h"
#include "argesim/c01_lithium/model.h"
#include "argesim/common/experiment.h"
#include "argesim/cp1_parallel/monte_carlo.h"
#include "bench/compare.h"
#include "bench/reference_values.h"
#include "bench/suites.h"

namespace arges::bench {

namespace {

constexpr double kThroughputBound = 0.35, kTwoThreadsBound = 0.55;
constexpr double kRtol = 1e-6;

double wall_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

// Runs of C1, all alike, so that their error can be compared with that of the C program.
struct LithiumStudy {
  explicit LithiumStudy(const HybridSystem& model)
      : plan{model, make_context(model),
             {},    {"lf"},
             {},    [](std::int64_t) {
               return std::vector<double>{kC1_lf}; }} {
    plan.options = argesim::options("rodas5p", kRtol, kC1_stop);
    plan.options.numerics.atol = kAtolOf(kRtol);
    for (const char* name : {"f", "m", "r"}) plan.observables.push_back(parse_observable(name));
  }

  // The largest error of the last run.
  double run(std::int64_t runs) const {
    static constexpr double kReference[] = kC1_end;
    double error = 0;
    EnsembleOptions one_thread;
    one_thread.threads = 1;
    run_ensemble(runs, study_workers(plan), one_thread, [&](const StudyRow& row) {
      error = 0;
      for (int i = 0; i < 3; ++i)
        error = std::max(error, std::abs(row.observables[i] / kReference[i] - 1));
      return true;
    });
    return error;
  }

  StudyPlan plan;
};

void throughput(Table& table, const std::string& name, const HybridSystem& model) {
  constexpr int kRuns = 200;
  const LithiumStudy study(model);
  const BareCvode c_program{"c1", kRtol};
  const double error = study.run(1), their_error = c_program.run(1).error;
  if (!(error <= their_error))
    table.wrong(fmt::format("{}: error {:.2e}, that of CVODE is {:.2e}", name, error, their_error));
  const Times times = compare(in_process([&] { study.run(kRuns); }), c_program.timed(), 60);
  table.add({fmt::format("a run of {} / CVODE in C", name), times.ours / kRuns * 1e6,
             times.reference * 1e6, "us", kThroughputBound,
             fmt::format("error {:.1e} ({:.1e})", error, their_error)});
}

// The least of several turns; other work on the machine makes wall times longer. Where it leaves no
// core free, the CPU time says what two free cores would come to: half of it.
void second_thread(Table& table) {
  const auto oscillator = argesim::text_model("argesim/cp1_parallel/Oscillator.mo");
  constexpr double kNever = std::numeric_limits<double>::infinity();
  double wall[] = {kNever, kNever}, cpu[] = {kNever, kNever};
  for (int turn = 0; turn < 12; ++turn) {
    for (const int threads : {1, 2}) {
      const double begin = cpu_seconds();
      const double elapsed = argesim::mean_curve(*oscillator, 4000, threads).wall_s;
      wall[threads - 1] = std::min(wall[threads - 1], elapsed);
      cpu[threads - 1] = std::min(cpu[threads - 1], cpu_seconds() - begin);
    }
  }
  table.add({"CP1 TE-1, 4000 runs: 2 threads / 1 thread", wall[1] * 1e3, wall[0] * 1e3, "ms",
             kTwoThreadsBound, "wall time"});
  table.add({"CP1 TE-1, 4000 runs: half the CPU time of 2 / 1", cpu[1] / 2 * 1e3, cpu[0] * 1e3,
             "ms", kTwoThreadsBound, "CPU time"});
}

// Of this process, in MiB.
double resident() {
  std::ifstream file("/proc/self/statm");
  double total = 0, pages = 0;
  file >> total >> pages;
  return pages * static_cast<double>(sysconf(_SC_PAGESIZE)) / (1 << 20);
}

void memory(Table& table) {
  const argesim::LithiumClusters lithium;
  const LithiumStudy study(lithium);
  Summary summary;
  EnsembleOptions one_thread;
  one_thread.threads = 1;
  const auto after = [&](std::int64_t runs) {
    run_ensemble(runs, study_workers(study.plan), one_thread, [&](const StudyRow& row) {
      summary.add(row.observables[0]);
      return true;
    });
    return resident();
  };
  const double begin = wall_seconds();
  const double few = after(10000), many = after(100000);
  table.add({"memory after 110000 runs / after 10000", many, few, "MiB", 1.05,
             fmt::format("{:.1f} s", wall_seconds() - begin)});
}

}  // namespace

void compare_ensembles(Table& table) {
  table.section("Studies on one thread and two");
  const argesim::LithiumClusters lithium;
  throughput(table, "C1 in a study", lithium);
  const auto text = argesim::text_model("argesim/c01_lithium/Lithium.mo");
  throughput(table, "C1 as text in a study", *text);
  second_thread(table);
  memory(table);
}

}  // namespace arges::bench
