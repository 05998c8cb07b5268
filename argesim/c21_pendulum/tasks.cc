#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "arges/experiment/find_root.h"
#include "argesim/benchmarks.h"
#include "argesim/c21_pendulum/model.h"
#include "argesim/c21_pendulum/reference.h"
#include "argesim/common/experiment.h"

namespace arges::argesim {

namespace {

using enum ReferenceSource;
using std::numbers::pi;

constexpr const char* kText = "argesim/c21_pendulum/RotatingPendulum.mo";
constexpr const char* kMachine = "argesim/c21_pendulum/PendulumMachine.mo";
constexpr const char* kSolver = "dop853";
constexpr double kRtol = 1e-12;
constexpr double kTolerance = 1e-8;

// The times of all events of the basic run: slack, taut, five turns. A change of structure is one
// of the mode.
std::vector<double> event_times(const Recording& result) {
  std::vector<double> times = result.change_times("mode");
  if (times.empty()) times = result.change_times("swinging");
  for (std::size_t i = 1; i <= c21::kTurns.size(); ++i) {
    const std::vector<double> turn = result.change_times("turns", static_cast<double>(i));
    if (!turn.empty()) times.push_back(turn.front());
  }
  return times;
}

double largest_error(const std::vector<double>& times) {
  std::vector<double> expected = {c21::kSlack, c21::kTaut};
  for (const c21::Turn& turn : c21::kTurns) expected.push_back(turn.t);
  if (times.size() != expected.size()) return INFINITY;
  double worst = 0;
  for (std::size_t i = 0; i < times.size(); ++i)
    worst = std::max(worst, std::abs(times[i] - expected[i]));
  return worst;
}

// What an event made of a variable.
double after(const Recording& result, double t, const std::string& name) {
  for (const EventRecord& event : result.trajectory.events) {
    for (const EventChange& change : event.changes) {
      if (event.time == t && change.name == name) return change.after;
    }
  }
  return NAN;
}

plot::Figure path_figure(const std::string& title, const Recording& result) {
  plot::Figure figure = plot::make_figure(title, {"x", "m"}, {"y", "m"});
  figure.panel().equal_aspect = true;
  const std::vector<double> force = result.trajectory.values_of("force");
  for (const bool swings : {true, false}) {
    std::vector<double> x = result.trajectory.values_of("x_mass"),
                        y = result.trajectory.values_of("y_mass");
    for (std::size_t i = 0; i < x.size(); ++i) {
      if ((force[i] != 0) != swings) x[i] = y[i] = NAN;
    }
    figure.panel().add(plot::line(x, y, swings ? "swinging" : "falling"));
  }
  return figure;
}

void basic_run(BenchmarkReport& report) {
  report.begin_task("4.2", "Basic run");
  const auto model = text_model(kText, "MaximalStateSpace");
  RunOptions wanted = options(kSolver, kRtol, 20);
  wanted.interval = 0.005;
  const Recording result = run(*model, wanted);
  const std::vector<double> times = event_times(result);
  report.compare("start falling", times.at(0), c21::kSlack, kTolerance, kReference);
  report.compare("phi there", result.value_at(times[0], "phi"), c21::kSlackPhi, kTolerance,
                 kReference);
  report.compare("phi' there", result.value_at(times[0], "omega"), c21::kSlackOmega, kTolerance,
                 kReference);
  report.compare("start swinging", times.at(1), c21::kTaut, kTolerance, kReference);
  report.compare("phi then", after(result, times[1], "phi"), c21::kTautPhi, kTolerance, kReference);
  report.compare("phi' then", after(result, times[1], "omega"), c21::kTautOmega, kTolerance,
                 kReference);
  for (std::size_t i = 0; i < c21::kTurns.size(); ++i) {
    report.compare(fmt::format("turn {}", i + 1), times.at(i + 2), c21::kTurns[i].t, kTolerance,
                   kReference);
    report.compare(fmt::format("psi of turn {}", i + 1), after(result, times[i + 2], "psi"),
                   c21::kTurns[i].psi, kTolerance, kReference);
  }
  report.compare("end of the run", result.result.status.time, c21::kPublishedStop, 5e-6,
                 kPublished);
  report.figure("c21-pendulum", "The way of the mass.", path_figure("Rotating pendulum", result));
  plot::Figure figure =
      plot::make_stack("Rotating pendulum", {"t", "s"}, {{"y", "m"}, {"force of the rope", "N"}});
  figure.panels[0].add(plot::line(result.trajectory.times, result.trajectory.values_of("y_mass")));
  figure.panels[1].add(plot::line(result.trajectory.times, result.trajectory.values_of("force")));
  for (plot::Panel& panel : figure.panels) panel.events = {{times[0]}, {times[1]}};
  report.figure("c21-rope", "Height of the mass and force of the rope.", std::move(figure));
}

void algorithms(BenchmarkReport& report) {
  report.begin_task("4.3", "Models and algorithms");
  const RotatingPendulum two_spaces;
  const RotatingPendulumDae dae_mode;
  const auto maximal = text_model(kText, "MaximalStateSpace"), dae = text_model(kText, "DaeForm");
  const auto machine = text_model(kMachine, "TwoStateSpaces"),
             constraint = text_model(kMachine, "WithConstraint");
  const std::vector<const char*> all = {"rodas5p",   "dopri5",      "tsit5",      "dop853",
                                        "cvode-bdf", "cvode-adams", "arkode-erk", "arkode-dirk"};
  struct Formulation {
    const char* name;
    const HybridSystem* model;
    std::vector<const char*> solvers;
  };
  const Formulation formulations[] = {
      {"two state spaces", machine.get(), all},
      {"maximal state space", maximal.get(), all},
      {"DAE of index 3", constraint.get(), all},
      {"DAE of index 1", dae.get(), all},
      {"two state spaces, in C++", &two_spaces, all},
      {"DAE and ODE, in C++", &dae_mode, {"rodas5p", "ida"}},
  };
  std::vector<std::vector<std::string>> rows = {
      {"formulation", "solver", "largest error in s", "steps", "evaluations"}};
  for (const Formulation& each : formulations) {
    for (const char* solver : each.solvers) {
      const Recording result = run(*each.model, options(solver, kRtol, 20));
      const double error = largest_error(event_times(result));
      report.compare(fmt::format("largest error of 7 events, {}, {}", each.name, solver), error, 0,
                     kTolerance, kReference);
      rows.push_back({each.name, solver, fmt::format("{:.2g}", error),
                      std::to_string(result.result.statistics.steps),
                      std::to_string(result.result.statistics.rhs)});
    }
  }
  report.table("rtol = 1e-12.", std::move(rows));
}

// The same values from the other formulations, and with other solvers.
void kick_in_all_formulations(BenchmarkReport& report) {
  struct Formulation {
    const char* name;
    std::unique_ptr<HybridSystem> model;
    const char* speed;  // at the goal
  };
  const Formulation formulations[] = {
      {"two state spaces", text_model(kMachine, "TwoStateSpaces"), "spin"},
      {"maximal state space", text_model(kText, "MaximalStateSpace"), "omega"},
      {"DAE of index 3", text_model(kMachine, "WithConstraint"), "spin"},
  };
  std::vector<std::vector<std::string>> rows = {
      {"formulation", "solver", "largest error of gamma"}};
  for (const Formulation& each : formulations) {
    for (const char* solver : {"dop853", "rodas5p", "dopri5", "tsit5"}) {
      double worst = 0;
      for (const c21::Kick& goal : c21::kKicks) {
        const auto miss = [&](double gamma) {
          const Settings settings = {{"gamma", gamma}, {"phi_end", 2 * pi * goal.turns}};
          return final_values(*each.model, options(solver, kRtol, 20), settings, {each.speed})[0] -
                 goal.omega_goal;
        };
        const double gamma =
            find_root(miss, goal.gamma * (1 + 1e-6), goal.gamma * (1 - 1e-6), 1e-12);
        worst = std::max(worst, std::abs(gamma / goal.gamma - 1));
      }
      report.compare(fmt::format("largest relative error of 4 kicks, {}, {}", each.name, solver),
                     worst, 0, 1e-9, kReference);
      rows.push_back({each.name, solver, fmt::format("{:.2g}", worst)});
    }
  }
  report.table("Kicks, relative; rtol = 1e-12.", std::move(rows));
}

void kick(BenchmarkReport& report) {
  report.begin_task("4.4", "A kick in the lowest point");
  const auto model = text_model(kText, "MaximalStateSpace");
  const auto before_the_kick = [&](const Recording& result) {
    return result.change_times("kicked", 1).at(0);
  };
  bool first = true;
  for (const c21::Kick& goal : c21::kKicks) {
    const auto settings = [&](double gamma) -> Settings {
      return {{"gamma", gamma}, {"phi_end", 2 * pi * goal.turns}};
    };
    const auto miss = [&](double gamma) {
      return final_values(*model, options(kSolver, kRtol, 20), settings(gamma), {"omega"})[0] -
             goal.omega_goal;
    };
    const double gamma = find_root(miss, goal.gamma * 1.1, goal.gamma * 0.98, 1e-12);
    RunOptions wanted = options(kSolver, kRtol, 20);
    wanted.interval = 0.005;
    const Recording last = run(*model, wanted, settings(gamma));
    const double bottom = before_the_kick(last);
    if (first) {
      report.compare("lowest point after the last turn", bottom, c21::kBottom, kTolerance,
                     kReference);
      report.compare("phi' there", last.value_at(bottom, "omega"), c21::kBottomOmega, 1e-9,
                     kReference);
      report.compare("phi' there", last.value_at(bottom, "omega"), c21::kPublishedBottomOmega, 1e-9,
                     kPublished);
    }
    const std::string name = goal.goal;
    const double omega = after(last, bottom, "omega");
    report.compare("phi' after the kick, " + name, omega, goal.omega, 1e-9 * goal.omega,
                   kReference);
    report.compare("phi' after the kick, " + name, omega, goal.published, 1e-9 * goal.omega,
                   kPublished);
    report.compare("gamma, " + name, gamma, goal.gamma, 1e-9 * std::abs(goal.gamma), kReference);
    if (!first) {
      report.compare("force of the rope on top, " + name, last.final("force"), 0, 1e-8, kReference);
    }
    first = false;
  }
  kick_in_all_formulations(report);
  report.text(
      "Shooting: each trial value of gamma is a whole run, with the fall, the last turn, the kick "
      "and the way to the goal, where it ends. After the kick the rope counts as a rod, so that a "
      "trial that is too weak still arrives; in the solutions the force is positive all the way.");
}

}  // namespace

Benchmark rotating_pendulum_benchmark() {
  return {"C21-pendulum", "State Events: Rotating Pendulum with Free Flight",
          "argesim/c21_pendulum/lesson.md", [](BenchmarkReport& report) {
            basic_run(report);
            algorithms(report);
            kick(report);
          }};
}

}  // namespace arges::argesim
