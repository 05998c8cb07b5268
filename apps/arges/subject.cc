#include "subject.h"

#include <algorithm>

#include <fmt/format.h>

#include "arges/base/error.h"
#include "arges/experiment/specification.h"
#include "arges/hybrid/simulator.h"
#include "arges/solvers/stepper.h"
#include "console.h"
#include "given_values.h"

namespace arges::app {

RunRequest request_of(const SubjectOptions& options) {
  RunRequest request;
  request.model = options.model;
  request.start_time = options.start_time;
  request.stop_time = options.stop_time;
  request.solver = options.solver;
  if (options.solver && *options.solver != "auto") {
    try {
      find_solver(*options.solver);
    } catch (const UserError& error) {
      throw UserError(complaint(error.what(), *options.solver, 0));
    }
  }
  request.rtol = options.rtol;
  request.atol = options.atol;
  request.step = options.step;
  request.interval = options.interval;
  request.max_steps = options.max_steps;
  request.max_events = options.max_events;
  request.on_zeno = zeno_policy(options.on_zeno);
  request.cancel = &interrupted();
  return request;
}

Subject::Subject(const ModelRegistry& models, const SubjectOptions& options)
    : request(request_of(options)), is_at_rest(options.delays == DelayUse::kAtRest) {
  GivenModel given = open_given(models,
                                {.what = options.model,
                                 .class_name = options.class_name,
                                 .colour = colours(),
                                 .libraries = options.libraries,
                                 .delays = options.delays},
                                options.assignments);
  model = std::move(given.model);
  request.values = std::move(given.values);
  modifications = std::move(given.modifications);
}

double Subject::start_time() const {
  return request.start_time.value_or(model->schema().experiment.start_time);
}

Context Subject::start() const {
  Context context = make_context(*model);
  for (const auto& [name, value] : request.values) set_value(*model, context, name, value);
  return context;
}

RunOptions Subject::run_options() const {
  RunOptions options = arges::run_options(request, model->schema().experiment);
  options.cancel = request.cancel;
  return options;
}

Context Subject::at(double time, const std::function<void(double)>& progress) const {
  RunRequest to_there = request;
  to_there.progress = progress;
  to_there.stop_time = time;
  const RunOutcome outcome = run_model(*model, to_there);
  RunStatus status = outcome.result.status;
  if (status.reason == RunReason::kFinished) return outcome.result.final;
  const auto& shown = model->schema().outputs;
  const bool has_delays = std::any_of(shown.begin(), shown.end(), [](const VariableInfo& v) {
    return v.name.starts_with("delay(");
  });
  if (is_at_rest && status.message.find("delay(") != std::string::npos) {
    status.message += "; at rest delay(e, T) is e, and the equations do not determine that";
  } else if (is_at_rest && has_delays && status.reason == RunReason::kInitialisationFailed) {
    status.message += "; at rest delay(e, T) is e, which may say more than the model does";
  }
  throw RunFailed{status};
}

int report(const RunFailed& failure, bool json) {
  const std::string message = fmt::format("the run to the point ended before it: {}: {}",
                                          to_string(failure.status.reason), failure.status.message);
  if (json) print_json_error(message);
  print_error(message);
  return failure.status.reason == RunReason::kCancelled
             ? interruption_exit_code()
             : std::max(exit_code(failure.status.reason), exit_code(RunReason::kNewtonFailed));
}

}  // namespace arges::app
