#include "arges/random/stream.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "arges/base/error.h"
#include "arges/random/portable_math.h"
#include "arges/random/rejection_internal.h"

namespace arges::random {

namespace {

__extension__ using Wide = unsigned __int128;

// FNV-1a over the name, then the finaliser of SplitMix64 with the seed.
std::uint64_t key_of(std::uint64_t seed, std::string_view name) {
  std::uint64_t hash = 0xcbf29ce484222325u;
  for (const char c : name) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  std::uint64_t z = hash + 0x9e3779b97f4a7c15u * (seed + 1);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

// Parameters up to here give numbers that are finite, unless the distribution itself goes beyond
// all numbers (weibull of a small shape).
constexpr double kLargest = 1e300;

bool is_scale(double value) { return value >= 0 && value <= kLargest; }

// Throws unless the parameters are good (NaN is not).
void check(bool good, const char* what, double a, double b) {
  if (!good) throw ApiError(fmt::format("{}, not {} and {}", what, a, b));
}
void check(bool good, const char* what, double a) {
  if (!good) throw ApiError(fmt::format("{}, not {}", what, a));
}

}  // namespace

Stream::Stream(std::uint64_t seed, std::uint64_t replication, std::string_view name, Kind kind)
    : key_(key_of(seed, name)),
      replication_(replication),
      flip_(kind == Kind::kAntithetic ? ~std::uint64_t{0} : 0) {}

double Stream::uniform(double low, double high) {
  check(low <= high && std::isfinite(low) && std::isfinite(high),
        "uniform(low, high) needs finite low <= high", low, high);
  const double u = uniform(), width = high - low;
  return std::isfinite(width) ? low + width * u : low * (1 - u) + high * u;
}

double Stream::exponential(double mean) {
  check(is_scale(mean), "exponential(mean) needs a mean from 0 to 1e300", mean);
  return -mean * portable_log(uniform());
}

double Stream::normal(double mean, double deviation) {
  check(std::abs(mean) <= kLargest && is_scale(deviation),
        "normal(mean, deviation) needs a mean from -1e300 to 1e300 and a deviation from 0 to 1e300",
        mean, deviation);
  return mean + deviation * normal_quantile(uniform());
}

double Stream::lognormal(double log_mean, double log_deviation) {
  check(std::abs(log_mean) <= kLargest && is_scale(log_deviation),
        "lognormal(log_mean, log_deviation) needs a log_mean from -1e300 to 1e300 and a "
        "log_deviation from 0 to 1e300",
        log_mean, log_deviation);
  return portable_exp(normal(log_mean, log_deviation));
}

double Stream::triangular(double low, double mode, double high) {
  constexpr double kMost = 1e150;  // squares are computed
  if (!(low <= mode && mode <= high && low >= -kMost && high <= kMost)) {
    throw ApiError(
        fmt::format("triangular(low, mode, high) needs low <= mode <= high, from -1e150 to 1e150, "
                    "not {}, {} and {}",
                    low, mode, high));
  }
  const double u = uniform(), width = high - low;
  if (width == 0) return low;
  if (u * width < mode - low) return low + std::sqrt(u * width * (mode - low));
  return high - std::sqrt((1 - u) * width * (high - mode));
}

double Stream::weibull(double shape, double scale) {
  check(shape > 0 && std::isfinite(shape) && is_scale(scale),
        "weibull(shape, scale) needs a finite shape > 0, a scale from 0 to 1e300", shape, scale);
  const double e = -portable_log(uniform());
  if (scale == 0) return 0;  // the other factor may be infinite
  return scale * portable_exp(portable_log(e) / shape);
}

bool Stream::bernoulli(double probability) {
  check(probability >= 0 && probability <= 1, "bernoulli(p) needs 0 <= p <= 1", probability);
  return uniform() > 1 - probability;
}

std::int64_t Stream::integer(std::int64_t low, std::int64_t high) {
  check(low <= high, "integer(low, high) needs low <= high", static_cast<double>(low),
        static_cast<double>(high));
  // The high word of bits * range; its bias is below range / 2^64.
  const std::uint64_t range =
      static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low) + 1;
  const std::uint64_t bits = (*this)();
  if (range == 0) return static_cast<std::int64_t>(bits);
  const auto product = static_cast<Wide>(bits) * range;
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(low) +
                                   static_cast<std::uint64_t>(product >> 64));
}

