// Algebraic loops of the register machine.

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "arges/base/error.h"
#include "arges/compile/machine.h"

namespace arges::vm {

namespace {

constexpr int kMaxIterations = 60;
constexpr int kMaxHalvings = 12;
// Relative to |x| + nominal. Below the first, the solution is as good as the arithmetic; below the
// second, it is taken when the steps no longer shrink.
constexpr double kDone = 1e-14, kGoodEnough = 1e-9;

}  // namespace

double Workspace::residual_norm(const Loop& loop, LoopBuffers& buffers) {
  run(loop.residual);
  double norm = 0;
  for (std::size_t i = 0; i < loop.residuals.size(); ++i) {
    buffers.residual[i] = registers_[loop.residuals[i]];
    norm += buffers.residual[i] * buffers.residual[i];
  }
  return std::sqrt(norm);
}

// Values of the Jacobian into buffers.matrix, factored. False: singular.
bool Workspace::jacobian(const Loop& loop, LoopBuffers& buffers) {
  std::fill(buffers.matrix.begin(), buffers.matrix.end(), 0.0);
  if (!loop.jacobian.empty()) {
    run(loop.jacobian);
    for (std::size_t k = 0; k < loop.entries.size(); ++k)
      buffers.matrix[static_cast<std::size_t>(loop.position[k])] = registers_[loop.entries[k]];
  } else {
    const std::size_t n = loop.unknowns.size();
    const std::vector<double> base = buffers.residual;
    for (std::size_t j = 0; j < n; ++j) {
      double& x = registers_[loop.unknowns[j]];
      const double saved = x;
      const double h = 1.5e-8 * std::max(std::abs(saved), loop.nominal[j]);
      x = saved + h;
      const double step = x - saved;
      residual_norm(loop, buffers);
      for (std::size_t i = 0; i < n; ++i)
        buffers.matrix[j * n + i] = (buffers.residual[i] - base[i]) / step;
      x = saved;
    }
    buffers.residual = base;
  }
  return buffers.lu->factor(buffers.matrix.data()) < 0;
}

void Workspace::solve(std::uint32_t index) {
  const Loop& loop = tables_.loops[index];
  LoopBuffers& buffers = loops_[index];
  const std::size_t n = loop.unknowns.size();
  if (!buffers.lu) {
    buffers.lu =
        make_lu_solver(static_cast<int>(n), loop.jacobian.empty() ? nullptr : &loop.pattern);
    buffers.matrix.resize(
        loop.jacobian.empty() ? n * n : static_cast<std::size_t>(loop.pattern.nonzeros()));
    buffers.step.resize(n);
    buffers.x.resize(n);
    buffers.residual.resize(n);
  }
  if (!loop.linear) {
    if (newton(loop, buffers)) return;
    for (const std::uint32_t u : loop.unknowns) registers_[u] = tables_.registers[u];
    if (newton(loop, buffers)) return;
    for (const std::uint32_t u : loop.unknowns) registers_[u] = tables_.registers[u];
    throw EvaluationError("no solution found for " + loop.description);
  }
  // Linear: one step from zero is the solution; the result does not depend on what was before.
  for (const std::uint32_t u : loop.unknowns) registers_[u] = 0;
  residual_norm(loop, buffers);
  if (!jacobian(loop, buffers)) throw EvaluationError("singular: " + loop.description);
  for (std::size_t j = 0; j < n; ++j) buffers.step[j] = -buffers.residual[j];
  buffers.lu->solve(buffers.step.data());
  for (std::size_t j = 0; j < n; ++j) registers_[loop.unknowns[j]] = buffers.step[j];
  run(loop.residual);
}

// Newton's method, the step halved while the residual grows.
bool Workspace::newton(const Loop& loop, LoopBuffers& buffers) {
  const std::size_t n = loop.unknowns.size();
  for (std::size_t j = 0; j < n; ++j) {
    double& x = registers_[loop.unknowns[j]];
    if (!std::isfinite(x)) x = tables_.registers[loop.unknowns[j]];
    buffers.x[j] = x;
  }
  double norm = residual_norm(loop, buffers);
  if (!std::isfinite(norm)) return false;
  double last = INFINITY;
  for (int iteration = 0; iteration < kMaxIterations; ++iteration) {
    if (norm == 0) return true;
    if (!jacobian(loop, buffers)) return false;
    std::copy(buffers.residual.begin(), buffers.residual.end(), buffers.step.begin());
    buffers.lu->solve(buffers.step.data());
    double size = 0;
    for (std::size_t j = 0; j < n; ++j)
      size = std::max(size, std::abs(buffers.step[j]) / (std::abs(buffers.x[j]) + loop.nominal[j]));
    if (!std::isfinite(size)) return false;
    double scale = 1, trial = norm;
    int halvings = 0;
    for (;; ++halvings, scale /= 2) {
      for (std::size_t j = 0; j < n; ++j)
        registers_[loop.unknowns[j]] = buffers.x[j] - scale * buffers.step[j];
      trial = residual_norm(loop, buffers);
      if (trial <= norm || size < kGoodEnough) break;
      if (halvings == kMaxHalvings) return false;
    }
    if (!std::isfinite(trial)) return false;
    for (std::size_t j = 0; j < n; ++j) buffers.x[j] = registers_[loop.unknowns[j]];
    norm = trial;
    if (halvings > 0) {
      last = INFINITY;
      continue;
    }
    if (size <= kDone || (size < kGoodEnough && size >= 0.5 * last)) return true;
    last = size;
  }
  return last < kGoodEnough;
}

}  // namespace arges::vm
