#include "arges/plot/ticks.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <random>
#include <set>
#include <string>

#include "arges/base/error.h"

namespace arges::plot {
namespace {

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at))
    text.replace(at, from.size(), to);
  return text;
}

// Reads a label back: "−2.5", "10^{−3}", "2×10^{4}".
double parsed(std::string label) {
  label = replaced(label, "−", "-");
  if (const auto power = label.find("10^{"); power != std::string::npos) {
    const std::string factor = power == 0 ? "1" : label.substr(0, label.find("×"));
    label = factor + "e" + label.substr(power + 4, label.size() - power - 5);
  }
  char* end = nullptr;
  const double value = std::strtod(label.c_str(), &end);
  EXPECT_EQ(*end, '\0') << label;
  return value;
}

double value_of(const TickSet& ticks, const Tick& tick) {
  return ticks.offset + parsed(tick.label) * std::pow(10.0, ticks.exponent);
}

std::vector<std::string> labels(const TickSet& ticks) {
  std::vector<std::string> out;
  for (const Tick& t : ticks.major) out.push_back(t.label);
  return out;
}

void expect_sound(const TickSet& ticks, double lower, double upper) {
  SCOPED_TRACE(::testing::Message() << "range " << lower << " to " << upper);
  const double span = upper - lower;
  EXPECT_GE(ticks.major.size(), 2u);
  EXPECT_LE(ticks.major.size(), 13u);
  std::set<std::string> seen;
  for (const Tick& t : ticks.major) {
    EXPECT_GE(t.value, lower - 1e-9 * span);
    EXPECT_LE(t.value, upper + 1e-9 * span);
    EXPECT_TRUE(seen.insert(t.label).second) << "twice: " << t.label;
    EXPECT_NEAR(value_of(ticks, t), t.value, 1e-15 * std::abs(t.value) + 1e-12 * span) << t.label;
    EXPECT_LE(t.label.size(), 12u) << t.label;
  }
  for (std::size_t i = 1; i < ticks.major.size(); ++i)
    EXPECT_LT(ticks.major[i - 1].value, ticks.major[i].value);
}

TEST(LinearTicks, AreSoundForManyRandomRanges) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> mantissa(-10, 10), exponent(-30, 30), relative(-11, 0);
  for (int i = 0; i < 20000; ++i) {
    const double centre = mantissa(random) * std::pow(10, exponent(random));
    const double half = std::abs(centre) * std::pow(10, relative(random));
    const double lower = centre - half, upper = centre + half;
    expect_sound(linear_ticks(lower, upper, 2 + i % 9), lower, upper);
  }
}

TEST(LinearTicks, AreSoundForExtremeRanges) {
  for (const auto& [lower, upper] : {std::pair{0.0, 1e-290},
                                     {-8e307, 8e307},
                                     {0.0, 1e300},
                                     {1.0, 1.0 + 1e-12},
                                     {-1e-200, 2e-200}})
    expect_sound(linear_ticks(lower, upper, 6), lower, upper);
}

TEST(LinearTicks, AreTheNearestDoublesToTheirLabels) {
  const TickSet ticks = linear_ticks(0, 0.7, 8);
  EXPECT_EQ(labels(ticks),
            (std::vector<std::string>{"0.0", "0.1", "0.2", "0.3", "0.4", "0.5", "0.6", "0.7"}));
  EXPECT_EQ(ticks.major[3].value, 0.3);  // not 0.30000000000000004
  EXPECT_EQ(ticks.major[7].value, 0.7);
}

TEST(LinearTicks, HaveAProperMinusSignAndNoNegativeZero) {
  EXPECT_EQ(labels(linear_ticks(-1, 1, 5)),
            (std::vector<std::string>{"−1.0", "−0.5", "0.0", "0.5", "1.0"}));
}

TEST(LinearTicks, SplitOffAnExponentThatIsAMultipleOfThree) {
  const TickSet small = linear_ticks(0, 4e-5, 5);
  EXPECT_EQ(small.exponent, -6);
  EXPECT_EQ(small.note, "×10^{−6}");
  EXPECT_EQ(labels(small), (std::vector<std::string>{"0", "10", "20", "30", "40"}));
  const TickSet large = linear_ticks(0, 2e5, 5);
  EXPECT_EQ(large.note, "×10^{3}");
  EXPECT_EQ(labels(large), (std::vector<std::string>{"0", "50", "100", "150", "200"}));
  EXPECT_EQ(linear_ticks(0, 10000, 5).note, "");
}

