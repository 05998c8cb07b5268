#include "arges/driver/discrete_contest.h"

#include <cmath>

#include <gtest/gtest.h>

#include "arges/base/error.h"
#include "arges/experiment/linearise.h"
#include "arges/experiment/trim.h"
#include "arges/hybrid_devs/hybrid_atomic.h"

namespace arges {
namespace {

// x'' = -10 x' - 1000 (x - level), eigenvalues -5 +- sqrt(-975); the level is 1, and 3 from t = 1
// on.
class Spring : public hybrid_devs::HybridAtomic<Spring> {
 public:
  struct State {
    std::array<double, 2> x = {0, 0};
    double level = 1;
  };
  void derivatives(const State& s, const hybrid_devs::Flow& at, std::span<double> dx) const {
    dx[0] = at.x[1];
    dx[1] = -10 * at.x[1] - 1000 * (at.x[0] - s.level);
  }
  double time_advance(const State& s) const { return s.level == 1 ? 1 : devs::kInfinity; }
  void internal(State& s) const { s.level = 3; }
  void record(const State& s, devs::StateRecorder& r) const {
    r.value("position", s.x[0]);
    r.value("level", s.level);
  }
};

class Counter : public DiscreteModel {
 public:
  Counter() : DiscreteModel({"counter", "", {}, {0, 1, 1e-6, "auto", 0}, "none"}) {}
  DiscreteResult run(const DiscreteRun&) const override { return {}; }
};

class HybridDevs : public ::testing::Test {
 protected:
  HybridDevs() { options_.stop_time = 2; }
  const HybridDevsModel model_{{"spring", "", {}, {0, 2, 1e-6, "auto", 0}, ""},
                               [](const ParameterValues&) { return std::make_unique<Spring>(); }};
  const ParameterValues values_{model_.info().parameters};
  RunOptions options_;
};

TEST_F(HybridDevs, SolversAreComparedOnWhatIsRecorded) {
  ContestRequest request;
  request.solvers = {"dopri5", "rodas5p"};
  request.rtols = {1e-4, 1e-8};
  options_.numerics.atol = 1e-10;
  const ContestResult result =
      compare_solvers(contest_model(model_, values_, options_), options_, request);
  EXPECT_LT(result.reference_error, 1e-9);
  ASSERT_EQ(result.rows.size(), 4u);
  for (const ContestRow& row : result.rows) {
    EXPECT_EQ(row.status, RunReason::kFinished) << row.solver;
    EXPECT_GT(row.statistics.steps, 10) << row.solver;
    EXPECT_LT(row.error, 300 * row.rtol) << row.solver;
    EXPECT_GT(row.error, 0) << row.solver;
  }
  EXPECT_LT(result.rows[1].error, result.rows[0].error);
  EXPECT_THROW(contest_model(Counter(), values_, options_), UserError);
}

TEST_F(HybridDevs, TheEquationsOfAMomentHaveTheirSteadyStateAndEigenvalues) {
  for (const double time : {0.5, 1.5}) {
    options_.stop_time = time;
    const Moment moment = model_.moment(options_, values_);
    ASSERT_TRUE(moment.status.ok());
    const LinearModel linear = linearise(*moment.system, moment.at);
    EXPECT_EQ(linear.time, time);
    ASSERT_EQ(linear.eigenvalues.size(), 2u);
    for (const auto& each : linear.eigenvalues) {
      EXPECT_NEAR(each.real(), -5, 1e-9);
      EXPECT_NEAR(std::abs(each.imag()), std::sqrt(975), 1e-9);
    }
    const TrimResult found = trim(*moment.system, moment.at, {});
    ASSERT_EQ(found.solutions.size(), 1u);
    EXPECT_NEAR(found.solutions[0].at.x[0], time < 1 ? 1 : 3, 1e-12);
    EXPECT_TRUE(found.solutions[0].stable);
  }
  EXPECT_THROW(Counter().moment(options_, values_), UserError);
}

}  // namespace
}  // namespace arges
