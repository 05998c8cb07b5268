#include "arges/experiment/derivative.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "arges/base/error.h"

namespace arges {

namespace {

constexpr int kLevels = 10;
constexpr double kEpsilon = std::numeric_limits<double>::epsilon();

// A central difference of one entry of g.
struct Difference {
  double step;
  double slope;
  double size;  // the larger of the two values
  double bend;  // how far the values leave the straight line through the middle; NaN without one
};

// The extrapolation of one entry of g.
struct Tableau {
  double row[kLevels];  // the last line
  double best = 0;
  double error = std::numeric_limits<double>::infinity();

  // One more central difference, with half the step of the one before.
  void add(int level, const Difference& difference) {
    double above = row[0];
    row[0] = difference.slope;
    if (level == 0) {
      best = difference.slope;
      return;
    }
    // Two slopes can agree by chance: what rounding can do stays in the estimate.
    const double rounding = kEpsilon * difference.size / difference.step;
    double factor = 4;
    for (int k = 1; k <= level; ++k, factor *= 4) {
      const double next = (factor * row[k - 1] - above) / (factor - 1);
      const double estimate =
          std::max(std::abs(next - row[k - 1]), std::abs(next - above)) + rounding;
      if (estimate < error) {
        error = estimate;
        best = next;
      }
      above = std::exchange(row[k], next);
    }
  }
};

// The slope of one entry of g as far as it is a straight line, from short steps to long ones. The
// slopes of a straight line differ by noise / step, and its values bend by noise, where the noise
// (rounding of the terms of g, also of those that cancel) does not depend on the step; the first
// difference that leaves the noise of all before ends the line, for good. When the step doubles,
// the bend of a curved function grows fourfold, and what its slopes differ by eightfold, so it is
// not taken for a line. The bend is needed: the central differences of a parabola are all alike,
// and with long steps its square rounds its slope away.
class Line {
 public:
  void add(const Difference& next) {
    if (ended_) return;
    const double rounding = 8 * kEpsilon * next.size;
    const double bend = std::abs(next.bend);
    if (any_) {
      const double open = std::max(std::abs(next.slope - last_.slope) * last_.step, bend);
      ended_ = !(open <= 3 * std::max(noise_, rounding));
      if (ended_) return;
      noise_ = std::max(noise_, open);
      same_ = next.slope == last_.slope;
    } else {
      ended_ = std::isnan(bend);
      noise_ = bend;
      first_size_ = next.size;
    }
    any_ = true;
    last_ = next;
  }
  void end() { ended_ = true; }
  bool ended() const { return ended_; }
  // Longer steps do not make the slope better: the rest of g is below its rounding. An entry that
  // did not move at all by then is taken for constant.
  bool complete(double scale) const {
    if (last_.slope == 0) return same_ && last_.step > std::exp2(20) * scale;
    return same_ && std::abs(last_.slope) * last_.step * kEpsilon > 4 * first_size_;
  }
  double slope() const { return last_.slope; }

 private:
  Difference last_{};
  double noise_ = 0, first_size_ = 0;
  bool any_ = false, ended_ = false, same_ = false;
};

bool evaluate(const Curve& g, double s, std::span<double> value) {
  try {
    g(s, value);
  } catch (const EvaluationError&) {
    return false;
  }
  return true;
}

bool all_finite(std::span<const double> values) {
  return std::ranges::all_of(values, [](double v) { return std::isfinite(v); });
}

// The differences of all entries of g with one step.
class Differences {
 public:
  Differences(const Curve& g, double at, std::size_t size)
      : g_(g), at_(at), above_(size), below_(size), middle_(size) {
    if (!evaluate(g_, at_, middle_))
      std::ranges::fill(middle_, std::numeric_limits<double>::quiet_NaN());
  }

  // False: g has no values there. Single entries may be without.
  bool take(double step) {
    step_ = step;
    return evaluate(g_, at_ + step, above_) && evaluate(g_, at_ - step, below_);
  }
  bool finite() const { return all_finite(above_) && all_finite(below_); }
  Difference operator[](std::size_t i) const {
    const double ahead = (at_ + step_) - at_, behind = at_ - (at_ - step_);
    const double slope = (above_[i] - below_[i]) / ((at_ + step_) - (at_ - step_));
    return {step_, slope, std::max(std::abs(above_[i]), std::abs(below_[i])),
            (above_[i] - middle_[i]) - (middle_[i] - below_[i]) - slope * (ahead - behind)};
  }

 private:
  const Curve& g_;
  double at_, step_ = 0;
  std::vector<double> above_, below_, middle_;
};

// Goes on from `step` with longer and longer ones, while an entry is a straight line that gains by
// it.
void lengthen(Differences& differences, double step, std::vector<Line>& lines) {
  constexpr int kLongest = 120;  // as a power of two
  constexpr int kFactor = 4;
  for (int power = kFactor; power <= kLongest; power += kFactor) {
    if (std::ranges::all_of(lines,
                            [&](const Line& line) { return line.ended() || line.complete(step); }))
      return;
    if (!differences.take(std::ldexp(step, power))) return;
    for (std::size_t i = 0; i < lines.size(); ++i) {
      const Difference next = differences[i];
      if (std::isfinite(next.slope)) {
        lines[i].add(next);
      } else {
        lines[i].end();
      }
    }
  }
}

}  // namespace

void differentiate(const Curve& g, double at, double scale, std::span<double> derivative) {
  Differences differences(g, at, derivative.size());
  std::vector<Tableau> tableaus(derivative.size());
  std::vector<std::vector<Difference>> taken;  // for each step
  // A power of two: the differences of the arguments are exact.
  double step = std::exp2(std::round(std::log2(scale)));
  for (int attempt = 0; attempt < 3 * kLevels && taken.size() < kLevels; ++attempt, step /= 2) {
    if (at + step == at - step) break;
    if (!differences.take(step) || !differences.finite()) {
      taken.clear();
      std::ranges::fill(tableaus, Tableau{});
      continue;
    }
    const int level = static_cast<int>(taken.size());
    taken.emplace_back();
    for (std::size_t i = 0; i < derivative.size(); ++i) {
      taken.back().push_back(differences[i]);
      tableaus[i].add(level, taken.back().back());
    }
  }
  if (taken.empty())
    throw EvaluationError("no derivative: the model has no values around this point");
  std::vector<Line> lines(derivative.size());
  for (std::size_t level = taken.size(); level-- > 0;) {
    for (std::size_t i = 0; i < derivative.size(); ++i) lines[i].add(taken[level][i]);
  }
  std::vector<bool> straight;
  for (const Line& line : lines) straight.push_back(!line.ended());
  if (!derivative.empty()) lengthen(differences, taken.front().front().step, lines);
  for (std::size_t i = 0; i < derivative.size(); ++i)
    derivative[i] = straight[i] ? lines[i].slope() : tableaus[i].best;
}

}  // namespace arges
