#pragma once
// How the inside of the simulator tells run_until that the run is over.

#include <string>
#include <utility>

#include "arges/base/error.h"
#include "arges/base/run_status.h"

namespace arges::devs {

// Models see it too, as an ApiError: what a component that they add does wrong at its start passes
// through them, and they may catch it. `what` is then what they read; who does not catch it ends
// the run with the status.
struct RunFailure : ApiError {
  RunFailure(RunStatus how, const std::string& what) : ApiError(what), status(std::move(how)) {}
  explicit RunFailure(const RunStatus& how) : RunFailure(how, how.message) {}
  RunStatus status;
};

}  // namespace arges::devs
