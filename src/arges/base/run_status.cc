#include "arges/base/run_status.h"

namespace arges {

std::string_view to_string(RunReason reason) {
  switch (reason) {
    case RunReason::kFinished:
      return "finished";
    case RunReason::kStopped:
      return "stopped";
    case RunReason::kStepTooSmall:
      return "step_too_small";
    case RunReason::kTooManySteps:
      return "too_many_steps";
    case RunReason::kNewtonFailed:
      return "newton_failed";
    case RunReason::kInitialisationFailed:
      return "initialisation_failed";
    case RunReason::kEventsDidNotSettle:
      return "events_did_not_settle";
    case RunReason::kZeno:
      return "zeno";
    case RunReason::kCancelled:
      return "cancelled";
    case RunReason::kTimeLimit:
      return "time_limit";
    case RunReason::kNonFinite:
      return "non_finite";
    case RunReason::kEvaluationFailed:
      return "evaluation_failed";
  }
  return "unknown";
}

int exit_code(RunReason reason) {
  switch (reason) {
    case RunReason::kFinished:
    case RunReason::kStopped:
      return 0;
    case RunReason::kTooManySteps:
    case RunReason::kZeno:
    case RunReason::kTimeLimit:
      return 5;
    case RunReason::kCancelled:
      return 130;
    default:
      return 4;
  }
}

}  // namespace arges
