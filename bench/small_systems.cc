#include <algorithm>
#include <cmath>
#include <vector>

#include <fmt/format.h>

#include "arges/hybrid/simulator.h"
#include "argesim/c01_lithium/model.h"
#include "argesim/c05_two_state/model.h"
#include "bench/bare_rosenbrock.h"
#include "bench/compare.h"
#include "bench/suites.h"

namespace arges::bench {

namespace {

constexpr double kCvodeBound = 1.15, kRosenbrockBound = 1.3;

// Keeps the times of the events.
class EventTimes : public ResultSink {
 public:
  void begin(const ResultLayout&) override {}
  void row(double, std::span<const double>) override {}
  void event(const EventRecord& record) override { times.push_back(record.time); }
  void finish(const Manifest&) override {}
  std::vector<double> times;
};

// A problem, with all ways to solve it.
struct Problem {
  std::string name;   // "C1"
  std::string label;  // of the C program
  const HybridSystem& model;
  double stop;
  BareOutcome (*rodas4)(double rtol);
  BareOutcome (*rodas5p)(double rtol);
  BareOutcome (*judge)(const RunResult& result, const EventTimes& events);
  // Largest error that counts as right, in units of rtol.
  double cvode_error, rosenbrock_error;
};

BareOutcome judge_c1(const RunResult& result, const EventTimes&) {
  static constexpr double kReference[] = kC1_end;
  BareOutcome outcome;
  for (int i = 0; i < 3; ++i)
    outcome.error = std::max(outcome.error, std::abs(result.final.x[i] / kReference[i] - 1));
  return outcome;
}

BareOutcome judge_c5(const RunResult&, const EventTimes& events) {
  static constexpr double kReference[] = kC5_events;
  BareOutcome outcome;
  outcome.events = static_cast<int>(events.times.size());
  for (int i = 0; i < std::min(5, outcome.events); ++i)
    outcome.error = std::max(outcome.error, std::abs(events.times[i] - kReference[i]));
  return outcome;
}

RunOptions options(const Problem& problem, const std::string& solver, double rtol) {
  RunOptions options;
  options.stop_time = problem.stop;
  options.solver = solver;
  options.numerics.rtol = rtol;
  options.numerics.atol = kAtolOf(rtol);
  return options;
}

BareOutcome solve(const Problem& problem, const RunOptions& how) {
  EventTimes events;
  const RunResult result = simulate(problem.model, how, &events);
  BareOutcome outcome = problem.judge(result, events);
  outcome.steps = result.statistics.steps;
  if (!result.status.ok()) outcome.error = std::nan("");
  return outcome;
}

// The fifth event of C5 is 4e-7 before the end: it is only there for those who are accurate enough.
void check(Table& table, const Problem& problem, const std::string& what, double rtol,
           const BareOutcome& outcome, double factor) {
  const bool counts =
      problem.name != "C5" || outcome.events == 5 || (outcome.events == 4 && factor * rtol > 3e-7);
  if (!(outcome.error <= factor * rtol) || !counts) {
    table.wrong(fmt::format("{}, rtol {}: {} has error {:.2e} and {} events", problem.name, rtol,
                            what, outcome.error, outcome.events));
  }
}

std::string note(const BareOutcome& ours, const BareOutcome& reference) {
  std::string text = fmt::format("error {:.1e} ({:.1e}), steps {} ({})", ours.error,
                                 reference.error, ours.steps, reference.steps);
  if (ours.events + reference.events > 0)
    text += fmt::format(", events {} ({})", ours.events, reference.events);
  return text;
}

void compare_problem(Table& table, const Problem& problem, double rtol) {
  const RunOptions with_cvode = options(problem, "cvode-bdf", rtol);
  const RunOptions with_rodas = options(problem, "rodas5p", rtol);
  const BareCvode c_program{problem.label, rtol};

  const BareCvode::Report report = c_program.run(1);
  const BareOutcome cvode_in_c{report.error, report.events, report.steps};
  const BareOutcome cvode = solve(problem, with_cvode), rodas = solve(problem, with_rodas);
  const BareOutcome bare5p = problem.rodas5p(rtol), bare4 = problem.rodas4(rtol);
  check(table, problem, "CVODE in C", rtol, cvode_in_c, problem.cvode_error);
  check(table, problem, "cvode-bdf", rtol, cvode, problem.cvode_error);
  check(table, problem, "rodas5p", rtol, rodas, problem.rosenbrock_error);
  check(table, problem, "bare Rodas5P", rtol, bare5p, problem.rosenbrock_error);
  check(table, problem, "bare RODAS4", rtol, bare4, problem.rosenbrock_error);

  const auto anew = [&](const RunOptions& how) {
    return in_process([&] { simulate(problem.model, how); });
  };
  const auto bare = [&](BareOutcome (*loop)(double)) {
    return in_process([=] {
      volatile double kept = loop(rtol).error;
      (void)kept;
    });
  };
  const auto add = [&](const std::string& what, Times times, const BareOutcome& ours,
                       const BareOutcome& reference, double bound) {
    table.add({fmt::format("{} {:.0e} {}", problem.name, rtol, what), times.ours * 1e6,
               times.reference * 1e6, "us", bound, note(ours, reference)});
  };
  add("cvode-bdf / CVODE in C", compare(anew(with_cvode), c_program.timed()), cvode, cvode_in_c,
      kCvodeBound);
  add("rodas5p / bare Rodas5P", compare(anew(with_rodas), bare(problem.rodas5p)), rodas, bare5p,
      kRosenbrockBound);
  add("rodas5p / bare RODAS4", compare(anew(with_rodas), bare(problem.rodas4)), rodas, bare4, 0);
  add("rodas5p / CVODE in C", compare(anew(with_rodas), c_program.timed()), rodas, cvode_in_c, 0);

  Simulator reused(problem.model, with_rodas);
  const Context start = make_context(problem.model);
  add("rodas5p, simulator reused / bare Rodas5P",
      compare(in_process([&] { reused.run(start); }), bare(problem.rodas5p)), rodas, bare5p, 0);
}

}  // namespace

void compare_small_systems(Table& table) {
  const argesim::LithiumClusters lithium;
  const argesim::TwoState two_state;
  const Problem c1{"C1",      "c1", lithium, kC1_stop, &bare_c1<Rodas4>, &bare_c1<Rodas5p>,
                   &judge_c1, 100,  100};
  const Problem c5{"C5",      "c5", two_state, kC5_stop, &bare_c5<Rodas4>, &bare_c5<Rodas5p>,
                   &judge_c5, 1000, 100};
  table.section("C1, a stiff system of three");
  for (const double rtol : {1e-6, 1e-8, 1e-10}) compare_problem(table, c1, rtol);
  table.section("C5, a stiff system of two with state events");
  for (const double rtol : {1e-6, 1e-8, 1e-10, 1e-12}) compare_problem(table, c5, rtol);
}

}  // namespace arges::bench
