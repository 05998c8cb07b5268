#pragma once
// The parts of arges_bench_quantised.

#include "bench/table.h"

namespace arges::bench {

// A spreading pulse: quanta, sizes.
void compare_diffusion(Table& table);
// liqss2 against cvode-bdf on switched, stiff and sparse models; the answer against rodas5p.
void compare_linearly_implicit(Table& table);
// The same model as Modelica text and in C++.
void compare_text(Table& table);

}  // namespace arges::bench
