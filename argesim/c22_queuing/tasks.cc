#include <cmath>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "arges/random/statistics.h"
#include "argesim/benchmarks.h"
#include "argesim/c22_queuing/model.h"

namespace arges::argesim {

namespace {

using c22::Outcome;
using c22::Parameters;
using c22::Policy;
using enum ReferenceSource;

struct Deterministic {
  Policy policy;
  const char *task, *title;
  double mean_wait, max_wait, mean_length, max_length, last_exit;
  int incidents;
};

// Exact: all times are multiples of 1/2.
constexpr Deterministic kDeterministic[] = {
    {Policy::kFifoServiceFirst, "FIFO A", "shortest queue, service before arrival", 6.7, 13.5,
     670.0 / 118, 12, 118, 0},
    {Policy::kFifoArrivalFirst, "FIFO B", "shortest queue, arrival before service", 6.7, 13.5,
     670.0 / 118, 12, 118, 0},
    {Policy::kJockeying, "jockeying", "the last of a long queue changes over", 6.0, 13.5,
     600 / 116.5, 11, 116.5, 36},
    {Policy::kReneging, "reneging", "who has waited 9 leaves", 5.87, 9, 587 / 113.5, 9, 113.5, 4},
    {Policy::kClassing, "classing", "an operator calls classes", 56.25, 125.5, 5625 / 212.5, 54,
     212.5, 12},
};

struct Stochastic {
  Policy policy;
  const char* name;
  double wait, wait_deviation, incidents, incidents_deviation;  // mean and deviation of one run
  int runs;                                                     // behind the reference
};

constexpr Stochastic kStochastic[] = {
    {Policy::kFifoServiceFirst, "FIFO", 34.359, 11.3111, 0, 0, 4000},
    {Policy::kJockeying, "jockeying", 33.8009, 11.2876, 125.169, 10.33, 4000},
    {Policy::kReneging, "reneging", 5.0493, 0.4918, 65.5888, 15.0669, 4000},
    {Policy::kClassing, "classing", 144.1762, 13.5815, 21.4735, 2.021, 2000},
};

plot::Figure length_over_time(const Outcome& outcome, const std::string& title) {
  plot::Figure figure = plot::make_figure(title, {"t", ""}, {"waiting", ""});
  std::vector<double> t, n;
  double last = 0;
  for (std::size_t i = 0; i < outcome.lengths.size(); ++i) {
    t.insert(t.end(), {outcome.length_times[i], outcome.length_times[i]});
    n.insert(n.end(), {last, outcome.lengths[i]});
    last = outcome.lengths[i];
  }
  figure.panel().add(plot::line(t, n, "number waiting"));
  return figure;
}

void solve_deterministic(BenchmarkReport& report) {
  for (const Deterministic& d : kDeterministic) {
    report.begin_task(d.task, d.title);
    Parameters parameters;
    parameters.policy = d.policy;
    const Outcome outcome = c22::simulate(parameters);
    constexpr double kTolerance = 1e-12;
    report.compare("mean wait", outcome.mean_wait, d.mean_wait, 10 * kTolerance, kReference);
    report.compare("longest wait", outcome.max_wait, d.max_wait, kTolerance, kReference);
    report.compare("mean number waiting", outcome.mean_length, d.mean_length, 10 * kTolerance,
                   kReference);
    report.compare("largest number waiting", outcome.max_length, d.max_length, 0, kReference);
    report.compare("last exit", outcome.last_exit, d.last_exit, kTolerance, kReference);
    report.compare("moves, renegings or calls", static_cast<double>(outcome.incidents.size()),
                   d.incidents, 0, kReference);
    report.figure(fmt::format("c22-{}", static_cast<int>(d.policy)),
                  fmt::format("{}: the total number of those who wait.", d.title),
                  length_over_time(outcome, d.task));
  }
}

// Both means have an error; four standard errors of their difference are allowed.
void solve_stochastic(BenchmarkReport& report) {
  report.begin_task("stochastic", "exponential arrivals, triangular services, 500 entities");
  constexpr int kRuns = 400;
  std::vector<std::vector<std::string>> rows = {{"policy", "mean wait", "99 % interval"}};
  for (const Stochastic& s : kStochastic) {
    random::Tally waits, incidents;
    for (int run = 0; run < kRuns; ++run) {
      Parameters parameters;
      parameters.policy = s.policy;
      parameters.stochastic = true;
      parameters.entities = 500;
      parameters.replication = static_cast<std::uint64_t>(run);
      const Outcome outcome = c22::simulate(parameters);
      waits.add(outcome.mean_wait);
      incidents.add(static_cast<double>(outcome.incidents.size()));
    }
    const auto allowed = [&](double deviation) {
      return 4 * deviation * std::sqrt(1.0 / kRuns + 1.0 / s.runs);
    };
    report.compare(fmt::format("{}: mean wait", s.name), waits.mean(), s.wait,
                   allowed(s.wait_deviation), kReference);
    if (s.incidents > 0) {
      report.compare(fmt::format("{}: moves, renegings or calls", s.name), incidents.mean(),
                     s.incidents, allowed(s.incidents_deviation), kReference);
    }
    const random::ConfidenceInterval interval = waits.interval(0.99);
    rows.push_back({s.name, fmt::format("{:.3f}", waits.mean()),
                    fmt::format("{:.3f} to {:.3f}", interval.low(), interval.high())});
  }
  report.table(fmt::format("{} replications with common random numbers.", kRuns), rows);
}

}  // namespace

Benchmark queuing_benchmark() {
  return {"C22", "Non-standard Queuing Policies", "argesim/c22_queuing/lesson.md",
          [](BenchmarkReport& report) {
            solve_deterministic(report);
            solve_stochastic(report);
          }};
}

}  // namespace arges::argesim
