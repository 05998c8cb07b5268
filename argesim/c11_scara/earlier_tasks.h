#pragma once
// C11 with the data with which it was solved before those of the published model were found.

#include "arges/driver/benchmark.h"

namespace arges::argesim::c11 {

void earlier_point_to_point(BenchmarkReport& report);
void earlier_obstacle(BenchmarkReport& report);

}  // namespace arges::argesim::c11
