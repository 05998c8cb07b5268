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
    : request(request_of(options)) {
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

Context Subject::at(double time) const {
  RunRequest to_there = request;
  to_there.stop_time = time;
  const RunOutcome outcome = run_model(*model, to_there);
  if (outcome.result.status.reason != RunReason::kFinished) throw RunFailed{outcome.result.status};
  return outcome.result.final;
}

namespace {

// Where delays are taken out (causalize/open_delays.h), $sentK is what goes into the K-th, and at
// rest what comes out of it: nobody has written that name.
std::string with_names_of_the_text(const std::string& message) {
  constexpr std::string_view kSent = "$sent";
  std::string named;
  for (std::size_t i = 0; i < message.size();) {
    if (message.compare(i, kSent.size(), kSent) != 0) {
      named += message[i++];
      continue;
    }
    i = std::min(message.find_first_not_of("0123456789", i + kSent.size()), message.size());
    named += "delay(...)";
  }
  return named == message ? message
                          : named +
                                "; at rest delay(...) is what goes into it, and the equations "
                                "do not determine that";
}

}  // namespace

int report(const RunFailed& failure, bool json) {
  const std::string message =
      fmt::format("the run to the point ended before it: {}: {}", to_string(failure.status.reason),
                  with_names_of_the_text(failure.status.message));
  if (json) print_json_error(message);
  print_error(message);
  return failure.status.reason == RunReason::kCancelled
             ? interruption_exit_code()
             : std::max(exit_code(failure.status.reason), exit_code(RunReason::kNewtonFailed));
}

}  // namespace arges::app
