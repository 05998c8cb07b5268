#pragma once
// One function for each benchmark: its title, its lesson, and how all its tasks are solved.

#include "arges/driver/benchmark.h"

namespace arges::argesim {

Benchmark lithium_benchmark();            // C1
Benchmark assembly_benchmark();           // C2
Benchmark class_e_benchmark();            // C3
Benchmark two_state_benchmark();          // C5
Benchmark pendulum_benchmark();           // C7
Benchmark fuzzy_tanks_benchmark();        // C9
Benchmark scara_benchmark();              // C11
Benchmark spheres_benchmark();            // C12
Benchmark crane_benchmark();              // C13
Benchmark clearance_benchmark();          // C15
Benchmark neural_benchmark();             // C18
Benchmark ball_benchmark();               // C21, part 2
Benchmark circuit_benchmark();            // C21, part 3
Benchmark rotating_pendulum_benchmark();  // C21, part 4
Benchmark queuing_benchmark();            // C22
Benchmark parallel_benchmark();           // CP1
Benchmark distributed_benchmark();        // CP2
Benchmark furnace_benchmark();            // hybrid DEVS
Benchmark diffusion_benchmark();          // quantised diffusion
Benchmark integrator_benchmark();         // Table A.1 of the paper on activity
Benchmark real_time_benchmark();          // dae-realtime
Benchmark multiframe_benchmark();         // multirate
Benchmark job_shop_benchmark();           // ses-mb-ea
Benchmark deceptive_game_benchmark();     // ga-deceptive
Benchmark supervisor_benchmark();         // nonlinear-supervisor

}  // namespace arges::argesim
