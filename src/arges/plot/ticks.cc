#include "arges/plot/ticks.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdlib>

#include "arges/base/error.h"

namespace arges::plot {
namespace {

constexpr double kSlack = 1e-9;  // of the range: a mark so little outside is meant to be on the end

// digits * 10^exponent, exactly.
struct Decimal {
  std::int64_t digits = 0;
  int exponent = 0;
  double value() const {
    return std::strtod(fmt::format("{}e{}", digits, exponent).c_str(), nullptr);
  }
};

// "−0.25", "1500": no exponent.
std::string plain(Decimal d) {
  std::string digits = std::to_string(std::abs(d.digits));
  if (d.digits != 0 && d.exponent > 0) digits.append(static_cast<std::size_t>(d.exponent), '0');
  if (d.exponent < 0) {
    const auto decimals = static_cast<std::size_t>(-d.exponent);
    if (digits.size() <= decimals) digits.insert(0, decimals + 1 - digits.size(), '0');
    digits.insert(digits.size() - decimals, ".");
  }
  return (d.digits < 0 ? "−" : "") + digits;
}

std::string power_of_ten(int exponent) {
  return fmt::format("10^{{{}{}}}", exponent < 0 ? "−" : "", std::abs(exponent));
}

// A number on its own, in scientific notation when it would be long otherwise.
std::string compact(Decimal d) {
  while (d.digits != 0 && d.digits % 10 == 0) {
    d.digits /= 10;
    ++d.exponent;
  }
  const int size = static_cast<int>(std::to_string(std::abs(d.digits)).size());
  const int magnitude = d.exponent + size - 1;
  if (magnitude >= -4 && magnitude < 9) return plain(d);
  return plain({d.digits, 1 - size}) + "×" + power_of_ten(magnitude);
}

// Steps are factor * 10^exponent; the factor 25 stands for 2.5.
struct Step {
  std::int64_t factor = 1;
  int exponent = 0;
  std::int64_t first = 0, last = 0;  // multiples of the step inside the range
  Decimal at(std::int64_t k) const { return {k * factor, exponent}; }
};

// The multiples of a step inside the range.
Step multiples(std::int64_t factor, int exponent, double lower, double upper) {
  Step s{factor, exponent, 0, 0};
  const double step = s.at(1).value(), slack = kSlack * (upper - lower);
  s.first = static_cast<std::int64_t>(std::ceil((lower - slack) / step));
  s.last = static_cast<std::int64_t>(std::floor((upper + slack) / step));
  // The quotients are rounded; the marks themselves decide.
  while (s.first <= s.last && s.at(s.first).value() < lower - slack) ++s.first;
  while (s.last >= s.first && s.at(s.last).value() > upper + slack) --s.last;
  return s;
}

// Smaller is better.
double badness(const Step& s, double lower, double upper, int target) {
  const double count = static_cast<double>(s.last - s.first + 1);
  const double span = upper - lower;
  double bad = std::abs(std::log(count / target));
  bad += s.factor == 1 ? 0 : s.factor == 25 ? 0.6 : 0.08;
  if (s.at(s.first).value() - lower < 0.01 * span) bad -= 0.15;
  if (upper - s.at(s.last).value() < 0.01 * span) bad -= 0.15;
  return bad;
}

// A step of factor 0 if none is found, which only happens with `whole`.
Step best_step(double lower, double upper, int target, bool whole) {
  const int magnitude = static_cast<int>(std::floor(std::log10(upper - lower)));
  Step best{0, 0, 0, 0};
  double least = HUGE_VAL;
  for (int e = magnitude - 2; e <= magnitude + 1; ++e)
    for (const std::int64_t factor : {1, 2, 25, 5}) {
      const int exponent = factor == 25 ? e - 1 : e;
      if (whole && exponent < 0) continue;
      const Step s = multiples(factor, exponent, lower, upper);
      const std::int64_t count = s.last - s.first + 1;
      if (count < 2 || count > 12) continue;
      const double bad = badness(s, lower, upper, target);
      if (bad < least) {
        least = bad;
        best = s;
      }
    }
  return best;
}

std::int64_t integer_power(int exponent) {
  std::int64_t p = 1;
  for (int i = 0; i < exponent; ++i) p *= 10;
  return p;
}

// Fills label, exponent, offset and note for the marks `marks`, all with the same exponent.
void write_labels(std::vector<Decimal> marks, TickSet& ticks) {
  const auto all_tens = [&] {
    return std::all_of(marks.begin(), marks.end(), [](Decimal d) { return d.digits % 10 == 0; });
  };
  while (all_tens())
    for (Decimal& d : marks) d = {d.digits / 10, d.exponent + 1};
  const auto largest = [&] {
    std::int64_t most = 0;
    for (const Decimal d : marks) most = std::max(most, std::abs(d.digits));
    return most;
  };
  std::string offset_note;
  if (largest() >= 1'000'000) {
    // The offset ends one digit above the first digit in which the marks differ.
    const std::int64_t spread = marks.back().digits - marks.front().digits;
    const int cut = static_cast<int>(std::to_string(spread).size());
    const std::int64_t unit = integer_power(cut);
    const Decimal offset{marks.front().digits / unit * unit, marks.front().exponent};
    ticks.offset = offset.value();
    offset_note =
        (offset.digits < 0 ? "− " : "+ ") + compact({std::abs(offset.digits), offset.exponent});
    for (Decimal& d : marks) d.digits -= offset.digits;
  }
  const int exponent = marks.front().exponent;
  const int magnitude = exponent + static_cast<int>(std::to_string(largest()).size()) - 1;
  if (magnitude >= 5 || magnitude < -3 || (magnitude < 0 && exponent < -5))
    ticks.exponent = 3 * static_cast<int>(std::floor(magnitude / 3.0));
  if (ticks.exponent != 0) ticks.note = "×" + power_of_ten(ticks.exponent);
  if (!offset_note.empty()) ticks.note += (ticks.note.empty() ? "" : " ") + offset_note;
  for (std::size_t i = 0; i < marks.size(); ++i)
    ticks.major[i].label = plain({marks[i].digits, exponent - ticks.exponent});
}

}  // namespace

TickSet linear_ticks(double lower, double upper, int target, bool whole) {
  const double size = std::max(std::abs(lower), std::abs(upper));
  if (!std::isfinite(lower) || !std::isfinite(upper) || !std::isfinite(upper - lower) ||
      !(upper - lower >= 1e-13 * size) || !(lower < upper))
    throw ApiError(
        fmt::format("no tick marks between {} and {}: the range must be finite, rising "
                    "and wider than 1e-13 of its magnitude",
                    lower, upper));
  target = std::clamp(target, 2, 12);
  Step step = best_step(lower, upper, target, whole);
  if (step.factor == 0) step = best_step(lower, upper, target, whole = false);
  TickSet ticks;
  std::vector<Decimal> marks;
  for (std::int64_t k = step.first; k <= step.last; ++k) {
    marks.push_back(step.at(k));
    ticks.major.push_back({marks.back().value(), ""});
  }
  write_labels(marks, ticks);
  if (whole && step.exponent == 0) return ticks;
  const int parts = step.factor == 2 ? 4 : 5;
  const Step fine = multiples(step.factor * 10 / parts, step.exponent - 1, lower, upper);
  for (std::int64_t k = fine.first; k <= fine.last; ++k)
    if (k % parts != 0) ticks.minor.push_back(fine.at(k).value());
  return ticks;
}

TickSet log_ticks(double lower, double upper, int target) {
  if (!(lower > 0) || !(lower < upper) || !std::isfinite(upper))
    throw ApiError(
        fmt::format("no logarithmic tick marks between {} and {}: the range must be "
                    "positive, finite and rising",
                    lower, upper));
  target = std::clamp(target, 2, 12);
  const double slack = kSlack * (std::log10(upper) - std::log10(lower));
  const int low = static_cast<int>(std::ceil(std::log10(lower) - slack));
  const int high = static_cast<int>(std::floor(std::log10(upper) + slack));
  const int decades = high - low + 1;
  const auto inside = [&](double v) { return v >= lower * (1 - 1e-9) && v <= upper * (1 + 1e-9); };
  TickSet ticks;
  std::vector<Decimal> marks;
  const auto is_major = [&](int factor, int stride, int e) {
    if (stride > 0) return factor == 1 && e % stride == 0;
    return factor == 1 || factor == 2 || factor == 5;
  };
  // Stride 0: 1, 2 and 5 are major.
  const auto place = [&](int stride, bool factors) {
    ticks = {};
    marks.clear();
    for (int e = low - 1; e <= high; ++e)
      for (int factor = 1; factor <= (factors ? 9 : 1); ++factor) {
        const Decimal d{factor, e};
        if (!inside(d.value())) continue;
        if (is_major(factor, stride, e)) {
          marks.push_back(d);
          ticks.major.push_back({d.value(), ""});
        } else {
          ticks.minor.push_back(d.value());
        }
      }
  };
  if (decades >= 2 && 3 * decades > target + 1) {
    int stride = (decades + target - 1) / target;
    place(stride, stride == 1 && decades <= 16);
    while (marks.size() < 2) {
      --stride;
      place(stride, stride == 1);
    }
  } else {
    place(0, true);
    if (marks.size() < 2) return linear_ticks(lower, upper, target);
  }
  const bool short_numbers = std::all_of(
      marks.begin(), marks.end(), [](Decimal d) { return d.exponent >= -2 && d.exponent <= 3; });
  for (std::size_t i = 0; i < marks.size(); ++i) {
    const Decimal d = marks[i];
    ticks.major[i].label = short_numbers ? plain(d)
                           : d.digits == 1
                               ? power_of_ten(d.exponent)
                               : fmt::format("{}×{}", d.digits, power_of_ten(d.exponent));
  }
  return ticks;
}

}  // namespace arges::plot
