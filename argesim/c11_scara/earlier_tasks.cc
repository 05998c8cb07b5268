#include "argesim/c11_scara/earlier_tasks.h"

#include <algorithm>
#include <cmath>
#include <span>

#include <fmt/format.h>

#include "argesim/c11_scara/earlier_reference.h"
#include "argesim/c11_scara/scara_report.h"

namespace arges::argesim::c11 {

namespace {

using enum ReferenceSource;

constexpr double kTenDigits = 1e-10;
constexpr StateSizes kSizes = {2, 2, 0.1, 5, 5, 1, 8, 8, 8};

Recording recorded(const char* name, std::span<const EarlierState> states) {
  RunOptions wanted = options(kSolver, kRtol, 2);
  for (const EarlierState& s : states) {
    if (s.state.t < 2) wanted.rows_at.push_back(s.state.t);
  }
  return run(*text_model(kText, name), wanted);
}

void compare_states(BenchmarkReport& report, const Recording& result,
                    std::span<const EarlierState> states) {
  for (const auto& [state, x, y] : states) {
    for (std::size_t i = 0; i < 3; ++i) {
      report.compare(fmt::format("{}({:g})", kNames[i], state.t),
                     result.value_at(state.t, kNames[i]), state.x[i], kTenDigits * kSizes[i],
                     kAssumed);
    }
    report.compare(fmt::format("largest error of the states against their sizes, {:g} s", state.t),
                   largest_error(result, state, kSizes), 0, kTenDigits, kAssumed);
    const double off = std::max(std::abs(result.value_at(state.t, "x") - x),
                                std::abs(result.value_at(state.t, "y") - y));
    report.compare(fmt::format("error of the tool's place, {:g} s", state.t), off, 0, kTenDigits,
                   kAssumed);
  }
}

}  // namespace

void earlier_point_to_point(BenchmarkReport& report) {
  report.begin_task("b2", "Point to point, earlier data");
  const Recording result = recorded("EarlierPointToPoint", kEarlierStates);
  compare_limits(report, result, kEarlierLimits, kTenDigits, kAssumed);
  compare_states(report, result, kEarlierStates);
  report.text(
      "Data that were assumed before those of the published model were found: motors with a "
      "tenth of the inductance, gears with rotors, and a height that is to be kept.");
}

void earlier_obstacle(BenchmarkReport& report) {
  report.begin_task("c2", "Obstacle, earlier data");
  const Recording result = recorded("EarlierObstacle", kEarlierObstacleStates);
  for (const PhaseChange& change : kEarlierPhases) {
    const double t = nearest_event(result.change_times("phase", change.phase), change.t);
    report.compare(change.what, t, change.t, kTenDigits * change.t, kAssumed);
    const char* const names[] = {"x", "y", "q[3]"};
    for (std::size_t i = 0; i < 3; ++i) {
      report.compare(fmt::format("{} there", names[i]), result.value_at(t, names[i]),
                     change.tool[i], kTenDigits, kAssumed);
    }
  }
  compare_limits(report, result, kEarlierObstacleLimits, kTenDigits, kAssumed);
  compare_states(report, result, kEarlierObstacleStates);
  report.text(
      "Here the tool goes down again behind the obstacle: two more limits are met by the axis that "
      "lifts it.");
}

}  // namespace arges::argesim::c11
