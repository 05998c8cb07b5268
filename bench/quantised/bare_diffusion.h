#pragma once
// First-order quantised diffusion, written by hand: the limit for one core.

#include <cstdint>
#include <vector>

namespace arges::bench {

struct BareDiffusion {
  std::int64_t transitions = 0;
  std::vector<double> x;
};

// A pulse in the middle of n cells between zeros, u' = k (left - 2 u + right), quantum d, to t_end.
BareDiffusion run_bare_diffusion(int n, double k, double d, double t_end);

}  // namespace arges::bench
