#include <array>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "arges/experiment/ensemble.h"
#include "argesim/benchmarks.h"
#include "argesim/ga_deceptive/model.h"

namespace arges::argesim {

namespace {

using ga::Contest;
using ga::Rules;
using ga::Strategy;
using enum ReferenceSource;

constexpr int kPeriods = 500;
constexpr std::int64_t kRuns = 120;
constexpr double kReferenceRuns = 1000;

// One replication: which populations are in equilibrium at the end, and the mean of both payoffs.
class Replication final : public Worker {
 public:
  explicit Replication(const Rules& rules) : rules_(rules) {}
  StudyRow run(std::int64_t index) override {
    Rules rules = rules_;
    rules.replication = static_cast<std::uint64_t>(index);
    Contest contest(rules);
    for (int period = 0; period < kPeriods && !contest.is_over(); ++period) contest.step();
    const double there = contest.in_equilibrium(0) + contest.in_equilibrium(1);
    return {index, {}, {there, (contest.payoff_of(0) + contest.payoff_of(1)) / 2}};
  }

 private:
  Rules rules_;
};

struct Outcome {
  double both = 0, one = 0, mean_payoff = 0;  // shares of the runs
};

Outcome replicate(const Rules& rules) {
  Outcome outcome;
  run_ensemble(
      kRuns, [&] { return std::make_unique<Replication>(rules); }, {},
      [&](const StudyRow& row) {
        outcome.both += row.observables[0] == 2;
        outcome.one += row.observables[0] == 1;
        outcome.mean_payoff += row.observables[1];
        return true;
      });
  for (double* each : {&outcome.both, &outcome.one, &outcome.mean_payoff})
    *each /= static_cast<double>(kRuns);
  return outcome;
}

// Four deviations of the difference of two shares, and what a single run counts.
double share_tolerance(double share) {
  return 4 * std::sqrt(share * (1 - share) * (1.0 / kRuns + 1 / kReferenceRuns)) + 1.5 / kRuns;
}

void solve_game(BenchmarkReport& report) {
  report.begin_task("game", "the game and why it deceives");
  const auto equilibria = ga::nash_equilibria();
  report.compare("Nash equilibria", static_cast<double>(equilibria.size()), 1, 0, kPublished);
  report.compare("first strategy of P1 there", equilibria.at(0)[0][0], 1, 1e-12, kPublished);
  report.compare("first strategy of P2 there", equilibria.at(0)[1][0], 1, 1e-12, kPublished);
  const Strategy uniform{1. / 3, 1. / 3, 1. / 3};
  report.compare("fitness of strategy 1 against all alike", ga::payoff({1, 0, 0}, uniform), 1.167,
                 5e-4, kPublished);
  report.compare("fitness of strategy 2 against all alike", ga::payoff({0, 1, 0}, uniform), 7. / 3,
                 1e-12, kReference);
  report.compare("fitness of strategy 3 against all alike", ga::payoff({0, 0, 1}, uniform), 12,
                 1e-12, kPublished);
  const Strategy stuck{0.375, 0.375, 0.25};
  report.compare("payoff of P2 where Figure 1 ends", ga::payoff({0, 0, 1}, stuck), 13.5, 1e-12,
                 kPublished);
  report.compare("payoff of P1 where Figure 1 ends", ga::payoff(stuck, {0, 0, 1}), 0.9375, 1e-12,
                 kReference);
  report.text(
      "The paper gives 0.7 as the payoff of P1 in the state of its Figure 1. No state of the other "
      "population leaves (0.375, 0.375, 0.25) less than 0.75; against (0, 0, 1) it is 0.9375. And "
      "it "
      "gives the fitness 12 to the second strategy: it is the third that has it.");
}

// Corners: the pure strategies, the first one left, the third on top.
plot::Series on_the_simplex(const std::vector<Strategy>& path, const std::string& name) {
  std::vector<double> x, y;
  for (const Strategy& s : path) {
    x.push_back(s[1] + s[2] / 2);
    y.push_back(s[2] * std::sqrt(0.75));
  }
  return plot::line(x, y, name);
}

void draw(BenchmarkReport& report, const std::string& file, const std::string& caption,
          const Rules& rules) {
  Contest contest(rules);
  std::array<std::vector<Strategy>, 2> paths;
  for (int period = 0; period < kPeriods; ++period) {
    for (std::size_t p = 0; p < 2; ++p) paths[p].push_back(contest.strategy(p));
    contest.step();
  }
  plot::Figure figure = plot::make_figure("", {"s_{2} + s_{3}/2"}, {"s_{3} √3/2"});
  figure.panel().equal_aspect = true;
  plot::Series frame = on_the_simplex({{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 0, 0}}, "");
  frame.color = plot::Color{0x80, 0x80, 0x80, 1};
  figure.panel().add(frame);
  figure.panel().add(on_the_simplex(paths[0], "P^{1}"));
  figure.panel().add(on_the_simplex(paths[1], "P^{2}"));
  report.figure(file, caption, std::move(figure));
}

// How often both, and exactly one, of the populations get there; of 1000 runs of another program.
struct Case {
  const char* name;
  Rules rules;
  double both, one;
};

void solve_runs(BenchmarkReport& report) {
  report.begin_task("runs", fmt::format("{} replications of {} periods", kRuns, kPeriods));
  Rules plain, both, second, few, many;
  both.conservative = {true, true};
  second.conservative = {false, true};
  few.mutation = 0.001;
  many.mutation = 0.01;
  const std::vector<Case> cases = {{"no conservative agents", plain, 0.005, 0.152},
                                   {"conservative agents in both", both, 1, 0},
                                   {"conservative agents in P2", second, 0.104, 0.601},
                                   {"mutation 0.001 instead", few, 0.879, 0.114},
                                   {"mutation 0.01 instead", many, 0, NAN}};
  std::vector<std::vector<std::string>> table = {{"", "both there", "one", "none", "mean payoff"}};
  for (const Case& each : cases) {
    const Outcome found = replicate(each.rules);
    report.compare(fmt::format("{}: share of runs with both there", each.name), found.both,
                   each.both, share_tolerance(each.both), kReference);
    if (!std::isnan(each.one)) {
      report.compare(fmt::format("{}: share with one there", each.name), found.one, each.one,
                     share_tolerance(each.one), kReference);
    }
    if (each.both == 1)
      report.compare("mean payoff then", found.mean_payoff, 1.928, 0.005, kReference);
    table.push_back({each.name, fmt::format("{:.3f}", found.both), fmt::format("{:.3f}", found.one),
                     fmt::format("{:.3f}", 1 - found.both - found.one),
                     fmt::format("{:.3f}", found.mean_payoff)});
  }
  report.table("Where the populations are after 500 periods.", table);
  draw(report, "none", "One run without conservative agents (as Figure 1).", plain);
  draw(report, "both", "One run with conservative agents in both populations (as Figure 2).", both);
  draw(report, "second", "One run with conservative agents in P2 only (as Figure 3).", second);
}

void solve(BenchmarkReport& report) {
  solve_game(report);
  solve_runs(report);
}

}  // namespace

Benchmark deceptive_game_benchmark() {
  return {"ga-deceptive", "Conservative Agents in GA-deceptive Games",
          "argesim/ga_deceptive/lesson.md", solve};
}

}  // namespace arges::argesim
