#pragma once
// What is done with constraints among states (docs/math/higher-index.md).

#include <cstdint>

namespace arges {

enum class ConstraintPolicy : std::uint8_t {
  kSelect,   // some of the states are computed from them, by turns
  kProject,  // all states are integrated, and projected after each step
};

}  // namespace arges
