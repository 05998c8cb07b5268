#pragma once
// Runs for benchmarks: a model, some values, and what came out, in memory.

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "arges/hybrid/run_options.h"
#include "arges/hybrid/system.h"
#include "arges/results/trajectory.h"

namespace arges::argesim {

// Values by name, as `-p NAME=VALUE` on the command line: parameters, or start values.
using Settings = std::vector<std::pair<std::string, double>>;

struct Recording {
  RunResult result;
  Trajectory trajectory;

  // Times of one event, or of all of them.
  std::vector<double> event_times(std::string_view component = "") const;
  // Times at which an event changed a variable (to this value, if one is given).
  std::vector<double> change_times(std::string_view name, std::optional<double> to = {}) const;
  // The value of a variable at the end.
  double final(std::string_view name) const { return trajectory.final_value(name); }
  // The value of a variable in the first row at or after t.
  double value_at(double t, std::string_view name) const;
};

// A model of the gallery from its Modelica text, by the path of its file within the project; its
// class `class_name`, or its main class.
std::unique_ptr<HybridSystem> text_model(const std::string& path,
                                         const std::string& class_name = {});

RunOptions options(std::string solver, double rtol, double stop_time);

// Records the run, however it ends.
Recording try_run(const HybridSystem& model, const RunOptions& options,
                  const Settings& settings = {});
// Likewise; throws Error when the run does not reach its end or a stop that the model asked for.
Recording run(const HybridSystem& model, const RunOptions& options, const Settings& settings = {});

// The state at the stop time, without recording anything: for sweeps and shooting. Throws likewise.
RunResult final_state(const HybridSystem& model, const RunOptions& options,
                      const Settings& settings = {});

// Likewise: the values of these variables.
std::vector<double> final_values(const HybridSystem& model, const RunOptions& options,
                                 const Settings& settings, const std::vector<std::string>& names);

// The names of all solvers for stiff problems (implicit), or of all others with error control; not
// those with quantised states, whose tolerance is another thing.
std::vector<std::string> implicit_solvers();
std::vector<std::string> explicit_adaptive_solvers();

}  // namespace arges::argesim
