#include "arges/random/stream.h"

#include <cmath>

#include <fmt/format.h>

#include "arges/base/error.h"
#include "arges/random/portable_math.h"

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
  check(low <= high, "uniform(low, high) needs low <= high", low, high);
  return low + (high - low) * uniform();
}

double Stream::exponential(double mean) {
  check(mean >= 0, "exponential(mean) needs a mean >= 0", mean);
  return -mean * portable_log(uniform());
}

double Stream::normal(double mean, double deviation) {
  check(deviation >= 0, "normal(mean, deviation) needs a deviation >= 0", deviation);
  return mean + deviation * normal_quantile(uniform());
}

double Stream::lognormal(double log_mean, double log_deviation) {
  return portable_exp(normal(log_mean, log_deviation));
}

double Stream::triangular(double low, double mode, double high) {
  check(low <= mode && mode <= high,
        "triangular(low, mode, high) needs low <= mode <= high, with "
        "mode in between; low and high are",
        low, high);
  const double u = uniform(), width = high - low;
  if (width == 0) return low;
  if (u * width < mode - low) return low + std::sqrt(u * width * (mode - low));
  return high - std::sqrt((1 - u) * width * (high - mode));
}

double Stream::weibull(double shape, double scale) {
  check(shape > 0 && scale >= 0, "weibull(shape, scale) needs shape > 0, scale >= 0", shape, scale);
  const double e = -portable_log(uniform());
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
  check(probability > 0 && probability <= 1, "geometric(p) needs 0 < p <= 1", probability);
  const double u = uniform();
  if (probability == 1) return 0;
  return static_cast<std::int64_t>(std::floor(portable_log1p(-u) / portable_log1p(-probability)));
}

std::int64_t Stream::poisson(double mean) {
  check(mean >= 0 && mean <= 500, "poisson(mean) needs a mean from 0 to 500", mean);
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

double Stream::gamma(double shape, double scale) {
  check(shape > 0 && scale >= 0, "gamma(shape, scale) needs shape > 0, scale >= 0", shape, scale);
  if (shape < 1) {
    const double u = uniform();
    return gamma(shape + 1, scale) * portable_exp(portable_log(u) / shape);
  }
  const double d = shape - 1.0 / 3, c = 1 / std::sqrt(9 * d);
  for (;;) {
    const double x = normal_quantile(uniform()), t = 1 + c * x;
    if (t <= 0) continue;
    const double v = t * t * t;
    if (portable_log(uniform()) < 0.5 * x * x + d - d * v + d * portable_log(v)) {
      return scale * d * v;
    }
  }
}

double Stream::erlang(int stages, double mean) {
  check(stages >= 1, "erlang(stages, mean) needs stages >= 1", stages);
  double sum = 0;
  for (int i = 0; i < stages; ++i) sum += exponential(mean / stages);
  return sum;
}

double Stream::beta(double a, double b) {
  const double x = gamma(a, 1), y = gamma(b, 1);
  return x / (x + y);
}

}  // namespace arges::random
