#pragma once
// C2 of CP2: a lid-driven cavity by the lattice Boltzmann method.

#include <vector>

namespace arges::argesim::cp2 {

struct Cavity {
  int cells = 33;          // in each direction
  double lid_speed = 0.1;  // in lattice units
  double reynolds = 1000;  // of the lid speed and the width
};

// Velocities in units of the lid speed, as the last iteration computes them before its collision.
struct Flow {
  int cells = 0;
  std::vector<double> x, y;  // row by row; row 0 is the lid, y points to it
  double wall_s = 0;

  double x_at(int row, int column) const { return x[index(row, column)]; }
  double y_at(int row, int column) const { return y[index(row, column)]; }
  // The mean of |u| over all cells but those of the border.
  double mean_inside() const;

 private:
  std::size_t index(int row, int column) const {
    return static_cast<std::size_t>(row) * cells + column;
  }
};

// Nine populations f_i in each cell, with the velocities e_i (at rest, four straight, four
// diagonal) and the weights w_i = 4/9, 1/9, 1/36; f_i = w_i at first. Each iteration:
//
//   rho := sum f_i, u := sum f_i e_i / rho; in the row of the lid u := (lid speed, 0)
//   g_i := w_i rho (1 + 3 e_i u + 9/2 (e_i u)^2 - 3/2 u^2)
//   lid: f := g; other border cells: f_i := f of the opposite direction;
//   inside: f := f + (g - f)/tau, tau = 1/2 + 3 (cells - 1) lid_speed / reynolds
//   each f_i moves on by e_i; where nothing comes from, it stays
//
// The rows are dealt out to the threads, which meet after each iteration. The result does not
// depend on their number.
Flow simulate(const Cavity& cavity, int iterations, int threads);

}  // namespace arges::argesim::cp2
