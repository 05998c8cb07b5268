#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "argesim/c05_two_state/model.h"
#include "argesim/c05_two_state/reference.h"
#include "argesim/common/experiment.h"

namespace arges::argesim {
namespace {

const Settings kTaskD = {{"c2_2", -1.25}, {"c4_2", 4.33}, {"lower", 4.1}};

template <std::size_t N>
double largest_error(const std::vector<double>& times, const std::array<double, N>& expected) {
  EXPECT_EQ(times.size(), N);
  double worst = 0;
  for (std::size_t i = 0; i < std::min(N, times.size()); ++i) {
    worst = std::max(worst, std::abs(times[i] - expected[i]));
  }
  return worst;
}

TEST(TwoState, EveryImplicitSolverFindsFiveEventsFromTenDigitsOn) {
  const TwoState model;
  for (const std::string& solver : implicit_solvers()) {
    for (const double rtol : {1e-10, 1e-11, 1e-12, 1e-13}) {
      EXPECT_EQ(run(model, options(solver, rtol, 5)).event_times().size(), 5u)
          << solver << ", rtol " << rtol;
    }
  }
}

TEST(TwoState, EveryImplicitSolverFinds62EventsInTaskDFromTenDigitsOn) {
  const TwoState model;
  for (const std::string& solver : implicit_solvers()) {
    for (const double rtol : {1e-10, 1e-12}) {
      EXPECT_EQ(run(model, options(solver, rtol, 5), kTaskD).event_times().size(), 62u)
          << solver << ", rtol " << rtol;
    }
  }
}

TEST(TwoState, EventTimesHaveTheAccuracyOfTheSolver) {
  const TwoState model;
  const auto error = [&](const char* solver) {
    const RunOptions twelve_digits = options(solver, 1e-12, 5);
    return std::max(largest_error(run(model, twelve_digits).event_times(), c5::kEvents),
                    largest_error(run(model, twelve_digits, kTaskD).event_times(), c5::kEventsD));
  };
  EXPECT_LT(error("rodas5p"), 2e-11);
  EXPECT_LT(error("cvode-bdf"), 2e-9);
  EXPECT_LT(error("ida"), 2e-9);
  EXPECT_LT(error("arkode-dirk"), 2e-9);
}

TEST(TwoState, TheTimesOfTaskDAgreeWithTheClosedForm) {
  const TwoState model;
  const Recording result = run(model, options("rodas5p", 1e-12, 5), kTaskD);
  EXPECT_LT(largest_error(result.event_times(), c5::kEventsD), 1e-10);
  EXPECT_NEAR(result.result.final.x[0], c5::kY1D, 1e-9);
}

TEST(TwoState, EventsAreParameterEventsWithBothSidesInTheLog) {
  const TwoState model;
  const Recording result = run(model, options("rodas5p", 1e-10, 5));
  ASSERT_FALSE(result.trajectory.events.empty());
  const EventRecord& first = result.trajectory.events.front();
  EXPECT_EQ(first.kind, "SE-P");
  EXPECT_EQ(first.component, "y1 rises to upper");
  const auto c4 = std::find_if(first.changes.begin(), first.changes.end(),
                               [](const EventChange& change) { return change.name == "c4"; });
  ASSERT_NE(c4, first.changes.end());
  EXPECT_EQ(c4->before, 5.5);
  EXPECT_EQ(c4->after, 2.73);
}

}  // namespace
}  // namespace arges::argesim
