#include "arges/hybrid/mode_equations.h"

namespace arges {

ModeEquations::ModeEquations(const HybridSystem& system, const Context& context, ModeId mode)
    : context_(context),
      system_(system),
      mode_(system.schema().modes[mode.index]),
      point_{0,    nullptr,          context.p.data(), context.u.data(), context.z.data(),
             mode, context.interrupt} {
  size_ = static_cast<int>(mode_.states.size());
  form_ = mode_.form;
  autonomous_ = mode_.autonomous;
  has_jacobian_ = mode_.has_jacobian;
  row_access_ = mode_.rows;
  sparsity_ = mode_.sparsity ? &*mode_.sparsity : nullptr;
  if (form_ != EquationForm::kExplicit) differential_ = mode_.differential;
  own_nominal_ = present_nominal();
  nominal_ = own_nominal_;
  target_.n = size_;
  target_.pattern = sparsity_;
}

std::vector<double> ModeEquations::present_nominal() const {
  std::vector<double> nominal = mode_.nominal;
  system_.scale_nominal(point_, nominal);
  return nominal;
}

ModeEquations::Copy::Copy(const Context& of) : context(of) {
  if (of.interrupt == nullptr) return;
  interrupt = *of.interrupt;
  context.interrupt = &interrupt;
}

ModeEquations::ModeEquations(const HybridSystem& system, std::unique_ptr<const Copy> copy,
                             ModeId mode)
    : ModeEquations(system, copy->context, mode) {
  copy_ = std::move(copy);
}

std::unique_ptr<const Equations> ModeEquations::snapshot() const {
  return std::unique_ptr<const Equations>(
      new ModeEquations(system_, std::make_unique<const Copy>(context_), point_.mode));
}

void ModeEquations::rhs(double t, const double* x, double* f) const {
  system_.derivatives(point(t, x), Rates(f));
}

void ModeEquations::rhs_rows(std::span<const int> rows, double t, const double* x,
                             double* f) const {
  system_.derivatives_of(rows, point(t, x), f);
}

void ModeEquations::rhs_series(std::span<const int> rows, int order, double t, const double* x,
                               double* f) const {
  system_.series_of(rows, order, point(t, x), f);
}

void ModeEquations::constraints(double t, const double* x, double* c) const {
  system_.constraints(point(t, x), c);
}

bool ModeEquations::constraint_jacobian(double t, const double* x, double* values) const {
  return system_.constraint_jacobian(point(t, x), values);
}

int ModeEquations::condition_count() const {
  return static_cast<int>(system_.schema().events.size());
}

void ModeEquations::conditions(double t, const double* x, double* g) const {
  system_.conditions(point(t, x), Conditions(g));
}

void ModeEquations::residual(double t, const double* x, const double* xdot, double* r) const {
  system_.residual(point(t, x), xdot, r);
}

void ModeEquations::jacobian(double t, const double* x, const double* xdot, double c,
                             double* values, double* dfdt) const {
  target_.values = values;
  target_.dfdt = dfdt;
  system_.jacobian(point(t, x), xdot, c, JacobianEntries(target_));
}

}  // namespace arges
