#include "argesim/c11_scara/scara_report.h"

#include <algorithm>
#include <cmath>
#include <map>

#include <fmt/format.h>

namespace arges::argesim::c11 {

double largest_error(const Recording& result, const State& expected, const StateSizes& sizes) {
  double worst = 0;
  for (std::size_t i = 0; i < expected.x.size(); ++i) {
    const double error = result.value_at(expected.t, kNames[i]) - expected.x[i];
    worst = std::max(worst, std::abs(error) / sizes[i]);
  }
  return worst;
}

double nearest_event(const std::vector<double>& times, double t) {
  const auto near = std::min_element(times.begin(), times.end(), [&](double a, double b) {
    return std::abs(a - t) < std::abs(b - t);
  });
  return near == times.end() ? NAN : *near;
}

void compare_limits(BenchmarkReport& report, const Recording& result, std::span<const Limit> limits,
                    double digits, ReferenceSource source) {
  constexpr double kPrinted = 5e-13;  // the references have no more decimals
  std::map<std::string, std::size_t> seen;
  for (const Limit& limit : limits) {
    // Leaving a limit because a target has jumped is not in the list.
    const double t = nearest_event(result.change_times(limit.variable, limit.to ? 1 : 0), limit.t);
    const std::size_t number = ++seen[limit.what];
    report.compare(number == 1 ? limit.what : fmt::format("{} ({})", limit.what, number), t,
                   limit.t, std::max(digits * limit.t, kPrinted), source);
  }
}

}  // namespace arges::argesim::c11
