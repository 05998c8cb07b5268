#include "arges/hybrid/pacer.h"

#include <chrono>
#include <thread>

#include <gtest/gtest.h>

namespace arges {
namespace {

using std::chrono::duration;
using std::chrono::milliseconds;
using std::chrono::steady_clock;

TEST(Pacer, DoesNothingWithoutAPace) {
  Pacer pacer;
  pacer.start(0, 0);
  pacer.wait_until(1e9);
  EXPECT_EQ(pacer.report().steps, 0);
}

TEST(Pacer, NoStepBeginsBeforeItsTime) {
  Pacer pacer;
  const auto begin = steady_clock::now();
  pacer.start(5, 10);  // ten units a second
  for (int i = 0; i <= 10; ++i) {
    pacer.wait_until(5 + 0.1 * i);
    EXPECT_GE(duration<double>(steady_clock::now() - begin).count(), 0.01 * i - 1e-6);
  }
  EXPECT_EQ(pacer.report().steps, 10);
}

TEST(Pacer, CountsStepsThatAreNotReady) {
  Pacer pacer;
  pacer.start(0, 1000);  // a unit in a millisecond
  pacer.wait_until(0);
  std::this_thread::sleep_for(milliseconds(5));
  pacer.wait_until(1);
  const RealTimeReport report = pacer.report();
  EXPECT_EQ(report.steps, 1);
  EXPECT_EQ(report.overruns, 1);
  EXPECT_GE(report.worst_s, 5e-3);
  EXPECT_GE(report.latest_s, 4e-3);
  EXPECT_EQ(report.cost_999_s, report.worst_s);  // one step: it is among the 99.9 %
}

TEST(Pacer, TheCostOfManyStepsLeavesOutOneOfAThousand) {
  Pacer pacer;
  pacer.start(0, 1e9);  // never waits
  pacer.wait_until(0);
  for (int i = 1; i <= 2000; ++i) {
    if (i == 1000) std::this_thread::sleep_for(milliseconds(300));
    pacer.wait_until(1e-6 * i);
  }
  const RealTimeReport report = pacer.report();
  EXPECT_GE(report.worst_s, 0.3);
  EXPECT_LE(report.cost_999_s, report.worst_s);
  EXPECT_GT(report.cost_999_s, 0);
  EXPECT_GE(report.mean_s, 0.3 / 2000);
}

}  // namespace
}  // namespace arges
