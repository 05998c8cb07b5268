#include "arges/experiment/trim.h"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "arges/hybrid/simulator.h"
#include "arges/hybrid/update.h"

namespace arges {
namespace {

// x' = f(x) with a function of the test.
class Flow : public HybridSystem {
 public:
  explicit Flow(double (*f)(double), double start) : HybridSystem("Flow"), f_(f) {
    x_ = declare_state("x", start);
  }
  void derivatives(const Point& at, Rates rates) const override { rates[x_] = f_(at[x_]); }

 private:
  double (*f_)(double);
  StateId x_;
};

TEST(Trim, FindsAllStatesOfABistableModelFromSeveralStarts) {
  const Flow model([](double x) { return x - x * x * x; }, 0.3);
  TrimRequest request;
  request.more_starts = 40;
  std::vector<double> parts;
  request.progress = [&](double part) { parts.push_back(part); };
  const TrimResult result = trim(model, make_context(model), request);
  ASSERT_EQ(result.solutions.size(), 3u);
  EXPECT_EQ(parts.size(), 40u);
  EXPECT_TRUE(std::ranges::is_sorted(parts) && parts.front() > 0 && parts.back() < 1);
  std::vector<std::pair<double, bool>> found;
  for (const SteadyState& each : result.solutions) found.push_back({each.at.x[0], each.stable});
  std::ranges::sort(found);
  EXPECT_NEAR(found[0].first, -1, 1e-13);
  EXPECT_NEAR(found[1].first, 0, 1e-13);
  EXPECT_NEAR(found[2].first, 1, 1e-13);
  EXPECT_TRUE(found[0].second);
  EXPECT_FALSE(found[1].second);
  EXPECT_TRUE(found[2].second);
}

TEST(Trim, SaysWhenThereIsNoSteadyState) {
  const Flow model([](double x) { return 1 + x * x; }, 0.3);
  const TrimResult result = trim(model, make_context(model));
  EXPECT_TRUE(result.solutions.empty());
  EXPECT_NE(result.message.find("der(x)"), std::string::npos) << result.message;
}

// Newton's method from 20 does not find the way: the slope there is rounding.
TEST(Trim, RunsTheModelWhenNewtonsMethodFails) {
  const Flow model([](double x) { return -std::tanh(x) - 0.5; }, 20);
  const TrimResult result = trim(model, make_context(model));
  ASSERT_EQ(result.solutions.size(), 1u);
  EXPECT_EQ(result.solutions[0].found_by, "run");
  EXPECT_NEAR(result.solutions[0].at.x[0], -std::atanh(0.5), 1e-12);
}

// A tank that fills while the level is low: x' = inflow(z) - x, where z says which.
class Tank : public HybridSystem {
 public:
  Tank() : HybridSystem("Tank") {
    x_ = declare_state("x", 0.1);
    low_ = declare_discrete("low", 1, ValueType::kBoolean);
  }
  void derivatives(const Point& at, Rates rates) const override {
    rates[x_] = (at[low_] != 0 ? 5 : 3) - at[x_];
  }
  void settle(Update& now) const override { now[low_] = now[x_] < 2 ? 1 : 0; }

 private:
  StateId x_;
  DiscreteId low_;
};

TEST(Trim, TakesTheDiscreteVariablesAlong) {
  const Tank model;
  const TrimResult result = trim(model, make_context(model));
  ASSERT_EQ(result.solutions.size(), 1u);
  EXPECT_NEAR(result.solutions[0].at.x[0], 3, 1e-13);
  EXPECT_EQ(result.solutions[0].at.z[0], 0);
}

}  // namespace
}  // namespace arges
