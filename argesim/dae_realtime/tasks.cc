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
  report.begin_task("euler", "what happens without care: explicit Euler, h = 0.001");
  const auto model = text_model(kText, "PendulumWithoutConstraint");
  for (std::size_t i = 0; i < rt::kEuler.size(); ++i) {
    RunOptions how = options("euler", 1e-6, rt::kEulerTimes[i]);
    how.numerics.step = 1e-3;
    const std::vector<double> x = final_values(*model, how, {}, {"x", "y"});
    report.compare(fmt::format("x^2 + y^2 - 1 at t = {}", rt::kEulerTimes[i]),
                   x[0] * x[0] + x[1] * x[1] - 1, rt::kEuler[i], 6e-4 * rt::kEuler[i], kReference);
  }
}

void from_text(BenchmarkReport& report) {
  report.begin_task("text", "the same from model text of index 3, lambda eliminated");
  const auto model = text_model(kText, "RealTimePendulum");
  dynamic_cast<CompiledSystem&>(*model).set_constraints(ConstraintPolicy::kProject);
  for (const rt::Row& row : rt::kRows) {
    if (row.projection > 0 || row.h < 1e-3) continue;
    // One Newton step from the last value is as good as its Jacobian, which is one by differences.
    if (row.newton == 1 && std::string_view(row.solver) == "rt-bdf3") continue;
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
            from_text(report);
          }};
}

}  // namespace arges::argesim
