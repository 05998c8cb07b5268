#include "argesim/register.h"

namespace arges::argesim {

void register_argesim_models(ModelRegistry&) {}
std::vector<Benchmark> argesim_benchmarks() { return {}; }

}  // namespace arges::argesim
