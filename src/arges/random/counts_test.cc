// Distributions of counts and of data; parameters that are refused.

#include <cmath>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "arges/base/error.h"
#include "arges/random/empirical.h"
#include "arges/random/statistics.h"
#include "arges/random/stream.h"

namespace arges::random {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

// Pearson's test over the values of which five or more are expected; the rest is one class. The
// statistic of n classes has the mean n - 1 and the variance 2 (n - 1).
void expect_counts(const std::string& name, const std::function<std::int64_t(Stream&)>& draw,
                   const std::function<double(double)>& log_probability, std::int64_t most) {
  constexpr int kDraws = 100000;
  Stream stream(5, 0, name);
  std::vector<int> counts(static_cast<std::size_t>(most) + 1, 0);
  for (int i = 0; i < kDraws; ++i) {
    const std::int64_t k = draw(stream);
    ASSERT_GE(k, 0) << name;
    if (k <= most) ++counts[static_cast<std::size_t>(k)];
  }
  double statistic = 0, rest = kDraws, rest_expected = kDraws;
  int classes = 1;
  for (std::int64_t k = 0; k <= most; ++k) {
    const double expected = kDraws * std::exp(log_probability(static_cast<double>(k)));
    if (expected < 5) continue;
    const double seen = counts[static_cast<std::size_t>(k)];
    statistic += (seen - expected) * (seen - expected) / expected;
    rest -= seen;
    rest_expected -= expected;
    ++classes;
  }
  statistic += (rest - rest_expected) * (rest - rest_expected) / std::max(rest_expected, 1.0);
  EXPECT_NEAR(statistic, classes - 1, 4.5 * std::sqrt(2.0 * (classes - 1)) + 5) << name;
}

double log_choose(double n, double k) {
  return std::lgamma(n + 1) - std::lgamma(k + 1) - std::lgamma(n - k + 1);
}

TEST(Counts, AreDistributedAsTheyShouldBe) {
  for (const double mean : {500.5, 700.0, 4000.0}) {
    expect_counts(
        "poisson" + std::to_string(mean), [=](Stream& s) { return s.poisson(mean); },
        [=](double k) { return k * std::log(mean) - mean - std::lgamma(k + 1); }, 6000);
  }
  for (const auto& [n, p] : {std::pair{7.0, 0.3},
                             {1000.0, 0.002},
                             {40.0, 0.9},
                             {20.0, 0.5},
                             {100.0, 0.37},
                             {5000.0, 0.7},
                             {3000.0, 0.999}}) {
    expect_counts(
        "binomial" + std::to_string(n) + "," + std::to_string(p),
        [n = n, p = p](Stream& s) { return s.binomial(static_cast<std::int64_t>(n), p); },
        [n = n, p = p](double k) {
          return k > n ? -1e9 : log_choose(n, k) + k * std::log(p) + (n - k) * std::log1p(-p);
        },
        6000);
  }
  for (const auto& [r, p] : {std::pair{1.0, 0.3}, {2.5, 0.6}, {30.0, 0.04}}) {
    expect_counts(
        "negative" + std::to_string(r),
        [r = r, p = p](Stream& s) { return s.negative_binomial(r, p); },
        [r = r, p = p](double k) {
          return std::lgamma(k + r) - std::lgamma(r) - std::lgamma(k + 1) + r * std::log(p) +
                 k * std::log1p(-p);
        },
        3000);
  }
}

TEST(Counts, OfVeryManyHaveTheirMeanAndVariance) {
  for (const double mean : {1e6, 1e12, 1e15}) {
    Stream stream(2, 0, "x");
    Tally poisson, binomial;
    for (int i = 0; i < 20000; ++i) {
      poisson.add((static_cast<double>(stream.poisson(mean)) - mean) / std::sqrt(mean));
      const double n = static_cast<double>(stream.binomial(static_cast<std::int64_t>(mean), 0.25));
      binomial.add((n - 0.25 * mean) / std::sqrt(0.1875 * mean));
    }
    for (const Tally& tally : {poisson, binomial}) {
      EXPECT_NEAR(tally.mean(), 0, 4 / std::sqrt(20000.0)) << mean;
      EXPECT_NEAR(tally.variance(), 1, 4 * std::sqrt(2 / 20000.0)) << mean;
    }
  }
}

TEST(Counts, AtTheEndsAreCertain) {
  Stream stream(1, 0, "x");
  EXPECT_EQ(stream.binomial(0, 0.5), 0);
  EXPECT_EQ(stream.binomial(9, 0), 0);
  EXPECT_EQ(stream.binomial(9, 1), 9);
  EXPECT_EQ(stream.binomial(1'000'000'000'000, 1), 1'000'000'000'000);
  EXPECT_EQ(stream.negative_binomial(3, 1), 0);
}

TEST(Beta, OfSmallParametersIsANumberAndSymmetric) {
  for (const double a : {1e-4, 0.001, 0.01}) {
    Stream stream(1, 0, "x");
    int above = 0;
    for (int i = 0; i < 10000; ++i) {
      const double value = stream.beta(a, a);
      ASSERT_TRUE(value >= 0 && value <= 1) << value;
      above += value > 0.5;
    }
    EXPECT_NEAR(above, 5000, 4 * 50) << a;
  }
}

TEST(Parameters, OutOfRangeAreErrors) {
  Stream s(1, 0, "x");
  EXPECT_THROW(s.geometric(1e-30), ApiError);
  EXPECT_THROW(s.geometric(1e-18), ApiError);
  EXPECT_GE(s.geometric(1e-17), 0);
  for (const double bad : {kNaN, kInfinity}) {
    EXPECT_THROW(s.normal(bad, 1), ApiError);
    EXPECT_THROW(s.normal(0, bad), ApiError);
    EXPECT_THROW(s.lognormal(bad, 1), ApiError);
    EXPECT_THROW(s.triangular(0, bad, bad), ApiError);
    EXPECT_THROW(s.uniform(0, bad), ApiError);
    EXPECT_THROW(s.gamma(bad, 1), ApiError);
    EXPECT_THROW(s.beta(1, bad), ApiError);
    EXPECT_THROW(s.poisson(bad), ApiError);
    EXPECT_THROW(s.binomial(3, bad), ApiError);
    EXPECT_THROW(s.negative_binomial(bad, 0.5), ApiError);
  }
  EXPECT_THROW(s.poisson(2e15), ApiError);
  EXPECT_THROW(s.binomial(-1, 0.5), ApiError);
  EXPECT_TRUE(std::isfinite(s.uniform(-1e308, 1e308)));
}

TEST(Parameters, ThatWouldGiveNoNumberAreErrors) {
  Stream s(1, 0, "x");
  for (const double bad : {kNaN, kInfinity, -1.0, 1e301}) {
    EXPECT_THROW(s.exponential(bad), ApiError);
    EXPECT_THROW(s.normal(0, bad), ApiError);
    EXPECT_THROW(s.weibull(1, bad), ApiError);
    EXPECT_THROW(s.gamma(1, bad), ApiError);
    EXPECT_THROW(s.gamma(bad, 1), ApiError);
    EXPECT_THROW(s.erlang(3, bad), ApiError);
    EXPECT_THROW(s.beta(bad, 1), ApiError);
    EXPECT_THROW(s.beta(1, bad), ApiError);
  }
  EXPECT_THROW(s.normal(1e308, 1e308), ApiError);
  EXPECT_THROW(s.gamma(1e200, 1e200), ApiError);
  EXPECT_THROW(s.weibull(kInfinity, 1), ApiError);
  EXPECT_THROW(s.triangular(-1e200, 0, 1e200), ApiError);
  EXPECT_THROW(s.beta(1e-308, 1e-308), ApiError);
  EXPECT_THROW(s.negative_binomial(1e-2, 1e-15), ApiError);
  EXPECT_THROW(Discrete({kNaN, 1}, {1, 1}), ApiError);
  EXPECT_THROW(Discrete({1, kInfinity}, {1, 1}), ApiError);
}

// At the ends of the ranges every draw is a number.
TEST(Parameters, AtTheEndsOfTheirRangesGiveNumbers) {
  Stream s(1, 0, "x");
  const Empirical wide({-1e308, 1.7e308}, {0, 1});
  int ones = 0;
  for (int i = 0; i < 4000; ++i) {
    EXPECT_EQ(s.weibull(1e-3, 0), 0);
    EXPECT_TRUE(std::isfinite(s.normal(1e300, 1e300)));
    EXPECT_TRUE(std::isfinite(s.exponential(1e300)));
    EXPECT_TRUE(std::isfinite(s.triangular(-1e150, 0, 1e150)));
    EXPECT_TRUE(std::isfinite(s.gamma(1e300, 1)));
    EXPECT_TRUE(std::isfinite(s.gamma(1e-3, 1e300)));
    EXPECT_NEAR(s.beta(1e300, 1e300), 0.5, 1e-12);
    EXPECT_TRUE(std::isfinite(wide(s)));
    EXPECT_GE(s.negative_binomial(1, 1e-13), 0);
    EXPECT_GE(s.negative_binomial(1e-3, 1e-13), 0);
    const double small = s.beta(1e-300, 3e-300);
    EXPECT_TRUE(small == 0 || small == 1) << small;
    ones += small == 1;
  }
  EXPECT_NEAR(ones, 1000, 4 * std::sqrt(4000 * 0.1875));
}

// The normal quantile, and its first correction, (z^3 + z) / (4 n).
TEST(Statistics, QuantilesOfStudentForManyDegrees) {
  const double z = 1.959963984540054;
  EXPECT_NEAR(student_quantile(0.975, 1e12), z, 3e-12);
  EXPECT_NEAR(student_quantile(0.975, 1e9) - z, (z * z * z + z) / 4e9, 1e-14);
  EXPECT_NEAR(student_quantile(0.025, 1e9), -student_quantile(0.975, 1e9), 1e-15);
  // Both sides of where the expansion begins.
  EXPECT_NEAR(student_quantile(0.975, 99999) - student_quantile(0.975, 100001),
              (z * z * z + z) / 4 * (1 / 99999.0 - 1 / 100001.0), 1e-9);
  EXPECT_NEAR(student_quantile(0.975, kInfinity), z, 1e-14);
}

TEST(Discrete, GivesValuesAsOftenAsTheirWeightsSay) {
  const Discrete die({1, 2, 5, 7}, {2, 0, 6, 0});
  Stream stream(1, 0, "x");
  int fives = 0;
  for (int i = 0; i < 10000; ++i) {
    const double value = die(stream);
    ASSERT_TRUE(value == 1 || value == 5) << value;
    fives += value == 5;
  }
  EXPECT_NEAR(fives, 7500, 4 * std::sqrt(10000 * 0.1875));
  EXPECT_THROW(Discrete({}, {}), ApiError);
  EXPECT_THROW(Discrete({1}, {0}), ApiError);
  EXPECT_THROW(Discrete({1, 2}, {1}), ApiError);
  EXPECT_THROW(Discrete({1, 2}, {2, -1}), ApiError);
  EXPECT_THROW(Discrete({1, 2}, {2, kNaN}), ApiError);
}

TEST(Empirical, IsLinearBetweenItsPoints) {
  const Empirical service({1, 2, 2, 6}, {0, 0.25, 0.5, 1});
  EXPECT_EQ(service.quantile(0), 1);
  EXPECT_EQ(service.quantile(0.125), 1.5);
  EXPECT_EQ(service.quantile(0.4), 2);
  EXPECT_EQ(service.quantile(0.75), 4);
  EXPECT_EQ(service.quantile(1), 6);
  Stream stream(1, 0, "x");
  Tally tally;
  for (int i = 0; i < 10000; ++i) tally.add(service(stream));
  EXPECT_NEAR(tally.mean(), 0.25 * 1.5 + 0.25 * 2 + 0.5 * 4, 0.07);
  const Empirical sample = Empirical::of_sample({4, 1, 3});
  EXPECT_EQ(sample.quantile(0.25), 2);
  EXPECT_EQ(sample.quantile(0.75), 3.5);
  EXPECT_THROW(Empirical::of_sample({4}), ApiError);
  EXPECT_THROW(Empirical({1, 0}, {0, 1}), ApiError);
  EXPECT_THROW(Empirical({0, 1}, {0, 0.9}), ApiError);
  EXPECT_THROW(Empirical({0, kNaN}, {0, 1}), ApiError);
  for (const double bad : {kNaN, -0.1, 1.1}) EXPECT_THROW(service.quantile(bad), ApiError);
}

}  // namespace
}  // namespace arges::random
