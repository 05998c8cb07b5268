// Quantised diffusion: against a loop by hand, against the exact solution, and how it grows.

#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <fstream>

#include <fmt/format.h>

#include "arges/hybrid/simulator.h"
#include "arges/qss/integrator.h"
#include "argesim/quantised_diffusion/model.h"
#include "bench/discrete/stopwatch.h"
#include "bench/quantised/bare_diffusion.h"
#include "bench/quantised/suites.h"

namespace arges::bench {

namespace {

constexpr int kCells = 99;  // 101 points, two of them held at zero
constexpr double kSpread = 100, kEnd = 8, kActivity = 4.4529;

// The same cells without the kernel, any number of them: neighbours are computed, not stored.
class CellRow final : public QuantisedEquations {
 public:
  CellRow(int n, double k) : n_(n), k_(k) {}
  int size() const override { return n_; }
  bool autonomous() const override { return true; }
  std::span<const int> readers(int j) const override { return around(j, readers_); }
  std::span<const int> reads(int i) const override { return around(i, reads_); }
  void series(std::span<const int> rows, int, double, const double* q, double,
              double* f) const override {
    for (std::size_t k = 0; k < rows.size(); ++k) {
      const int i = rows[k];
      f[k] = k_ * ((i > 0 ? q[i - 1] : 0) + (i < n_ - 1 ? q[i + 1] : 0) - 2 * q[i]);
    }
  }

 private:
  std::span<const int> around(int i, int* buffer) const {
    int count = 0;
    for (int j = std::max(0, i - 1); j <= std::min(n_ - 1, i + 1); ++j) buffer[count++] = j;
    return {buffer, static_cast<std::size_t>(count)};
  }
  int n_;
  double k_;
  mutable int readers_[3], reads_[3];
};

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
    if (error > 1.2 * quantum) table.wrong("diffusion is further than a quantum from the solution");
    if (quantum == 1e-6 && std::abs(transitions * quantum - kActivity) > 0.01)
      table.wrong("transitions x quantum does not go to the activity");
  }
}

// Of this process, in KiB.
double resident() {
  std::ifstream file("/proc/self/statm");
  double total = 0, pages = 0;
  file >> total >> pages;
  return pages * static_cast<double>(sysconf(_SC_PAGESIZE)) / 1024;
}

// At constant activity neither time nor memory may follow the number of cells.
void compare_sizes(Table& table) {
  table.section("The same pulse in ever more cells (quantum 1e-5), against 1001 cells");
  double base = 0, base_memory = 0;
  for (const int cells : {1'001, 10'001, 100'001, 1'000'001, 10'000'001}) {
    double seconds = 1e9, memory = 0;
    std::int64_t moves = 0;
    for (int repetition = 0; repetition < 3; ++repetition) {
      const CellRow row(cells, kSpread);
      const double before = resident();
      const Stopwatch watch;
      const auto integrator =
          make_quantised_integrator(QuantisedMethod::kQss1, row, {0, 1e-5, {}, false});
      const int pulse[1] = {cells / 2};
      const double one[1] = {1};
      integrator->start_sparse(0, pulse, one);
      integrator->run(kEnd, 1'000'000'000);
      seconds = std::min(seconds, watch.seconds());
      memory = std::max(memory, resident() - before);
      moves = integrator->moves();
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
