// Table A.1 of Muzy et al.: fifteen rows, with a confluent event at t = 2.

#include <gtest/gtest.h>

#include "arges/base/error.h"
#include "arges/driver/run_model.h"
#include "argesim/a1_integrator/model.h"

namespace arges::argesim::a1 {
namespace {

TEST(ActivityTable, HasItsFifteenRowsInAllQueues) {
  const std::vector<Row> table = table_a1();
  for (const devs::QueueKind queue : {devs::QueueKind::kHeap, devs::QueueKind::kCalendar}) {
    const std::vector<Row> rows = transitions({.queue = queue});
    ASSERT_EQ(rows.size(), table.size());
    for (std::size_t i = 0; i < table.size(); ++i) {
      EXPECT_NEAR(rows[i].t, table[i].t, 4e-16 * table[i].t) << i;
      EXPECT_NEAR(rows[i].q, table[i].q, 4e-15) << i;
      EXPECT_EQ(rows[i].rate, table[i].rate) << i;
      EXPECT_EQ(rows[i].kind, table[i].kind) << i;
      if (i == 0) continue;  // infinity
      EXPECT_NEAR(rows[i].sigma, table[i].sigma, 1e-16) << i;
    }
    EXPECT_EQ(rows[7].t, 2.0);  // to the last bit, although five times 0.2 is not
    EXPECT_EQ(rows[7].q, 5.0);
  }
}

ModelRegistry registry() {
  ModelRegistry models;
  models.add(make_model());
  return models;
}

TEST(DiscreteRun, LogsTransitionsMessagesAndColumns) {
  const ModelRegistry models = registry();
  RunRequest request;
  request.model = "devs-a1";
  request.keep_trajectory = true;
  const RunOutcome outcome = run_model(models, request);
  ASSERT_TRUE(outcome.result.status.ok());
  EXPECT_EQ(outcome.result.solver, "devs");
  EXPECT_EQ(outcome.result.events, 17);
  EXPECT_NEAR(outcome.trajectory->final_value("integrator.q"), 10.2, 4e-15);
  EXPECT_EQ(outcome.trajectory->times.back(), 4.3);
  EXPECT_EQ(*outcome.trajectory->manifest.find("result.confluent"), "1");
  EXPECT_EQ(*outcome.trajectory->manifest.find("seed"), "none");
}

TEST(DiscreteRun, EndsAtTheLimitsThatAreSet) {
  const ModelRegistry models = registry();
  RunRequest request;
  request.model = "devs-a1";
  request.max_events = 5;
  const RunOutcome outcome = run_model(models, request);
  EXPECT_EQ(outcome.result.status.reason, RunReason::kTooManySteps);
  EXPECT_GE(outcome.result.events, 5);
  EXPECT_LE(outcome.result.events, 7);
}

TEST(DiscreteRun, RefusesWhatHasNoMeaning) {
  const ModelRegistry models = registry();
  RunRequest request;
  request.model = "devs-a1";
  request.solver = "dopri5";
  EXPECT_THROW(run_model(models, request), UserError);
  request.solver.reset();
  request.values = {{"d", 1}};
  EXPECT_THROW(run_model(models, request), UserError);
  request.values.clear();
  request.stop_time = -1;
  EXPECT_THROW(run_model(models, request), UserError);
}

}  // namespace
}  // namespace arges::argesim::a1
