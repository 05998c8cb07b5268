#pragma once
// Clocks that are defined by each other.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace arges {

// A fraction in lowest terms, with a positive denominator.
struct Ratio {
  std::int64_t numerator = 0, denominator = 1;

  static Ratio of(std::int64_t n, std::int64_t d);
  double value() const { return static_cast<double>(numerator) / static_cast<double>(denominator); }
  bool operator==(const Ratio&) const = default;
};
// Throw UserError where 64 bits do not hold the result.
Ratio operator+(Ratio a, Ratio b);
Ratio operator-(Ratio a, Ratio b);
Ratio operator*(Ratio a, Ratio b);
Ratio operator/(Ratio a, Ratio b);
// The largest ratio of which both are whole multiples.
Ratio common_measure(Ratio a, Ratio b);

// Clocks are numbered from 0. Some are base clocks; a relation says that one clock ticks `factor`
// times as slowly as another, and begins `shift` intervals of that one later:
//
//   period(to) = factor * period(from),   start(to) = start(from) + shift * period(from)
//
// solve() goes along the relations, both ways, from the base clocks: each clock has a period and a
// start in intervals of its base clock then. Throws UserError for relations that contradict.
class ClockSystem {
 public:
  struct Position {
    int base = -1;
    Ratio period{1, 1}, start{0, 1};
    bool operator==(const Position&) const = default;
  };

  int add();
  int size() const { return static_cast<int>(known_.size()); }
  // The clock is base clock number `base`.
  void define(int clock, int base);
  void relate(int from, int to, Ratio factor, Ratio shift);
  void equal(int a, int b) { relate(a, b, {1, 1}, {0, 1}); }
  void solve();
  // Nothing when no relation leads to a base clock.
  const std::optional<Position>& operator[](int clock) const {
    return known_[static_cast<std::size_t>(clock)];
  }

 private:
  struct Relation {
    int from, to;
    Ratio factor, shift;
  };
  void set(int clock, const Position& position, std::vector<int>& next);

  std::vector<std::optional<Position>> known_;
  std::vector<Relation> relations_;
};

}  // namespace arges
