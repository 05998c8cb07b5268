#pragma once
// A furnace of workpieces that come, get hot and go: hybrid components in a variable structure.

#include <array>
#include <memory>
#include <vector>

#include "arges/devs/structure.h"
#include "arges/driver/discrete_model.h"
#include "arges/hybrid_devs/hybrid_atomic.h"

namespace arges::argesim::furnace {

constexpr double kFurnaceTemperature = 200, kCold = 20, kHot = 150, kTimeConstant = 30;

// The time that a workpiece takes: 30 ln(180/50).
double residence_time();

// T' = (200 - T)/30 until T = 150; then it says that it is finished.
class Workpiece : public hybrid_devs::HybridAtomic<Workpiece> {
 public:
  struct State {
    std::array<double, 1> x = {kCold};
    bool is_hot = false, is_gone = false;
  };
  devs::Out<int> finished{this, "finished"};
  hybrid_devs::ContinuousOut temperature{this, "temperature"};
  static constexpr std::array kConditions = {Direction::kRising};

  explicit Workpiece(int number) : number_(number) {}
  int number() const { return number_; }
  void derivatives(const State&, const hybrid_devs::Flow& at, std::span<double> dx) const {
    dx[0] = (kFurnaceTemperature - at.x[0]) / kTimeConstant;
  }
  void conditions(const State&, const hybrid_devs::Flow& at, std::span<double> g) const {
    g[0] = at.x[0] - kHot;
  }
  void outputs(const State&, const hybrid_devs::Flow& at, hybrid_devs::ContinuousValues y) const {
    y[temperature] = at.x[0];
  }
  void state_event(State& s, hybrid_devs::StateEvents) const { s.is_hot = true; }
  double time_advance(const State& s) const { return s.is_hot && !s.is_gone ? 0 : devs::kInfinity; }
  void output(const State&, devs::Output& y) const { y.send(finished, number_); }
  void internal(State& s) const { s.is_gone = true; }

 private:
  int number_;
};

// The mean of all that drives its input, at once (a Mealy output), and the integral of it.
class Mean : public hybrid_devs::HybridAtomic<Mean> {
 public:
  struct State {
    std::array<double, 1> x = {0};
  };
  hybrid_devs::ContinuousIn in{this, "in"};
  hybrid_devs::ContinuousOut out{this, "out"};
  static constexpr bool kMealy = true;
  void outputs(const State&, const hybrid_devs::Flow& at, hybrid_devs::ContinuousValues y) const {
    y[out] = mean(at);
  }
  void derivatives(const State&, const hybrid_devs::Flow& at, std::span<double> dx) const {
    dx[0] = mean(at);
  }

 private:
  double mean(const hybrid_devs::Flow& at) const {
    const auto values = at.on(in);
    return values.empty() ? 0 : at[in] / static_cast<double>(values.size());
  }
};

// A low pass, T' = (in - T)/tau: a thermometer.
class Thermometer : public hybrid_devs::HybridAtomic<Thermometer> {
 public:
  struct State {
    std::array<double, 1> x = {kCold};
  };
  hybrid_devs::ContinuousIn in{this, "in"};
  explicit Thermometer(double time_constant) : time_constant_(time_constant) {}
  void derivatives(const State&, const hybrid_devs::Flow& at, std::span<double> dx) const {
    dx[0] = (at[in] - at.x[0]) / time_constant_;
  }
  void record(const State& s, devs::StateRecorder& r) const {
    r.value("T", s.x[0], "degC", "what the thermometer shows");
  }

 private:
  double time_constant_;
};

// A workpiece comes every `period`, the first at t = 0; one that is finished is taken out.
class Furnace : public devs::VariableCoupled<Furnace> {
 public:
  struct State {
    int created = 0;
    double wait = 0;
    std::vector<double> finish_times;
  };
  devs::In<int> finished{executive(), "finished"};
  hybrid_devs::ContinuousOut mean_temperature{this, "mean_temperature"};
  const Mean& mean;

  explicit Furnace(double period);
  double time_advance(const State& s) const { return s.wait; }
  void internal(State& s, devs::Structure& now) const;
  void external(State& s, double elapsed, const devs::Bag& x, devs::Structure& now) const;
  void record(const State& s, devs::StateRecorder& r) const;

 private:
  double period_;
};

// The furnace, and a thermometer that reads its mean temperature from outside.
class Plant : public devs::Coupled {
 public:
  explicit Plant(double period = 10, double thermometer = 5);
  const Furnace& furnace;
  const Thermometer& thermometer;
};

// For `arges run`.
std::unique_ptr<DiscreteModel> make_model();

}  // namespace arges::argesim::furnace
