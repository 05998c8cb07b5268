// The same model in C++ and as Modelica text: what a move costs when the compiler gives single
// rates.

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "arges/driver/model_text.h"
#include "arges/hybrid/simulator.h"
#include "bench/discrete/stopwatch.h"
#include "bench/quantised/models.h"
#include "bench/quantised/suites.h"

namespace arges::bench {

namespace {

std::string advection_text(int cells) {
  return fmt::format(R"(
model Advection
  constant Integer n = {};
  Real u[n](start = {{if i <= div(n, 3) then 1 else 0 for i in 1:n}}, each fixed = true);
equation
  der(u[1]) = (1 - u[1]) * n - 1000 * (u[1] * (u[1] - 0.5) * (u[1] - 1));
  for i in 2:n loop
    der(u[i]) = (u[i - 1] - u[i]) * n - 1000 * (u[i] * (u[i] - 0.5) * (u[i] - 1));
  end for;
end Advection;
)",
                     cells);
}

double seconds_of(const HybridSystem& model, const RunOptions& options, RunResult& result) {
  Simulator simulator(model, options);
  const Context start = make_context(model);
  double least = 1e9;
  for (int repetition = 0; repetition < 3; ++repetition) {
    const Stopwatch watch;
    result = simulator.run(start);
    least = std::min(least, watch.seconds());
  }
  return least;
}

}  // namespace

void compare_text(Table& table) {
  table.section("liqss2 on a travelling front: Modelica text against C++");
  for (const int cells : {500, 1000, 2000}) {
    const auto text = model_from_text("Advection.mo", advection_text(cells));
    const Advection own(cells);
    RunOptions options;
    options.stop_time = 0.5;
    options.solver = "liqss2";
    options.numerics.rtol = options.numerics.atol = 1e-3;
    options.max_steps = 1'000'000'000;
    RunResult of_text, of_own;
    const double seconds = seconds_of(*text, options, of_text);
    const double own_seconds = seconds_of(own, options, of_own);
    table.add({fmt::format("{} cells", cells), seconds * 1e3, own_seconds * 1e3, "ms", 0,
               fmt::format("steps {} and {}", of_text.statistics.steps, of_own.statistics.steps)});
    double difference = 0;
    for (int i = 0; i < cells; ++i) difference += (of_text.final.x[i] - of_own.final.x[i]) / cells;
    if (!(std::abs(difference) < 2e-3)) table.wrong("text and C++ give other results");
  }
}

}  // namespace arges::bench
