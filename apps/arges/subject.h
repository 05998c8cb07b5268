#pragma once
// What an experiment is done with: a model, opened once, with the values that the user gave.

#include <functional>
#include <memory>

#include "arges/base/run_status.h"
#include "arges/driver/run_model.h"
#include "arges/hybrid/system.h"
#include "commands.h"

namespace arges::app {

// A run that was needed for something else did not get there.
struct RunFailed {
  RunStatus status;
};

struct Subject {
  std::unique_ptr<HybridSystem> model;
  RunRequest request;
  std::vector<std::string> modifications;  // of the text, with which the model was compiled
  bool is_at_rest = false;                 // what comes out of its delays is what goes in

  // Throws what open_model() throws, and UserError, with the place, for assignments that are none
  // and for names that the model does not have.
  Subject(const ModelRegistry& models, const SubjectOptions& options);

  double start_time() const;
  // The values with which runs begin. Throws UserError for names that the model does not have.
  Context start() const;
  // Of its runs: what the user gave, what the model says otherwise; Ctrl-C cancels them.
  RunOptions run_options() const;
  // The values at a time. `progress` is told the part of the run that is done. Throws RunFailed.
  Context at(double time, const std::function<void(double)>& progress = {}) const;
};

// What the options say about runs, apart from the values.
RunRequest request_of(const SubjectOptions& options);

// The message and the exit code of a run that failed.
int report(const RunFailed& failure, bool json);

}  // namespace arges::app
