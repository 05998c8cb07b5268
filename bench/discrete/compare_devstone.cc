#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "arges/devs/simulator.h"
#include "bench/discrete/flat_devstone.h"
#include "bench/discrete/stopwatch.h"
#include "bench/suites.h"

namespace arges::bench {

namespace {

struct Measured {
  double build = 0, run = 0;
  DevstoneCounts counts;
};

Measured run_kernel(DevstoneKind kind, int width, int depth) {
  Measured result;
  const Stopwatch building;
  const DevstoneLevel model(kind, width, depth);
  devs::Simulator simulator(model);
  result.build = building.seconds();
  const Stopwatch running;
  simulator.inject(model.in, 0);
  if (kind == DevstoneKind::kHO || kind == DevstoneKind::kHOmod) simulator.inject(model.in2, 0);
  simulator.run_until(1);
  result.run = running.seconds();
  for (const std::uint32_t id : simulator.components()) {
    const auto& stone = static_cast<const Stone&>(
        simulator.network().model(simulator.network().component(id).node));
    const Stone::State& state = simulator.state(stone);
    ++result.counts.atomics;
    result.counts.internal += state.internals;
    result.counts.external += state.externals;
  }
  return result;
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

void compare(Table& table, DevstoneKind kind, int width, int depth, double bound) {
  const DevstoneCounts expected = devstone_formula(kind, width, depth);
  std::vector<double> ours, flat, build;
  for (int repeat = 0; repeat < 5; ++repeat) {
    double seconds = 0;
    const DevstoneCounts reference = run_flat_devstone(kind, width, depth, seconds);
    flat.push_back(seconds);
    const Measured measured = run_kernel(kind, width, depth);
    ours.push_back(measured.run);
    build.push_back(measured.build);
    for (const DevstoneCounts& counts : {reference, measured.counts}) {
      if (counts.atomics != expected.atomics || counts.internal != expected.internal ||
          counts.external != expected.external) {
        table.wrong(
            fmt::format("DEVStone {} {}x{}: {} atomics, {} internal and {} external "
                        "transitions; the formulas say {}, {}, {}",
                        to_string(kind), width, depth, counts.atomics, counts.internal,
                        counts.external, expected.atomics, expected.internal, expected.external));
      }
    }
  }
  const double transitions = static_cast<double>(expected.internal + expected.external);
  table.add({.name = fmt::format("{} {}x{}", to_string(kind), width, depth),
             .ours = median(ours) * 1e3,
             .reference = median(flat) * 1e3,
             .unit = "ms",
             .bound = bound,
             .note = fmt::format("{:.1f} M transitions/s; building {:.1f} ms",
                                 transitions / median(ours) / 1e6, median(build) * 1e3)});
}

}  // namespace

void compare_devstone(Table& table) {
  table.section("DEVStone, against a flat loop");
  compare(table, DevstoneKind::kLI, 200, 200, 0);
  compare(table, DevstoneKind::kHI, 200, 200, 2.5);
  compare(table, DevstoneKind::kHO, 200, 200, 2.5);
  compare(table, DevstoneKind::kHOmod, 20, 20, 2);
  compare(table, DevstoneKind::kHOmod, 30, 30, 2);
}

}  // namespace arges::bench
