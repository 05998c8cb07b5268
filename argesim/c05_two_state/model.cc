#include "argesim/c05_two_state/model.h"

#include "arges/hybrid/update.h"

namespace arges::argesim {

TwoState::TwoState() : HybridSystem("C5", "Two state model") {
  state1 = declare_mode("state 1");
  y1 = declare_state("y1", 4.2, "", "fast variable");
  y2 = declare_state("y2", 0.3, "", "slow variable");
  declare_jacobian();
  declare_autonomous();
  state2 = declare_variant("state 2", state1);
  c1 = declare_parameter("c1", 2.7e6, "1/s", "rate of the fast variable");
  c3 = declare_parameter("c3", 3.5651205, "1/s", "rate of the slow variable");
  c2_1 = declare_parameter("c2_1", 0.4, "", "c2 in state 1");
  c4_1 = declare_parameter("c4_1", 5.5, "", "c4 in state 1");
  c2_2 = declare_parameter("c2_2", -0.3, "", "c2 in state 2");
  c4_2 = declare_parameter("c4_2", 2.73, "", "c4 in state 2");
  upper = declare_parameter("upper", 5.8, "", "y1 at which state 1 ends");
  lower = declare_parameter("lower", 2.5, "", "y1 at which state 2 ends");
  c2 = declare_discrete("c2", 0.4, ValueType::kReal, "distance of y1 from y2");
  c4 = declare_discrete("c4", 5.5, ValueType::kReal, "value that y2 tends to");
  rises = declare_event("y1 rises to upper", Direction::kRising, state1);
  falls = declare_event("y1 falls to lower", Direction::kFalling, state2);
  declare_kind(rises, EventKind::kParameter);
  declare_kind(falls, EventKind::kParameter);
  declare_experiment({.stop_time = 5, .rtol = 1e-10});
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
  g[rises] = at[y1] - at[upper];
  g[falls] = at[y1] - at[lower];
}

void TwoState::initialize(Update& now) const {
  now[c2] = now[c2_1];
  now[c4] = now[c4_1];
}

void TwoState::on_event(EventId event, Update& now) const {
  if (event == rises) {
    now.go_to(state2);
    now[c2] = now[c2_2];
    now[c4] = now[c4_2];
  } else {
    now.go_to(state1);
    now[c2] = now[c2_1];
    now[c4] = now[c4_1];
  }
}

}  // namespace arges::argesim
