#include <cmath>
#include <string_view>

#include <fmt/format.h>

#include "arges/compile/compiled_system.h"
#include "argesim/benchmarks.h"
#include "argesim/common/experiment.h"
#include "argesim/dae_realtime/model.h"
#include "argesim/dae_realtime/reference.h"

namespace arges::argesim {

namespace {

using enum ReferenceSource;
using rt::Verdict;

constexpr const char* kText = "argesim/dae_realtime/RealTimePendulum.mo";
constexpr std::array<const char*, 4> kMeasures = {"|x - 1|", "|y|", "|x^2 + y^2 - 1|", "sum"};

RunOptions fixed_steps(const std::string& solver, int newton, int projection, double h) {
  RunOptions result = options(solver, 1e-6, 100);
  result.numerics.step = h;
  result.numerics.newton_steps = newton;
  result.numerics.projection_steps = projection;
  result.numerics.constant_history = true;
  return result;
}

std::array<double, 4> measures(const std::vector<double>& x) {
  const double dx = std::abs(x[0] - 1), dy = std::abs(x[1]);
  const double rest = std::abs(x[0] * x[0] + x[1] * x[1] - 1);
  return {dx, dy, rest, dx + dy + rest};
}

std::array<double, 4> final_measures(const HybridSystem& model, const RunOptions& how) {
  return measures(final_values(model, how, {}, {"x", "y"}));
}

std::string method_name(const rt::Row& row) {
  return fmt::format("{} {}+{}, h = {:g}", row.solver + 3, row.newton, row.projection, row.h);
}

// Six digits of the reference, but for the rounding errors of up to 4e5 steps; a projection leaves
// none of these.
double tolerance(const rt::Row& row, double reference) {
  return 2e-6 * reference + (row.projection > 0 ? 2e-13 : 2e-10);
}

void table(BenchmarkReport& report) {
  report.begin_task("table", "fifty periods with fixed steps");
  const RealTimePendulum model;
  std::vector<std::vector<std::string>> printed = {
      {"method", "|x-1|", "|y|", "|x²+y²-1|", "sum", "printed", "verdict"}};
  for (const rt::Row& row : rt::kRows) {
    const auto found =
        final_measures(model, fixed_steps(row.solver, row.newton, row.projection, row.h));
    std::vector<std::string> cells = {method_name(row)};
    std::string as_printed;
    for (std::size_t k = 0; k < found.size(); ++k) {
      report.compare(fmt::format("{}: {}", method_name(row), kMeasures[k]), found[k],
                     row.reference[k], tolerance(row, row.reference[k]), kReference);
      cells.push_back(fmt::format("{:.3e}", found[k]));
      as_printed += fmt::format("{}{:.1e}", k > 0 ? " " : "", row.published[k]);
      // Printed are two digits, cut off.
      const bool confirmed =
          row.verdict == Verdict::kSame || (row.verdict == Verdict::kPartly && (k == 1 || k == 3));
      if (!confirmed) continue;
      const double unit = std::pow(10, std::floor(std::log10(row.published[k])) - 1);
      report.compare(fmt::format("{}: {}, two digits", method_name(row), kMeasures[k]),
                     std::floor(found[k] / unit * (1 + 1e-9)) * unit, row.published[k], 1e-3 * unit,
                     kPublished);
    }
    constexpr const char* kVerdicts[] = {"same", "|y| and sum same", "corrected",
                                         "not what the method gives"};
    cells.push_back(as_printed);
    cells.emplace_back(kVerdicts[static_cast<int>(row.verdict)]);
    printed.push_back(std::move(cells));
  }
  report.table("Errors after 50 periods. k+j: Newton and projection steps in each time step.",
               printed);
}

void drift(BenchmarkReport& report) {
  report.begin_task("euler", "what happens without care: Euler's methods, h = 0.001");
  const auto model = text_model(kText, "PendulumWithoutConstraint");
  const auto grown = [&](const char* solver, double stop) {
    RunOptions how = options(solver, 1e-6, stop);
    how.numerics.step = 1e-3;
    how.numerics.newton_steps = 4;
    how.numerics.bdf_order = 1;
    const std::vector<double> x = final_values(*model, how, {}, {"x", "y"});
    return x[0] * x[0] + x[1] * x[1] - 1;
  };
  for (std::size_t i = 0; i < rt::kEuler.size(); ++i) {
    const double t = rt::kEulerTimes[i];
    report.compare(fmt::format("explicit: x^2 + y^2 - 1 at t = {}", t), grown("euler", t),
                   rt::kEuler[i], 6e-4 * rt::kEuler[i], kReference);
  }
  for (std::size_t i = 0; i < rt::kImplicitEuler.size(); ++i) {
    const double t = rt::kImplicitEulerTimes[i];
    report.compare(fmt::format("implicit: x^2 + y^2 - 1 at t = {}", t), grown("rt-bdf3", t),
                   rt::kImplicitEuler[i], 5e-5, kReference);
  }
}

// How many Newton steps a tolerance takes, and what Jacobians from a second thread change.
void newton(BenchmarkReport& report) {
  report.begin_task("newton", "the cost of a step");
  const RealTimePendulum model;
  RunOptions how = fixed_steps("rt-bdf3", 20, 0, 1e-3);
  how.numerics.newton_tolerance = rt::kNewtonResidual;
  const SolverStatistics spent = run(model, how).result.statistics;
  const double mean =
      static_cast<double>(spent.newton_iterations) / static_cast<double>(spent.steps);
  report.compare("Newton steps in a step, residual 1e-10", mean, rt::kNewtonSteps, 5e-4,
                 kReference);
  report.compare("Newton steps in a step, residual 1e-10", mean, rt::kPublishedNewtonSteps, 0.5,
                 kPublished);
  how = fixed_steps("rt-ab3-bdf3", 2, 0, 1e-3);
  const auto fresh = final_measures(model, how);
  how.numerics.jacobian_background = true;
  how.numerics.background_lag = 3;
  report.compare("ab3-bdf3 2+0, Jacobians from a second thread, 3 to 6 steps old: sum",
                 final_measures(model, how)[3], fresh[3], 1e-3 * fresh[3], kReference);
  report.text(
      "With Jacobians from a second thread the cost of a step is two evaluations of f and two "
      "solutions with factors that are there. Taken when they are ready they are as old as that "
      "thread is slow; here always after three steps, so that the figure can be repeated.");
}

void from_text(BenchmarkReport& report) {
  report.begin_task("text", "the same from model text of index 3, lambda eliminated");
  const auto model = text_model(kText, "RealTimePendulum");
  dynamic_cast<CompiledSystem&>(*model).set_constraints(ConstraintPolicy::kProject);
  for (const rt::Row& row : rt::kRows) {
    if (row.projection > 0 || row.h < 1e-3) continue;
    const auto found = final_measures(*model, fixed_steps(row.solver, row.newton, 0, row.h));
    report.compare(method_name(row) + ": sum", found[3], row.reference[3], 2e-4 * row.reference[3],
                   kReference);
  }
  double h = 1e-3;
  for (const double expected : rt::kEliminated) {
    const auto found = final_measures(*model, fixed_steps("rt-bdf3", 1, 1, h));
    report.compare(fmt::format("bdf3 1+1, h = {:g}: |y|", h), found[1], expected, 6e-3 * expected,
                   kReference);
    h /= 2;
  }
  report.text(
      "Where lambda is no unknown of the projection, the least-squares point is another one: the "
      "constraints hold as well, and the phase is half as good again.");
}

}  // namespace

Benchmark real_time_benchmark() {
  return {"dae-realtime", "Pendulum in Real Time", "argesim/dae_realtime/lesson.md",
          [](BenchmarkReport& report) {
            table(report);
            drift(report);
            newton(report);
            from_text(report);
          }};
}

}  // namespace arges::argesim
