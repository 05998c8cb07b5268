#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "argesim/benchmarks.h"
#include "argesim/common/experiment.h"
#include "argesim/multiframe/allocation.h"
#include "argesim/multiframe/reference.h"

namespace arges::argesim {

namespace {

using enum ReferenceSource;
using namespace multiframe;

constexpr const char* kText = "argesim/multiframe/TwoFrames.mo";

void errors(BenchmarkReport& report) {
  report.begin_task("errors", "a fast and a slow oscillator, ten fast steps in a frame");
  const auto model = text_model(kText);
  const std::vector<std::string> names = {"x", "v", "s", "w"};
  const auto exact = final_values(*model, options("dop853", 1e-13, kStopTime), {}, names);
  for (std::size_t i = 0; i < names.size(); ++i)
    report.compare(names[i] + "(5)", exact[i], kFinal[i], 5e-8, kAssumed);
  std::vector<std::vector<std::string>> printed = {
      {"method", "H = 0.05", "0.025", "0.0125", "0.00625"}};
  plot::Figure figure = plot::make_figure("Error at the end over the length of a frame",
                                          plot::log_axis("H", "s"), plot::log_axis("error"));
  for (const Errors& row : kErrors) {
    const std::string name =
        fmt::format("{}{}", row.solver, row.holds_fast ? ", fast states held" : "");
    std::vector<std::string> cells = {name};
    std::vector<double> found;
    for (std::size_t k = 0; k < kSlowSteps.size(); ++k) {
      RunOptions how = options(row.solver, 1e-6, kStopTime);
      how.numerics.step = kSlowSteps[k];
      how.numerics.frame_ratio = kRatio;
      how.numerics.fast = {"x", "v"};
      how.numerics.hold_fast = row.holds_fast;
      const auto at_end = final_values(*model, how, {}, names);
      double worst = 0;
      for (std::size_t i = 0; i < names.size(); ++i)
        worst = std::max(worst, std::abs(at_end[i] - exact[i]));
      report.compare(fmt::format("{}, H = {:g}: error", name, kSlowSteps[k]), worst, row.errors[k],
                     1e-3 * row.errors[k], kAssumed);
      found.push_back(worst);
      cells.push_back(fmt::format("{:.4g}", worst));
    }
    printed.push_back(std::move(cells));
    figure.panel().add(plot::line({kSlowSteps.begin(), kSlowSteps.end()}, found, name));
  }
  report.table("Largest error of the four states at t = 5.", printed);
  report.figure("multiframe-errors",
                "Extrapolated fast states give order 3, held ones order 1; whether the slow states "
                "are interpolated or extrapolated matters little.",
                std::move(figure));
}

void processors(BenchmarkReport& report) {
  report.begin_task("processors", "how many processors for which part");
  const Allocation example = allocate(4, 2, 1);
  report.compare("m = 4, loads 1:2, fast", example.fast, 3, 0, kPublished);
  report.compare("m = 4, loads 1:2, slow", example.slow, 1, 0, kPublished);
  for (const auto& [m, ratio] :
       {std::pair(3, 4.0), std::pair(4, 3.0), std::pair(8, 7.0 / 3), std::pair(16, 15.0 / 7)})
    report.compare(fmt::format("communication shared against apart, m = {}", m),
                   communication_ratio(m), ratio, 1e-12, kPublished);
  // Over all shares of the slow part: within m = 16, and at the edge of one processor.
  constexpr int kProcessors = 16, kShares = 100'000;
  double sum = 0, worst = 0, edge_sum = 0, edge_worst = 0;
  int inner = 0, edge = 0;
  for (int i = 0; i < kShares; ++i) {
    const double share = (i + 0.5) / kShares;
    const double lost = lost_capacity(kProcessors, 1 - share, share);
    const bool at_edge = share * kProcessors < 1 || share * kProcessors > kProcessors - 1;
    (at_edge ? edge_sum : sum) += lost;
    double& largest = at_edge ? edge_worst : worst;
    largest = std::max(largest, lost);
    ++(at_edge ? edge : inner);
  }
  report.compare("lost processors, mean", sum / inner, 0.25, 1e-3, kPublished);
  report.compare("lost processors, at most", worst, 0.5, 1e-3, kPublished);
  report.compare("at the edges, mean", edge_sum / edge, 0.5, 1e-3, kPublished);
  report.compare("at the edges, at most", edge_worst, 1, 1e-3, kPublished);
}

}  // namespace

Benchmark multiframe_benchmark() {
  return {"multiframe", "Fast and Slow in Frames", "argesim/multiframe/lesson.md",
          [](BenchmarkReport& report) {
            errors(report);
            processors(report);
          }};
}

}  // namespace arges::argesim
