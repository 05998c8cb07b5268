#pragma once
// C1: lithium clusters under electron bombardment.

#include "arges/hybrid/system.h"

namespace arges::argesim {

// Concentrations of aggregates of one, two and three vacancies (F-, M- and R-centres) in an alkali
// halide; the electron beam makes F-centres at rate p.
//
//   f' = dr r + 2 dm m - kr m f - 2 kf f^2 - lf f + p
//   m' = dr r -   dm m + kf f^2 - kr m f
//   r' = -dr r + kr m f
//
// Start: the state after 10 s of bombardment with p = 10000. Stiff: F-centres leave at rate lf =
// 1000, R-centres decay at rate 0.1.
class LithiumClusters : public HybridSystem {
 public:
  LithiumClusters();
  void derivatives(const Point& at, Rates d) const override;
  void jacobian(const Point& at, const double*, double, JacobianEntries J) const override;

  StateId f, m, r;
  ParameterId kr, kf, lf, dr, dm, p;
};

}  // namespace arges::argesim
