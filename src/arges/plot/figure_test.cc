#include "arges/plot/figure.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <set>

#include "arges/base/error.h"

namespace arges::plot {
namespace {

TEST(Colors, AreReadAndWrittenAsHex) {
  EXPECT_EQ(parse_color("#0072b2"), (Color{0x00, 0x72, 0xb2}));
  EXPECT_EQ(parse_color("#F80"), (Color{0xff, 0x88, 0x00}));
  EXPECT_EQ(hex(parse_color("#abcdef")), "#abcdef");
  for (const char* bad : {"", "red", "#12", "#12345g", "0072b2"})
    EXPECT_THROW(parse_color(bad), UserError) << bad;
}

TEST(Colors, OfASweepAreDistinctAndRiseInLightness) {
  double last = -1;
  for (const Color c : sequential_colors(20)) {
    const double lightness = 0.2126 * c.r + 0.7152 * c.g + 0.0722 * c.b;
    EXPECT_GT(lightness, last);
    last = lightness;
  }
  std::set<std::string> distinct;
  for (std::size_t i = 0; i < kDistinctColors; ++i) distinct.insert(hex(distinct_color(i)));
  EXPECT_EQ(distinct.size(), kDistinctColors);
}

TEST(Histogram, CountsEveryFiniteValueOnce) {
  const Series s = histogram({0, 1, 1, 2, 3, 4, NAN, INFINITY}, "h", 4);
  EXPECT_EQ(s.y, (std::vector<double>{1, 2, 1, 2}));  // the largest falls into the last bin
  EXPECT_EQ(s.x, (std::vector<double>{0.5, 1.5, 2.5, 3.5}));
  EXPECT_EQ(s.bar_width, 1.0);
}

TEST(Histogram, ChoosesABinWidthAndStandsDegenerateData) {
  std::vector<double> values;
  for (int i = 0; i < 1000; ++i) values.push_back(i);
  const Series s = histogram(values);
  EXPECT_EQ(s.y.size(), 10u);  // 999 / (2 * 500 / 10)
  EXPECT_EQ(std::accumulate(s.y.begin(), s.y.end(), 0.0), 1000);
  EXPECT_EQ(histogram({3, 3, 3}).y, std::vector<double>{3});
  EXPECT_TRUE(histogram({}).x.empty());
  EXPECT_TRUE(histogram({NAN}).x.empty());
}

}  // namespace
}  // namespace arges::plot
