#include "arges/experiment/linearise.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include <fmt/format.h>

#include "arges/base/error.h"
#include "arges/base/nearest.h"
#include "arges/experiment/derivative.h"
#include "arges/hybrid/consistency.h"
#include "arges/hybrid/mode_equations.h"
#include "arges/linear/dense.h"
#include "arges/solvers/jacobian.h"

namespace arges {

namespace {

using Dense = dense::Matrix;

// What an output of the linear model is, in terms of the hybrid one.
struct OutputRow {
  enum class Kind { kOutput, kVariable, kRate } kind;
  int index;
};

class Lineariser {
 public:
  Lineariser(const HybridSystem& system, const Context& at, const LineariseRequest& request)
      : system_(system),
        schema_(system.schema()),
        context_(at),
        mode_(schema_.modes[at.mode.index]),
        equations_(system_, context_, at.mode),
        n_(static_cast<int>(at.x.size())) {
    for (int i = 0; i < n_; ++i)
      (equations_.is_differential(i) ? states_ : algebraic_).push_back(i);
    choose_inputs(request.inputs);
    choose_outputs(request.outputs);
  }

  LinearModel run() {
    rates_ = Eigen::VectorXd::Zero(n_);
    if (equations_.form() == EquationForm::kImplicit) {
      const std::string open =
          ConsistencySolver(equations_).solve(context_.t, context_.x.data(), rates_.data());
      if (!open.empty()) throw EvaluationError(open);
    }
    differentiate_equations();
    const Dense moves = solve();
    return assemble(moves);
  }

 private:
  int count(const std::vector<int>& list) const { return static_cast<int>(list.size()); }

  void choose_inputs(const std::optional<std::vector<std::string>>& names) {
    if (!names) {
      for (int j = 0; j < static_cast<int>(schema_.inputs.size()); ++j) inputs_.push_back(j);
      return;
    }
    for (std::size_t k = 0; k < names->size(); ++k) {
      const std::string& name = (*names)[k];
      const auto found = std::ranges::find(schema_.inputs, name, &VariableInfo::name);
      if (found == schema_.inputs.end()) {
        throw UnknownName(fmt::format("{} has no input '{}'{}", schema_.name, name,
                                      did_you_mean(name, names_of(schema_.inputs))),
                          true, k);
      }
      inputs_.push_back(static_cast<int>(found - schema_.inputs.begin()));
    }
  }

  void choose_outputs(const std::optional<std::vector<std::string>>& names) {
    if (!names) {
      if (schema_.outputs.size() > LineariseRequest::kManyOutputs) return;
      for (const VariableInfo& output : schema_.outputs) add_output(output.name);
      return;
    }
    for (const std::string& name : *names) add_output(name);
  }

  void add_output(const std::string& name) {
    const auto position = [](const std::vector<VariableInfo>& list, const std::string& wanted) {
      const auto found = std::ranges::find(list, wanted, &VariableInfo::name);
      return found == list.end() ? std::optional<int>{}
                                 : std::optional(static_cast<int>(found - list.begin()));
    };
    output_names_.push_back(name);
    if (const auto i = position(schema_.outputs, name)) {
      outputs_.push_back({OutputRow::Kind::kOutput, *i});
      return;
    }
    if (const auto i = position(mode_.states, name)) {
      outputs_.push_back({OutputRow::Kind::kVariable, *i});
      return;
    }
    if (name.starts_with("der(") && name.ends_with(")")) {
      const auto i = position(mode_.states, name.substr(4, name.size() - 5));
      if (i && equations_.is_differential(*i)) {
        outputs_.push_back({OutputRow::Kind::kRate, *i});
        return;
      }
    }
    std::vector<std::string> known = names_of(schema_.outputs);
    for (const VariableInfo& state : mode_.states) known.push_back(state.name);
    throw UnknownName(
        fmt::format("{} has no variable '{}'{}", schema_.name, name, did_you_mean(name, known)),
        false, output_names_.size() - 1);
  }

