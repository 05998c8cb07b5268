// Quantised diffusion: against a loop by hand, against the exact solution, and how it grows.

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "arges/hybrid/simulator.h"
#include "argesim/quantised_diffusion/many_cells.h"
#include "argesim/quantised_diffusion/model.h"
#include "bench/discrete/stopwatch.h"
#include "bench/quantised/bare_diffusion.h"
#include "bench/quantised/suites.h"

namespace arges::bench {

namespace {

constexpr int kCells = 99;  // 101 points, two of them held at zero
constexpr double kSpread = 100, kEnd = 8, kActivity = 4.4529;

void compare_quanta(Table& table) {
  table.section(
      "Diffusion of a pulse, 101 points, qss1 through the kernel, against a loop by hand");
  const argesim::PulseDiffusion model(kCells, kSpread);
  for (const double quantum : {1e-3, 1e-4, 1e-5, 1e-6}) {
    RunOptions options;
    options.stop_time = kEnd;
    options.solver = "qss1";
    options.numerics.rtol = 0;
    options.numerics.atol = quantum;
    options.max_steps = 1'000'000'000;
    Simulator simulator(model, options);
    const Context start = make_context(model);
    RunResult result;
    BareDiffusion bare;
    double ours = 1e9, reference = 1e9;
    for (int repetition = 0; repetition < 5; ++repetition) {
      const Stopwatch own;
      result = simulator.run(start);
      ours = std::min(ours, own.seconds());
      const Stopwatch other;
      bare = run_bare_diffusion(kCells, kSpread, quantum, kEnd);
      reference = std::min(reference, other.seconds());
    }
    const double error = model.error(result.final.x, kEnd);
    const double transitions = static_cast<double>(result.statistics.steps);
    table.add(
        {fmt::format("quantum {:.0e}", quantum), ours * 1e3, reference * 1e3, "ms",
         quantum < 1e-5 ? 1.5 : 0,
         fmt::format("transitions x quantum {:.4f}, error {:.2f} quanta (by hand {:.4f}, {:.2f})",
                     transitions * quantum, error / quantum,
                     static_cast<double>(bare.transitions) * quantum,
                     model.error(bare.x, kEnd) / quantum)});
    if (error > quantum) table.wrong("diffusion is further than a quantum from the solution");
    if (quantum == 1e-6 && std::abs(transitions * quantum - kActivity) > 0.01)
      table.wrong("transitions x quantum does not go to the activity");
  }
}

// At constant activity neither time nor memory may follow the number of cells.
void compare_sizes(Table& table) {
  table.section("The same pulse in ever more cells (quantum 1e-5), against 1001 cells");
  double base = 0, base_memory = 0;
  for (const int cells : {1'001, 10'001, 100'001, 1'000'001, 10'000'001}) {
    double seconds = 1e9, memory = 0;
    std::int64_t moves = 0;
    for (int repetition = 0; repetition < 3; ++repetition) {
      const argesim::SparseRun run = argesim::run_sparse(cells, kSpread, 1e-5, kEnd);
      seconds = std::min(seconds, run.seconds);
      memory = std::max(memory, run.memory_kib);
      moves = run.moves;
    }
    if (base == 0) {
      base = seconds;
      base_memory = memory;
    }
    table.add({fmt::format("{} cells", cells), seconds * 1e3, base * 1e3, "ms", 0,
               fmt::format("{} moves; {:.0f} KiB; start included", moves, memory)});
    constexpr double kPagesAtTheEdges = 256;  // in KiB
    if (memory > 2 * base_memory + kPagesAtTheEdges)
      table.wrong("the memory of a pulse follows the number of cells");
  }
}

}  // namespace

void compare_diffusion(Table& table) {
  compare_quanta(table);
  compare_sizes(table);
}

}  // namespace arges::bench
