#include "argesim/c03_class_e/model.h"

#include <algorithm>
#include <cmath>

#include "arges/base/float_spacing.h"
#include "arges/hybrid/update.h"

namespace arges::argesim {

ClassEAmplifier::ClassEAmplifier() : HybridSystem("C3", "Generalised class-E amplifier") {
  ramp = declare_mode("ramp");
  x1 = declare_state("x1", 0, "A", "current in L1");
  x2 = declare_state("x2", 0, "V", "voltage on C2");
  x3 = declare_state("x3", 0, "A", "current in L3");
  x4 = declare_state("x4", 0, "V", "voltage on C4");
  declare_jacobian();
  constant = declare_variant("constant", ramp);
  declare_autonomous();
  VDC = declare_parameter("VDC", 5, "V", "supply");
  L1 = declare_parameter("L1", 79.9e-6, "H", "choke");
  C2 = declare_parameter("C2", 17.9e-9, "F", "capacitor beside the device");
  L3 = declare_parameter("L3", 232e-6, "H", "inductor of the resonator");
  C4 = declare_parameter("C4", 9.66e-9, "F", "capacitor of the resonator");
  RL = declare_parameter("RL", 52.4, "Ohm", "load");
  Ron = declare_parameter("Ron", 0.05, "Ohm", "device on");
  Roff = declare_parameter("Roff", 5e6, "Ohm", "device off");
  T = declare_parameter("T", 10e-6, "s", "period of the device");
  TRF = declare_parameter("TRF", 1e-15, "s", "rise and fall time of the device");
  piece = declare_discrete("piece", kOn, ValueType::kInteger, "piece of the table");
  period = declare_discrete("period", 0, ValueType::kInteger, "number of the period");
  t_point = declare_discrete("t_point", 0, ValueType::kReal, "time of the last table point");
  R_point = declare_discrete("R_point", 0.05, ValueType::kReal, "R at the last table point");
  slope = declare_discrete("slope", 0, ValueType::kReal, "R'");
  R = declare_output("R", "Ohm", "resistance of the device");
  IR = declare_output("IR", "A", "current through the device");
  VL = declare_output("VL", "V", "voltage on the load");
  VL3 = declare_output("VL3", "V", "voltage on L3");
  table_point = declare_timer("point of R(t)", 0);
  declare_experiment({.stop_time = 100e-6, .rtol = 1e-8});
}

double ClassEAmplifier::resistance(const Point& at) const {
  return std::clamp(at[R_point] + at[slope] * (at.t - at[t_point]), at[Ron], at[Roff]);
}

void ClassEAmplifier::derivatives(const Point& at, Rates d) const {
  d[x1] = (at[VDC] - at[x2]) / at[L1];
  d[x2] = (at[x1] - at[x2] / resistance(at) - at[x3]) / at[C2];
  d[x3] = (at[x2] - at[RL] * at[x3] - at[x4]) / at[L3];
  d[x4] = at[x3] / at[C4];
}

void ClassEAmplifier::jacobian(const Point& at, const double*, double, JacobianEntries J) const {
  const double r = resistance(at);
  // The slope of 1/R over the resolution of time: a ramp of 1e-15 s multiplies R by more than 1000
  // within one unit in the last place of t near 1e-4 s, and no step can follow what happens inside
  // it.
  const Point next{at.t + spacing(at.t), at.x, at.p, at.u, at.z, at.mode};
  const double conductance_rate = (1 / resistance(next) - 1 / r) / (next.t - at.t);
  J(x1, x2) = -1 / at[L1];
  J(x2, x1) = 1 / at[C2];
  J(x2, x2) = -1 / (r * at[C2]);
  J(x2, x3) = -1 / at[C2];
  J.dt(x2) = -at[x2] * conductance_rate / at[C2];
  J(x3, x2) = 1 / at[L3];
  J(x3, x3) = -at[RL] / at[L3];
  J(x3, x4) = -1 / at[L3];
  J(x4, x3) = 1 / at[C4];
}

void ClassEAmplifier::outputs(const Point& at, Outputs y) const {
  y[R] = resistance(at);
  y[IR] = at[x2] / y[R];
  y[VL] = at[RL] * at[x3];
  y[VL3] = at[x2] - at[RL] * at[x3] - at[x4];
}

// The run begins at the first point of its period; points that lie before the start time are gone
// through at once.
void ClassEAmplifier::initialize(Update& now) const {
  now[piece] = kOn;
  now[period] = std::floor(now.t() / now[T]) - 1;
  now.go_to(constant);
  now.schedule(table_point, (now[period] + 1) * now[T]);
}

void ClassEAmplifier::on_timer(TimerId, Update& now) const {
  now[piece] = now[piece] == kOn ? kOpening : now[piece] + 1;
  if (now[piece] == kOpening) now[period] += 1;
  const double start = now[period] * now[T], half = start + now[T] / 2;
  const double points[] = {start, start + now[TRF], half, half + now[TRF],
                           (now[period] + 1) * now[T]};
  const double values[] = {now[Ron], now[Roff], now[Roff], now[Ron], now[Ron]};
  const int i = static_cast<int>(now[piece]);
  now[t_point] = points[i];
  now[R_point] = values[i];
  // From the times as they are in double precision: so the ramp ends where it should.
  now[slope] = (values[i + 1] - values[i]) / (points[i + 1] - points[i]);
  now.go_to(now[slope] == 0 ? constant : ramp);
  now.schedule(table_point, points[i + 1]);
}

}  // namespace arges::argesim
