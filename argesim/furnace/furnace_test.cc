#include <cmath>
#include <string>

#include <gtest/gtest.h>

#include "arges/driver/run_model.h"
#include "arges/hybrid_devs/hybrid_simulator.h"
#include "argesim/furnace/model.h"

namespace arges::argesim::furnace {
namespace {

using hybrid_devs::HybridSimulator;

RunOptions options(const std::string& solver) {
  RunOptions result;
  result.solver = solver;
  result.stop_time = 100;
  result.numerics.rtol = 1e-10;
  if (solver == "rk4") result.numerics.step = 0.01;
  return result;
}

TEST(Furnace, HasTheSameFinishTimesWithEverySolver) {
  for (const std::string solver :
       {"rk4", "dopri5", "rodas5p", "cvode-bdf", "arkode-erk", "qss3", "liqss3", "auto"}) {
    const Plant plant;
    HybridSimulator simulator(plant, options(solver));
    ASSERT_TRUE(simulator.run_until(95).ok()) << solver << simulator.status().message;
    EXPECT_EQ(simulator.discrete().components().size(), 3u + 4u) << solver;  // 4 in the furnace
    ASSERT_TRUE(simulator.run_until(100).ok()) << solver << simulator.status().message;
    const auto& times = simulator.state(plant.furnace).finish_times;
    ASSERT_EQ(times.size(), 7u) << solver;
    const double tolerance = solver == "cvode-bdf" ? 2e-6 : 1e-7;
    for (std::size_t k = 0; k < times.size(); ++k) {
      EXPECT_NEAR(times[k], residence_time() + 10.0 * static_cast<double>(k), tolerance) << solver;
    }
    EXPECT_EQ(simulator.statistics().state_events, 7) << solver;
  }
}

double temperature(double age) {
  return kFurnaceTemperature - (kFurnaceTemperature - kCold) * std::exp(-age / kTimeConstant);
}

TEST(Furnace, TemperaturesAreThoseOfTheClosedForm) {
  const Plant plant;
  HybridSimulator simulator(plant, options("dopri5"));
  for (const double t : {5.0, 37.5, 95.0}) {
    ASSERT_TRUE(simulator.run_until(t).ok());
    int pieces = 0;
    for (const std::uint32_t id : simulator.discrete().components()) {
      const auto* piece = dynamic_cast<const Workpiece*>(&simulator.discrete().model(id));
      if (piece == nullptr) continue;
      ++pieces;
      EXPECT_NEAR(simulator.state(*piece).x[0], temperature(t - 10.0 * piece->number()), 1e-7);
    }
    EXPECT_EQ(pieces, t == 5 ? 1 : 4);
  }
}

// Moore components, then the mean, then what reads the mean at another level: all in one flow.
TEST(Furnace, TheMeanReachesTheThermometerAtOnce) {
  const Plant plant;
  HybridSimulator simulator(plant, options("dopri5"));
  ASSERT_TRUE(simulator.run_until(10).ok());
  // One piece for 10 s, whose temperature is the mean.
  const double integral = kFurnaceTemperature * 10 - (kFurnaceTemperature - kCold) * kTimeConstant *
                                                         (1 - std::exp(-10 / kTimeConstant));
  EXPECT_NEAR(simulator.state(plant.furnace.mean).x[0], integral, 1e-6);
  // T' = (200 - 180 exp(-t/30) - T)/5, T(0) = 20: T = 200 - 216 exp(-t/30) + 36 exp(-t/5).
  EXPECT_NEAR(simulator.state(plant.thermometer).x[0],
              200 - 216 * std::exp(-10. / 30) + 36 * std::exp(-10. / 5), 1e-7);
}

TEST(Furnace, AStateEventMeetsAnArrivalAtTheSameTime) {
  // A piece comes exactly when the fourth before it is finished.
  const double period = residence_time() / 4;
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

TEST(Furnace, RunsByItsNameWithAnySolver) {
  ModelRegistry models;
  models.add(make_model());
  for (const char* solver : {"dopri5", "cvode-bdf"}) {
    RunRequest request;
    request.model = "furnace";
    request.solver = solver;
    request.keep_trajectory = true;
    const RunOutcome outcome = run_model(models, request);
    ASSERT_TRUE(outcome.result.status.ok()) << outcome.result.status.message;
    EXPECT_EQ(outcome.result.solver, solver);
    EXPECT_GT(outcome.result.statistics.steps, 20);
    const Trajectory& result = *outcome.trajectory;
    EXPECT_EQ(result.final_value("furnace.finished"), 7);
    EXPECT_EQ(result.final_value("furnace.inside"), 4);
    int state_events = 0;
    for (const EventRecord& event : result.events) {
      if (event.kind != "state") continue;
      EXPECT_NEAR(event.time, residence_time() + 10 * state_events++, 1e-3);
    }
    EXPECT_EQ(state_events, 7);
    // Rows are in order, and the thermometer has no jumps.
    const auto shown = result.values_of("thermometer.T");
    for (std::size_t i = 1; i < result.rows(); ++i) {
      ASSERT_LE(result.times[i - 1], result.times[i]);
      if (result.times[i - 1] == result.times[i]) {
        EXPECT_EQ(shown[i - 1], shown[i]) << i;
      }
    }
  }
  RunRequest request;
  request.model = "furnace";
  request.interval = 1;
  request.keep_trajectory = true;
  const RunOutcome outcome = run_model(models, request);
  EXPECT_EQ(outcome.trajectory->rows(), 101u);
  EXPECT_NEAR(outcome.trajectory->values_of("thermometer.T")[10],
              200 - 216 * std::exp(-10. / 30) + 36 * std::exp(-10. / 5), 1e-5);
}

}  // namespace
}  // namespace arges::argesim::furnace
