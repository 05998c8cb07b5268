#pragma once
// Dormand and Prince 5(4), J. Comp. Appl. Math. 6 (1980), with the dense output of Shampine (1986).

#include <string_view>

#include "arges/solvers/runge_kutta.h"

namespace arges::rk {

// The last stage is f at the new point: the first one of the next step.
// kError: weights of the difference to the embedded solution.
// kDense: see ExplicitRungeKutta.
struct Dopri5 {
  static constexpr std::string_view kName = "dopri5";
  static constexpr int kOrder = 5;
  static constexpr int kStages = 7;
  static constexpr int kExtraStages = 0;  // for dense output alone
  static constexpr int kDenseTerms = 1;
  static constexpr double kBeta = 0.04;  // of the PI control
  static constexpr double kMinFactor = 0.2, kMaxFactor = 10;
  // 0.9 of the interval of stability on the negative real axis: 3.307, tsit5 3.507, dop853 6.394.
  static constexpr double kStabilityLimit = 2.97;

  static constexpr Weights<7> kC = {0, 1. / 5, 3. / 10, 4. / 5, 8. / 9, 1, 1};
  static constexpr Matrix<7> kA = {{
      {},
      {1. / 5},
      {3. / 40, 9. / 40},
      {44. / 45, -56. / 15, 32. / 9},
      {19372. / 6561, -25360. / 2187, 64448. / 6561, -212. / 729},
      {9017. / 3168, -355. / 33, 46732. / 5247, 49. / 176, -5103. / 18656},
      {35. / 384, 0, 500. / 1113, 125. / 192, -2187. / 6784, 11. / 84},
  }};
  static constexpr Weights<7> kError = {71. / 57600,      0,         -71. / 16695, 71. / 1920,
                                        -17253. / 339200, 22. / 525, -1. / 40};
  static constexpr std::array<Weights<7>, 1> kDense = {
      {{-12715105075. / 11282082432, 0, 87487479700. / 32700410799, -10690763975. / 1880347072,
        701980252875. / 199316789632, -1453857185. / 822651844, 69997945. / 29380423}}};
};

}  // namespace arges::rk
