#include "arges/experiment/quantile_sketch.h"

#include <cmath>

#include <gtest/gtest.h>

#include "arges/random/stream.h"

namespace arges {
namespace {

TEST(QuantileSketch, IsExactForFewValues) {
  QuantileSketch sketch;
  EXPECT_TRUE(std::isnan(sketch.quantile(0.5)));
  for (const double v : {3.0, 1.0, 2.0, 5.0, 4.0}) sketch.add(v);
  EXPECT_EQ(sketch.quantile(0), 1);
  EXPECT_EQ(sketch.quantile(0.5), 3);
  EXPECT_DOUBLE_EQ(sketch.quantile(0.9), 4.6);
  EXPECT_EQ(sketch.quantile(1), 5);
}

TEST(QuantileSketch, StaysWithinItsBoundForManyValues) {
  for (const bool sorted : {false, true}) {
    random::Stream stream(1, 0, "sketch");
    QuantileSketch sketch(1000);
    const int n = 300'000;
    for (int i = 0; i < n; ++i) sketch.add(sorted ? i / (n - 1.0) : stream.uniform(0, 1));
    const double bound = std::log2(n / 1000.0) / 1000 + (sorted ? 0 : 4 * 0.5 / std::sqrt(n));
    for (const double p : {0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99})
      EXPECT_NEAR(sketch.quantile(p), p, bound);
    EXPECT_EQ(sketch.count(), n);
  }
}

TEST(QuantileSketch, RoomGrowsWithTheLogarithmOfTheNumberOfValues) {
  QuantileSketch sketch(1024);
  for (int i = 0; i < 1 << 20; ++i) sketch.add(i);
  // 2^20 = 2^10 capacities: levels of 1, 2, ..., 2^10.
  EXPECT_LE(sketch.kept(), 12u * 1024);
  for (int i = 0; i < 1 << 20; ++i) sketch.add(i);
  EXPECT_LE(sketch.kept(), 13u * 1024);
}

}  // namespace
}  // namespace arges
