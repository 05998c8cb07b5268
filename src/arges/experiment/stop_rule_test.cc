#include <gtest/gtest.h>

#include "arges/experiment/study.h"

namespace arges {
namespace {

TEST(StopRule, ValuesThatAreAllAlikeTellNothing) {
  const StopRule rule = parse_stop_rule("ci(mean(y))<1e-2");
  Summary summary;
  for (int k = 0; k < 1000; ++k) summary.add(0.3);
  EXPECT_FALSE(StopRule::has_scatter(summary));
  EXPECT_FALSE(rule.satisfied(summary));
  summary.add(0.3000001);
  EXPECT_TRUE(rule.satisfied(summary));
}

}  // namespace
}  // namespace arges
