#include <algorithm>
#include <cmath>
#include <deque>
#include <string>
#include <utility>
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

// One problem at one tolerance, solved in all ways.
class Match {
 public:
  Match(Table& table, const Problem& problem, double rtol)
      : problem_(problem),
        rtol_(rtol),
        with_cvode_(options(problem, "cvode-bdf", rtol)),
        with_rodas_(options(problem, "rodas5p", rtol)),
        simulator_(problem.model, with_rodas_),
        start_(make_context(problem.model)) {
    const BareCvode c_program{problem.label, rtol};
    const BareCvode::Report report = c_program.run(1);
    const auto simulated = [&](const RunOptions& how) {
      return in_process([this, &how] { simulate(problem_.model, how); });
    };
    const auto bare = [&](BareOutcome (*loop)(double)) {
      return in_process([this, loop] {
        volatile double kept = loop(rtol_).error;
        (void)kept;
      });
    };
    const BareOutcome rodas = solve(problem, with_rodas_);
    cvode_ = enter(table, "cvode-bdf", solve(problem, with_cvode_), simulated(with_cvode_));
    rodas_ = enter(table, "rodas5p", rodas, simulated(with_rodas_));
    reused_ = enter(table, "rodas5p", rodas, in_process([this] { simulator_.run(start_); }));
    cvode_in_c_ =
        enter(table, "CVODE in C", {report.error, report.events, report.steps}, c_program.timed());
    rodas5p_ = enter(table, "bare Rodas5P", problem.rodas5p(rtol), bare(problem.rodas5p));
    rodas4_ = enter(table, "bare RODAS4", problem.rodas4(rtol), bare(problem.rodas4));
  }
  Match(const Match&) = delete;
  Match& operator=(const Match&) = delete;

  void take_turns(int turns) { contest_.take_turns(turns); }

  void report(Table& table) const {
    add(table, "cvode-bdf / CVODE in C", cvode_, cvode_in_c_, kCvodeBound);
    add(table, "rodas5p / bare Rodas5P", rodas_, rodas5p_, kRosenbrockBound);
    add(table, "rodas5p / bare RODAS4", rodas_, rodas4_, 0);
    add(table, "rodas5p / CVODE in C", rodas_, cvode_in_c_, 0);
    add(table, "rodas5p, simulator reused / bare Rodas5P", reused_, rodas5p_, 0);
  }

 private:
  std::size_t enter(Table& table, const std::string& name, const BareOutcome& outcome, Timed way) {
    const bool multistep = name.find("cvode") != name.npos || name.find("CVODE") != name.npos;
    check(table, problem_, name, rtol_, outcome,
          multistep ? problem_.cvode_error : problem_.rosenbrock_error);
    outcomes_.push_back(outcome);
    return contest_.enter(std::move(way));
  }

  void add(Table& table, const std::string& what, std::size_t ours, std::size_t reference,
           double bound) const {
    table.add({fmt::format("{} {:.0e} {}", problem_.name, rtol_, what), contest_.time(ours) * 1e6,
               contest_.time(reference) * 1e6, "us", bound,
               note(outcomes_[ours], outcomes_[reference])});
  }

  const Problem& problem_;
  double rtol_;
  RunOptions with_cvode_, with_rodas_;
  Simulator simulator_;
  Context start_;
  Contest contest_;
  std::vector<BareOutcome> outcomes_;
  std::size_t cvode_ = 0, rodas_ = 0, reused_ = 0, cvode_in_c_ = 0, rodas5p_ = 0, rodas4_ = 0;
};

}  // namespace

void compare_small_systems(Table& table) {
  const argesim::LithiumClusters lithium;
  const argesim::TwoState two_state;
  const Problem c1{"C1",      "c1", lithium, kC1_stop, &bare_c1<Rodas4>, &bare_c1<Rodas5p>,
                   &judge_c1, 100,  100};
  const Problem c5{"C5",      "c5", two_state, kC5_stop, &bare_c5<Rodas4>, &bare_c5<Rodas5p>,
                   &judge_c5, 1000, 100};
  std::deque<Match> c1_matches, c5_matches;
  for (const double rtol : {1e-6, 1e-8, 1e-10}) c1_matches.emplace_back(table, c1, rtol);
  for (const double rtol : {1e-6, 1e-8, 1e-10, 1e-12}) c5_matches.emplace_back(table, c5, rtol);
  constexpr int kPasses = 10, kTurns = 6;
  for (int pass = 0; pass < kPasses; ++pass) {
    for (std::deque<Match>* matches : {&c1_matches, &c5_matches}) {
      for (Match& match : *matches) match.take_turns(kTurns);
    }
  }
  table.section("C1, a stiff system of three");
  for (const Match& match : c1_matches) match.report(table);
  table.section("C5, a stiff system of two with state events");
  for (const Match& match : c5_matches) match.report(table);
}

}  // namespace arges::bench
