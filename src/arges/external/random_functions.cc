// ModelicaRandom_*: the xorshift generators of Vigna (2014), which are in the public domain. States
// are vectors of 32-bit Integers, two for each word.

#include <bit>
#include <chrono>
#include <cstring>

#include <unistd.h>

#include "arges/base/error.h"
#include "arges/external/registry.h"

namespace arges::external {

namespace {

std::uint64_t word(const double* halves) {
  const auto low = static_cast<std::uint32_t>(static_cast<std::int64_t>(halves[0]));
  const auto high = static_cast<std::uint32_t>(static_cast<std::int64_t>(halves[1]));
  return std::uint64_t{low} | (std::uint64_t{high} << 32);
}

void store(std::uint64_t w, double* halves) {
  halves[0] = static_cast<std::int32_t>(static_cast<std::uint32_t>(w));
  halves[1] = static_cast<std::int32_t>(static_cast<std::uint32_t>(w >> 32));
}

// In (0, 1): a 64-bit integer with sign, times 2^-64, plus a half.
double fraction(std::uint64_t w) {
  return static_cast<double>(static_cast<std::int64_t>(w)) * 5.42101086242752217004e-20 + 0.5;
}

// Arguments: state, new state, number.
void xorshift64star(const Call& c) {
  std::uint64_t x = word(c.array(0));
  x ^= x >> 12;
  x ^= x << 25;
  x ^= x >> 27;
  x *= 2685821657736338717ULL;
  store(x, c.array(1));
  c.set(2, fraction(x));
}

void xorshift128plus(const Call& c) {
  std::uint64_t s1 = word(c.array(0));
  const std::uint64_t s0 = word(c.array(0) + 2);
  s1 ^= s1 << 23;
  const std::uint64_t next = (s1 ^ s0 ^ (s1 >> 17) ^ (s0 >> 26)) + s0;
  store(s0, c.array(1));
  store(next, c.array(1) + 2);
  c.set(2, fraction(next));
}

double step1024(std::uint64_t* s, int* p) {
  std::uint64_t s0 = s[*p];
  *p = (*p + 1) & 15;
  std::uint64_t s1 = s[*p];
  s1 ^= s1 << 31;
  s1 ^= s1 >> 11;
  s0 ^= s0 >> 30;
  s[*p] = s0 ^ s1;
  return fraction(s[*p] * 1181783497276652981ULL);
}

void xorshift1024star(const Call& c) {
  std::uint64_t s[16];
  for (int i = 0; i < 16; ++i) s[i] = word(c.array(0) + 2 * i);
  int p = static_cast<int>(c.array(0)[32]) & 15;
  const double y = step1024(s, &p);
  for (int i = 0; i < 16; ++i) store(s[i], c.array(1) + 2 * i);
  c.array(1)[32] = p;
  c.set(2, y);
}

void set_internal_state(const Call& c) {
  if (c.count(0) < 33) throw EvaluationError("the state of impureRandom has 33 Integers", false);
  c.environment().with_impure_random([&](Environment::ImpureRandom& r) {
    for (int i = 0; i < 16; ++i) r.words[static_cast<std::size_t>(i)] = word(c.array(0) + 2 * i);
    r.position = static_cast<int>(c.array(0)[32]) & 15;
    r.id = c.integer(2);
  });
}

void impure_random(const Call& c) {
  c.environment().with_impure_random([&](Environment::ImpureRandom& r) {
    if (r.id != c.integer(0)) {
      throw EvaluationError("impureRandom is called before initializeImpureRandom", false);
    }
    c.result(step1024(r.words.data(), &r.position));
  });
}

void automatic_global_seed(const Call& c) {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  const auto ms = std::chrono::duration_cast<std::chrono::milliseconds>(now).count() % 86400000;
  c.result(static_cast<double>((1 + ms + 6007 * std::int64_t{getpid()}) % 2147483647));
}

void real_to_integers(const Call& c) { store(std::bit_cast<std::uint64_t>(c.real(0)), c.array(1)); }

const Entry kTable[] = {
    {"ModelicaRandom_xorshift64star", 3, xorshift64star},
    {"ModelicaRandom_xorshift128plus", 3, xorshift128plus},
    {"ModelicaRandom_xorshift1024star", 3, xorshift1024star},
    {"ModelicaRandom_setInternalState_xorshift1024star", 3, set_internal_state, false},
    {"ModelicaRandom_impureRandom_xorshift1024star", 1, impure_random, false},
    {"ModelicaRandom_automaticGlobalSeed", 1, automatic_global_seed, false},
    {"ModelicaRandom_convertRealToIntegers", 2, real_to_integers},
};

}  // namespace

std::span<const Entry> random_functions() { return kTable; }

}  // namespace arges::external
