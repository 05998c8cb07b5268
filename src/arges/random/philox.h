#pragma once
// A counter-based generator: random numbers as a function, without a state.

#include <array>
#include <cstdint>

namespace arges::random {

// Philox 4x32 with 10 rounds (Salmon, Moraes, Dror and Shaw 2011): a bijection of 128-bit counters
// for each 64-bit key, which passes the usual batteries of tests. Neighbouring counters and
// neighbouring keys give independent numbers, so a stream is a key, and its n-th block needs no
// other.
inline std::array<std::uint32_t, 4> philox4x32(std::array<std::uint32_t, 4> counter,
                                               std::array<std::uint32_t, 2> key) {
  constexpr std::uint64_t kMultiplier0 = 0xD2511F53u, kMultiplier1 = 0xCD9E8D57u;
  constexpr std::uint32_t kWeyl0 = 0x9E3779B9u, kWeyl1 = 0xBB67AE85u;
  for (int round = 0; round < 10; ++round) {
    const std::uint64_t product0 = kMultiplier0 * counter[0];
    const std::uint64_t product1 = kMultiplier1 * counter[2];
    counter = {static_cast<std::uint32_t>(product1 >> 32) ^ counter[1] ^ key[0],
               static_cast<std::uint32_t>(product1),
               static_cast<std::uint32_t>(product0 >> 32) ^ counter[3] ^ key[1],
               static_cast<std::uint32_t>(product0)};
    key[0] += kWeyl0;
    key[1] += kWeyl1;
  }
  return counter;
}

}  // namespace arges::random
