#pragma once
// How states are pushed aside to see what errors of theirs do to a condition.

#include <bit>
#include <cmath>

namespace arges {

// Twice, in different directions by different amounts, so that the pushes of any two states do not
// cancel out: the signs follow the even and the odd bits of their numbers, and no two have the same
// amount, between 0.25 and 1.
inline constexpr int kPushes = 2;
inline double push(int round, int state) {
  constexpr double kIrrational[kPushes] = {0.6180339887498949, 0.7548776662466927};
  constexpr unsigned kBits[kPushes] = {0x55555555u, 0xaaaaaaaau};
  const double turns = state * kIrrational[round];
  const double part = 1 - 0.75 * (turns - std::floor(turns));
  return std::popcount(static_cast<unsigned>(state) & kBits[round]) % 2 == 0 ? part : -part;
}

}  // namespace arges
