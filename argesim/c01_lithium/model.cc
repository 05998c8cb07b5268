#include "argesim/c01_lithium/model.h"

namespace arges::argesim {

LithiumClusters::LithiumClusters()
    : HybridSystem("C1", "Lithium-cluster dynamics under electron bombardment") {
  f = declare_state("f", 9.975, "", "concentration of F-centres (single vacancies)");
  m = declare_state("m", 1.674, "", "concentration of M-centres (pairs)");
  r = declare_state("r", 84.99, "", "concentration of R-centres (triples)");
  declare_jacobian();
  declare_autonomous();
  kr = declare_parameter("kr", 1, "1/s", "growth of R-centres from M and F");
  kf = declare_parameter("kf", 0.1, "1/s", "growth of M-centres from F and F");
  lf = declare_parameter("lf", 1000, "1/s", "loss of F-centres at the surface");
  dr = declare_parameter("dr", 0.1, "1/s", "decay of R-centres into M and F");
  dm = declare_parameter("dm", 1, "1/s", "decay of M-centres into F and F");
  p = declare_parameter("p", 0, "1/s", "production of F-centres by the beam");
  declare_experiment({.stop_time = 10});
}

void LithiumClusters::derivatives(const Point& at, Rates d) const {
  const double pairing = at[kf] * at[f] * at[f], tripling = at[kr] * at[m] * at[f];
  d[f] = at[dr] * at[r] + 2 * at[dm] * at[m] - tripling - 2 * pairing - at[lf] * at[f] + at[p];
  d[m] = at[dr] * at[r] - at[dm] * at[m] + pairing - tripling;
  d[r] = -at[dr] * at[r] + tripling;
}

void LithiumClusters::jacobian(const Point& at, const double*, double, JacobianEntries J) const {
  J(f, f) = -at[lf] - 4 * at[kf] * at[f] - at[kr] * at[m];
  J(f, m) = 2 * at[dm] - at[kr] * at[f];
  J(f, r) = at[dr];
  J(m, f) = 2 * at[kf] * at[f] - at[kr] * at[m];
  J(m, m) = -at[dm] - at[kr] * at[f];
  J(m, r) = at[dr];
  J(r, f) = at[kr] * at[m];
  J(r, m) = at[kr] * at[f];
  J(r, r) = -at[dr];
}

}  // namespace arges::argesim
