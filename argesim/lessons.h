#pragma once
// The lessons, which are part of the program: nothing is looked up when it runs.

#include <string_view>

namespace arges::argesim {

// The Markdown text of a lesson by its path within the project (Benchmark::lesson); empty when
// there is none.
std::string_view lesson_text(std::string_view path);

}  // namespace arges::argesim
