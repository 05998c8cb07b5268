#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "arges/base/error.h"
#include "arges/random/philox.h"
#include "arges/random/portable_math.h"
#include "arges/random/statistics.h"
#include "arges/random/stream.h"

namespace arges::random {
namespace {

using Words = std::array<std::uint32_t, 4>;

// The known answers that come with the authors' library Random123.
TEST(Philox, GivesTheKnownAnswers) {
  EXPECT_EQ(philox4x32({0, 0, 0, 0}, {0, 0}),
            (Words{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
  EXPECT_EQ(philox4x32({~0u, ~0u, ~0u, ~0u}, {~0u, ~0u}),
            (Words{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
  EXPECT_EQ(philox4x32({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0}),
            (Words{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

TEST(Streams, DependOnSeedReplicationAndNameOnly) {
  const auto first = [](Stream stream) { return stream(); };
  const std::uint64_t value = first({1, 0, "arrivals"});
  EXPECT_EQ(value, first({1, 0, "arrivals"}));
  EXPECT_NE(value, first({2, 0, "arrivals"}));
  EXPECT_NE(value, first({1, 1, "arrivals"}));
  EXPECT_NE(value, first({1, 0, "services"}));
}

TEST(Streams, AntitheticIsOneMinusU) {
  Stream plain(5, 0, "x"), anti(5, 0, "x", Stream::Kind::kAntithetic);
  for (int i = 0; i < 1000; ++i) EXPECT_EQ(plain.uniform(), 1 - anti.uniform());
}

TEST(PortableMath, IsAccurateToTheLastUnit) {
  const auto ulps = [](double a, long double b) {
    return static_cast<double>(std::abs(a - b)) /
           (std::numeric_limits<double>::epsilon() * std::abs(static_cast<double>(b)));
  };
  Stream random(1, 0, "x");
  for (int i = 0; i < 20000; ++i) {
    const double u = random.uniform(), x = u * 1000, y = (u - 0.5) * 1400;
    EXPECT_LT(ulps(portable_log(u), std::log(static_cast<long double>(u))), 1.0) << u;
    EXPECT_LT(ulps(portable_log(x), std::log(static_cast<long double>(x))), 1.0) << x;
    EXPECT_LT(ulps(portable_exp(y), std::exp(static_cast<long double>(y))), 1.0) << y;
    EXPECT_LT(ulps(portable_log1p(-u), std::log1p(static_cast<long double>(-u))), 2.0) << u;
    const double z = normal_quantile(u);
    const double back = 0.5 * std::erfc(-z / std::sqrt(2.0));
    EXPECT_NEAR(back, u, 4e-16 + 1e-15 * u * (1 + z * z));
  }
  EXPECT_NEAR(normal_quantile(0.975), 1.959963984540054, 1e-15);
  EXPECT_NEAR(normal_quantile(1e-300), -37.0471, 1e-4);
}

// Mean and variance of each distribution against theory, within four standard errors.
TEST(Distributions, HaveTheirMeansAndVariances) {
  struct Case {
    const char* name;
    std::function<double(Stream&)> draw;
    double mean, variance;
  };
  const double e = std::exp(1.0);
  const std::vector<Case> cases = {
      {"uniform", [](Stream& s) { return s.uniform(2, 5); }, 3.5, 0.75},
      {"exponential", [](Stream& s) { return s.exponential(3); }, 3, 9},
      {"normal", [](Stream& s) { return s.normal(-1, 2); }, -1, 4},
      {"lognormal", [](Stream& s) { return s.lognormal(0, 1); }, std::sqrt(e), (e - 1) * e},
      {"triangular", [](Stream& s) { return s.triangular(2.5, 4.5, 6.5); }, 4.5, 4.0 / 6},
      {"triangular, skew", [](Stream& s) { return s.triangular(0, 1, 4); }, 5.0 / 3, 13.0 / 18},
      {"weibull", [](Stream& s) { return s.weibull(2, 1); }, 0.886226925452758, 0.214601836602552},
      {"bernoulli", [](Stream& s) { return s.bernoulli(0.3) ? 1.0 : 0.0; }, 0.3, 0.21},
      {"integer", [](Stream& s) { return static_cast<double>(s.integer(-2, 3)); }, 0.5, 35.0 / 12},
      {"geometric", [](Stream& s) { return static_cast<double>(s.geometric(0.2)); }, 4, 20},
      {"poisson", [](Stream& s) { return static_cast<double>(s.poisson(7.5)); }, 7.5, 7.5},
      {"gamma", [](Stream& s) { return s.gamma(2.5, 2); }, 5, 10},
      {"gamma below 1", [](Stream& s) { return s.gamma(0.5, 1); }, 0.5, 0.5},
      {"erlang", [](Stream& s) { return s.erlang(4, 2); }, 2, 1},
      {"beta", [](Stream& s) { return s.beta(2, 3); }, 0.4, 0.04}};
  constexpr int kCount = 100'000;
  for (const Case& c : cases) {
    Stream stream(7, 0, c.name);
    Tally tally, squares;
    for (int i = 0; i < kCount; ++i) {
      const double x = c.draw(stream);
      tally.add(x);
      squares.add((x - c.mean) * (x - c.mean));
    }
    EXPECT_NEAR(tally.mean(), c.mean, 4 * std::sqrt(c.variance / kCount)) << c.name;
    EXPECT_NEAR(squares.mean(), c.variance, 4 * squares.deviation() / std::sqrt(1.0 * kCount))
        << c.name;
  }
}

TEST(Distributions, RefuseWrongParameters) {
  Stream stream(1, 0, "x");
  EXPECT_THROW(stream.exponential(-1), ApiError);
  EXPECT_THROW(stream.uniform(2, 1), ApiError);
  EXPECT_THROW(stream.triangular(1, 0, 2), ApiError);
  EXPECT_THROW(stream.bernoulli(1.5), ApiError);
  EXPECT_THROW(stream.gamma(0, 1), ApiError);
  EXPECT_THROW(stream.poisson(std::nan("")), ApiError);
}

TEST(Statistics, TalliesMerge) {
  Tally all, a, b;
  Stream stream(3, 0, "x");
  for (int i = 0; i < 1000; ++i) {
    const double x = stream.normal(5, 2);
    all.add(x);
    (i % 3 == 0 ? a : b).add(x);
  }
  a.merge(b);
  EXPECT_EQ(a.count(), all.count());
  EXPECT_NEAR(a.mean(), all.mean(), 1e-13);
  EXPECT_NEAR(a.variance(), all.variance(), 1e-12);
  EXPECT_EQ(a.min(), all.min());
}

TEST(Statistics, TimeWeightedMeans) {
  TimeWeighted queue;
  queue.set(1, 2);
  queue.add(3, 1);
  queue.set(4, 0);
  EXPECT_DOUBLE_EQ(queue.mean(5), (2 * 2 + 3) / 5.0);
  EXPECT_EQ(queue.max(), 3);
  queue.reset(5);
  queue.set(6, 4);
  EXPECT_DOUBLE_EQ(queue.mean(7), 2);
}

// Tables of Student's distribution.
TEST(Statistics, QuantilesOfStudent) {
  EXPECT_NEAR(student_quantile(0.975, 1), 12.7062047361747, 1e-9);
  EXPECT_NEAR(student_quantile(0.975, 9), 2.26215716279820, 1e-12);
  EXPECT_NEAR(student_quantile(0.995, 29), 2.75638590367, 1e-10);
  EXPECT_NEAR(student_quantile(0.05, 5), -2.01504837333302, 1e-12);
}

// A 90 % interval misses in one of ten cases: 2000 intervals, four standard errors.
TEST(Statistics, IntervalsCoverAsOftenAsTheySay) {
  int covered = 0;
  constexpr int kStudies = 2000;
  for (int study = 0; study < kStudies; ++study) {
    Stream stream(11, static_cast<std::uint64_t>(study), "x");
    Tally tally;
    for (int i = 0; i < 10; ++i) tally.add(stream.normal(3, 1));
    covered += tally.interval(0.9).contains(3);
  }
  EXPECT_NEAR(covered, 0.9 * kStudies, 4 * std::sqrt(0.09 * kStudies));
}

TEST(Statistics, BatchMeansOfIndependentValues) {
  BatchMeans batches(50);
  Stream stream(13, 0, "x");
  for (int i = 0; i < 5020; ++i) batches.add(stream.exponential(2));
  EXPECT_EQ(batches.batches().count(), 100);
  EXPECT_LT(std::abs(batches.lag1_correlation()), 0.4);
  EXPECT_TRUE(batches.interval(0.999).contains(2));
}

}  // namespace
}  // namespace arges::random