  static std::vector<std::string> names_of(const std::vector<VariableInfo>& list) {
    std::vector<std::string> names;
    for (const VariableInfo& each : list) {
      if (!is_made_by_arges(each.name)) names.push_back(each.name);
    }
    return names;
  }

  // How far a variable may move so that a difference is worth taking.
  static double scale(double value, double nominal) {
    return 0.25 * std::max(std::abs(value), 0.01 * nominal);
  }

  // Left side minus right side, with x' = rates_.
  void residual(std::span<double> r) const {
    if (equations_.form() == EquationForm::kImplicit) {
      equations_.residual(context_.t, context_.x.data(), rates_.data(), r.data());
      return;
    }
    equations_.rhs(context_.t, context_.x.data(), r.data());
    for (const int i : states_) r[i] -= rates_[i];
  }

  // The derivative of the residual, or of the outputs, by one of the numbers that they read.
  template <class Function>
  Eigen::VectorXd by(double& number, double nominal, int size, Function function) const {
    Eigen::VectorXd column(size);
    const double kept = number;
    const auto restore = [&] { number = kept; };
    try {
      differentiate(
          [&](double value, std::span<double> result) {
            number = value;
            function(result);
          },
          kept, scale(kept, nominal), {column.data(), static_cast<std::size_t>(size)});
    } catch (...) {
      restore();
      throw;
    }
    restore();
    return column;
  }

  // by_x_, by_rate_ and by_u_ of the residual.
  void differentiate_equations() {
    const auto of_residual = [&](std::span<double> r) { residual(r); };
    by_x_ = Dense::Zero(n_, n_);
    by_rate_ = Dense::Zero(n_, n_);
    const bool implicit = equations_.form() == EquationForm::kImplicit;
    if (!implicit && equations_.has_jacobian()) {
      take_model_jacobian();
    } else {
      for (int j = 0; j < n_; ++j)
        by_x_.col(j) = by(context_.x[j], mode_.states[j].nominal, n_, of_residual);
    }
    for (const int j : states_) {
      if (implicit) {
        by_rate_.col(j) = by(rates_[j], mode_.states[j].nominal, n_, of_residual);
      } else {
        by_rate_(j, j) = -1;
      }
    }
    by_u_ = Dense::Zero(n_, count(inputs_));
    for (int k = 0; k < count(inputs_); ++k) {
      const int j = inputs_[k];
      by_u_.col(k) = by(context_.u[j], schema_.inputs[j].nominal, n_, of_residual);
    }
  }

  void take_model_jacobian() {
    JacobianEvaluator jacobian(equations_);
    std::vector<double> values(jacobian.values_size()), f(n_);
    equations_.rhs(context_.t, context_.x.data(), f.data());
    jacobian.evaluate(context_.t, context_.x.data(), f.data(), 0, values.data(), nullptr);
    const SparsityPattern* pattern = equations_.sparsity();
    if (pattern == nullptr) {
      by_x_ = Eigen::Map<Dense>(values.data(), n_, n_);
      return;
    }
    for (int j = 0; j < n_; ++j) {
      for (int k = pattern->column_start[j]; k < pattern->column_start[j + 1]; ++k)
        by_x_(pattern->row[k], j) = values[k];
    }
  }

  // [dx'; da] by [dx, du]: row i belongs to variable i, as a rate when it is differential.
  Dense solve() const {
    Dense E(n_, n_), right(n_, count(states_) + count(inputs_));
    for (const int j : states_) E.col(j) = by_rate_.col(j);
    for (const int j : algebraic_) E.col(j) = by_x_.col(j);
    for (int k = 0; k < count(states_); ++k) right.col(k) = -by_x_.col(states_[k]);
    right.rightCols(count(inputs_)) = -by_u_;
    if (n_ == 0) return right;
    std::optional<Dense> moves = dense::solve_if_regular(E, right);
    if (!moves) {
      throw EvaluationError(
          "the equations do not determine the rates and the algebraic variables at this point: no "
          "linear model");
    }
    return std::move(*moves);
  }

