// Loops that hold for more than one value of their unknowns.

#include <cmath>
#include <limits>

#include "arges/base/error.h"
#include "arges/compile/loop_matrix.h"
#include "arges/compile/machine.h"
#include "arges/linear/dense.h"

namespace arges::vm {

namespace {

// A look at larger matrices costs more than it tells.
constexpr Eigen::Index kLargestLookedAt = 100;
// How far from a solution of a nonlinear loop another one is looked for, relative to |x| + nominal.
constexpr double kBeside = 1e-3;
// What is left when a loop finds back to its solution.
constexpr double kBack = 0.1 * kBeside;

}  // namespace

std::vector<std::uint32_t> Workspace::nearest_chosen() const {
  std::vector<std::uint32_t> chosen;
  for (std::uint32_t i = 0; i < loops_.size(); ++i) {
    if (loops_[i].is_nearest) chosen.push_back(i);
  }
  return chosen;
}

std::vector<std::uint32_t> Workspace::open_loops() {
  std::vector<std::uint32_t> open;
  for (std::uint32_t i = 0; i < loops_.size(); ++i) {
    const bool is_solved = loops_[i].lu != nullptr;  // else it belongs to another program
    if (!is_solved || tables_.loops[i].is_derivative) continue;
    if (loops_[i].is_nearest || is_open(tables_.loops[i], loops_[i])) open.push_back(i);
  }
  return open;
}

// A singular matrix alone says little of a nonlinear loop: x*x = 0 has one solution. So its
// solution is left along a direction in which the matrix sees no change: either Newton's method
// comes back, or there is another solution.
bool Workspace::is_open(const Loop& loop, LoopBuffers& buffers) {
  const auto n = static_cast<Eigen::Index>(loop.unknowns.size());
  if (n > kLargestLookedAt) return false;
  const auto at = [](Eigen::Index i) { return static_cast<std::size_t>(i); };
  std::vector<double> solution;
  for (const std::uint32_t x : loop.unknowns) solution.push_back(registers_[x]);
  const auto size = [&](Eigen::Index j) { return std::abs(solution[at(j)]) + loop.nominal[at(j)]; };
  bool another = false;
  try {
    if (!residual(loop, buffers)) return false;
    jacobian(loop, buffers);
    Eigen::MatrixXd a = matrix_of(loop, buffers.matrix);
    for (Eigen::Index j = 0; j < n; ++j) a.col(j) *= size(j);
    for (Eigen::Index i = 0; i < n; ++i) {
      const double largest = a.row(i).cwiseAbs().maxCoeff();
      if (!std::isfinite(largest)) return false;
      if (largest > 0) a.row(i) /= largest;
    }
    Eigen::VectorXd direction(n);
    for (Eigen::Index j = 0; j < n; ++j) direction[j] = 1 + 0.6180339887498949 * (j % 7);
    const double rounding = 4 * static_cast<double>(n) * std::numeric_limits<double>::epsilon();
    const auto seen = dense::least_squares(a, a * direction, rounding);
    if (seen.rank == n) return false;
    if (loop.linear) return true;
    direction -= seen.x;
    const double length = direction.cwiseAbs().maxCoeff();
    if (!(length > 0)) return false;
    for (Eigen::Index j = 0; j < n; ++j)
      registers_[loop.unknowns[at(j)]] += kBeside * size(j) * direction[j] / length;
    if (newton(loop, buffers, Manner::kDamped)) {
      for (Eigen::Index j = 0; j < n; ++j) {
        const double moved = std::abs(registers_[loop.unknowns[at(j)]] - solution[at(j)]);
        another = another || moved > kBack * size(j);
      }
    }
  } catch (const EvaluationError& error) {
    if (!error.recoverable()) throw;
  }
  for (std::size_t j = 0; j < solution.size(); ++j) registers_[loop.unknowns[j]] = solution[j];
  try_residual(loop, buffers);
  return another;
}

}  // namespace arges::vm
