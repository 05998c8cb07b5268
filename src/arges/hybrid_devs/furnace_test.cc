// A furnace of workpieces that come, get hot and go: hybrid components in a variable structure.

#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "arges/devs/structure.h"
#include "arges/hybrid_devs/hybrid_simulator.h"

namespace arges::hybrid_devs {
namespace {

using devs::Bag;
using devs::In;
using devs::kInfinity;
using devs::Out;
using devs::Output;
using devs::Structure;

constexpr double kFurnace = 200, kCold = 20, kHot = 150, kTau = 30;
const double kResidence = kTau * std::log((kFurnace - kCold) / (kFurnace - kHot));

// T' = (200 - T)/30 until T = 150.
class Workpiece : public HybridAtomic<Workpiece> {
 public:
  struct State {
    std::array<double, 1> x = {kCold};
    bool is_hot = false, is_gone = false;
  };
  Out<int> finished{this, "finished"};
  ContinuousOut temperature{this, "temperature"};
  static constexpr std::array kConditions = {Direction::kRising};

  explicit Workpiece(int number) : number_(number) {}
  void derivatives(const State&, const Flow& at, std::span<double> dx) const {
    dx[0] = (kFurnace - at.x[0]) / kTau;
  }
  void conditions(const State&, const Flow& at, std::span<double> g) const {
    g[0] = at.x[0] - kHot;
  }
  void outputs(const State&, const Flow& at, ContinuousValues y) const { y[temperature] = at.x[0]; }
  void state_event(State& s, StateEvents) const { s.is_hot = true; }
  double time_advance(const State& s) const { return s.is_hot && !s.is_gone ? 0 : kInfinity; }
  void output(const State&, Output& y) const { y.send(finished, number_); }
  void internal(State& s) const { s.is_gone = true; }

 private:
  int number_;
};

// The mean of all that drives its input, at once; and its integral.
class Mean : public HybridAtomic<Mean> {
 public:
  struct State {
    std::array<double, 1> x = {0};
  };
  ContinuousIn in{this, "in"};
  ContinuousOut out{this, "out"};
  static constexpr bool kMealy = true;
  double mean(const Flow& at) const {
    const auto values = at.on(in);
    return values.empty() ? 0 : at[in] / static_cast<double>(values.size());
  }
  void outputs(const State&, const Flow& at, ContinuousValues y) const { y[out] = mean(at); }
  void derivatives(const State&, const Flow& at, std::span<double> dx) const { dx[0] = mean(at); }
};

// x' = input: Moore.
class Integral : public HybridAtomic<Integral> {
 public:
  struct State {
    std::array<double, 1> x = {0};
  };
  ContinuousIn in{this, "in"};
  void derivatives(const State&, const Flow& at, std::span<double> dx) const { dx[0] = at[in]; }
};

class Furnace : public devs::VariableCoupled<Furnace> {
 public:
  struct State {
    int created = 0;
    double wait = 0;
    std::vector<double> finish_times;
  };
  In<int> finished{executive(), "finished"};
  ContinuousOut mean_out{this, "mean"};
  const Mean& mean;

  explicit Furnace(double period) : mean(add<Mean>("mean_temperature")), period_(period) {
    couple(mean.out, mean_out);
  }
  double time_advance(const State& s) const { return s.wait; }
  void internal(State& s, Structure& now) const {
    const int number = s.created++;
    s.wait = period_;
    const auto& piece = now.add<Workpiece>("piece[" + std::to_string(number) + "]", number);
    now.couple(piece.finished, finished);
    now.couple(piece.temperature, mean.in);
  }
  void external(State& s, double elapsed, const Bag& x, Structure& now) const {
    s.wait -= elapsed;
    for (const int number : x.on(finished)) {
      s.finish_times.push_back(now.time());
      now.remove(now.get<Workpiece>("piece[" + std::to_string(number) + "]"));
    }
  }