  LinearModel assemble(const Dense& moves) const {
    const int nx = count(states_), nu = count(inputs_), ny = static_cast<int>(outputs_.size());
    LinearModel model;
    model.time = context_.t;
    for (const int i : states_) model.states.push_back(mode_.states[i].name);
    for (const int j : inputs_) model.inputs.push_back(schema_.inputs[j].name);
    model.outputs = output_names_;
    Dense state_rows(nx, nx + nu);
    for (int i = 0; i < nx; ++i) state_rows.row(i) = moves.row(states_[i]);
    const Dense output_rows = rows_of_outputs(moves, ny, nx, nu);
    model.A = part(state_rows, 0, nx);
    model.B = part(state_rows, nx, nu);
    model.C = part(output_rows, 0, nx);
    model.D = part(output_rows, nx, nu);
    set_spectrum(model);
    return model;
  }

  // dy by [dx, du].
  Dense rows_of_outputs(const Dense& moves, int ny, int nx, int nu) const {
    Dense rows = Dense::Zero(ny, nx + nu);
    const int all = static_cast<int>(schema_.outputs.size());
    const bool wanted = std::ranges::any_of(
        outputs_, [](const OutputRow& row) { return row.kind == OutputRow::Kind::kOutput; });
    Dense by_x(all, n_), by_u(all, nu);
    const auto of_outputs = [&](std::span<double> y) {
      system_.outputs(point_at(context_), Outputs(y.data()));
    };
    for (int j = 0; wanted && j < n_; ++j)
      by_x.col(j) = by(context_.x[j], mode_.states[j].nominal, all, of_outputs);
    for (int k = 0; wanted && k < nu; ++k)
      by_u.col(k) = by(context_.u[inputs_[k]], schema_.inputs[inputs_[k]].nominal, all, of_outputs);
    for (int i = 0; i < ny; ++i) {
      const auto [kind, index] = outputs_[i];
      if (kind == OutputRow::Kind::kOutput) {
        for (int k = 0; k < nx; ++k) rows(i, k) = by_x(index, states_[k]);
        for (const int j : algebraic_) rows.row(i) += by_x(index, j) * moves.row(j);
        rows.row(i).rightCols(nu) += by_u.row(index);
      } else if (kind == OutputRow::Kind::kVariable && equations_.is_differential(index)) {
        rows(i, std::ranges::find(states_, index) - states_.begin()) = 1;
      } else {
        rows.row(i) = moves.row(index);
      }
    }
    return rows;
  }

  static Matrix part(const Dense& rows, int first, int columns) {
    Matrix result(static_cast<int>(rows.rows()), columns);
    for (int i = 0; i < result.rows; ++i) {
      for (int j = 0; j < columns; ++j) result(i, j) = rows(i, first + j) + 0.0;  // no -0
    }
    return result;
  }

  const HybridSystem& system_;
  const Schema& schema_;
  mutable Context context_;  // of which one number at a time is moved, and put back
  const ModeInfo& mode_;
  ModeEquations equations_;
  int n_;
  std::vector<int> states_, algebraic_, inputs_;
  std::vector<OutputRow> outputs_;
  std::vector<std::string> output_names_;
  mutable Eigen::VectorXd rates_;
  Dense by_x_, by_rate_, by_u_;
};

}  // namespace

void refuse_memory(const HybridSystem& system, const std::string& consequence) {
  if (!system.schema().has_memory) return;
  throw UserError(fmt::format(
      "{} has delays (delay() or spatialDistribution()), whose pasts are a part of its state: {}",
      system.schema().name, consequence));
}

LinearModel linearise(const HybridSystem& system, const Context& at,
                      const LineariseRequest& request) {
  refuse_memory(system,
                "there is no linear model with finitely many states (bode and trim take delay(), "
                "and linearize --pade N where it stands in equations)");
  return Lineariser(system, at, request).run();
}

}  // namespace arges
