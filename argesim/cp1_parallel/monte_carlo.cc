#include "argesim/cp1_parallel/monte_carlo.h"

#include <chrono>

#include "arges/experiment/ensemble.h"
#include "arges/experiment/sampler.h"
#include "arges/experiment/study.h"
#include "arges/hybrid/simulator.h"
#include "argesim/common/experiment.h"

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

}  // namespace arges::argesim
