#pragma once
// One run of a model by name, as a user asks for it: values by name, files by path, the rest by
// default.

#include <atomic>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "arges/driver/model_registry.h"
#include "arges/hybrid/run_options.h"
#include "arges/results/sink.h"
#include "arges/results/trajectory.h"

namespace arges {

// What is not given comes from the model's experiment, then from the defaults of RunOptions.
struct RunRequest {
  std::string model;
  std::vector<std::pair<std::string, double>> values;  // parameters and start values
  std::optional<double> start_time, stop_time, rtol, atol, step, interval, max_step;
  std::optional<std::string> solver;
  std::optional<std::int64_t> max_steps, max_events;
  std::optional<double> time_limit;
  LinearAlgebra linear_algebra = LinearAlgebra::kAuto;
  ZenoPolicy on_zeno = ZenoPolicy::kStop;
  // Of real-time methods; see SolverOptions.
  std::optional<int> newton_steps, projection_steps, jacobian_every;
  bool constant_history = false;
  std::optional<double> newton_tolerance;
  std::optional<int> jacobian_background;  // after how many steps it is taken; 0: when it is ready
  std::optional<int> frame_ratio;          // of multirate methods
  std::vector<std::string> fast;           // states
  std::optional<double> real_time;         // the pace: model time for each second of the wall clock
  bool activity = false;                   // RunResult::activity, and its sum in the manifest

  std::vector<std::string> outputs;   // result files; the extension says the format
  std::vector<std::string> record;    // names and patterns of what they hold; none: everything
  std::optional<std::string> events;  // event log; "-" is the standard output
  bool keep_trajectory = false;       // RunOutcome::trajectory, thinned to a bounded number of rows

  const std::atomic<bool>* cancel = nullptr;
  std::function<void(double)> progress;
};

struct RunOutcome {
  RunResult result;
  std::vector<NamedValue> final;  // every variable that exists at the end, statistics, parameters
  std::optional<Trajectory> trajectory;
};

// The options of a run, with what the model says where nothing is given. Throws UserError.
RunOptions run_options(const RunRequest& request, const ExperimentInfo& experiment);

// Throws UserError (unknown model, value or solver; bad option) and IoError (unwritable file)
// before anything is computed, and IoError when a file cannot be written to the end.
RunOutcome run_model(const ModelRegistry& models, const RunRequest& request);
RunOutcome run_model(const HybridSystem& model, const RunRequest& request);
// Values are those of parameters. Transitions and activations are logged when anything is recorded,
// messages when an event log is asked for. Options of solvers have no meaning here (UserError),
// unless the model has continuous parts.
RunOutcome run_model(const DiscreteModel& model, const RunRequest& request);

}  // namespace arges
