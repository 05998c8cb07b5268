#pragma once
// One interface for LU factorisations of dense, banded and sparse matrices.

#include <memory>
#include <string_view>

#include "arges/linear/sparsity.h"

namespace arges {

enum class LuKind { kAuto, kDense, kBanded, kSparse };

// Solves A x = b for many matrices A of one structure: the structure is analysed once, at
// construction.
//
//   if (solver->factor(values) >= 0) ...   // singular
//   solver->solve(b);                      // as often as needed
//
// Neither factor() nor solve() allocates, but for the sparse kind, where the first factorisation,
// and one in which the old order of pivots has become unstable, takes memory for the factors.
class LuSolver {
 public:
  virtual ~LuSolver() = default;
  // Values are dense column-major without a pattern, else in the order of the pattern. Returns -1,
  // or a column that has no pivot: A is singular (or holds NaN), and solve() must not be called.
  virtual int factor(const double* values) = 0;
  // b becomes the solution.
  virtual void solve(double* b) = 0;
  // "dense", "banded" or "sparse".
  virtual std::string_view kind() const = 0;
};

// The kind with the least estimated work:
//
//   dense 2/3 n^3,   banded 2 n (ml + 1)(ml + mu + 1),   sparse 5000 + 12 n (nonzeros / n)^2,
//
// in floating-point operations; dense for n <= 8. The figures of the sparse kind are rough: they
// stand for indirect addressing and moderate fill. `pattern` null means dense.
LuKind cheapest_lu_kind(int n, const SparsityPattern* pattern);

// kAuto takes cheapest_lu_kind(). `pattern` null means dense, and only kDense is then possible; it
// is copied as far as needed, and need not outlive the solver.
std::unique_ptr<LuSolver> make_lu_solver(int n, const SparsityPattern* pattern,
                                         LuKind kind = LuKind::kAuto);

}  // namespace arges
