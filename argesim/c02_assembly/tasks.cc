#include <cmath>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "argesim/benchmarks.h"
#include "argesim/c02_assembly/model.h"

namespace arges::argesim {

namespace {

using c02::Outcome;
using c02::Parameters;
using enum ReferenceSource;

// By an exact simulation in steps of 1/3 s. Start positions and ties are free: counts are good to
// 2, times to 1 %.
struct Reference {
  int pallets, parts;
  double mean_time;
};
constexpr Reference kFeedExtra[] = {{10, 939, 306.644},  {14, 1336, 301.695}, {15, 1350, 319.968},
                                    {16, 1350, 341.318}, {18, 1408, 367.971}, {20, 1409, 409.184},
                                    {40, 1409, 820.429}, {60, 1409, 1228.237}};
constexpr Reference kFeedIncluded[] = {{14, 1387, 290.78}, {15, 1440, 300.0}, {16, 1440, 320.0},
                                       {17, 1440, 340.0},  {18, 1440, 360.0}, {20, 1440, 400.026}};
constexpr double kCountTolerance = 2, kTimeTolerance = 0.01;

constexpr double kCycle = 60 + 4.0 / 3;  // of an A2 when feeding is extra

struct Published {
  const char* tool;
  int parts;
};
constexpr Published kTools[] = {
    {"POSES", 1462},       {"TAYLOR", 1441},  {"EXTEND", 1440},    {"SLAM II", 1440},
    {"SIMPLE-mac", 1439},  {"WITNESS", 1439}, {"DSIM", 1425},      {"CASSANDRA", 1415},
    {"MICRO SAINT", 1411}, {"GPSS/H", 1409},  {"SIMFLEX/2", 1409}, {"DESMO", 1408},
    {"DOSIMIS-3", 1408},   {"SIMUL_R", 1405}, {"EXAM", 1404},      {"PC SIMDIS", 1384},
    {"MOSYS", 1346},       {"SIMAN", 919},    {"TOMAS", 884}};

Outcome with(int pallets, bool feed_included = false) {
  Parameters parameters;
  parameters.pallets = pallets;
  parameters.feed_included = feed_included;
  return c02::simulate(parameters);
}

template <std::size_t n>
void compare_all(BenchmarkReport& report, const Reference (&references)[n], bool feed_included) {
  const char* feed = feed_included ? "feed included" : "feed extra";
  for (const Reference& r : references) {
    const Outcome outcome = with(r.pallets, feed_included);
    report.compare(fmt::format("parts, {} pallets, {}", r.pallets, feed), outcome.parts, r.parts,
                   kCountTolerance, kReference);
    report.compare(fmt::format("mean time, {} pallets, {}", r.pallets, feed), outcome.mean_time,
                   r.mean_time, kTimeTolerance * r.mean_time, kReference);
  }
}

void solve_a(BenchmarkReport& report) {
  report.begin_task("a", "sub-models and control");
  report.text(
      "A place of 0.4 m is a resource of one unit. A pallet that begins to move takes the place "
      "ahead and gives up its own at once, so that a row that stands moves as one. Sx decides when "
      "the front of the pallet has come to its end; shifting takes 2 s and blocks Sx, or the place "
      "behind the station; at Sy the pallet from the station goes first.");
  Parameters without;
  without.has_a6 = false;
  report.compare("parts, 20 pallets, without A6", c02::simulate(without).parts, 1341,
                 kCountTolerance, kReference);
  Parameters swapped;
  swapped.lengths_swapped = true;
  report.compare("parts, 20 pallets, lengths as printed", c02::simulate(swapped).parts, 1350,
                 kCountTolerance, kReference);
}

void solve_b(BenchmarkReport& report) {
  report.begin_task("b", "20, 40 and 60 pallets, 8 hours after 2 hours");
  compare_all(report, kFeedExtra, false);
  compare_all(report, kFeedIncluded, true);
  const Outcome extra = with(20), included = with(20, true);
  report.compare("parts, 20 pallets (GPSS/H, SIMFLEX/2)", extra.parts, 1409, kCountTolerance,
                 ReferenceSource::kPublished);
  report.compare("parts, 20 pallets, feed included (EXTEND, SLAM II)", included.parts, 1440,
                 kCountTolerance, ReferenceSource::kPublished);
  report.compare("utilisation of A2, 20 pallets", extra.utilisation_a2, 60 / kCycle, 5e-4,
                 kReference);
  std::vector<std::vector<std::string>> rows = {{"tool", "parts"}};
  for (const Published& p : kTools) rows.push_back({p.tool, std::to_string(p.parts)});
  rows.push_back({"Arges, feed extra", std::to_string(extra.parts)});
  rows.push_back({"Arges, feed included", std::to_string(included.parts)});
  report.table("Parts in 8 hours with 20 pallets, as published for 19 tools.", rows);
}

// The fewest pallets with which the three A2 are always busy.
int best_number(bool feed_included, std::vector<double>& pallets, std::vector<double>& parts) {
  const double cycle = feed_included ? 60 : kCycle;
  const double bound = std::floor(3 * 28800 / cycle);
  int best = 0;
  for (int n = 4; n <= 30; ++n) {
    const Outcome outcome = with(n, feed_included);
    pallets.push_back(n);
    parts.push_back(outcome.parts);
    if (best == 0 && outcome.parts >= bound) best = n;
  }
  return best;
}

void solve_c(BenchmarkReport& report) {
  report.begin_task("c", "the best number of pallets");
  plot::Figure figure =
      plot::make_figure("C2: throughput", {"pallets", ""}, {"parts in 8 hours", ""});
  for (const bool included : {false, true}) {
    std::vector<double> pallets, parts;
    const int best = best_number(included, pallets, parts);
    report.compare(included ? "best number, feed included" : "best number, feed extra", best,
                   included ? 15 : 18, 0, kReference);
    figure.panel().add(plot::line(pallets, parts, included ? "feed included" : "feed extra"));
  }
  report.figure("c2-throughput", "Parts in 8 hours over the number of pallets.", figure);
}

}  // namespace

Benchmark assembly_benchmark() {
  return {"C2", "Flexible Assembly System", "argesim/c02_assembly/lesson.md",
          [](BenchmarkReport& report) {
            solve_a(report);
            solve_b(report);
            solve_c(report);
          }};
}

}  // namespace arges::argesim
