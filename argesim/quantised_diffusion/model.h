#pragma once
// The spreading pulse of Muzy, Jammalamadaka, Zeigler and Nutaro, "The activity-tracking paradigm
// in discrete-event modeling and simulation".

#include <vector>

#include "arges/hybrid/rowwise.h"

namespace arges::argesim {

// A pulse of height 1 in the middle of a row of cells, u' = k (u_left - 2 u + u_right), the ends
// held at zero: heat in a rod by lines, k = c / dx^2.
class PulseDiffusion final : public RowwiseSystem<PulseDiffusion> {
 public:
  // The rod of the paper: 1 m, 101 points of which two are held, c = 0.01.
  PulseDiffusion() : PulseDiffusion(99, 100) {}
  PulseDiffusion(int cells, double k);

  template <class T>
  T rate(int row, const RowPoint<T>& at) const {
    const T left = row > 0 ? at.state(row - 1) : T(0.0);
    const T right = row < cells_ - 1 ? at.state(row + 1) : T(0.0);
    return (left + right - at.state(row) * 2.0) * k_;
  }

  void jacobian(const Point& at, const double* xdot, double c, JacobianEntries J) const override;

  int cells() const { return cells_; }
  // All cells at time t, by the sine series of the row (not of the rod: no error of the mesh).
  std::vector<double> exact(double t) const;
  // The largest distance of x from it.
  double error(const std::vector<double>& x, double t) const;

 private:
  int cells_;
  double k_;
  std::vector<StateId> u_;
};

}  // namespace arges::argesim
