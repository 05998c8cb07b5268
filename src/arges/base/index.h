#pragma once

#include <cstddef>
#include <cstdint>

namespace arges {

// A number that counts from zero, for the subscript of a vector.
constexpr std::size_t at(std::int32_t i) { return static_cast<std::size_t>(i); }

}  // namespace arges
