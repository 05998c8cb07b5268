#pragma once
// What to do with a model, and how a run ended.

#include <atomic>
#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "arges/base/run_status.h"
#include "arges/hybrid/activity.h"
#include "arges/hybrid/context.h"
#include "arges/solvers/options.h"

namespace arges {

// What happens when events accumulate at one time (docs/guide/time-and-events.md).
enum class ZenoPolicy { kStop, kStick, kGo };

struct RunOptions {
  static constexpr double kEveryStep = -1;

  double start_time = 0;
  double stop_time = 1;
  std::string solver = "auto";
  SolverOptions numerics{};
  // Distance of the rows in the result; 0: 500 intervals; kEveryStep: each step of the solver. Both
  // sides of every event and the end are rows in any case.
  double interval = 0;
  std::vector<double> rows_at{};  // more rows, at these times, in ascending order

  std::int64_t max_steps = 10'000'000;
  std::int64_t max_events = 1'000'000;
  double time_limit = std::numeric_limits<double>::infinity();  // wall clock, in seconds
  ZenoPolicy on_zeno = ZenoPolicy::kStop;
  bool measures_activity = false;  // RunResult::activity
  // Model time for each second of the wall clock; 0: as fast as it goes.
  double real_time = 0;

  // Set from outside (a signal handler, another thread) to end the run with kCancelled after the
  // present step.
  const std::atomic<bool>* cancel = nullptr;
  // Called a few times a second with the part of the time span that is done, 0 to 1.
  std::function<void(double)> progress{};
};

// How a run kept pace with the wall clock. The cost of a step is the time that it took to compute,
// with its events and rows.
struct RealTimeReport {
  std::int64_t steps = 0;
  std::int64_t overruns = 0;  // steps that were not ready when their time came
  double worst_s = 0;         // the largest cost
  double cost_999_s = 0;      // 99.9 % of the steps cost no more (to 1 %)
  double mean_s = 0;
  double latest_s = 0;  // the largest delay behind the clock
};

struct RunResult {
  RunStatus status;
  SolverStatistics statistics;
  std::int64_t events = 0;  // actions run: state events and timers
  // When events that accumulate ended the run: the time towards which they do.
  double accumulation = std::numeric_limits<double>::quiet_NaN();
  double wall_s = 0;
  std::string solver;              // the one that was taken
  std::string solver_reason;       // why, when it was chosen by `auto`
  std::vector<std::string> notes;  // advice: the problem looks stiff, ...
  RealTimeReport real_time;
  std::vector<StateActivity> activity;  // of each state of each mode that was active, when wanted
  Context final;
  std::vector<double> final_row;  // all variables at the end, in the columns of Simulator::layout()
  std::vector<std::uint8_t>
      final_row_exists;  // 0: the variable does not exist in the mode at the end
};

}  // namespace arges
