// The transformed rejection of Hoermann: "The transformed rejection method for generating Poisson
// random variables" (1993, PTRS) and "The generation of binomial random variates" (1993, BTRS).
// Probabilities are computed by the saddle-point expansion of Loader (2000), which has no
// cancellation for large means.

#include <cmath>

#include "arges/random/portable_math.h"
#include "arges/random/rejection_internal.h"

namespace arges::random {

namespace {

constexpr double kLogTwoPi = 1.8378770664093454836;

// log(k!) less Stirling's formula.
double stirling_error(double k) {
  if (k < 16) {
    double factorial = 1;
    for (int i = 2; i <= static_cast<int>(k); ++i) factorial *= i;
    return portable_log(factorial) - (k + 0.5) * portable_log(k) + k - 0.5 * kLogTwoPi;
  }
  const double z = 1 / (k * k);
  return (1.0 / 12 - z * (1.0 / 360 - z * (1.0 / 1260 - z / 1680))) / k;
}

// k log(k / mean) + mean - k
double deviance(double k, double mean) {
  const double difference = k - mean;
  if (std::abs(difference) >= 0.1 * (k + mean)) return k * portable_log(k / mean) - difference;
  const double v = difference / (k + mean);
  double sum = difference * v, power = 2 * k * v;
  for (int j = 1; j < 1000; ++j) {
    power *= v * v;
    const double next = sum + power / (2 * j + 1);
    if (next == sum) break;
    sum = next;
  }
  return sum;
}

double log_poisson(double k, double mean) {
  if (k == 0) return -mean;
  return -stirling_error(k) - deviance(k, mean) - 0.5 * (kLogTwoPi + portable_log(k));
}

double log_binomial(double k, double n, double p) {
  if (k == 0) return n * portable_log1p(-p);
  if (k == n) return n * portable_log(p);
  return stirling_error(n) - stirling_error(k) - stirling_error(n - k) - deviance(k, n * p) -
         deviance(n - k, n * (1 - p)) -
         0.5 * (kLogTwoPi + portable_log(k) + portable_log1p(-k / n));
}

}  // namespace

std::int64_t poisson_by_rejection(Stream& stream, double mean) {
  const double b = 0.931 + 2.53 * std::sqrt(mean), a = -0.059 + 0.02483 * b;
  const double inverse_alpha = 1.1239 + 1.1328 / (b - 3.4), accepted = 0.9277 - 3.6224 / (b - 2);
  for (;;) {
    const double u = stream.uniform() - 0.5, v = stream.uniform(), rest = 0.5 - std::abs(u);
    const double k = std::floor((2 * a / rest + b) * u + mean + 0.43);
    if (rest >= 0.07 && v <= accepted) return static_cast<std::int64_t>(k);
    if (k < 0 || (rest < 0.013 && v > rest)) continue;
    if (portable_log(v * inverse_alpha / (a / (rest * rest) + b)) <= log_poisson(k, mean)) {
      return static_cast<std::int64_t>(k);
    }
  }
}

std::int64_t binomial_by_rejection(Stream& stream, double n, double p) {
  const double deviation = std::sqrt(n * p * (1 - p));
  const double b = 1.15 + 2.53 * deviation, a = -0.0873 + 0.0248 * b + 0.01 * p;
  const double alpha = (2.83 + 5.1 / b) * deviation, accepted = 0.92 - 4.2 / b;
  const double at_mode = log_binomial(std::floor((n + 1) * p), n, p);
  for (;;) {
    const double u = stream.uniform() - 0.5, v = stream.uniform(), rest = 0.5 - std::abs(u);
    const double k = std::floor((2 * a / rest + b) * u + n * p + 0.5);
    if (rest >= 0.07 && v <= accepted) return static_cast<std::int64_t>(k);
    if (k < 0 || k > n) continue;
    if (portable_log(v * alpha / (a / (rest * rest) + b)) <= log_binomial(k, n, p) - at_mode) {
      return static_cast<std::int64_t>(k);
    }
  }
}

}  // namespace arges::random
