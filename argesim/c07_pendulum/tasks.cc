#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "arges/experiment/find_root.h"
#include "argesim/benchmarks.h"
#include "argesim/c07_pendulum/reference.h"
#include "argesim/common/experiment.h"

namespace arges::argesim {

namespace {

using enum ReferenceSource;
using std::numbers::pi;

constexpr const char* kSolver = "dop853";
constexpr double kRtol = 1e-12;
// The pin hits at a small angular velocity (0.09 in the end), which enlarges errors of phi in the
// event times by 1/0.09; each passage adds some.
constexpr double kTolerance = 1e-10;

const Settings kCase1 = {{"phi", pi / 6}, {"d", 0.2}};
const Settings kCase2 = {{"phi", -pi / 6}, {"d", 0.1}};

Settings with_linear(Settings settings) {
  settings.emplace_back("linear", 1);
  return settings;
}

template <std::size_t N>
Recording compare_case(const HybridSystem& model, BenchmarkReport& report, const std::string& name,
                       const Settings& settings, const std::array<c7::Switch, N>& expected,
                       const std::array<double, 2>& final) {
  Recording result = run(model, options(kSolver, kRtol, 10), settings);
  const auto& events = result.trajectory.events;
  const bool starts_free = result.trajectory.values_of("free").front() != 0;
  report.compare(name + ": number of events", static_cast<double>(events.size()), N, 0, kReference);
  for (std::size_t i = 0; i < std::min(N, events.size()); ++i) {
    report.compare(fmt::format("{}: t{}, {}", name, i + 1,
                               i % 2 == (starts_free ? 0u : 1u) ? "hit" : "release"),
                   events[i].time, expected[i].t, kTolerance, kReference);
  }
  if (events.size() == N) {
    for (const EventChange& change : events[0].changes) {
      if (change.name != "omega") continue;
      report.compare(name + ": omega before t1", change.before, expected[0].omega_before,
                     kTolerance, kReference);
      report.compare(name + ": omega after t1", change.after, expected[0].omega_after, kTolerance,
                     kReference);
    }
  }
  report.compare(name + ": phi(10)", result.final("phi"), final[0], kTolerance, kReference);
  report.compare(name + ": omega(10)", result.final("omega"), final[1], 10 * kTolerance,
                 kReference);
  return result;
}

plot::Figure angle_figure(const std::string& title, const Recording& result) {
  plot::Figure figure = plot::make_stack(title, {"t", "s"}, {{"phi", "rad"}, {"omega", "rad/s"}});
  figure.panels[0].add(plot::line(result.trajectory.times, result.trajectory.values_of("phi")));
  figure.panels[0].references = {{-pi / 12, false, "pin"}};
  figure.panels[1].add(plot::line(result.trajectory.times, result.trajectory.values_of("omega")));
  for (const double t : result.event_times()) {
    for (plot::Panel& panel : figure.panels) panel.events.push_back({t});
  }
  return figure;
}

void task_a(const HybridSystem& model, BenchmarkReport& report) {
  report.begin_task("a", "Two swings of the pendulum");
  const Recording first =
      compare_case(model, report, "(i)", kCase1, c7::kEvents1, c7::kEvents1Final);
  report.figure("c7-swing-1",
                "Case (i): phi(0) = pi/6, d = 0.2. The angular velocity jumps when "
                "the thread meets or leaves the pin.",
                angle_figure("Constrained pendulum, case (i)", first));
  const Recording second =
      compare_case(model, report, "(ii)", kCase2, c7::kEvents2, c7::kEvents2Final);
  report.figure("c7-swing-2",
                "Case (ii): phi(0) = -pi/6, d = 0.1; the thread lies on the pin at "
                "the start.",
                angle_figure("Constrained pendulum, case (ii)", second));
}

void task_b(const HybridSystem& model, BenchmarkReport& report) {
  report.begin_task("b", "Linear model in comparison");
  const Recording linear = compare_case(model, report, "(i) linear", with_linear(kCase1),
                                        c7::kLinear1, c7::kLinear1Final);
  compare_case(model, report, "(ii) linear", with_linear(kCase2), c7::kLinear2, c7::kLinear2Final);
  const Recording nonlinear = run(model, options(kSolver, kRtol, 10), kCase1);
  plot::Figure figure = plot::make_stack("Linear and nonlinear pendulum, case (i)", {"t", "s"},
                                         {{"phi", "rad"}, {"difference", "rad"}});
  figure.panels[0].add(
      plot::line(nonlinear.trajectory.times, nonlinear.trajectory.values_of("phi"), "nonlinear"));
  figure.panels[0].add(
      plot::line(linear.trajectory.times, linear.trajectory.values_of("phi"), "linear"));
  figure.panels[0].references = {{-pi / 12, false, "pin"}};
  figure.panels[0].height = 1.6;
  std::vector<double> t, difference;
  for (int i = 0; i <= 500; ++i) {
    t.push_back(i * 0.02);
    difference.push_back(linear.value_at(t.back(), "phi") - nonlinear.value_at(t.back(), "phi"));
  }
  figure.panels[1].add(plot::line(t, difference));
  report.figure("c7-linear", "Angle of both models, and linear minus nonlinear.",
                std::move(figure));
  report.text(
      "sin(phi) < phi: the linear pendulum is pulled back more strongly, so it is ahead of the "
      "nonlinear one, and the lead grows with every swing. (Which quantity is to be compared is "
      "left open in the definition.)");
}

void task_c(BenchmarkReport& report) {
  report.begin_task("c", "Boundary value problem: largest deflection -pi/2");
  const auto text = text_model("argesim/c07_pendulum/ConstrainedPendulum.mo", "PendulumToTheTurn");
  const HybridSystem& model = *text;
  std::vector<double> speeds, deflections;
  for (const c7::Shot& shot : c7::kShots) {
    const auto settings = [&](double omega0) -> Settings {
      return {{"phi", pi / 6}, {"omega", omega0}, {"d", shot.d}, {"linear", shot.linear ? 1 : 0}};
    };
    const auto deflection = [&](double omega0) {
      return final_values(model, options(kSolver, kRtol, 10), settings(omega0), {"phi"})[0];
    };
    const bool down = shot.omega0 < 0;
    const double omega0 = find_root([&](double w) { return deflection(w) + pi / 2; },
                                    down ? -3.0 : 1.0, down ? -1.0 : 3.0, 1e-14);
    const Recording last = run(model, options(kSolver, kRtol, 10), settings(omega0));
    const std::string name = fmt::format("phi'(0), d = {:g}{}, {}", shot.d,
                                         shot.linear ? ", linear" : "", down ? "down" : "up");
    if (&shot == &c7::kShots.front()) {
      report.compare(name, omega0, c7::kPublishedShot, 5e-5, kPublished);
    }
    report.compare(name, omega0, shot.omega0, 1e-10, kReference);
    report.compare(name + ": time of the turn", last.result.status.time, shot.t_minimum, kTolerance,
                   kReference);
  }
  report.text(
      "Shooting: each trial value of phi'(0) is a run that ends at the event omega >= 0 on the pin "
      "(terminate), and a bracketing root finder looks for the deflection -pi/2. A first swing "
      "upwards gives a second solution.");
  plot::Figure figure = plot::make_figure("Largest deflection on the pin side",
                                          {"phi'(0)", "rad/s"}, {"phi_{min}", "rad"});
  for (const double sign : {-1.0, 1.0}) {
    std::vector<double> x, y;
    for (int i = 0; i <= 60; ++i) {
      x.push_back(sign * (0.05 * i));
      y.push_back(final_values(model, options(kSolver, 1e-8, 10),
                               {{"phi", pi / 6}, {"omega", x.back()}, {"d", 0.2}}, {"phi"})[0]);
    }
    figure.panel().add(plot::line(x, y, sign < 0 ? "first swing down" : "first swing up"));
  }
  figure.panel().references = {{-pi / 2, false, "-pi/2"}};
  figure.panel().notes = {{c7::kShots[0].omega0, -pi / 2, "-2.1847"},
                          {c7::kShots[1].omega0, -pi / 2, "2.2911"}};
  report.figure("c7-shooting", "The function whose roots are sought, d = 0.2.", std::move(figure));
}

}  // namespace

Benchmark pendulum_benchmark() {
  return {"C7", "Constrained Pendulum", "argesim/c07_pendulum/lesson.md",
          [](BenchmarkReport& report) {
            const auto text = text_model("argesim/c07_pendulum/ConstrainedPendulum.mo");
            const HybridSystem& model = *text;
            task_a(model, report);
            task_b(model, report);
            task_c(report);
          }};
}

}  // namespace arges::argesim
