#include "arges/causalize/clock_system.h"

#include <numeric>

#include "arges/base/error.h"

namespace arges {

namespace {

[[noreturn]] void too_large() {
  throw UserError("the ratios of the clocks are too large: take smaller factors and resolutions");
}

std::int64_t times(std::int64_t a, std::int64_t b) {
  std::int64_t product = 0;
  if (__builtin_mul_overflow(a, b, &product)) too_large();
  return product;
}

std::int64_t plus(std::int64_t a, std::int64_t b) {
  std::int64_t sum = 0;
  if (__builtin_add_overflow(a, b, &sum)) too_large();
  return sum;
}

}  // namespace

Ratio Ratio::of(std::int64_t n, std::int64_t d) {
  if (d == 0) throw UserError("a clock has a factor or a resolution of zero");
  const std::int64_t common = d < 0 ? -std::gcd(n, d) : std::gcd(n, d);
  return {n / common, d / common};
}

Ratio operator+(Ratio a, Ratio b) {
  return Ratio::of(plus(times(a.numerator, b.denominator), times(b.numerator, a.denominator)),
                   times(a.denominator, b.denominator));
}
Ratio operator-(Ratio a, Ratio b) { return a + Ratio{-b.numerator, b.denominator}; }
Ratio operator*(Ratio a, Ratio b) {
  return Ratio::of(times(a.numerator, b.numerator), times(a.denominator, b.denominator));
}
Ratio operator/(Ratio a, Ratio b) {
  return Ratio::of(times(a.numerator, b.denominator), times(a.denominator, b.numerator));
}

Ratio common_measure(Ratio a, Ratio b) {
  if (a.numerator == 0) return b;
  if (b.numerator == 0) return a;
  const std::int64_t denominator =
      times(a.denominator / std::gcd(a.denominator, b.denominator), b.denominator);
  return Ratio::of(std::gcd(times(a.numerator, denominator / a.denominator),
                            times(b.numerator, denominator / b.denominator)),
                   denominator);
}

int ClockSystem::add() {
  known_.emplace_back();
  return size() - 1;
}

void ClockSystem::define(int clock, int base) {
  std::vector<int> next;
  set(clock, {base, {1, 1}, {0, 1}}, next);
}

void ClockSystem::relate(int from, int to, Ratio factor, Ratio shift) {
  relations_.push_back({from, to, factor, shift});
}

void ClockSystem::set(int clock, const Position& position, std::vector<int>& next) {
  auto& known = known_[static_cast<std::size_t>(clock)];
  if (known == position) return;
  if (known)
    throw UserError(
        known->base == position.base
            ? "clocks contradict each other: the same variables would tick at different rates"
            : "variables of two clocks meet in one equation: use sample(hold()) between them, or "
              "make one clock from the other with subSample() or superSample()");
  known = position;
  next.push_back(clock);
}

void ClockSystem::solve() {
  std::vector<std::vector<std::size_t>> of(known_.size());
  for (std::size_t r = 0; r < relations_.size(); ++r) {
    of[static_cast<std::size_t>(relations_[r].from)].push_back(r);
    of[static_cast<std::size_t>(relations_[r].to)].push_back(r);
  }
  std::vector<int> next;
  for (int i = 0; i < size(); ++i) {
    if ((*this)[i]) next.push_back(i);
  }
  while (!next.empty()) {
    const int clock = next.back();
    next.pop_back();
    const Position here = *(*this)[clock];
    for (const std::size_t r : of[static_cast<std::size_t>(clock)]) {
      const Relation& relation = relations_[r];
      Position there{here.base, {}, {}};
      if (relation.from == clock) {
        there.period = here.period * relation.factor;
        there.start = here.start + relation.shift * here.period;
        set(relation.to, there, next);
      }
      if (relation.to == clock) {
        there.period = here.period / relation.factor;
        there.start = here.start - relation.shift * there.period;
        set(relation.from, there, next);
      }
    }
  }
}

}  // namespace arges
