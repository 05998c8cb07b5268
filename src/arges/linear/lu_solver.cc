#include "arges/linear/lu_solver.h"

#include <algorithm>

#include "arges/linear/lu_kinds.h"

namespace arges {

Bandwidth bandwidth(const SparsityPattern& pattern) {
  Bandwidth band;
  for (int j = 0; j < pattern.n; ++j) {
    for (int p = pattern.column_start[j]; p < pattern.column_start[j + 1]; ++p) {
      band.lower = std::max(band.lower, pattern.row[p] - j);
      band.upper = std::max(band.upper, j - pattern.row[p]);
    }
  }
  return band;
}

LuKind cheapest_lu_kind(int n, const SparsityPattern* pattern) {
  if (pattern == nullptr || n <= 8) return LuKind::kDense;
  const Bandwidth band = bandwidth(*pattern);
  const double size = n;
  const double per_column = pattern->nonzeros() / size;
  const double dense = 2.0 / 3.0 * size * size * size;
  const double banded = 2 * size * (band.lower + 1) * (band.lower + band.upper + 1);
  const double sparse = 5000 + 12 * size * per_column * per_column;
  if (dense <= banded && dense <= sparse) return LuKind::kDense;
  return banded <= sparse ? LuKind::kBanded : LuKind::kSparse;
}

std::unique_ptr<LuSolver> make_lu_solver(int n, const SparsityPattern* pattern, LuKind kind) {
  if (pattern == nullptr || n == 0) return make_dense_lu(n, pattern);
  if (kind == LuKind::kAuto) kind = cheapest_lu_kind(n, pattern);
  switch (kind) {
    case LuKind::kBanded:
      return make_banded_lu(*pattern);
    case LuKind::kSparse:
      return make_sparse_lu(*pattern);
    default:
      return make_dense_lu(n, pattern);
  }
}

}  // namespace arges
