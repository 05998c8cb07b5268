#pragma once
// Models on which quantised-state methods are measured: switched converters, a travelling front, a
// diode circuit.

#include <string>
#include <vector>

#include "arges/hybrid/rowwise.h"
#include "arges/hybrid/update.h"

namespace arges::bench {

struct ConverterData {
  static constexpr double kC = 1e-4, kL = 1e-4, kLoad = 10, kSource = 24, kPeriod = 1e-4;
  static constexpr double kOn = 1e-5, kOff = 1e5;  // of switches and diodes, in ohm
};

// A converter with a switch that a clock opens and closes, and a diode with an event, both as
// resistors. The Model has through_diode(at), the current.
template <class Model>
class Converter : public RowwiseSystem<Model>, protected ConverterData {
 public:
  using RowwiseSystem<Model>::RowwiseSystem;
  void conditions(const Point& at, Conditions g) const override {
    // The current when it conducts, the voltage when it does not.
    const double current = static_cast<const Model&>(*this).through_diode(RowPoint<double>(at));
    g[diode_] = at[rd_] == kOn ? current : current * at[rd_];
  }
  void on_event(EventId, Update& now) const override { now[rd_] = now.rising() ? kOn : kOff; }
  void on_timer(TimerId timer, Update& now) const override {
    now[rs_] = timer == closes_ ? kOn : kOff;
  }

 protected:
  void declare_switch_and_diode(double duty) {
    rs_ = this->declare_discrete("Rs", kOn);
    rd_ = this->declare_discrete("Rd", kOff);
    diode_ = this->declare_event("diode", Direction::kBoth);
    closes_ = this->declare_timer("switch closes", kPeriod, kPeriod);
    this->declare_timer("switch opens", duty * kPeriod, kPeriod);
    this->declare_autonomous();
    this->declare_rows(RowAccess::kSeries);
  }

  DiscreteId rs_, rd_;

 private:
  EventId diode_;
  TimerId closes_;
};

// Step-down converter: stiff, with two events in each period.
class Buck final : public Converter<Buck> {
 public:
  Buck();
  template <class T>
  T rate(int row, const RowPoint<T>& at) const {
    const T i = at[il_], u = at[uc_];
    if (row == uc_.index) return (i - u / kLoad) / kC;
    return (-through_diode(at) * at[rd_] - u) / kL;
  }
  template <class T>
  T through_diode(const RowPoint<T>& at) const {
    return (at[il_] * at[rs_] - kSource) / (at[rs_] + at[rd_]);
  }

 private:
  StateId il_, uc_;
};

// Four step-down legs, a quarter of a period apart, on one capacitor.
class Interleaved final : public RowwiseSystem<Interleaved>, ConverterData {
 public:
  Interleaved();
  template <class T>
  T rate(int row, const RowPoint<T>& at) const {
    if (row == uc_.index) {
      T sum = at[legs_[0]];
      for (int k = 1; k < kLegs; ++k) sum = sum + at[legs_[k]];
      return (sum - at[uc_] / kLoad) / kC;
    }
    const double rs = at[rs_[row - 1]], rd = at[rd_[row - 1]];
    return ((kSource / rs - at.state(row)) * (rs * rd / (rs + rd)) - at[uc_]) / kL;
  }
  void conditions(const Point& at, Conditions g) const override;
  void on_event(EventId event, Update& now) const override;
  void on_timer(TimerId timer, Update& now) const override;

 private:
  static constexpr int kLegs = 4;
  static constexpr double kDuty = 0.5;
  StateId uc_;
  std::vector<StateId> legs_;
  std::vector<DiscreteId> rs_, rd_;
  std::vector<EventId> empty_;
};

// Cuk converter: stiff through both currents together while neither switch nor diode conducts,
// which drive each other as strongly as themselves.
class Cuk final : public Converter<Cuk> {
 public:
  Cuk();
  template <class T>
  T rate(int row, const RowPoint<T>& at) const {
    const double rs = at[rs_], rd = at[rd_];
    const T both = at[il_] + at[il1_];
    if (row == il_.index) return (kSource - (both * rd + at[uc1_]) * (rs / (rs + rd))) / kL;
    if (row == uc1_.index) return (through_diode(at) - at[il1_]) / kC;
    if (row == il1_.index) return (-at[uc_] - through_diode(at) * rd) / kL;
    return (at[il1_] - at[uc_] / kLoad) / kC;
  }
  template <class T>
  T through_diode(const RowPoint<T>& at) const {
    return ((at[il_] + at[il1_]) * at[rs_] - at[uc1_]) / (at[rs_] + at[rd_]);
  }

 private:
  StateId il_, uc1_, il1_, uc_;
};

// u_t + u_x = -mu u (u - 1/2)(u - 1) upwind on n cells of [0, 1]: a front that travels while all
// other cells rest.
class Advection final : public RowwiseSystem<Advection> {
 public:
  explicit Advection(int cells);
  template <class T>
  T rate(int row, const RowPoint<T>& at) const {
    const T u = at.state(row);
    const T before = row > 0 ? at.state(row - 1) : T(1.0);
    return (before - u) * cells_ - kReaction * (u * (u - 0.5) * (u - 1.0));
  }

 private:
  static constexpr double kReaction = 1000;
  double cells_;
};

// Case study 3 of ARGESIM C21 with an ideal diode: R1 and L in series with R2 and C, the diode
// across the latter; the source is -sin(2 pi f t).
class DiodeCircuit final : public RowwiseSystem<DiodeCircuit> {
 public:
  DiodeCircuit();
  template <class T>
  T rate(int row, const RowPoint<T>& at) const {
    using std::sin;
    const bool conducts = at[conducts_] != 0;
    if (row == uc_.index) return conducts ? at[uc_] * (-1 / (kR2 * kC)) : at[i_] * (1 / kC);
    const T source = -sin(at.t() * kOmega);
    const T rest = source - at[i_] * kR1;
    return (conducts ? rest : rest - at[i_] * kR2 - at[uc_]) / kL;
  }
  void conditions(const Point& at, Conditions g) const override;
  void on_event(EventId event, Update& now) const override;

 private:
  static constexpr double kR1 = 1000, kR2 = 20, kL = 25.3e-6, kC = 100e-9;
  static constexpr double kOmega = 2 * 3.14159265358979323846 * 0.15e6;
  StateId uc_, i_;
  DiscreteId conducts_;
  EventId switches_;
};

}  // namespace arges::bench
