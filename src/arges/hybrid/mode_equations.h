#pragma once
// The equations of one mode, as solvers see them.

#include "arges/base/interrupt.h"
#include "arges/hybrid/system.h"
#include "arges/solvers/equations.h"

namespace arges {

// Binds a mode of a model to the values of a context that only events change. The context must
// outlive this object; its vectors p, u and z may change their values at events, not their
// addresses. Nominal values are those for the parameters of the context at construction.
class ModeEquations final : public Equations {
 public:
  ModeEquations(const HybridSystem& system, const Context& context, ModeId mode);

  void rhs(double t, const double* x, double* f) const override;
  void residual(double t, const double* x, const double* xdot, double* r) const override;
  void jacobian(double t, const double* x, const double* xdot, double c, double* values,
                double* dfdt) const override;
  void rhs_rows(std::span<const int> rows, double t, const double* x, double* f) const override;
  void rhs_series(std::span<const int> rows, int order, double t, const double* x,
                  double* f) const override;
  int constraint_count() const override { return mode_.constraints; }
  void constraints(double t, const double* x, double* c) const override;
  bool constraint_jacobian(double t, const double* x, double* values) const override;
  int condition_count() const override;
  void conditions(double t, const double* x, double* g) const override;
  std::string name(int i) const override { return mode_.states[i].name; }
  std::unique_ptr<const Equations> snapshot() const override;

  // Those for the parameters of the context now.
  std::vector<double> present_nominal() const;

  // Valid until the next call of any function of this object.
  const Point& point(double t, const double* x) const {
    point_.t = t;
    point_.x = x;
    return point_;
  }

 private:
  // Values of its own, for a snapshot.
  struct Copy {
    explicit Copy(const Context& of);
    Interrupt interrupt;
    Context context;
  };
  ModeEquations(const HybridSystem& system, std::unique_ptr<const Copy> copy, ModeId mode);

  std::unique_ptr<const Copy> copy_;
  const Context& context_;
  const HybridSystem& system_;
  const ModeInfo& mode_;
  std::vector<double> own_nominal_;
  mutable Point point_;  // kept, for it is made for every evaluation of f
  mutable JacobianTarget target_{};
};

}  // namespace arges
