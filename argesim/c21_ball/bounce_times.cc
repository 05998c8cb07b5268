#include "argesim/c21_ball/bounce_times.h"

#include <cmath>

#include "arges/base/error.h"

namespace arges::argesim {

std::vector<double> drag_free_bounces(double x0, double g, double mu, int count) {
  std::vector<double> times;
  double power = 1, sum = 0;
  for (int m = 1; m <= count; ++m, power *= mu) {
    sum += power;
    times.push_back(std::sqrt(2 * x0 / g) * (2 * sum - 1));
  }
  return times;
}

double drag_free_limit(double x0, double g, double mu) {
  return std::sqrt(2 * x0 / g) * (1 + mu) / (1 - mu);
}

double accumulation_time(const std::vector<double>& bounces) {
  constexpr std::size_t kBack = 20;  // gaps apart, so that rounding does not spoil their ratio
  const std::size_t n = bounces.size();
  if (n < kBack + 2) throw ApiError("too few bounces to see where they accumulate");
  const double gap = bounces[n - 1] - bounces[n - 2];
  const double earlier = bounces[n - 1 - kBack] - bounces[n - 2 - kBack];
  const double q = std::pow(gap / earlier, 1.0 / kBack);
  return bounces[n - 1] + gap * q / (1 - q);
}

}  // namespace arges::argesim
