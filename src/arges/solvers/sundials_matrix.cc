#include "arges/solvers/sundials_matrix.h"

#include <algorithm>
#include <new>

#include <sunlinsol/sunlinsol_band.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunlinsol/sunlinsol_klu.h>
#include <sunmatrix/sunmatrix_band.h>
#include <sunmatrix/sunmatrix_dense.h>
#include <sunmatrix/sunmatrix_sparse.h>

#include "arges/linear/lu_kinds.h"

namespace arges {

namespace {

static_assert(sizeof(sunindextype) == sizeof(std::int64_t), "SUNDIALS must have 64-bit indices");

LinearAlgebra resolve(const Equations& equations, LinearAlgebra wish) {
  if (wish != LinearAlgebra::kAuto) return wish;
  switch (cheapest_lu_kind(equations.size(), equations.sparsity())) {
    case LuKind::kBanded:
      return LinearAlgebra::kBanded;
    case LuKind::kSparse:
      return LinearAlgebra::kKlu;
    default:
      return LinearAlgebra::kDense;
  }
}

// Calls f(row, column) for each value of the Jacobian, in the order of Equations::jacobian.
template <typename Visit>
void for_each_entry(const Equations& equations, Visit visit) {
  const SparsityPattern* pattern = equations.sparsity();
  for (int j = 0; j < equations.size(); ++j) {
    if (pattern == nullptr) {
      for (int i = 0; i < equations.size(); ++i) visit(i, j);
    } else {
      for (int k = pattern->column_start[j]; k < pattern->column_start[j + 1]; ++k)
        visit(pattern->row[k], j);
    }
  }
}

double* storage(SUNMatrix matrix, LinearAlgebra kind) {
  switch (kind) {
    case LinearAlgebra::kBanded:
      return SM_DATA_B(matrix);
    case LinearAlgebra::kKlu:
      return SM_DATA_S(matrix);
    default:
      return SM_DATA_D(matrix);
  }
}

int keep_analysis(SUNLinearSolver) { return 0; }

}  // namespace

NewtonMatrix::NewtonMatrix(const Equations& equations, LinearAlgebra choice,
                           const SundialsContext& context, N_Vector like)
    : equations_(equations), kind_(resolve(equations, choice)), evaluator_(equations) {
  switch (kind_) {
    case LinearAlgebra::kBanded:
      make_banded(context, like);
      break;
    case LinearAlgebra::kKlu:
      make_sparse(context, like);
      break;
    default:
      make_dense(context, like);
  }
  if (!matrix_ || !solver_) throw std::bad_alloc();
  if (!positions_.empty()) values_.resize(positions_.size());
}

void NewtonMatrix::make_dense(const SundialsContext& context, N_Vector like) {
  const std::int64_t n = equations_.size();
  matrix_.reset(SUNDenseMatrix(n, n, context));
  if (!matrix_) return;
  solver_.reset(SUNLinSol_Dense(like, matrix_.get(), context));
  if (equations_.sparsity() != nullptr) {
    positions_.reserve(evaluator_.values_size());
    for_each_entry(equations_, [&](int i, int j) { positions_.push_back(i + j * n); });
  }
  if (equations_.form() == EquationForm::kImplicit) return;
  for (std::int64_t i = 0; i < n; ++i) {
    if (equations_.is_differential(static_cast<int>(i))) diagonal_.push_back(i + i * n);
  }
}

void NewtonMatrix::make_banded(const SundialsContext& context, N_Vector like) {
  const int n = equations_.size();
  const SparsityPattern* pattern = equations_.sparsity();
  const Bandwidth band = pattern != nullptr ? bandwidth(*pattern) : Bandwidth{n - 1, n - 1};
  matrix_.reset(SUNBandMatrix(n, band.upper, band.lower, context));
  if (!matrix_) return;
  solver_.reset(SUNLinSol_Band(like, matrix_.get(), context));
  const std::int64_t leading = SM_LDIM_B(matrix_.get());
  const std::int64_t shift = SM_SUBAND_B(matrix_.get());
  const auto position = [&](int i, int j) { return j * leading + (i - j) + shift; };
  positions_.reserve(evaluator_.values_size());
  for_each_entry(equations_, [&](int i, int j) { positions_.push_back(position(i, j)); });
  if (equations_.form() == EquationForm::kImplicit) return;
  for (int i = 0; i < n; ++i) {
    if (equations_.is_differential(i)) diagonal_.push_back(position(i, i));
  }
}

void NewtonMatrix::make_sparse(const SundialsContext& context, N_Vector like) {
  const int n = equations_.size();
  column_start_.assign(n + 1, 0);
  row_.reserve(evaluator_.values_size());
  for_each_entry(equations_, [&](int i, int j) {
    if (i == j && equations_.form() != EquationForm::kImplicit && equations_.is_differential(i))
      diagonal_.push_back(static_cast<std::int64_t>(row_.size()));
    row_.push_back(i);
    column_start_[j + 1] = static_cast<std::int64_t>(row_.size());
  });
  matrix_.reset(SUNSparseMatrix(n, n, static_cast<std::int64_t>(row_.size()), CSC_MAT, context));
  if (!matrix_) return;
  solver_.reset(SUNLinSol_KLU(like, matrix_.get(), context));
  // SUNDIALS initialises the linear solver at each restart, which for KLU means a new symbolic
  // analysis. The structure never changes: keep the one of the first factorisation.
  if (solver_) solver_->ops->initialize = &keep_analysis;
}

int NewtonMatrix::fill(ModelCalls& calls, SUNMatrix to, double t, const double* x,
                       const double* xdot, const double* f, double c, double step) {
  double* data = storage(to, kind_);
  if (kind_ == LinearAlgebra::kKlu) {  // SUNMatZero has cleared the structure too
    std::copy(column_start_.begin(), column_start_.end(), SM_INDEXPTRS_S(to));
    std::copy(row_.begin(), row_.end(), SM_INDEXVALS_S(to));
  }
  if (positions_.empty()) return calls.jacobian(evaluator_, t, x, xdot, f, c, step, data);
  const int result = calls.jacobian(evaluator_, t, x, xdot, f, c, step, values_.data());
  for (std::size_t k = 0; k < positions_.size(); ++k) data[positions_[k]] = values_[k];
  return result;
}

void NewtonMatrix::subtract_mass(SUNMatrix to, double c) const {
  double* data = storage(to, kind_);
  for (const std::int64_t position : diagonal_) data[position] -= c;
}

}  // namespace arges
