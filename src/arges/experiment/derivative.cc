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

// The extrapolation of one entry of g.
struct Tableau {
  double row[kLevels];  // the last line
  double best = 0;
  double error = std::numeric_limits<double>::infinity();

  // One more central difference, with half the step of the one before.
  void add(int level, double difference) {
    double above = row[0];
    row[0] = difference;
    if (level == 0) {
      best = difference;
      return;
    }
    double factor = 4;
    for (int k = 1; k <= level; ++k, factor *= 4) {
      const double next = (factor * row[k - 1] - above) / (factor - 1);
      const double estimate = std::max(std::abs(next - row[k - 1]), std::abs(next - above));
      if (estimate < error) {
        error = estimate;
        best = next;
      }
      above = std::exchange(row[k], next);
    }
  }
};

bool evaluate(const Curve& g, double s, std::span<double> value) {
  try {
    g(s, value);
  } catch (const EvaluationError&) {
    return false;
  }
  return std::ranges::all_of(value, [](double v) { return std::isfinite(v); });
}

}  // namespace

void differentiate(const Curve& g, double at, double scale, std::span<double> derivative) {
  std::vector<double> above(derivative.size()), below(derivative.size());
  std::vector<Tableau> tableaus(derivative.size());
  // A power of two: the differences of the arguments are exact.
  double step = std::exp2(std::round(std::log2(scale)));
  int level = 0;
  for (int attempt = 0; attempt < 3 * kLevels && level < kLevels; ++attempt, step /= 2) {
    const double right = at + step, left = at - step;
    if (right == left) break;
    if (!evaluate(g, right, above) || !evaluate(g, left, below)) {
      level = 0;
      std::ranges::fill(tableaus, Tableau{});
      continue;
    }
    for (std::size_t i = 0; i < derivative.size(); ++i)
      tableaus[i].add(level, (above[i] - below[i]) / (right - left));
    ++level;
  }
  if (level == 0) throw EvaluationError("no derivative: the model has no values around this point");
  for (std::size_t i = 0; i < derivative.size(); ++i) derivative[i] = tableaus[i].best;
}

}  // namespace arges
