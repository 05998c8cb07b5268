#pragma once
// What must hold in a fuzzer: if it does not, the input counts as a crash.

#include <cstdio>
#include <cstdlib>

namespace arges::fuzz {

inline void require(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "does not hold: %s\n", what);
  std::abort();
}

}  // namespace arges::fuzz
