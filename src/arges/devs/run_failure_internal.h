#pragma once
// How the inside of the simulator tells run_until that the run is over.

#include "arges/base/run_status.h"

namespace arges::devs {

struct RunFailure {
  RunStatus status;
};

}  // namespace arges::devs
