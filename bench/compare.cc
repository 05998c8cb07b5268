#include "bench/compare.h"

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <limits>
#include <vector>

#include <fmt/format.h>

#include "arges/base/error.h"

namespace arges::bench {

double cpu_seconds() {
  timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

Timed in_process(std::function<void()> work) {
  return [work = std::move(work)](int runs) {
    double least = std::numeric_limits<double>::infinity();
    for (int i = 0; i < runs; ++i) {
      const double begin = cpu_seconds();
      work();
      least = std::min(least, cpu_seconds() - begin);
    }
    return least;
  };
}

Times compare(const Timed& ours, const Timed& reference, int rounds) {
  constexpr double kSlice = 0.005;
  const auto runs_in_slice = [&](double once) {
    return std::clamp(static_cast<int>(kSlice / once), 2, 1000);
  };
  const int ours_runs = runs_in_slice(ours(5));
  const int reference_runs = runs_in_slice(reference(5));
  std::vector<double> our_times(rounds), reference_times(rounds);
  for (int i = 0; i < rounds; ++i) {
    our_times[i] = ours(ours_runs);
    reference_times[i] = reference(reference_runs);
  }
  const auto lower_quartile = [](std::vector<double>& times) {
    const auto at = times.begin() + static_cast<std::ptrdiff_t>(times.size() / 4);
    std::nth_element(times.begin(), at, times.end());
    return *at;
  };
  return {lower_quartile(our_times), lower_quartile(reference_times)};
}

BareCvode::Report BareCvode::run(int runs) const {
  const std::string command = fmt::format("{} {} {} {}", ARGES_BARE_CVODE, problem, rtol, runs);
  std::FILE* output = popen(command.c_str(), "r");
  Report report;
  const int read = output == nullptr ? 0
                                     : std::fscanf(output, "%lf %lf %d %ld", &report.least,
                                                   &report.error, &report.events, &report.steps);
  const int status = output == nullptr ? -1 : pclose(output);
  if (read != 4 || status != 0) throw UserError(fmt::format("'{}' failed", command));
  return report;
}

Timed BareCvode::timed() const {
  return [*this](int runs) { return run(runs).least; };
}

}  // namespace arges::bench
