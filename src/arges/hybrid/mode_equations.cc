#include "arges/hybrid/mode_equations.h"

namespace arges {

ModeEquations::ModeEquations(const HybridSystem& system, const Context& context, ModeId mode)
    : system_(system),
      mode_(system.schema().modes[mode.index]),
      point_{0, nullptr, context.p.data(), context.u.data(), context.z.data(), mode} {
  size_ = static_cast<int>(mode_.states.size());
  form_ = mode_.form;
  autonomous_ = mode_.autonomous;
  has_jacobian_ = mode_.has_jacobian;
  sparsity_ = mode_.sparsity ? &*mode_.sparsity : nullptr;
  if (form_ != EquationForm::kExplicit) differential_ = mode_.differential;
  nominal_ = mode_.nominal;
  target_.n = size_;
  target_.pattern = sparsity_;
}

void ModeEquations::rhs(double t, const double* x, double* f) const {
  system_.derivatives(point(t, x), Rates(f));
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
