// Quanta of linearly implicit methods where there are events.

#include <algorithm>
#include <cmath>
#include <string>

#include <gtest/gtest.h>

#include "arges/hybrid/rowwise.h"
#include "arges/hybrid/simulator.h"
#include "arges/hybrid/update.h"

namespace arges {
namespace {

// x'' = -x, with an event at x = `threshold` that counts and changes nothing else, or without one.
class Oscillator final : public RowwiseSystem<Oscillator> {
 public:
  Oscillator(bool has_event, double threshold)
      : RowwiseSystem("Oscillator", ""), threshold_(threshold) {
    x_ = declare_state("x", 1);
    v_ = declare_state("v", 0);
    count_ = declare_discrete("count", 0);
    if (has_event) passes_ = declare_event("passes", Direction::kBoth);
    declare_autonomous();
    declare_rows(RowAccess::kSeries);
  }
  template <class T>
  T rate(int row, const RowPoint<T>& at) const {
    return row == 0 ? at[v_] : -at[x_];
  }
  void conditions(const Point& at, Conditions g) const override {
    if (passes_.valid()) g[passes_] = at[x_] - threshold_;
  }
  void on_event(EventId, Update& now) const override { now[count_] = now[count_] + 1; }

 private:
  double threshold_;
  StateId x_, v_;
  DiscreteId count_;
  EventId passes_;
};

RunResult run(const Oscillator& model, const std::string& solver, double stop) {
  RunOptions options;
  options.stop_time = stop;
  options.solver = solver;
  options.numerics.rtol = 0;
  options.numerics.atol = 1e-4;
  return simulate(model, options);
}

TEST(QuantaWithEvents, AreAQuarterForLinearlyImplicitMethodsOfHigherOrder) {
  const Oscillator free(false, 0), watched(true, 3);  // never
  const auto ratio = [&](const std::string& solver) {
    return static_cast<double>(run(watched, solver, 20).statistics.steps) /
           static_cast<double>(run(free, solver, 20).statistics.steps);
  };
  EXPECT_NEAR(ratio("liqss2"), 2, 0.2);
  EXPECT_NEAR(ratio("liqss3"), std::cbrt(4), 0.2);
  for (const char* solver : {"qss1", "qss2", "qss3", "liqss1"}) EXPECT_EQ(ratio(solver), 1);
}

TEST(QuantaWithEvents, StayAQuarterWithEventsNowAndThen) {
  const Oscillator free(false, 0), watched(true, 0.5);
  const RunResult result = run(watched, "liqss2", 400);
  EXPECT_EQ(result.events, 127);
  EXPECT_GT(static_cast<double>(result.statistics.steps),
            1.8 * static_cast<double>(run(free, "liqss2", 400).statistics.steps));
}

// A step-up converter that starts at zero: a switch to ground and a diode to the capacitor, both
// resistors, with an inductance before them. While the switch is closed the diode has the millionth
// part of a volt: what a quantum of the current does to the capacitor turns it round.
class StepUp final : public RowwiseSystem<StepUp> {
 public:
  StepUp() : RowwiseSystem("StepUp", "") {
    current_ = declare_state("i", 0);
    voltage_ = declare_state("u", 0);
    switch_ = declare_discrete("Rs", kOn);
    diode_ = declare_discrete("Rd", kOff);
    conducts_ = declare_event("conducts", Direction::kBoth);
    closes_ = declare_timer("closes", kPeriod, kPeriod);
    declare_timer("opens", 0.5 * kPeriod, kPeriod);
    declare_autonomous();
    declare_rows(RowAccess::kSeries);
  }
  template <class T>
  T rate(int row, const RowPoint<T>& at) const {
    if (row == voltage_.index) return (through_diode(at) - at[voltage_] / kLoad) / kC;
    return (kSource - (at[current_] - through_diode(at)) * at[switch_]) / kL;
  }
  void conditions(const Point& at, Conditions g) const override {
    const double current = through_diode(RowPoint<double>(at));
    g[conducts_] = at[diode_] == kOn ? current : current * at[diode_];
  }
  void on_event(EventId, Update& now) const override { now[diode_] = now.rising() ? kOn : kOff; }
  void on_timer(TimerId timer, Update& now) const override {
    now[switch_] = timer == closes_ ? kOn : kOff;
  }

  static constexpr double kPeriod = 1e-4;

