// The benchmarks as Modelica text give the numbers of their C++ twins.

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "arges/driver/model_text.h"
#include "arges/hybrid/simulator.h"
#include "arges/results/memory_sink.h"

namespace arges::argesim {
namespace {

std::unique_ptr<HybridSystem> open_text(const std::string& file) {
  return open_model(ModelRegistry(), {std::string(ARGESIM_DIR) + "/" + file, "", false});
}

Trajectory run_text(const std::string& file, const std::string& solver, double rtol,
                    const std::vector<std::pair<std::string, double>>& values = {}) {
  const auto model = open_text(file);
  RunOptions options;
  options.stop_time = model->schema().experiment.stop_time;
  options.solver = solver;
  options.numerics.rtol = rtol;
  Context context = make_context(*model);
  for (const auto& [name, value] : values) set_value(*model, context, name, value);
  MemorySink memory;
  const RunResult result = Simulator(*model, options).run(context, &memory);
  EXPECT_TRUE(result.status.ok()) << result.status.message;
  memory.finish({});
  return memory.take();
}

std::vector<double> times_of(const Trajectory& run, const std::string& variable) {
  std::vector<double> times;
  for (const EventRecord& event : run.events) {
    for (const EventChange& change : event.changes) {
      if (change.name == variable) times.push_back(event.time);
    }
  }
  return times;
}

class TextModels : public ::testing::TestWithParam<const char*> {};

TEST_P(TextModels, LithiumMeetsItsReference) {
  for (const double rtol : {1e-6, 1e-9, 1e-12}) {
    const Trajectory run = run_text("c01_lithium/Lithium.mo", GetParam(), rtol);
    EXPECT_NEAR(run.final_value("f") / 0.010100722052674319, 1, 100 * rtol);
    EXPECT_NEAR(run.final_value("m") / 3.4796713163550167, 1, 100 * rtol);
    EXPECT_NEAR(run.final_value("r") / 31.755612494065316, 1, 100 * rtol);
  }
}

TEST_P(TextModels, TwoStateFindsAllSwitchesAtTightTolerances) {
  const double expected[] = {1.1083061677711312, 2.129685355154714, 3.0541529069957196,
                             4.0755320943793025, 4.999999646220308};
  for (const double rtol : {1e-10, 1e-12}) {
    const auto times = times_of(run_text("c05_two_state/TwoState.mo", GetParam(), rtol), "first");
    ASSERT_EQ(times.size(), 5u) << GetParam() << " at " << rtol;
    for (int i = 0; i < 5; ++i) EXPECT_NEAR(times[i], expected[i], 1000 * rtol);
  }
  const auto many = times_of(run_text("c05_two_state/TwoState.mo", GetParam(), 1e-10,
                                      {{"c2_2", -1.25}, {"c4_2", 4.33}, {"lower", 4.1}}),
                             "first");
  EXPECT_EQ(many.size(), 62u);
}

INSTANTIATE_TEST_SUITE_P(ImplicitSolvers, TextModels,
                         ::testing::Values("rodas5p", "cvode-bdf", "ida", "arkode-dirk"));

TEST(TextModel, ConstrainedPendulumMeetsItsReference) {
  const Trajectory run = run_text("c07_pendulum/ConstrainedPendulum.mo", "dop853", 1e-11);
  ASSERT_EQ(run.events.size(), 8u);
  EXPECT_NEAR(run.events[0].time, 0.70345948576212758425, 1e-9);
  EXPECT_NEAR(run.events[7].time, 6.7203841682892219885, 1e-8);
  EXPECT_NEAR(run.final_value("phi"), 0.11969321395571156470, 1e-9);
}

}  // namespace
}  // namespace arges::argesim
