#include "argesim/quantised_diffusion/many_cells.h"

#include <unistd.h>

#include <algorithm>
#include <ctime>
#include <fstream>
#include <limits>

#include "arges/qss/integrator.h"

namespace arges::argesim {

namespace {

// Neighbours are computed, not stored.
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

// Of this process, in KiB.
double resident() {
  std::ifstream file("/proc/self/statm");
  double total = 0, pages = 0;
  file >> total >> pages;
  return pages * static_cast<double>(sysconf(_SC_PAGESIZE)) / 1024;
}

}  // namespace

SparseRun run_sparse(int cells, double k, double quantum, double stop) {
  const CellRow row(cells, k);
  const int pulse[1] = {cells / 2};
  const double one[1] = {1};
  const double before = resident();
  const std::clock_t start = std::clock();
  const auto integrator =
      make_quantised_integrator(QuantisedMethod::kQss1, row, {0, quantum, {}, false});
  integrator->start_sparse(0, pulse, one);
  integrator->run(stop, std::numeric_limits<std::int64_t>::max() / 2);
  SparseRun run;
  run.seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
  run.memory_kib = std::max(0.0, resident() - before);
  run.moves = integrator->moves();
  for (int i = 0; i < cells; ++i) run.cells_that_moved += integrator->moves_of(i) > 0 ? 1 : 0;
  return run;
}

}  // namespace arges::argesim
