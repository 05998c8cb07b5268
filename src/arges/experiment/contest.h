#pragma once
// Solvers beside each other, on one model.

#include <functional>
#include <string>
#include <vector>

#include "arges/base/run_status.h"
#include "arges/experiment/jumps.h"
#include "arges/hybrid/run_options.h"
#include "arges/hybrid/system.h"

namespace arges {

// A model as solvers are compared on it.
struct ContestModel {
  struct Outcome {
    RunResult result;
    std::vector<double> values;  // of the names, time after time; NaN for what is not there
    std::vector<std::vector<double>> jumps;  // of each name: the times at which it jumps
    EventTimes events{};
  };
  std::vector<std::string> names;  // what is compared
  // A run, and its values at these times.
  std::function<Outcome(const RunOptions& options, const std::vector<double>& times)> sample;
  // A run without results, that can be repeated and timed.
  std::function<std::function<void()>(const RunOptions& options)> prepare;
};

struct ContestRequest {
  std::vector<std::string> solvers;
  std::vector<double> rtols;
  std::string reference;  // its solver; empty: the most accurate one that fits the model
  std::function<void(double part)> progress{};
};

struct ContestRow {
  std::string solver;
  double rtol = 0;
  RunReason status = RunReason::kFinished;
  SolverStatistics statistics;
  double cpu_s = 0;  // of one run without results; the shortest of several where they are short
  // The largest difference from the reference at 201 times, over all names, relative to the largest
  // value of each. Samples that lie between the time of a jump here and there are left out, when
  // these are at most one interval apart (jumps.h), and those behind the end of one of both. NaN
  // when the run did not get to the end, or lacks a variable where the reference has it.
  double error = 0;
  std::string message{};  // why there is no error
  std::int64_t events = 0;
  // The first event that the reference has and this run has not (in_first: the other way round).
  std::optional<LoneEvent> lone_event{};
  // A model can end its run: how long after the reference this one did, when that is more than two
  // times of one event may differ by.
  std::optional<double> ends_later{};

  bool events_match() const { return !lone_event && !ends_later; }
};

struct ContestResult {
  std::string reference_solver;
  double reference_rtol = 0;
  double reference_error = 0;  // how far it is from itself with ten times the tolerance
  std::int64_t reference_events = 0;
  std::vector<ContestRow> rows;
  bool cancelled = false;
};

// Runs every solver with every tolerance. A solver that fails, or does not fit the model, is a row
// with its status. Fixed-step methods do not know tolerances: they run once, with options' step.
// Throws UserError before the first run when there is no such solver; and when the reference run
// fails.
ContestResult compare_solvers(const ContestModel& model, const RunOptions& options,
                              const ContestRequest& request);
// On the states and discrete variables of a hybrid model.
ContestResult compare_solvers(const HybridSystem& model, const Context& start,
                              const RunOptions& options, const ContestRequest& request);

}  // namespace arges
