// Random networks of hybrid components against their solution in closed form.

#include <string>

#include <gtest/gtest.h>

#include "arges/hybrid_devs/hybrid_simulator.h"
#include "testing/every_solver.h"
#include "testing/exact_network.h"

namespace arges::hybrid_devs {
namespace {

// The state events up to `end`, at times as those of the description.
std::vector<test::NodeEvent> simulate(const test::NetworkDescription& network,
                                      const std::string& solver, double end) {
  test::NetworkRun run(network);
  const test::NetworkModel model(run);
  RunOptions options;
  options.solver = solver;
  options.start_time = network.start;
  options.stop_time = network.start + network.end * network.time;
  options.on_zeno = ZenoPolicy::kGo;
  HybridSimulator simulator(model, options);
  run.simulator = &simulator;
  const RunStatus status = simulator.run_until(network.start + end * network.time);
  EXPECT_TRUE(status.ok()) << status.message;
  for (test::NodeEvent& event : run.events)
    event.time = (event.time - network.start) / network.time;
  return run.events;
}

std::string text(const std::vector<test::NodeEvent>& events) {
  std::string result;
  for (const test::NodeEvent& event : events) {
    result += "t = " + std::to_string(event.time) + ": node " + std::to_string(event.node) +
              ", condition " + std::to_string(event.condition) + (event.rising ? " up" : " down") +
              '\n';
  }
  return result;
}

class RandomNetworks : public ::testing::TestWithParam<std::string> {
 protected:
  // Only events before this are compared: just after it something may happen either way.
  static constexpr double kShortlyAfter = 1e-5;
  void expect_exact(bool curved, bool scaled, unsigned count) const {
    for (unsigned seed = 0; seed < count; ++seed) {
      SCOPED_TRACE(::testing::Message() << "seed " << seed);
      const test::NetworkDescription network = test::random_network(seed, curved, scaled);
      const test::ExactNetwork exact(network);
      if (exact.clear_until() < 0) continue;
      const auto events = simulate(network, GetParam(), exact.clear_until() + kShortlyAfter);
      EXPECT_EQ(text(events), text(exact.events()));
      if (HasFailure()) return;
    }
  }
};

// Straight motion is exact for every method, and its roots are known to the last digits.
TEST_P(RandomNetworks, HaveTheStateEventsOfTheClosedForm) {
  expect_exact(false, false, 100);
  expect_exact(false, true, 100);
}

INSTANTIATE_TEST_SUITE_P(Methods, RandomNetworks,
                         ::testing::Values("dopri5", "rodas5p", "cvode-bdf", "cvode-adams", "ida",
                                           "qss2", "qss3", "liqss2"),
                         test::name_of_test);

class CurvedNetworks : public RandomNetworks {};

// Methods of second order and more are exact on parabolas; those that step with errors of their
// own are not, and what happens at one time there happens one after the other.
TEST_P(CurvedNetworks, HaveTheStateEventsOfTheClosedForm) {
  expect_exact(true, false, 100);
  expect_exact(true, true, 100);
}

INSTANTIATE_TEST_SUITE_P(Methods, CurvedNetworks, ::testing::Values("dopri5", "dop853", "rodas5p"),
                         test::name_of_test);

}  // namespace
}  // namespace arges::hybrid_devs
