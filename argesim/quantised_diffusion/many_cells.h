#pragma once
// The same pulse in ever more cells: what does not move costs nothing.

#include <cstdint>

namespace arges::argesim {

struct SparseRun {
  std::int64_t moves = 0;
  int cells_that_moved = 0;
  double seconds = 0;     // start included
  double memory_kib = 0;  // pages that were touched
};

// A pulse of height 1 in the middle of `cells`, u' = k (u_left - 2 u + u_right), with qss1 from the
// one cell that is not zero (QuantisedIntegrator::start_sparse). There is no vector of all states:
// a cell exists from the moment at which a neighbour reaches it.
SparseRun run_sparse(int cells, double k, double quantum, double stop);

}  // namespace arges::argesim
