#pragma once
// The parts of `make bench`.

#include "bench/table.h"

namespace arges::bench {

// C1 and C5 through the kernel, against CVODE in C and bare Rosenbrock loops.
void compare_small_systems(Table& table);
// Studies: C1 many times, threads, memory.
void compare_ensembles(Table& table);
// What the kernel itself costs: set-up, recording, events, a large right-hand side.
void compare_kernel_costs(Table& table);
// Discrete events: DEVStone against a loop made for it.
void compare_devstone(Table& table);
// Events that are due again and again, against std::priority_queue.
void compare_hold(Table& table);
// Right-hand sides of models as text, in native code, against C written by hand.
void compare_native_code(Table& table);
// Changes of structure in model text, against reinit in one structure.
void compare_switching(Table& table);
// M/M/1 as processes, against a loop by hand.
void compare_mm1(Table& table);

}  // namespace arges::bench
