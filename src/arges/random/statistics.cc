#include "arges/random/statistics.h"

#include <algorithm>
#include <cmath>

#include "arges/base/error.h"
#include "arges/random/portable_math.h"

namespace arges::random {

void Tally::merge(const Tally& other) {
  if (other.count_ == 0) return;
  const double n = static_cast<double>(count_), m = static_cast<double>(other.count_);
  const double delta = other.mean_ - mean_;
  squares_ += other.squares_ + delta * delta * n * m / (n + m);
  mean_ += delta * m / (n + m);
  count_ += other.count_;
  min_ = std::min(min_, other.min_);
  max_ = std::max(max_, other.max_);
}

double Tally::deviation() const { return std::sqrt(variance()); }

ConfidenceInterval Tally::interval(double level) const {
  if (!(level > 0 && level < 1)) throw ApiError("a confidence level lies between 0 and 1");
  if (count_ < 2) return {mean(), std::numeric_limits<double>::infinity()};
  const double n = static_cast<double>(count_);
  return {mean_, student_quantile(0.5 + level / 2, n - 1) * std::sqrt(variance() / n)};
}

BatchMeans::BatchMeans(std::int64_t batch_size) : size_(batch_size) {
  if (batch_size < 1) throw ApiError("a batch has at least one observation");
}

void BatchMeans::close() {
  means_.push_back(sum_ / static_cast<double>(size_));
  batches_.add(means_.back());
  sum_ = 0;
  in_batch_ = 0;
}

double BatchMeans::lag1_correlation() const {
  if (means_.size() < 3) return std::numeric_limits<double>::quiet_NaN();
  double products = 0, squares = 0;
  for (std::size_t i = 0; i < means_.size(); ++i) {
    const double d = means_[i] - batches_.mean();
    squares += d * d;
    if (i > 0) products += d * (means_[i - 1] - batches_.mean());
  }
  return products / squares;
}

namespace {

// Regularised incomplete beta function by the continued fraction of Lentz.
double incomplete_beta(double a, double b, double x) {
  if (x <= 0) return 0;
  if (x >= 1) return 1;
  if (x > (a + 1) / (a + b + 2)) return 1 - incomplete_beta(b, a, 1 - x);
  const double front = std::exp(std::lgamma(a + b) - std::lgamma(a) - std::lgamma(b) +
                                a * std::log(x) + b * std::log1p(-x)) /
                       a;
  double c = 1, d = 1 - (a + b) * x / (a + 1);
  d = 1 / (d == 0 ? 1e-300 : d);
  double result = d;
  for (int m = 1; m < 1000; ++m) {
    const double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
    const double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
    double step = 1;
    for (const double term : {even, odd}) {
      d = 1 + term * d;
      c = 1 + term / c;
      d = 1 / (d == 0 ? 1e-300 : d);
      if (c == 0) c = 1e-300;
      step *= c * d;
    }
    result *= step;
    if (std::abs(step - 1) < 1e-16) break;
  }
  return front * result;
}

}  // namespace

double student_quantile(double p, double degrees) {
  if (!(p > 0 && p < 1 && degrees > 0)) {
    throw ApiError("student_quantile needs 0 < p < 1 and degrees > 0");
  }
  if (p < 0.5) return -student_quantile(1 - p, degrees);
  if (degrees > 1e5) {
    // The expansion about the normal quantile (Abramowitz and Stegun 26.7.5): here exact to
    // rounding, where the differences of lgamma below lose digits.
    const double z = normal_quantile(p), s = z * z, n = 1 / degrees;
    return z + z * n *
                   ((s + 1) / 4 +
                    n * (((5 * s + 16) * s + 3) / 96 +
                         n * ((((3 * s + 19) * s + 17) * s - 15) / 384 +
                              n * ((((79 * s + 776) * s + 1482) * s - 1920) * s - 945) / 92160)));
  }
  const auto upper_tail = [&](double t) {
    return 0.5 * incomplete_beta(degrees / 2, 0.5, degrees / (degrees + t * t));
  };
  double low = 0, high = 1;
  while (upper_tail(high) > 1 - p && high < 1e300) high *= 2;
  for (int i = 0; i < 200 && high - low > 1e-15 * high; ++i) {
    const double middle = 0.5 * (low + high);
    (upper_tail(middle) > 1 - p ? low : high) = middle;
  }
  return 0.5 * (low + high);
}

}  // namespace arges::random
