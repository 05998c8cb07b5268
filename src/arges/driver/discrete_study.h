#pragma once
// Many runs of a discrete-event model.

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "arges/driver/discrete_model.h"
#include "arges/driver/run_model.h"
#include "arges/experiment/ensemble.h"

namespace arges {

// Parameters change from run to run. What can be noted: columns at the end, at times, at events and
// over time, where a value holds until the next change; statistics of the run at the end, by their
// names; `time`, `events` and `steps`. Over time all changes count, whatever the interval is.
struct DiscreteStudyPlan {
  const DiscreteModel& model;
  ParameterValues start;  // with the values that all runs share
  RunOptions options;
  std::vector<std::string> names;  // what changes
  std::vector<Observable> observables;
  // The values of run `index`, in the order of the names.
  std::function<std::vector<double>(std::int64_t index)> values;
};

// What a user wants of each run. Throws UserError for options of solvers where there are no
// equations.
RunOptions study_options(const DiscreteModel& model, const RunRequest& request);

// The names of what can be noted: from a run that ends where it begins.
std::vector<std::string> final_names(const DiscreteModel& model, const ParameterValues& values,
                                     RunOptions options);

// The columns of a model, as it says them when a run begins.
ResultLayout columns_of(const DiscreteModel& model, const ParameterValues& values,
                        RunOptions options);

// Throws UserError when a name or an observable is not one of the model: before the first run. The
// plan must live as long.
ModelFunctions model_functions(const DiscreteStudyPlan& plan);
std::function<std::unique_ptr<Worker>()> study_workers(const DiscreteStudyPlan& plan);

}  // namespace arges
