#pragma once
// How a run ended. Every run ends in exactly one of these, and what was computed until then is
// kept.

#include <string>
#include <string_view>

namespace arges {

enum class RunReason {
  kFinished,              // reached the stop time
  kStopped,               // the model asked to stop (terminate)
  kStepTooSmall,          // the error test cannot be passed with a step that still moves time
  kTooManySteps,          // option max_steps
  kNewtonFailed,          // an implicit step or an algebraic loop found no solution
  kInitialisationFailed,  // no consistent initial values
  kEventsDidNotSettle,    // event iteration at one instant found no fixed point
  kZeno,                  // events accumulate at one time, or chatter
  kCancelled,             // interrupted by the user
  kTimeLimit,             // option time_limit (wall clock)
  kNonFinite,             // the model returned NaN or infinity
  kEvaluationFailed,      // the model reported an error (assertion, domain)
};

struct RunStatus {
  RunReason reason = RunReason::kFinished;
  double time = 0;        // simulated time reached
  std::string component;  // the variable, event or equation concerned; may be empty
  std::string message;    // one or two sentences: what, with which value, and what to do

  // Stopping where the model or the user's stop time says so is success; everything else is not.
  bool ok() const { return reason == RunReason::kFinished || reason == RunReason::kStopped; }
};

// The stable word used in JSON, manifests and messages: "finished", "step_too_small", ...
std::string_view to_string(RunReason reason);

// The exit code of a program whose single run ended so (docs/guide/exit-codes.md).
int exit_code(RunReason reason);

}  // namespace arges
