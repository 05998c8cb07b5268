#pragma once

#include <string_view>

namespace arges {

// The version of the project (CMakeLists.txt).
extern const std::string_view kVersion;

}  // namespace arges
