// Algebraic loops of the register machine.

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "arges/base/error.h"
#include "arges/compile/least_step.h"
#include "arges/compile/loop_matrix.h"
#include "arges/compile/machine.h"
#include "arges/linear/dense.h"

namespace arges::vm {

namespace {

constexpr int kMaxIterations = 60;
constexpr double kSmallestDamping = 1e-4;
// A loop that finds no solution may search for seconds: whether the run is to end is asked now and
// then.
constexpr int kIterationsBetweenPolls = 8;
constexpr int kMaxContinuationSteps = 200;
constexpr std::uint32_t kMaxRestarts = 12;
// Relative to |x| + nominal. Below the first, the solution is as good as the arithmetic; below the
// second, it is taken when the steps no longer shrink.
constexpr double kDone = 1e-14, kGoodEnough = 1e-9;
// Steps below this may be the rounding of the residual, if it bends so much on their way.
constexpr double kNoisy = 1e-6, kMuchOf = 0.25;
// What is added to the diagonal of a singular matrix, relative to its largest entry.
constexpr double kRegularisation = 1e-6;
// No unknown changes by more than so many times its size plus its nominal value in one step:
// solutions far away are not meant.
constexpr double kLargestGrowth = 1;
// A solution that has moved by so much of its size plus its nominal value may be another one.
constexpr double kLeap = 1e-3;
// Of singular linear systems.
constexpr Eigen::Index kLargestSingular = 300;
constexpr double kRankTolerance = 1e-12, kConsistency = 1e-9;
// Of entries, beside the terms that they are made from.
constexpr double kRounding = 4 * std::numeric_limits<double>::epsilon(), kSuspicious = 1e-9;

}  // namespace

// The residuals, without what continuation has not yet taken away. False: not finite.
bool Workspace::residual(const Loop& loop, LoopBuffers& buffers) {
  run(loop.residual);
  bool finite = true;
  for (std::size_t i = 0; i < loop.residuals.size(); ++i) {
    buffers.residual[i] = registers_[loop.residuals[i]];
    if (buffers.open > 0) buffers.residual[i] -= buffers.open * buffers.first_residual[i];
    finite = finite && std::isfinite(buffers.residual[i]);
  }
  return finite;
}

// The same for a guess, where a function may refuse its arguments.
bool Workspace::try_residual(const Loop& loop, LoopBuffers& buffers) {
  try {
    return residual(loop, buffers);
  } catch (const EvaluationError& error) {
    if (!error.recoverable()) throw;
    return false;
  }
}

// The matrix of a Newton step; where it is singular (or `manner` asks for it), what gives the least
// step, and of large loops a matrix near it. Nothing when there is none, or when a function refuses
// its arguments beside the guess.
Workspace::Matrix Workspace::try_jacobian(const Loop& loop, LoopBuffers& buffers, Manner manner) {
  try {
    buffers.least.reset();
    if (jacobian(loop, buffers) && manner != Manner::kLeast) return Matrix::kRegular;
    if (!LeastStep::fits(loop))
      return regularise(loop, buffers) ? Matrix::kRegularised : Matrix::kNone;
    std::vector<double> sizes(loop.unknowns.size());
    for (std::size_t j = 0; j < sizes.size(); ++j)
      sizes[j] = std::abs(buffers.x[j]) + loop.nominal[j];
    buffers.least = std::make_shared<LeastStep>(loop, buffers.matrix, std::move(sizes));
    return buffers.least->is_finite() ? Matrix::kSingular : Matrix::kNone;
  } catch (const EvaluationError& error) {
    if (!error.recoverable()) throw;
    return Matrix::kNone;
  }
}

// Values of the Jacobian into buffers.matrix, factored. False: singular.
bool Workspace::jacobian(const Loop& loop, LoopBuffers& buffers) {
  std::fill(buffers.matrix.begin(), buffers.matrix.end(), 0.0);
  if (!loop.jacobian.empty()) {
    run(loop.jacobian);
    for (std::size_t k = 0; k < loop.entries.size(); ++k)
      buffers.matrix[static_cast<std::size_t>(loop.position[k])] = registers_[loop.entries[k]];
    if (!loop.sizes.empty()) clear_rounding(loop, buffers);
  } else {
    const std::size_t n = loop.unknowns.size();
    const std::vector<double> base = buffers.residual;
    for (std::size_t j = 0; j < n; ++j) {
      double& x = registers_[loop.unknowns[j]];
      const double saved = x;
      const double h = 1.5e-8 * std::max(std::abs(saved), loop.nominal[j]);
      x = saved + h;
      const double step = x - saved;
      residual(loop, buffers);
      for (std::size_t i = 0; i < n; ++i)
        buffers.matrix[j * n + i] = (buffers.residual[i] - base[i]) / step;
      x = saved;
    }
    buffers.residual = base;
    residual(loop, buffers);
  }
  return buffers.lu->factor(buffers.matrix.data()) < 0;
}

// An entry of a linear loop that is nothing but the rounding of its terms is zero, so that a loop
// that is singular is known to be. The terms are looked at again where the entry is small beside
// what they were.
void Workspace::clear_rounding(const Loop& loop, LoopBuffers& buffers) {
  bool is_suspicious = buffers.entry_sizes.empty();
  for (std::size_t k = 0; k < loop.entries.size() && !is_suspicious; ++k) {
    const double entry = std::abs(registers_[loop.entries[k]]);
    is_suspicious = entry > 0 && entry <= kSuspicious * buffers.entry_sizes[k];
  }
  if (!is_suspicious) return;
  run(loop.sizes);
  buffers.entry_sizes.clear();
  for (const std::uint32_t size : loop.entry_sizes) buffers.entry_sizes.push_back(registers_[size]);
  for (std::size_t k = 0; k < loop.entries.size(); ++k) {
    if (std::abs(registers_[loop.entries[k]]) <= kRounding * buffers.entry_sizes[k])
      buffers.matrix[static_cast<std::size_t>(loop.position[k])] = 0;
  }
}

// Where the matrix is singular at a guess, a small part of the unit matrix lets the others move on.
bool Workspace::regularise(const Loop& loop, LoopBuffers& buffers) {
  double largest = 0;
  for (const double v : buffers.matrix) largest = std::max(largest, std::abs(v));
  if (!(largest > 0) || !std::isfinite(largest)) return false;
  const std::size_t n = loop.unknowns.size();
  for (std::size_t j = 0; j < n; ++j) {
    const int i = static_cast<int>(j);
    const std::size_t k =
        loop.jacobian.empty() ? j * (n + 1) : static_cast<std::size_t>(loop.pattern.find(i, i));
    double& diagonal = buffers.matrix[k];
    diagonal += diagonal < 0 ? -kRegularisation * largest : kRegularisation * largest;
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
    for (auto* v :
         {&buffers.step, &buffers.x, &buffers.residual, &buffers.first, &buffers.first_residual})
      v->resize(n);
    if (!loop.relation_guesses.empty()) guess_relations(loop, buffers);
  }
  if (!loop.linear) return solve_nonlinear(loop, buffers);
  // Linear: one step from zero is the solution; the result does not depend on what was before.
  for (std::size_t j = 0; j < n; ++j) {
    buffers.first[j] = registers_[loop.unknowns[j]];
    registers_[loop.unknowns[j]] = 0;
  }
  residual(loop, buffers);
  const bool is_singular = !jacobian(loop, buffers);
  if (is_singular && loop.is_derivative) {
    for (const std::uint32_t x : loop.unknowns) registers_[x] = NAN;
    return;
  }
  buffers.is_nearest = is_singular;
  if (buffers.is_nearest) {
    if (!least_change(loop, buffers)) throw EvaluationError("singular: " + loop.description);
    run(loop.residual);
    return;
  }
  for (std::size_t j = 0; j < n; ++j) buffers.step[j] = -buffers.residual[j];
  buffers.lu->solve(buffers.step.data());
  for (std::size_t j = 0; j < n; ++j) registers_[loop.unknowns[j]] = buffers.step[j];
  run(loop.residual);
}

// The values of the Jacobian as a dense matrix.
Eigen::MatrixXd matrix_of(const Loop& loop, const std::vector<double>& values) {
  const auto n = static_cast<Eigen::Index>(loop.unknowns.size());
  if (loop.jacobian.empty()) return Eigen::Map<const Eigen::MatrixXd>(values.data(), n, n);
  Eigen::MatrixXd a = Eigen::MatrixXd::Zero(n, n);
  for (int j = 0; j < loop.pattern.n; ++j) {
    for (int k = loop.pattern.column_start[j]; k < loop.pattern.column_start[j + 1]; ++k)
      a(loop.pattern.row[k], j) = values[static_cast<std::size_t>(k)];
  }
  return a;
}

// A singular linear system that has solutions: the one nearest to the last values (two friction
// elements stuck in series share the load in any way). False: it has none.
bool Workspace::least_change(const Loop& loop, LoopBuffers& buffers) {
  const auto n = static_cast<Eigen::Index>(loop.unknowns.size());
  if (n > kLargestSingular) return false;
  Eigen::MatrixXd a = matrix_of(loop, buffers.matrix);
  const Eigen::Map<const Eigen::VectorXd> last(buffers.first.data(), n);
  Eigen::VectorXd at_zero = Eigen::Map<const Eigen::VectorXd>(buffers.residual.data(), n);
  if (!a.allFinite() || !at_zero.allFinite() || !last.allFinite()) return false;
  for (Eigen::Index i = 0; i < n; ++i) {
    const double largest = a.row(i).cwiseAbs().maxCoeff();
    if (!(largest > 0)) continue;
    a.row(i) /= largest;
    at_zero[i] /= largest;
  }
  const Eigen::VectorXd x = last + dense::least_squares(a, -(at_zero + a * last), kRankTolerance).x;
  const double scale = at_zero.cwiseAbs().maxCoeff() + x.cwiseAbs().maxCoeff() + 1e-3;
  if (!((at_zero + a * x).cwiseAbs().maxCoeff() <= kConsistency * scale)) return false;
  for (Eigen::Index j = 0; j < n; ++j)
    registers_[loop.unknowns[static_cast<std::size_t>(j)]] = x[j];
  return true;
}

// Start values, from those of others. One that cannot be had, or is not finite, leaves what was
// there.
void Workspace::guess(const std::vector<Loop::Guess>& guesses) {
  for (const auto& [target, value] : guesses) {
    const double before = registers_[target];
    try {
      run(value);
    } catch (const EvaluationError& error) {
      if (!error.recoverable()) throw;
    }
    if (!std::isfinite(registers_[target])) registers_[target] = before;
  }
}

// Relations in the loop, from the guesses: the first time, when nothing else is known of them.
void Workspace::guess_relations(const Loop& loop, LoopBuffers& buffers) {
  if (!std::exchange(buffers.is_guessed, true)) guess(loop.guesses);
  try_residual(loop, buffers);  // computes the inner variables
  guess(loop.relation_guesses);
}

// A solution that has moved little is on the same branch, and the better guess.
void Workspace::forget_trial() {
  if (!is_on_motion_) return;
  for (const Loop& loop : tables_.loops) {
    if (loop.linear) continue;
    bool has_leapt = false;
    for (std::size_t j = 0; j < loop.unknowns.size() && !has_leapt; ++j) {
      const double x = registers_[loop.unknowns[j]], kept = start_[loop.unknowns[j]];
      has_leapt = !(std::abs(x - kept) <= kLeap * (std::abs(kept) + loop.nominal[j]));
    }
    if (!has_leapt) continue;
    for (const std::uint32_t x : loop.unknowns) registers_[x] = start_[x];
  }
}

// From the last solution, then from the start values: with damping, then with full steps (which
// find their way through kinks), by continuation, at last from points around.
void Workspace::solve_nonlinear(const Loop& loop, LoopBuffers& buffers) {
  const std::size_t n = loop.unknowns.size();
  if (!std::exchange(buffers.is_guessed, true)) guess(loop.guesses);
  for (std::size_t j = 0; j < n; ++j) {
    double& x = registers_[loop.unknowns[j]];
    if (!std::isfinite(x)) x = start_[loop.unknowns[j]];
    buffers.first[j] = x;
  }
  if (newton(loop, buffers, Manner::kDamped)) return;
  const auto from = [&](bool start) {
    for (std::size_t j = 0; j < n; ++j)
      registers_[loop.unknowns[j]] = start ? start_[loop.unknowns[j]] : buffers.first[j];
  };
  for (const bool start : {false, true}) {
    for (const Manner manner : {Manner::kDamped, Manner::kFull, Manner::kLeast}) {
      const bool is_tried = !start && manner == Manner::kDamped;
      if (is_tried || (manner == Manner::kLeast && !LeastStep::fits(loop))) continue;
      from(start);
      if (newton(loop, buffers, manner)) return;
    }
  }
  for (const bool start : {false, true}) {
    from(start);
    if (continuation(loop, buffers)) return;
  }
  // The solution that was followed may have ended: further and further away there may be another.
  // Full steps come last: beside a turning point they go very far.
  for (const Manner manner : {Manner::kDamped, Manner::kFull}) {
    double spread = 0.1;
    for (std::uint32_t k = 1; k <= kMaxRestarts; ++k, spread *= 2) {
      for (std::size_t j = 0; j < n; ++j) {
        // The fractional parts of multiples of the golden ratio fill -1 .. 1 evenly.
        const double turn = 0.6180339887498949 * (k + kMaxRestarts * static_cast<double>(j));
        const double place = 2 * (turn - std::floor(turn)) - 1;
        const double x = buffers.first[j];
        registers_[loop.unknowns[j]] = x + spread * place * (std::abs(x) + loop.nominal[j]);
      }
      if (newton(loop, buffers, manner)) return;
    }
  }
  from(false);
  throw EvaluationError("no solution found for " + loop.description);
}

// F(x) = open F(x_first) for open from 1 to 0, in steps that grow and shrink with success.
bool Workspace::continuation(const Loop& loop, LoopBuffers& buffers) {
  const std::size_t n = loop.unknowns.size();
  std::vector<double> good(n);
  for (std::size_t j = 0; j < n; ++j) good[j] = registers_[loop.unknowns[j]];
  if (!try_residual(loop, buffers)) return false;
  buffers.first_residual = buffers.residual;
  double open = 1, step = 0.1;
  bool found = false;
  for (int k = 0; k < kMaxContinuationSteps && step > 1e-6; ++k) {
    buffers.open = std::max(0.0, open - step);
    if (newton(loop, buffers, Manner::kDamped)) {
      open = buffers.open;
      for (std::size_t j = 0; j < n; ++j) good[j] = registers_[loop.unknowns[j]];
      found = open == 0;
      if (found) break;
      step *= 2;
    } else {
      step /= 4;
      for (std::size_t j = 0; j < n; ++j) registers_[loop.unknowns[j]] = good[j];
    }
  }
  buffers.open = 0;
  return found;
}

// Whether steps of this size are nothing but the rounding of the residual, magnified by a matrix
// that is nearly singular. A residual that is smooth on the way of the step changes there in
// proportion; one that is rounding jumps.
bool Workspace::is_rounding(const Loop& loop, LoopBuffers& buffers, double size) {
  const std::size_t n = loop.unknowns.size();
  constexpr double kParts[] = {0, 0.25, 0.5, 1};
  std::vector<double> corrections[std::size(kParts)];
  bool is_finite = true;
  for (std::size_t k = 0; k < std::size(kParts); ++k) {
    for (std::size_t j = 0; j < n; ++j)
      registers_[loop.unknowns[j]] = buffers.x[j] - kParts[k] * buffers.step[j];
    is_finite = is_finite && try_residual(loop, buffers);
    corrections[k] = buffers.residual;
    if (is_finite) solve_with(buffers, corrections[k]);
  }
  for (std::size_t j = 0; j < n; ++j) registers_[loop.unknowns[j]] = buffers.x[j];
  if (!try_residual(loop, buffers) || !is_finite) return false;
  double bend = 0;
  for (std::size_t k = 2; k < std::size(kParts); ++k) {
    const std::vector<double>&begin = corrections[0], &middle = corrections[k - 1];
    for (std::size_t j = 0; j < n; ++j) {
      const double part = std::abs(begin[j] - 2 * middle[j] + corrections[k][j]);
      bend = std::max(bend, part / (std::abs(buffers.x[j]) + loop.nominal[j]));
    }
  }
  return bend >= kMuchOf * size;
}

// From a residual to a step, with the last matrix.
void Workspace::solve_with(LoopBuffers& buffers, std::vector<double>& r) {
  buffers.least ? buffers.least->solve(r) : buffers.lu->solve(r.data());
}

// Newton's method. Damped, the step is halved until the simplified correction with the same matrix
// is smaller than the step (the natural monotonicity test, which does not depend on how equations
// are scaled):
//
//   repeat  step := J(x)^-1 F(x)
//           x := x - s step  with the first s of 1, 1/2, 1/4, ... for which
//                            |J(x)^-1 F(x - s step)| <= (1 - s/4) |step|
//   until   the correction is as small as the arithmetic allows
//
// Where J is singular, the step is the least one (LeastStep); a loop that is singular at its
// solution is solved when its equations do not contradict each other there.
//
// Where v = abs(e) changes its branch, the step leads to -abs(e): what is never negative is turned
// round, so that v^0.5 stays what it is, and v is right at once.
bool Workspace::newton(const Loop& loop, LoopBuffers& buffers, Manner manner) {
  const bool damped = manner != Manner::kFull;
  const std::size_t n = loop.unknowns.size();
  for (std::size_t j = 0; j < n; ++j) buffers.x[j] = registers_[loop.unknowns[j]];
  if (!try_residual(loop, buffers)) return false;
  const auto size_of = [&](const std::vector<double>& step) {
    double size = 0;
    for (std::size_t j = 0; j < n; ++j) {
      const double part = std::abs(step[j]) / (std::abs(buffers.x[j]) + loop.nominal[j]);
      size = part > size || !std::isfinite(part) ? part : size;
      if (!std::isfinite(size)) return static_cast<double>(INFINITY);
    }
    return size;
  };
  double last = INFINITY;
  for (int iteration = 0; iteration < kMaxIterations; ++iteration) {
    if (iteration % kIterationsBetweenPolls == kIterationsBetweenPolls - 1) poll();
    if (std::all_of(buffers.residual.begin(), buffers.residual.end(),
                    [](double r) { return r == 0; }))
      return true;
    const Matrix matrix = try_jacobian(loop, buffers, manner);
    if (matrix == Matrix::kNone) return false;
    buffers.step = buffers.residual;
    solve_with(buffers, buffers.step);
    const double size = size_of(buffers.step);
    if (!std::isfinite(size)) return false;
    const bool is_stationary = matrix == Matrix::kSingular && size < kGoodEnough;
    if (is_stationary && !buffers.least->closes(buffers.residual, buffers.step)) return false;
    double scale = damped && size > kLargestGrowth ? kLargestGrowth / size : 1;
    const double smallest = kSmallestDamping * scale;
    double correction = 0;
    for (;; scale /= 2) {
      if (scale < smallest) return size < kNoisy && is_rounding(loop, buffers, size);
      for (std::size_t j = 0; j < n; ++j)
        registers_[loop.unknowns[j]] = buffers.x[j] - scale * buffers.step[j];
      for (const std::uint32_t x : loop.never_negative) registers_[x] = std::abs(registers_[x]);
      if (!try_residual(loop, buffers)) continue;
      if (!damped || size < kGoodEnough) break;
      std::vector<double>& next = buffers.next;
      next = buffers.residual;
      solve_with(buffers, next);
      correction = size_of(next);
      if (correction <= (1 - scale / 4) * size) break;
    }
    for (std::size_t j = 0; j < n; ++j) buffers.x[j] = registers_[loop.unknowns[j]];
    if (scale < 1 || matrix == Matrix::kRegularised) {
      last = INFINITY;
      continue;
    }
    const bool is_stalled = size >= 0.5 * last;
    if (size <= kDone || (size < kGoodEnough && is_stalled)) return true;
    if (is_stalled && size < kNoisy && is_rounding(loop, buffers, size)) return true;
    last = size;
  }
  return last < kGoodEnough;
}

}  // namespace arges::vm
