#pragma once
// What a result file says of the run that made it.

#include "arges/driver/run_model.h"
#include "arges/results/manifest.h"

namespace arges {

Manifest make_manifest(const HybridSystem& model, const RunOptions& options,
                       const RunRequest& request, const Context& initial, const RunResult& result);

Manifest make_manifest(const DiscreteModel& model, const RunOptions& options,
                       const ParameterValues& values, const DiscreteResult& run);

}  // namespace arges
