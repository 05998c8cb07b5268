#pragma once
// The kinds behind make_lu_solver().

#include <memory>

#include "arges/linear/lu_solver.h"

namespace arges {

struct Bandwidth {
  int lower = 0;
  int upper = 0;
};
Bandwidth bandwidth(const SparsityPattern& pattern);

// Partial pivoting; sizes up to 8 use unrolled code. A null pattern means that values are dense.
std::unique_ptr<LuSolver> make_dense_lu(int n, const SparsityPattern* pattern);
// Partial pivoting within the band.
std::unique_ptr<LuSolver> make_banded_lu(const SparsityPattern& pattern);
// KLU: block triangular form and AMD ordering once; then the first pivot order is kept as long as
// the growth of the factors allows.
std::unique_ptr<LuSolver> make_sparse_lu(const SparsityPattern& pattern);

}  // namespace arges
