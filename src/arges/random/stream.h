#pragma once
// Streams of random numbers.

#include <cstdint>
#include <string_view>

#include "arges/random/philox.h"

namespace arges::random {

// A sequence of random numbers that depends on (seed, replication, name) only: not on other
// streams, threads, or the order in which streams are made. Two models that name their streams
// alike see the same numbers in the same replication (common random numbers); an antithetic stream
// gives 1 - u where the plain one gives u.
//
// Numbers are those of Philox 4x32-10 under the key hash(seed, name), counter (block, replication).
// A stream is a small value: a copy continues on its own.
class Stream {
 public:
  enum class Kind : std::uint8_t { kPlain, kAntithetic };

  Stream(std::uint64_t seed, std::uint64_t replication, std::string_view name,
         Kind kind = Kind::kPlain);

  // 64 random bits. (For UniformRandomBitGenerator: min, max, result_type.)
  using result_type = std::uint64_t;
  static constexpr result_type min() { return 0; }
  static constexpr result_type max() { return ~result_type{0}; }
  result_type operator()() {
    if (!second_ready_) {
      const auto words =
          philox4x32({static_cast<std::uint32_t>(block_), static_cast<std::uint32_t>(block_ >> 32),
                      static_cast<std::uint32_t>(replication_),
                      static_cast<std::uint32_t>(replication_ >> 32)},
                     {static_cast<std::uint32_t>(key_), static_cast<std::uint32_t>(key_ >> 32)});
      ++block_;
      second_ = words[2] | static_cast<std::uint64_t>(words[3]) << 32;
      second_ready_ = true;
      return flip_ ^ (words[0] | static_cast<std::uint64_t>(words[1]) << 32);
    }
    second_ready_ = false;
    return flip_ ^ second_;
  }

  // In the open interval (0, 1): (k + 1/2) / 2^52, exactly. Antithetic: exactly 1 - u.
  double uniform() { return (static_cast<double>((*this)() >> 12) + 0.5) * 0x1p-52; }

  // The distributions, each by a fixed algorithm of its own: the same numbers on every machine.
  // Those marked (i) are by inversion: one uniform a draw, monotone in it, so that antithetic and
  // common numbers do what they should. Parameters out of range, NaN and infinity among them, throw
  // ApiError; means, scales and deviations go up to 1e300, so that what is drawn is a finite
  // number, unless the distribution itself goes beyond all numbers (weibull of a small shape,
  // lognormal).
  double uniform(double low, double high);                    // (i)
  double exponential(double mean);                            // (i)
  double normal(double mean, double deviation);               // (i)
  double lognormal(double log_mean, double log_deviation);    // (i) of exp(normal)
  double triangular(double low, double mode, double high);    // (i)
  double weibull(double shape, double scale);                 // (i)
  bool bernoulli(double probability);                         // (i) true for large u
  std::int64_t integer(std::int64_t low, std::int64_t high);  // (i) both included
  std::int64_t geometric(double probability);  // (i) failures before a success; from 1e-17 on
  // (i) for means up to 500; above, up to 1e15, by transformed rejection (Hoermann 1993, PTRS)
  std::int64_t poisson(double mean);
  // (i) when fewer than 10 successes, or failures, are expected; else rejection (the same, BTRS)
  std::int64_t binomial(std::int64_t trials, double probability);
  // Failures before so many successes (any number r above 0): Poisson with a gamma mean. From
  // p = 1e-13 on, with r / p up to 1e13.
  std::int64_t negative_binomial(double successes, double probability);
  double gamma(double shape, double scale);  // Marsaglia and Tsang 2000
  double erlang(int stages, double mean);    // mean of the sum
  double beta(double a, double b);           // ratio of gammas; from 1e-300 to 1e300

 private:
  // A gamma variate of scale 1 is d v exp(exponent), without underflow for small shapes.
  struct ScaledGamma {
    double d, v, exponent;
  };
  ScaledGamma scaled_gamma(double shape);
  std::uint64_t key_, replication_, block_ = 0;
  std::uint64_t flip_;  // all ones when antithetic
  std::uint64_t second_ = 0;
  bool second_ready_ = false;
};

// A model's source of streams: one seed and one replication.
struct Streams {
  std::uint64_t seed = 1;
  std::uint64_t replication = 0;
  Stream::Kind kind = Stream::Kind::kPlain;

  Stream operator()(std::string_view name) const { return {seed, replication, name, kind}; }
};

}  // namespace arges::random
