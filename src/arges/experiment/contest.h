#pragma once
// Solvers beside each other, on one model.

#include <functional>
#include <string>
#include <vector>

#include "arges/base/run_status.h"
#include "arges/hybrid/run_options.h"
#include "arges/hybrid/system.h"

namespace arges {

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
  // The largest difference from the reference at 201 times, over all states, relative to the
  // largest value of each state. NaN when the run did not get to the end.
  double error = 0;
  std::string message{};  // why it did not get to the end
};

struct ContestResult {
  std::string reference_solver;
  double reference_rtol = 0;
  double reference_error = 0;  // how far it is from itself with ten times the tolerance
  std::vector<ContestRow> rows;
  bool cancelled = false;
};

// Runs every solver with every tolerance. A solver that fails, or does not fit the model, is a row
// with its status. Fixed-step methods do not know tolerances: they run once, with options' step.
// Throws UserError before the first run when there is no such solver; and when the reference run
// fails.
ContestResult compare_solvers(const HybridSystem& model, const Context& start,
                              const RunOptions& options, const ContestRequest& request);

}  // namespace arges