 private:
  double period_;
};

// The furnace is one level down; the mean is read outside.
class Plant : public devs::Coupled {
 public:
  Furnace& furnace;
  Integral& integral;
  explicit Plant(double period)
      : furnace(add<Furnace>("furnace", period)), integral(add<Integral>("integral")) {
    couple(furnace.mean_out, integral.in);
  }
};

RunOptions options(const std::string& solver) {
  RunOptions result;
  result.solver = solver;
  result.stop_time = 100;
  result.numerics.rtol = 1e-10;
  if (solver == "rk4") result.numerics.step = 0.01;
  return result;
}

TEST(HybridDevs, AFurnaceHasTheSameFinishTimesWithEverySolver) {
  for (const std::string solver : {"rk4", "dopri5", "rodas5p", "cvode-bdf", "arkode-erk", "auto"}) {
    const Plant plant(10);
    HybridSimulator simulator(plant, options(solver));
    ASSERT_TRUE(simulator.run_until(95).ok()) << solver << simulator.status().message;
    EXPECT_EQ(simulator.discrete().components().size(), 3u + 4u) << solver;  // 4 in the furnace
    ASSERT_TRUE(simulator.run_until(100).ok()) << solver << simulator.status().message;
    const auto& times = simulator.state(plant.furnace).finish_times;
    ASSERT_EQ(times.size(), 7u) << solver;
    const double tolerance = solver == "cvode-bdf" ? 2e-6 : 1e-7;
    for (std::size_t k = 0; k < times.size(); ++k) {
      EXPECT_NEAR(times[k], kResidence + 10.0 * static_cast<double>(k), tolerance) << solver;
    }
    EXPECT_EQ(simulator.statistics().state_events, 7) << solver;
  }
}

TEST(HybridDevs, ContinuousStatesAreThoseOfTheClosedForm) {
  const Plant plant(10);
  HybridSimulator simulator(plant, options("dopri5"));
  for (const double t : {5.0, 37.5, 95.0}) {
    ASSERT_TRUE(simulator.run_until(t).ok());
    for (const std::uint32_t id : simulator.discrete().components()) {
      const auto* piece = dynamic_cast<const Workpiece*>(&simulator.discrete().model(id));
      if (piece == nullptr) continue;
      const int number = std::stoi(piece->name().substr(6));
      const double temperature =
          kFurnace - (kFurnace - kCold) * std::exp(-(t - 10.0 * number) / kTau);
      EXPECT_NEAR(simulator.state(*piece).x[0], temperature, 1e-7) << t << ' ' << number;
    }
  }
}

// Moore components, then the mean, then what reads the mean at another level: all in one flow.
TEST(HybridDevs, MealyOutputsReachWhatReadsThemAtOnce) {
  const Plant plant(10);
  HybridSimulator simulator(plant, options("dopri5"));
  ASSERT_TRUE(simulator.run_until(10).ok());
  // One piece for 10 s, whose temperature is the mean.
  const double expected = kFurnace * 10 - (kFurnace - kCold) * kTau * (1 - std::exp(-10 / kTau));
  EXPECT_NEAR(simulator.state(plant.integral).x[0], expected, 1e-6);
  EXPECT_NEAR(simulator.state(plant.furnace.mean).x[0], expected, 1e-6);
}

TEST(HybridDevs, AStateEventMeetsAnInternalEventAtTheSameTime) {
  // A piece comes exactly when the fourth before it is finished.
  const double period = kResidence / 4;
  const Plant plant(period);
  HybridSimulator simulator(plant, options("dopri5"));
  ASSERT_TRUE(simulator.run_until(10.5 * period).ok()) << simulator.status().message;
  const auto& times = simulator.state(plant.furnace).finish_times;
  ASSERT_EQ(times.size(), 7u);
  for (std::size_t k = 0; k < times.size(); ++k) {
    EXPECT_NEAR(times[k], (static_cast<double>(k) + 4) * period, 1e-7);
  }
  EXPECT_EQ(simulator.state(plant.furnace).created, 11);
}

}  // namespace
}  // namespace arges::hybrid_devs