std::int64_t Stream::geometric(double probability) {
  // Below, the numbers do not fit.
  check(probability >= 1e-17 && probability <= 1, "geometric(p) needs 1e-17 <= p <= 1",
        probability);
  const double u = uniform();
  if (probability == 1) return 0;
  return static_cast<std::int64_t>(std::floor(portable_log1p(-u) / portable_log1p(-probability)));
}

std::int64_t Stream::poisson(double mean) {
  check(mean >= 0 && mean <= 1e15, "poisson(mean) needs a mean from 0 to 1e15", mean);
  if (mean > 500) return poisson_by_rejection(*this, mean);
  const double u = uniform();
  double term = portable_exp(-mean), sum = term;
  std::int64_t n = 0;
  while (sum < u && n < 5000) {
    ++n;
    term *= mean / static_cast<double>(n);
    sum += term;
  }
  return n;
}

std::int64_t Stream::binomial(std::int64_t trials, double probability) {
  check(trials >= 0 && trials <= 1'000'000'000'000'000 && probability >= 0 && probability <= 1,
        "binomial(n, p) needs n from 0 to 1e15 and 0 <= p <= 1", static_cast<double>(trials),
        probability);
  const double n = static_cast<double>(trials), p = std::min(probability, 1 - probability);
  const bool mirrored = probability > 0.5;  // failures are counted
  std::int64_t count = 0;
  if (n * p >= 10) {
    count = binomial_by_rejection(*this, n, p);
  } else {
    const double u = mirrored ? 1 - uniform() : uniform();
    double term = portable_exp(n * portable_log1p(-p)), sum = term;
    while (sum < u && count < trials && term > 0) {
      ++count;
      const double k = static_cast<double>(count);
      term *= (n - k + 1) / k * (p / (1 - p));
      sum += term;
    }
  }
  return mirrored ? trials - count : count;
}

std::int64_t Stream::negative_binomial(double successes, double probability) {
  // So the gamma variate, at most (2 r + 70) / p with our uniforms, is a mean that poisson() takes.
  check(
      successes > 0 && probability >= 1e-13 && probability <= 1 && successes / probability <= 1e13,
      "negative_binomial(r, p) needs r > 0, 1e-13 <= p <= 1 and r / p up to 1e13", successes,
      probability);
  return poisson(gamma(successes, (1 - probability) / probability));
}

double Stream::gamma(double shape, double scale) {
  check(shape > 0 && shape <= kLargest && is_scale(scale) && shape * scale <= kLargest,
        "gamma(shape, scale) needs a shape > 0, a scale >= 0, both and their product up to 1e300",
        shape, scale);
  const ScaledGamma drawn = scaled_gamma(shape);
  return scale * drawn.d * drawn.v * portable_exp(drawn.exponent);
}

// Below a shape of 1: one of shape + 1, times u^(1/shape).
Stream::ScaledGamma Stream::scaled_gamma(double shape) {
  if (shape < 1) {
    const double exponent = portable_log(uniform()) / shape;
    const ScaledGamma larger = scaled_gamma(shape + 1);
    return {larger.d, larger.v, exponent};
  }
  const double d = shape - 1.0 / 3, c = 1 / std::sqrt(9 * d);
  for (;;) {
    const double x = normal_quantile(uniform()), t = 1 + c * x;
    if (t <= 0) continue;
    const double v = t * t * t;
    if (portable_log(uniform()) < 0.5 * x * x + d - d * v + d * portable_log(v)) {
      return {d, v, 0};
    }
  }
}

double Stream::erlang(int stages, double mean) {
  check(stages >= 1 && is_scale(mean),
        "erlang(stages, mean) needs stages >= 1 and a mean from 0 to 1e300", stages, mean);
  double sum = 0;
  for (int i = 0; i < stages; ++i) sum += exponential(mean / stages);
  return sum;
}

double Stream::beta(double a, double b) {
  const auto in_range = [](double value) { return value >= 1 / kLargest && value <= kLargest; };
  check(in_range(a) && in_range(b), "beta(a, b) needs a and b from 1e-300 to 1e300", a, b);
  const ScaledGamma x = scaled_gamma(a), y = scaled_gamma(b);
  // The larger exponent is taken out of both, so that not both underflow.
  const double most = std::max(x.exponent, y.exponent);
  const double first = x.d * x.v * portable_exp(x.exponent - most);
  const double second = y.d * y.v * portable_exp(y.exponent - most);
  return first / (first + second);
}

}  // namespace arges::random
