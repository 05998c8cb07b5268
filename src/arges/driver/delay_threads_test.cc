// Runs of one model with delay() beside each other.

#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "arges/driver/model_text.h"
#include "arges/hybrid/simulator.h"

namespace arges {
namespace {

TEST(DelayThreads, RunsBesideEachOtherHaveTheirOwnPast) {
  const auto model = model_from_text("Model.mo", R"(model Model
  parameter Real k = 1;
  Real y(start = 1, fixed = true);
  Real a, b;
equation
  der(y) = -k*delay(y, 1);
  (a, b) = spatialDistribution(y, 0, time, true, {0, 1}, {1, 1});
end Model;)");
  const auto last = [&](int i) {
    RunOptions options;
    options.stop_time = 20;
    options.solver = "dopri5";
    Context context = make_context(*model);
    context.p[0] = 0.3 + 0.1 * i;
    return Simulator(*model, options).run(context, nullptr).final_row;
  };
  constexpr int kRuns = 8;
  std::vector<std::vector<double>> alone, together(kRuns);
  for (int i = 0; i < kRuns; ++i) alone.push_back(last(i));
  {
    std::vector<std::jthread> crew;
    for (int i = 0; i < kRuns; ++i)
      crew.emplace_back([&, i] { together[static_cast<std::size_t>(i)] = last(i); });
  }
  for (int i = 0; i < kRuns; ++i)
    EXPECT_EQ(together[static_cast<std::size_t>(i)], alone[static_cast<std::size_t>(i)]) << i;
}

}  // namespace
}  // namespace arges
