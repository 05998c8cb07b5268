#pragma once
// The Runge-Kutta methods that run with a fixed step.

#include "arges/solvers/runge_kutta.h"

namespace arges::rk {

// Row kStages of kA holds the weights of the solution.
struct Euler {
  static constexpr int kOrder = 1;
  static constexpr int kStages = 1;
  static constexpr Weights<2> kC = {0, 1};
  static constexpr Matrix<2> kA = {{{}, {1}}};
};

struct Heun {
  static constexpr int kOrder = 2;
  static constexpr int kStages = 2;
  static constexpr Weights<3> kC = {0, 1, 1};
  static constexpr Matrix<3> kA = {{{}, {1}, {1. / 2, 1. / 2}}};
};

// Ralston (1962): the third-order method with the smallest error bound. It starts ab3.
struct Ralston3 {
  static constexpr int kOrder = 3;
  static constexpr int kStages = 3;
  static constexpr Weights<4> kC = {0, 1. / 2, 3. / 4, 1};
  static constexpr Matrix<4> kA = {{{}, {1. / 2}, {0, 3. / 4}, {2. / 9, 1. / 3, 4. / 9}}};
};

struct ClassicalRungeKutta {
  static constexpr int kOrder = 4;
  static constexpr int kStages = 4;
  static constexpr Weights<5> kC = {0, 1. / 2, 1. / 2, 1, 1};
  static constexpr Matrix<5> kA = {
      {{}, {1. / 2}, {0, 1. / 2}, {0, 0, 1}, {1. / 6, 1. / 3, 1. / 3, 1. / 6}}};
};

}  // namespace arges::rk