TEST(LinearTicks, SplitOffAnOffsetWhenLabelsWouldDifferInTheirLastDigitsOnly) {
  const TickSet ticks = linear_ticks(1e6, 1e6 + 1, 6);
  EXPECT_EQ(ticks.offset, 1e6);
  EXPECT_EQ(ticks.note, "+ 1000000");
  EXPECT_EQ(labels(ticks), (std::vector<std::string>{"0.0", "0.2", "0.4", "0.6", "0.8", "1.0"}));
  const TickSet below = linear_ticks(-1e12 - 2, -1e12, 4);
  EXPECT_EQ(below.note.substr(0, 4), "− ");
}

TEST(LinearTicks, HaveMinorMarksBetweenTheMajorOnes) {
  const TickSet ticks = linear_ticks(0, 10, 6);  // 0, 2, ..., 10
  ASSERT_EQ(ticks.major.size(), 6u);
  EXPECT_EQ(ticks.minor.size(), 15u);
  EXPECT_EQ(ticks.minor[0], 0.5);
}

TEST(LinearTicks, OfWholeNumbersAreWhole) {
  EXPECT_EQ(labels(linear_ticks(-0.04, 1.04, 7, true)), (std::vector<std::string>{"0", "1"}));
  EXPECT_TRUE(linear_ticks(-0.04, 1.04, 7, true).minor.empty());
  EXPECT_GE(linear_ticks(0.1, 0.9, 5, true).major.size(), 2u);  // no whole number: others
}

TEST(LinearTicks, RefuseRangesThatHaveNone) {
  EXPECT_THROW(linear_ticks(1, 1, 5), ApiError);
  EXPECT_THROW(linear_ticks(2, 1, 5), ApiError);
  EXPECT_THROW(linear_ticks(0, INFINITY, 5), ApiError);
  EXPECT_THROW(linear_ticks(NAN, 1, 5), ApiError);
}

TEST(LogTicks, AreSoundForManyRandomRanges) {
  std::mt19937 random(11);
  std::uniform_real_distribution<double> start(-280, 250), decades(0.001, 30);
  for (int i = 0; i < 5000; ++i) {
    const double a = start(random), d = decades(random) * (i % 3 == 0 ? 0.05 : 1);
    const double lower = std::pow(10, a), upper = std::pow(10, a + d);
    SCOPED_TRACE(::testing::Message() << lower << " to " << upper);
    const TickSet ticks = log_ticks(lower, upper, 2 + i % 9);
    ASSERT_GE(ticks.major.size(), 2u);
    EXPECT_LE(ticks.major.size(), 13u);
    std::set<std::string> seen;
    for (const Tick& t : ticks.major) {
      EXPECT_GE(t.value, lower * (1 - 1e-8));
      EXPECT_LE(t.value, upper * (1 + 1e-8));
      EXPECT_TRUE(seen.insert(t.label).second);
      EXPECT_NEAR(value_of(ticks, t) / t.value, 1, 1e-12) << t.label;
    }
  }
}

TEST(LogTicks, AreDecadesWithSuperscripts) {
  const TickSet ticks = log_ticks(1e-5, 1, 6);
  EXPECT_EQ(labels(ticks), (std::vector<std::string>{"10^{−5}", "10^{−4}", "10^{−3}", "10^{−2}",
                                                     "10^{−1}", "10^{0}"}));
  EXPECT_EQ(ticks.minor.size(), 5u * 8u);
}

TEST(LogTicks, ArePlainNumbersNearOne) {
  EXPECT_EQ(labels(log_ticks(0.1, 1000, 5)),
            (std::vector<std::string>{"0.1", "1", "10", "100", "1000"}));
}

TEST(LogTicks, SkipDecadesInWideRanges) {
  const TickSet ticks = log_ticks(1e-12, 1e12, 7);
  EXPECT_EQ(labels(ticks), (std::vector<std::string>{"10^{−12}", "10^{−8}", "10^{−4}", "10^{0}",
                                                     "10^{4}", "10^{8}", "10^{12}"}));
  EXPECT_EQ(ticks.minor.size(), 18u);  // the decades between
}

TEST(LogTicks, TakeOneTwoFiveInShortRanges) {
  EXPECT_EQ(labels(log_ticks(1.5, 60, 6)), (std::vector<std::string>{"2", "5", "10", "20", "50"}));
  EXPECT_EQ(labels(log_ticks(1.5e-5, 6e-5, 6)),
            (std::vector<std::string>{"2×10^{−5}", "5×10^{−5}"}));
}

TEST(LogTicks, RefuseNonPositiveRanges) {
  EXPECT_THROW(log_ticks(0, 1, 5), ApiError);
  EXPECT_THROW(log_ticks(-1, 1, 5), ApiError);
}

}  // namespace
}  // namespace arges::plot
