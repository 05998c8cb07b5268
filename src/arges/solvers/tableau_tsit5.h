#pragma once
// Tsitouras 5(4), Comput. Math. Appl. 62 (2011), with its free interpolant.

#include <string_view>

#include "arges/solvers/runge_kutta.h"

namespace arges::rk {

// The fields are those of Dopri5. The interpolant of Tsitouras agrees with x and x' at both ends,
// so its coefficients of theta^4 are all that is needed besides.
struct Tsit5 {
  static constexpr std::string_view kName = "tsit5";
  static constexpr int kOrder = 5;
  static constexpr int kStages = 7;
  static constexpr int kExtraStages = 0;
  static constexpr int kDenseTerms = 1;
  static constexpr double kBeta = 0.04;
  static constexpr double kMinFactor = 0.2, kMaxFactor = 10;
  static constexpr double kStabilityLimit = 3.15;

  static constexpr Weights<7> kC = {0, 0.161, 0.327, 0.9, 0.98002554090450968573, 1, 1};
  static constexpr Matrix<7> kA = {{
      {},
      {0.161},
      {-0.0084806554923569885444, 0.33548065549235698854},
      {2.8971530571054934321, -6.3594484899750748431, 4.3622954328695814110},
      {5.3258648284392566044, -11.748883564062827878, 7.4955393428898362083,
       -0.092495066361755249257},
      {5.8614554429464200287, -12.920969317847109292, 8.1593678985761586432,
       -0.071584973281400997225, -0.028269050394068382909},
      {0.096460766818065229518, 0.01, 0.47988965041449957478, 1.3790085741037418932,
       -3.2900695154360806799, 2.3247105240997739824},
  }};
  static constexpr Weights<7> kError = {-0.0017800110522257714434,
                                        -0.00081643445965674690322,
                                        0.0078808780102619960103,
                                        -0.14471100717326290754,
                                        0.58235716545255522502,
                                        -0.45808210592918694666,
                                        1. / 66};
  static constexpr std::array<Weights<7>, 1> kDense = {
      {{-1.0530884977290216, 0.1017, 2.490627285651252793, -16.54810288924490272,
        47.37952196281928122, -34.87065786149660974, 2.5}}};
};

}  // namespace arges::rk
