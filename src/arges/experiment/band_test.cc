#include "arges/experiment/band.h"

#include <cmath>

#include <gtest/gtest.h>

#include "arges/random/stream.h"

namespace arges {
namespace {

std::vector<double> run(std::int64_t index) {
  random::Stream stream(1, static_cast<std::uint64_t>(index), "x");
  return {stream.uniform(), index % 9 == 0 ? std::nan("") : stream.uniform(), 3};
}

std::vector<Band> new_bands() { return {{"x", {0, 1, 2}}, {"2*x", {0, 1, 2}}}; }

void take(std::vector<Band>& bands, std::int64_t from, std::int64_t until) {
  for (std::int64_t i = from; i < until; ++i) {
    for (Band& band : bands) band.add(run(i));
  }
}

TEST(BandTest, GoesOnBitByBitFromItsState) {
  for (const std::int64_t cut : {0, 1, 700, 1023, 1024, 5000}) {
    std::vector<Band> whole = new_bands(), first = new_bands(), second = new_bands();
    take(whole, 0, 9000);
    take(first, 0, cut);
    ASSERT_EQ(restore(second, state_of(first, cut)), cut);
    take(second, cut, 9000);
    EXPECT_EQ(state_of(second, 9000), state_of(whole, 9000)) << cut;
    EXPECT_EQ(second[0].mean(1), whole[0].mean(1));
    EXPECT_EQ(second[0].quantiles(0, {0.05, 0.5}), whole[0].quantiles(0, {0.05, 0.5}));
  }
}

TEST(BandTest, AStateOfOthersOrADamagedOneIsNotTaken) {
  std::vector<Band> bands = new_bands();
  take(bands, 0, 50);
  const std::vector<double> state = state_of(bands, 50);
  std::vector<Band> one = {{"x", {0, 1, 2}}}, shorter = {{"x", {0, 1}}, {"2*x", {0, 1}}};
  EXPECT_FALSE(restore(one, state));
  EXPECT_FALSE(restore(shorter, state));
  std::vector<Band> again = new_bands();
  EXPECT_FALSE(restore(again, {}));
  EXPECT_FALSE(restore(again, std::span(state).first(state.size() - 1)));
  std::vector<double> longer = state;
  longer.push_back(0);
  EXPECT_FALSE(restore(again, longer));
  for (const double bad : {-1.0, 0.5, 1e300, std::nan("")}) {
    std::vector<double> damaged = state;
    damaged[9] = bad;  // a level of a sketch: its size or the side
    damaged[0] = bad;
    EXPECT_FALSE(restore(again, damaged));
  }
  EXPECT_TRUE(std::isnan(again[0].mean(0)));  // untouched
}

}  // namespace
}  // namespace arges
