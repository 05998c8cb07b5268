#include <cmath>

#include <gtest/gtest.h>

#include "argesim/c12_spheres/model.h"
#include "argesim/c12_spheres/reference.h"
#include "argesim/common/experiment.h"

namespace arges::argesim {
namespace {

TEST(RowOfSpheres, FinalVelocitiesAndCountsAreExactForEveryOneStepMethod) {
  const RowOfSpheres model;
  for (const char* solver : {"rodas5p", "dopri5", "tsit5", "dop853"}) {
    for (const c12::Outcome& expected : c12::kOutcomes) {
      const RunResult result = final_state(model, options(solver, 1e-9, 1e4), {{"e", expected.e}});
      EXPECT_EQ(result.final.z[model.collisions.index], expected.collisions)
          << solver << ", e = " << expected.e;
      for (int i = 0; i < 4; ++i) {
        EXPECT_NEAR(result.final.x[model.v[i].index], expected.v[i], 1e-14)
            << solver << ", e = " << expected.e;
      }
    }
  }
}

TEST(RowOfSpheres, CollisionsComeInTheRightOrder) {
  const RowOfSpheres model;
  const Recording result = run(model, options("dopri5", 1e-9, 20), {{"e", 0.2}});
  ASSERT_EQ(result.trajectory.events.size(), c12::kSequence02.size());
  for (std::size_t i = 0; i < c12::kSequence02.size(); ++i) {
    const EventRecord& event = result.trajectory.events[i];
    EXPECT_EQ(event.component.front() - '0', c12::kSequence02[i].pair) << i;
    EXPECT_NEAR(event.time, c12::kSequence02[i].t, 1e-10) << i;
  }
}

TEST(RowOfSpheres, DragTakesMomentumButCollisionsDoNot) {
  const RowOfSpheres model;
  const Recording result = run(model, options("dop853", 1e-10, 20), {{"e", 0.4}, {"c", 0.05}});
  ASSERT_GE(result.trajectory.events.size(), 3u);
  for (const EventRecord& event : result.trajectory.events) {
    double change = 0;
    for (const EventChange& each : event.changes) {
      if (each.name[0] == 'v') change += each.after - each.before;
    }
    EXPECT_NEAR(change, 0, 1e-15) << event.component;
  }
  double momentum = 0;
  for (int i = 0; i < 4; ++i) momentum += result.result.final.x[model.v[i].index];
  EXPECT_LT(momentum, 0.9);
  EXPECT_GT(momentum, 0.1);
}

}  // namespace
}  // namespace arges::argesim
