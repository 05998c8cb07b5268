#include <string>
#include <vector>

#include <fmt/format.h>

#include "arges/base/error.h"
#include "arges/hybrid_devs/hybrid_simulator.h"
#include "argesim/benchmarks.h"
#include "argesim/furnace/model.h"

namespace arges::argesim {

namespace {

std::vector<double> finish_times(const std::string& solver, std::size_t& inside_at_95) {
  const furnace::Plant plant;
  RunOptions options;
  options.solver = solver;
  options.stop_time = 100;
  options.numerics.rtol = 1e-10;
  if (solver == "rk4") options.numerics.step = 0.01;
  hybrid_devs::HybridSimulator simulator(plant, options);
  RunStatus status = simulator.run_until(95);
  const auto& state = simulator.state(plant.furnace);
  inside_at_95 = static_cast<std::size_t>(state.created) - state.finish_times.size();
  if (status.ok()) status = simulator.run_until(100);
  if (!status.ok()) throw EvaluationError("furnace: " + status.message);
  return state.finish_times;
}

void solve(BenchmarkReport& report) {
  for (const std::string solver : {"rk4", "dopri5", "rodas5p", "cvode-bdf", "qss3"}) {
    report.begin_task(solver, "finish times with " + solver);
    std::size_t inside = 0;
    const std::vector<double> times = finish_times(solver, inside);
    report.compare("finished at t = 100", static_cast<double>(times.size()), 7, 0,
                   ReferenceSource::kAssumed);
    report.compare("in the furnace at t = 95", static_cast<double>(inside), 4, 0,
                   ReferenceSource::kAssumed);
    const double tolerance = solver == "cvode-bdf" ? 2e-6 : 1e-7;
    for (std::size_t k = 0; k < times.size(); ++k) {
      report.compare(fmt::format("finish time {}", k + 1), times[k],
                     furnace::residence_time() + 10.0 * static_cast<double>(k), tolerance,
                     ReferenceSource::kAssumed);
    }
  }
}

}  // namespace

Benchmark furnace_benchmark() {
  return {"furnace", "Furnace of Workpieces", "argesim/furnace/lesson.md", solve};
}

}  // namespace arges::argesim
