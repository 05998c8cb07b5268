#include <cmath>

#include <gtest/gtest.h>

#include "argesim/c03_class_e/model.h"
#include "argesim/c03_class_e/reference.h"
#include "argesim/common/eigenvalues.h"
#include "argesim/common/experiment.h"

namespace arges::argesim {
namespace {

TEST(ClassEAmplifier, ReachesTheReferenceStateAt100Microseconds) {
  const ClassEAmplifier model;
  for (const double rtol : {1e-6, 1e-8, 1e-10, 1e-12}) {
    const auto x = final_state(model, options("rodas5p", rtol, 100e-6)).final.x;
    const double scale[] = {0.1, 10, 0.1, 10};
    for (int i = 0; i < 4; ++i) EXPECT_NEAR(x[i], c3::kFinal[i], 100 * rtol * scale[i]) << rtol;
  }
}

TEST(ClassEAmplifier, FollowsRampsOfEveryLength) {
  const ClassEAmplifier model;
  for (const c3::Ramp& ramp : c3::kTaskC) {
    const auto x = final_state(model, options("rodas5p", 1e-9, 9e-6),
                               {{"TRF", ramp.TRF},
                                {"x1", c3::kFinal[0]},
                                {"x2", c3::kFinal[1]},
                                {"x3", c3::kFinal[2]},
                                {"x4", c3::kFinal[3]}})
                       .final.x;
    for (int i = 0; i < 4; ++i) EXPECT_NEAR(x[i], ramp.x[i], 1e-8) << ramp.TRF;
  }
}

TEST(ClassEAmplifier, EachPointOfTheTableIsAnEventAtItsExactTime) {
  const ClassEAmplifier model;
  const Recording result = run(model, options("rodas5p", 1e-8, 29e-6));
  const std::vector<double> times = result.event_times();
  ASSERT_EQ(times.size(), 12u);  // 0, TRF, T/2, T/2 + TRF, ...
  for (std::size_t i = 0; i < times.size(); ++i) {
    const std::size_t period = i / 4;
    const double start = static_cast<double>(period) * 10e-6;
    const double expected[] = {start, start + 1e-15, start + 5e-6, start + 5e-6 + 1e-15};
    EXPECT_EQ(times[i], expected[i % 4]) << i;
    EXPECT_TRUE(result.trajectory.events[i].is_time_event);
  }
}

TEST(ClassEAmplifier, ARunMayBeginInTheMiddleOfAPeriod) {
  const ClassEAmplifier model;
  RunOptions second_half = options("rodas5p", 1e-8, 28e-6);
  second_half.start_time = 27e-6;
  const Recording result = run(model, second_half);
  EXPECT_EQ(result.trajectory.final_value("R"), 0.05);
  second_half.start_time = 21e-6;
  second_half.stop_time = 23e-6;
  EXPECT_EQ(run(model, second_half).trajectory.final_value("R"), 5e6);
}

TEST(ClassEAmplifier, HasTheKnownEigenvalues) {
  const ClassEAmplifier model;
  const auto on = eigenvalues(model, final_state(model, options("rodas5p", 1e-6, 7.5e-6)).final);
  ASSERT_EQ(on.size(), 4u);
  EXPECT_NEAR(on[0].real() / c3::kEigenvaluesOn[0][0], 1, 1e-12);
  EXPECT_NEAR(on[1].imag() / c3::kEigenvaluesOn[1][1], 1, 1e-9);
  EXPECT_NEAR(on[3].real() / c3::kEigenvaluesOn[2][0], 1, 1e-6);
}

}  // namespace
}  // namespace arges::argesim
