#pragma once
// The lessons and the models, which are part of the program: nothing is looked up when it runs.

#include <string_view>

namespace arges::argesim {

// The text of a lesson (Benchmark::lesson) or of a model by its path within the project,
// "argesim/c05_two_state/TwoState.mo"; empty when there is none.
std::string_view embedded_text(std::string_view path);

}  // namespace arges::argesim
