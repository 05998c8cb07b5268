// Uses the installed library.
#include <cstdio>

#include "arges/base/nearest.h"

int main() {
  const std::string advice = arges::did_you_mean("eular", {"euler", "rk4"});
  std::printf("unknown solver 'eular'%s\n", advice.c_str());
  return 0;
}
