#include "bench/compare.h"

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <limits>
#include <utility>
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

std::size_t Contest::enter(Timed way) {
  constexpr double kTurn = 0.005;
  const int runs = std::clamp(static_cast<int>(kTurn / way(5)), 2, 1000);
  entrants_.push_back({std::move(way), runs, {}});
  return entrants_.size() - 1;
}

void Contest::take_turns(int turns) {
  for (int i = 0; i < turns; ++i) {
    for (Entrant& entrant : entrants_) entrant.times.push_back(entrant.way(entrant.runs));
  }
}

double Contest::time(std::size_t entrant) const {
  std::vector<double> times = entrants_[entrant].times;
  const auto at = times.begin() + static_cast<std::ptrdiff_t>(times.size() / 4);
  std::nth_element(times.begin(), at, times.end());
  return *at;
}

Times compare(const Timed& ours, const Timed& reference, int turns) {
  Contest contest;
  const std::size_t first = contest.enter(ours), second = contest.enter(reference);
  contest.take_turns(turns);
  return {contest.time(first), contest.time(second)};
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