 private:
  template <class T>
  T through_diode(const RowPoint<T>& at) const {
    return (at[current_] * at[switch_] - at[voltage_]) / (at[switch_] + at[diode_]);
  }
  static constexpr double kL = 1e-4, kC = 1e-4, kLoad = 10, kSource = 24;
  static constexpr double kOn = 1e-6, kOff = 1e5;
  StateId current_, voltage_;
  DiscreteId switch_, diode_;
  EventId conducts_;
  TimerId closes_;
};

// Companions of linearly implicit methods lie up to 0.4 quanta beside the states. The capacitor is
// driven by that of the current, and the diode compares it with the current itself.
TEST(QuantisedEvents, OfADiodeThatSeesLessThanAQuantumDoNotChatter) {
  const StepUp model;
  RunOptions options;
  options.stop_time = 10 * StepUp::kPeriod;
  options.solver = "rodas5p";
  options.numerics.rtol = options.numerics.atol = 1e-10;
  const RunResult right = simulate(model, options);
  ASSERT_TRUE(right.status.ok());
  for (const char* solver : {"liqss1", "liqss2", "liqss3", "qss1", "qss3"}) {
    SCOPED_TRACE(solver);
    options.solver = solver;
    options.numerics.rtol = options.numerics.atol = 1e-3;
    const RunResult own = simulate(model, options);
    ASSERT_TRUE(own.status.ok()) << own.status.message;
    // The diode follows the capacitor, which QSS keeps busy.
    const bool is_busy = solver[0] == 'q';
    EXPECT_LE(own.events, right.events + (is_busy ? 10'000 : 100));
    for (int i = 0; i < 2; ++i) {
      const double value = right.final.x[i];
      EXPECT_NEAR(own.final.x[i], value, (is_busy ? 3e-3 : 1e-3) * std::max(1.0, std::abs(value)))
          << i;
    }
  }
}

// An inductance between an alternating voltage and a battery, with a diode that blocks until the
// voltage is larger: L i' = 10 sin(w t) - 5 - R i, R = 1e5 until R i > 0, then 0. While it blocks
// the current is less than a quantum, but tells the voltage.
// The sine is a function of time, or one of two states.
class Charger final : public RowwiseSystem<Charger> {
 public:
  explicit Charger(bool has_oscillator)
      : RowwiseSystem("Charger", ""), has_oscillator_(has_oscillator) {
    current_ = declare_state("i", -kBattery / kBlocks);
    if (has_oscillator) {
      sine_ = declare_state("s", 0);
      cosine_ = declare_state("c", 1);
      declare_autonomous();
    }
    resistance_ = declare_discrete("R", kBlocks);
    conducts_ = declare_event("conducts", Direction::kRising);
    declare_rows(RowAccess::kSeries);
  }
  template <class T>
  T rate(int row, const RowPoint<T>& at) const {
    using std::sin;
    if (row != current_.index) return row == sine_.index ? kW * at[cosine_] : -kW * at[sine_];
    const T sine = has_oscillator_ ? at[sine_] : sin(at.t() * kW);
    return (sine * kPeak - kBattery - at[current_] * at[resistance_]) / kL;
  }
  void conditions(const Point& at, Conditions g) const override {
    g[conducts_] = at[current_] * kBlocks;
  }
  void on_event(EventId, Update& now) const override { now[resistance_] = 0; }

  // The current while the diode conducts.
  static double exact(double t) {
    const double begin = std::asin(kBattery / kPeak) / kW;
    return (kPeak / kW * (std::cos(kW * begin) - std::cos(kW * t)) - kBattery * (t - begin)) / kL;
  }

 private:
  static constexpr double kPeak = 10, kBattery = 5, kW = 314, kL = 1e-3, kBlocks = 1e5;
  bool has_oscillator_;
  StateId current_, sine_, cosine_;
  DiscreteId resistance_;
  EventId conducts_;
};

TEST(QuantisedEvents, OfABlockingDiodeComeWhenAnAlternatingVoltageSays) {
  for (const bool has_oscillator : {false, true}) {
    const Charger model(has_oscillator);
    for (const char* solver : {"liqss1", "liqss2", "liqss3"}) {
      for (const double stop : {0.002, 0.003, 0.005}) {
        SCOPED_TRACE(solver + (" " + std::to_string(stop)) + (has_oscillator ? ", states" : ""));
        RunOptions options;
        options.stop_time = stop;
        options.solver = solver;
        // The source is 10 V times a state: its quantum becomes as much.
        options.numerics.rtol = options.numerics.atol = has_oscillator ? 1e-4 : 1e-3;
        const RunResult result = simulate(model, options);
        ASSERT_TRUE(result.status.ok()) << result.status.message;
        const double exact = Charger::exact(stop);
        EXPECT_NEAR(result.final.x[0], exact, 1e-3 * std::max(1.0, exact));
      }
    }
  }
}

}  // namespace
}  // namespace arges
