#include "argesim/quantised_diffusion/many_cells.h"

#include <unistd.h>

#include <algorithm>
#include <ctime>
#include <fstream>
#include <limits>

#include "arges/qss/cell_row.h"
#include "arges/qss/integrator.h"

namespace arges::argesim {

namespace {

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
