#include <cmath>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "argesim/a1_integrator/model.h"
#include "argesim/benchmarks.h"

namespace arges::argesim {

namespace {

using a1::Row;
using devs::Transition;
using enum ReferenceSource;

void solve(BenchmarkReport& report) {
  report.begin_task("table", "the fifteen rows of Table A.1");
  const std::vector<Row> rows = a1::transitions({});
  const std::vector<Row> table = a1::table_a1();
  report.compare("rows", static_cast<double>(rows.size()), 15, 0, kPublished);
  constexpr double kRounding = 4e-15;
  std::vector<std::vector<std::string>> printed = {{"t", "q", "q'", "s", "transition"}};
  for (std::size_t i = 0; i < rows.size() && i < table.size(); ++i) {
    const Row &row = rows[i], &expected = table[i];
    // Sixths are printed rounded.
    const auto source = i < 13 ? kPublished : kReference;
    const std::string which = fmt::format("row {}: ", i + 1);
    report.compare(which + "t", row.t, expected.t, kRounding, source);
    report.compare(which + "q", row.q, expected.q, kRounding, kPublished);
    report.compare(which + "q'", row.rate, expected.rate, 0, kPublished);
    if (std::isfinite(expected.sigma)) {
      report.compare(which + "s", row.sigma, expected.sigma, kRounding, source);
    }
    printed.push_back({fmt::format("{:.4g}", row.t), fmt::format("{:.4g}", row.q),
                       fmt::format("{:.4g}", row.rate), fmt::format("{:.4g}", row.sigma),
                       devs::to_string(row.kind)});
  }
  report.table("The transitions of the integrator.", printed);
  report.compare("confluent events", rows.size() > 7 && rows[7].kind == Transition::kConfluent, 1,
                 0, kPublished);

  report.begin_task("clock", "the same with the clock of a double");
  // A sum of doubles: 1 + 0.2 + 0.2 + 0.2 + 0.2 + 0.2.
  double naive = 1;
  for (int i = 0; i < 5; ++i) naive += 0.2;
  report.compare("a naive clock misses t = 2 by", 2 - naive, 0x1p-52, 0, kReference);
  report.compare("the clock of Arges misses it by", 2 - rows[7].t, 0, 0, kReference);
}

}  // namespace

Benchmark integrator_benchmark() {
  return {"devs-a1", "Integrator of a Piecewise Constant Rate", "argesim/a1_integrator/lesson.md",
          solve};
}

}  // namespace arges::argesim
