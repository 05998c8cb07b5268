#pragma once
// The ARGESIM benchmarks: models for `arges list`, and the gallery for `arges benchmark`.

#include <vector>

#include "arges/driver/benchmark.h"
#include "arges/driver/model_registry.h"

namespace arges::argesim {

void register_argesim_models(ModelRegistry& registry);
std::vector<Benchmark> argesim_benchmarks();

}  // namespace arges::argesim
