#include "bench/models.h"

#include <cmath>
#include <numbers>
#include <string>

#include "arges/hybrid/update.h"
#include "bench/reference_values.h"

namespace arges::bench {

Lithium::Lithium() : HybridSystem("C1") {
  f = declare_state("f", kC1_f0, "", "", kC1_f0);
  m = declare_state("m", kC1_m0, "", "", kC1_m0);
  r = declare_state("r", kC1_r0, "", "", kC1_r0);
  declare_jacobian();
  declare_autonomous();
  kr = declare_parameter("kr", kC1_kr);
  kf = declare_parameter("kf", kC1_kf);
  lf = declare_parameter("lf", kC1_lf);
  dr = declare_parameter("dr", kC1_dr);
  dm = declare_parameter("dm", kC1_dm);
}

void Lithium::derivatives(const Point& at, Rates d) const {
  const double pairing = at[kf] * at[f] * at[f], tripling = at[kr] * at[m] * at[f];
  d[f] = at[dr] * at[r] + 2 * at[dm] * at[m] - tripling - 2 * pairing - at[lf] * at[f];
  d[m] = at[dr] * at[r] - at[dm] * at[m] + pairing - tripling;
  d[r] = -at[dr] * at[r] + tripling;
}

void Lithium::jacobian(const Point& at, const double*, double, JacobianEntries J) const {
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

TwoState::TwoState() : HybridSystem("C5") {
  state1 = declare_mode("state 1");
  y1 = declare_state("y1", kC5_y1);
  y2 = declare_state("y2", kC5_y2);
  declare_jacobian();
  declare_autonomous();
  state2 = declare_variant("state 2", state1);
  c1 = declare_parameter("c1", kC5_c1);
  c3 = declare_parameter("c3", kC5_c3);
  c2 = declare_discrete("c2", kC5_c2_1);
  c4 = declare_discrete("c4", kC5_c4_1);
  rises = declare_event("y1 rises to 5.8", Direction::kRising, state1);
  falls = declare_event("y1 falls to 2.5", Direction::kFalling, state2);
}

void TwoState::derivatives(const Point& at, Rates d) const {
  d[y1] = at[c1] * (at[y2] + at[c2] - at[y1]);
  d[y2] = at[c3] * (at[c4] - at[y2]);
}

void TwoState::jacobian(const Point& at, const double*, double, JacobianEntries J) const {
  J(y1, y1) = -at[c1];
  J(y1, y2) = at[c1];
  J(y2, y2) = -at[c3];
}

void TwoState::conditions(const Point& at, Conditions g) const {
  g[rises] = at[y1] - kC5_upper;
  g[falls] = at[y1] - kC5_lower;
}

void TwoState::on_event(EventId event, Update& now) const {
  const bool up = event == rises;
  now.go_to(up ? state2 : state1);
  now[c2] = up ? kC5_c2_2 : kC5_c2_1;
  now[c4] = up ? kC5_c4_2 : kC5_c4_1;
}

Heat::Heat() : HybridSystem("heat") {
  std::vector<std::pair<StateId, StateId>> entries;
  const double dx = 1.0 / (kHeat_n + 1);
  std::vector<StateId> x;
  for (int i = 0; i < kHeat_n; ++i) {
    x.push_back(declare_state("x[" + std::to_string(i + 1) + "]",
                              std::sin(std::numbers::pi * (i + 1) * dx)));
  }
  for (int i = 0; i < kHeat_n; ++i) {
    for (int j = std::max(0, i - 1); j <= std::min(kHeat_n - 1, i + 1); ++j)
      entries.emplace_back(x[i], x[j]);
  }
  declare_sparsity(std::move(entries));
  declare_jacobian();
  declare_autonomous();
}

void Heat::derivatives(const Point& at, Rates d) const {
  const double k = (kHeat_n + 1.0) * (kHeat_n + 1.0);
  for (int i = 0; i < kHeat_n; ++i) {
    const double left = i > 0 ? at.x[i - 1] : 0, right = i + 1 < kHeat_n ? at.x[i + 1] : 0;
    d.data()[i] = k * (left - 2 * at.x[i] + right);
  }
}

void Heat::jacobian(const Point&, const double*, double, JacobianEntries J) const {
  const double k = (kHeat_n + 1.0) * (kHeat_n + 1.0);
  double* value = J.values();  // column by column: above, on and below the diagonal
  for (int j = 0; j < kHeat_n; ++j) {
    if (j > 0) *value++ = k;
    *value++ = -2 * k;
    if (j + 1 < kHeat_n) *value++ = k;
  }
}

Switching::Switching(By by, double the_period) : HybridSystem("switching"), period(the_period) {
  x = declare_state("x", 1);
  declare_jacobian();
  z = declare_discrete("z", 1);
  next = declare_discrete("next", period);
  if (by == By::kState) passes = declare_event("t passes next", Direction::kRising);
  if (by == By::kTimer) declare_timer("every period", period, period);
}

void Switching::derivatives(const Point& at, Rates d) const { d[x] = -at[z] * at[x]; }

void Switching::jacobian(const Point& at, const double*, double, JacobianEntries J) const {
  J(x, x) = -at[z];
}

void Switching::conditions(const Point& at, Conditions g) const { g[passes] = at.t - at[next]; }

void Switching::on_event(EventId, Update& now) const {
  now[next] += period;
  now[z] = -now[z];
}

void Switching::on_timer(TimerId, Update& now) const { now[z] = -now[z]; }

}  // namespace arges::bench
