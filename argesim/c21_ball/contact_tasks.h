#pragma once
// C21, part 2.2: the tasks with dynamic contact.

#include "arges/driver/benchmark.h"

namespace arges::argesim {

void contact_tasks(BenchmarkReport& report);

}  // namespace arges::argesim
