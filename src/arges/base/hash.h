#pragma once

#include <cstdint>
#include <string_view>

namespace arges {

// 64-bit FNV-1a: the same on every machine; for telling contents apart, not for security.
constexpr std::uint64_t fnv1a(std::string_view bytes) {
  std::uint64_t hash = 0xcbf29ce484222325u;
  for (const char c : bytes) {
    hash ^= static_cast<unsigned char>(c);
    hash *= 0x100000001b3u;
  }
  return hash;
}

}  // namespace arges
