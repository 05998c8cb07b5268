#include "argesim/cp1_parallel/monte_carlo.h"

#include <chrono>
#include <cmath>

#include <fmt/format.h>

#include "arges/experiment/ensemble.h"
#include "arges/experiment/sampler.h"
#include "arges/experiment/study.h"
#include "arges/hybrid/simulator.h"
#include "argesim/common/experiment.h"
#include "argesim/cp1_parallel/reference.h"

namespace arges::argesim {

MeanCurve mean_curve(const HybridSystem& oscillator, std::int64_t runs, int threads) {
  const std::vector<RandomQuantity> damping = {parse_random("d=uniform(800,1200)")};
  MeanCurve curve;
  curve.times = even_times(0, 2, 200);
  curve.positions.resize(curve.times.size());
  StudyPlan plan{oscillator, make_context(oscillator), options("dop853", 1e-8, 2), {"d"}, {}, {}};
  for (const double t : curve.times) {
    plan.observables.push_back(parse_observable("x@0"));
    plan.observables.back().time = t;
  }
  plan.values = [&](std::int64_t index) { return random_values(damping, 1, index); };
  EnsembleOptions how;
  how.threads = threads;
  const auto begin = std::chrono::steady_clock::now();
  run_ensemble(runs, study_workers(plan), how, [&](const StudyRow& row) {
    for (std::size_t i = 0; i < curve.positions.size(); ++i)
      curve.positions[i].add(row.observables[i]);
    return true;
  });
  curve.wall_s = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return curve;
}

std::vector<double> MeanCurve::means() const {
  std::vector<double> all;
  for (const random::Tally& at : positions) all.push_back(at.mean());
  return all;
}

void compare_with_exact_mean(const MeanCurve& curve, BenchmarkReport& report) {
  double worst = 0;
  for (const cp1::Mean& mean : cp1::kMeans) {
    const auto i = static_cast<std::size_t>(std::lround(mean.t * 100));
    const random::Tally& found = curve.positions[i];
    const double error = mean.deviation / std::sqrt(static_cast<double>(found.count()));
    worst = std::max(worst, std::abs(found.mean() - mean.x) / error);
    // Three standard errors.
    if (i % 50 == 0 || i == 10 || i == 30)
      report.compare(fmt::format("mean of x({})", mean.t), found.mean(), mean.x, 3 * error,
                     ReferenceSource::kReference);
  }
  report.compare("largest distance from the exact mean, in standard errors", worst, 0, 3,
                 ReferenceSource::kReference);
}

plot::Figure band_figure(const MeanCurve& curve) {
  plot::Figure figure = plot::make_figure("Oscillator with random damping", {"t", "s"}, {"x", "m"});
  std::vector<double> low, high;
  for (const random::Tally& at : curve.positions) {
    low.push_back(at.min());
    high.push_back(at.max());
  }
  figure.panel().add(plot::line(curve.times, curve.means(), "mean"));
  figure.panel().add(plot::line(curve.times, low, "least"));
  figure.panel().add(plot::line(curve.times, high, "largest"));
  return figure;
}

}  // namespace arges::argesim
