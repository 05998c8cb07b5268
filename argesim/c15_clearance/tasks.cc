#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "arges/experiment/ensemble.h"
#include "arges/hybrid/simulator.h"
#include "arges/random/statistics.h"
#include "argesim/benchmarks.h"
#include "argesim/c15_clearance/identification.h"
#include "argesim/common/eigenvalues.h"
#include "argesim/common/experiment.h"

namespace arges::argesim {

namespace {

using enum ReferenceSource;
using namespace c15;

// The numbers of the definition are recalled, so what follows from them is assumed.
struct Value {
  double t, c1;
};
constexpr Value kInjection[] = {{0.5, 337.932923104119},  {2, 313.044018257311},
                                {10, 230.753325337890},   {60, 156.983634226872},
                                {120, 137.5710129232705}, {240, 105.955073920539}};
constexpr Value kImpulse[] = {{2, 309.255945506062},
                              {10, 229.1298992734103},
                              {60, 156.8921962058913},
                              {240, 105.897444180988}};
constexpr double kEigenvalues[] = {-0.110223976158739, -0.002176023841261};
constexpr double kArea = 83528.2325426;  // D/(k01 V1)

const Settings kAtOnce = {{"x1", kDose}, {"D", 0}};

void simulation(const HybridSystem& model, BenchmarkReport& report) {
  report.begin_task("a", "Injection of finite duration, and impulse");
  const RunOptions how = options("dop853", 1e-12, 240);
  plot::Figure figure = plot::make_figure("Concentration after an injection", {"t", "min"},
                                          plot::log_axis("c_{1}", "1/l"));
  const auto compare = [&](const char* name, const Settings& settings, std::span<const Value> all) {
    for (const Value& at : all) {
      const auto computed =
          final_values(model, options("dop853", 1e-12, at.t), settings, {"c1"})[0];
      report.compare(fmt::format("c1({}), {}", at.t, name), computed, at.c1, 1e-8, kAssumed);
    }
    RunOptions fine = how;
    fine.interval = 0.25;
    const Recording result = run(model, fine, settings);
    figure.panel().add(plot::line(
        {result.trajectory.times.begin() + 2, result.trajectory.times.end()},
        [&] {
          const auto c1 = result.trajectory.values_of("c1");
          return std::vector<double>(c1.begin() + 2, c1.end());
        }(),
        name));
  };
  compare("injection", {}, kInjection);
  compare("impulse", kAtOnce, kImpulse);
  report.figure("c15-concentration", "Two exponentials; the impulse is ahead by half the duration.",
                std::move(figure));
  report.compare("area under c1",
                 final_values(model, options("dop853", 1e-12, 2e4), {}, {"area"})[0], kArea, 1e-5,
                 kAssumed);
  const auto poles = eigenvalues(model, final_state(model, how).final);
  for (int i = 0; i < 2; ++i)
    report.compare(fmt::format("eigenvalue {}", i + 1), poles[i].real(), kEigenvalues[i], 1e-13,
                   kAssumed);
}

const std::vector<std::string> kNames = {"k01", "k12", "k21", "V1", "clearance"};
constexpr double kExpected[] = {kTrue.k01, kTrue.k12, kTrue.k21, kTrue.V1, kTrue.k01* kTrue.V1};

FitResult identification(const HybridSystem& model, BenchmarkReport& report) {
  report.begin_task("b", "Identification from exact data");
  FitResult found = identify(model, measurements(0));
  for (int i = 0; i < 4; ++i)
    report.compare(kNames[i], found.x[i], kExpected[i], 1e-6 * kExpected[i], kAssumed);
  report.compare("clearance", found.x[0] * found.x[3], kTrue.clearance(), 1e-6 * kTrue.clearance(),
                 kAssumed);
  report.text(fmt::format(
      "From twice the true values, {} runs. The measured series of the definition was not "
      "recovered: the data are the exact solution at 17 times.",
      found.evaluations));
  return found;
}

// Identifies from noisy data: row i is the study of series i + 1.
class Identifier final : public Worker {
 public:
  explicit Identifier(const HybridSystem& model) : model_(model) {}
  StudyRow run(std::int64_t index) override {
    const FitResult found = identify(model_, measurements(index + 1));
    StudyRow row{index, {}, found.x, RunReason::kFinished};
    row.observables.push_back(found.x[0] * found.x[3]);
    return row;
  }

 private:
  const HybridSystem& model_;
};

void noise(const HybridSystem& model, const FitResult& exact, BenchmarkReport& report) {
  report.begin_task("c", "Influence of noise");
  constexpr std::int64_t kRepetitions = 100;
  std::array<random::Tally, 5> estimates;
  std::vector<double> clearances;
  run_ensemble(
      kRepetitions, [&] { return std::make_unique<Identifier>(model); }, {},
      [&](const StudyRow& row) {
        for (std::size_t i = 0; i < estimates.size(); ++i) estimates[i].add(row.observables[i]);
        clearances.push_back(row.observables[4]);
        return true;
      });
  const std::array<double, 5> expected = linear_deviations(exact);
  std::vector<std::vector<std::string>> rows = {
      {"", "true", "mean", "deviation", "deviation of the linearised problem"}};
  for (std::size_t i = 0; i < estimates.size(); ++i) {
    rows.push_back(
        {kNames[i], fmt::format("{:.4g}", kExpected[i]), fmt::format("{:.4g}", estimates[i].mean()),
         fmt::format("{:.2g}", estimates[i].deviation()), fmt::format("{:.2g}", expected[i])});
  }
  report.table(
      fmt::format("{} identifications, relative noise of 5 % on each value.", kRepetitions),
      std::move(rows));
  // Three standard errors; the deviation of a sample of n has the relative error 1/sqrt(2 n).
  const double n = static_cast<double>(kRepetitions);
  report.compare("mean of the clearance", estimates[4].mean(), kTrue.clearance(),
                 3 * expected[4] / std::sqrt(n), kAssumed);
  report.compare("deviation of the clearance, relative to the linearised problem",
                 estimates[4].deviation() / expected[4], 1, 3 / std::sqrt(2 * n), kAssumed);
  plot::Figure figure =
      plot::make_figure("Clearance from noisy data", {"k01 V1", "l/min"}, {"series"});
  figure.panel().add(plot::histogram(clearances));
  report.figure("c15-clearance", "Estimates of the clearance; the true one is 0.02993.",
                std::move(figure));
  report.text(
      "The rates between the compartments are known to a fifth or a quarter only. k01 and V1 err "
      "in "
      "opposite directions, so that their product, the clearance, is known better than k01.");
}

}  // namespace

Benchmark clearance_benchmark() {
  return {"C15", "Clearance Identification", "argesim/c15_clearance/lesson.md",
          [](BenchmarkReport& report) {
            const auto model = text_model("argesim/c15_clearance/Clearance.mo");
            simulation(*model, report);
            const FitResult exact = identification(*model, report);
            noise(*model, exact, report);
          }};
}

}  // namespace arges::argesim
