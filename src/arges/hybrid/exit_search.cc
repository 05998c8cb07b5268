#include "arges/hybrid/exit_search.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "arges/hybrid/event_monitor.h"

namespace arges {

namespace {

using Margins = std::vector<double>;

bool any_negative(const Margins& margins) {
  return std::ranges::any_of(margins, [](double margin) { return margin < 0; });
}

// Between a, middle and b, of equal distance, no margin can have been below zero: what the middle
// deviates from a straight line is small against the distance from zero.
bool stays_above_zero(const Margins& a, const Margins& middle, const Margins& b) {
  for (std::size_t j = 0; j < a.size(); ++j) {
    const double bend = std::abs(middle[j] - 0.5 * (a[j] + b[j]));
    if (!(std::min({a[j], middle[j], b[j]}) >= 2 * bend)) return false;
  }
  return true;
}

// Finds the first time at which a margin becomes negative, on the dense output of one step.
class ExitSearch {
 public:
  ExitSearch(const Sliding& sliding, const Stepper& stepper)
      : sliding_(sliding), stepper_(stepper), x_(sliding.size()) {}

  Margins at(double t) {
    Margins margins(sliding_.margin_count());
    stepper_.interpolate(t, x_.data());
    sliding_.margins(t, x_.data(), margins.data());
    return margins;
  }

  // Looks into (a, b], whose margins at a are not negative. True: lo and hi bracket an exit.
  bool look(double a, const Margins& at_a, double b, const Margins& at_b, int depth) {
    const double middle = a + 0.5 * (b - a);
    const Margins at_middle = at(middle);
    if (!any_negative(at_b) && stays_above_zero(at_a, at_middle, at_b)) return false;
    if (depth > 0 && middle > a && middle < b) {
      return look(a, at_a, middle, at_middle, depth - 1) ||
             (!any_negative(at_middle) && look(middle, at_middle, b, at_b, depth - 1));
    }
    if (!any_negative(at_middle) && !any_negative(at_b)) return false;
    lo = any_negative(at_middle) ? a : middle;
    hi = any_negative(at_middle) ? middle : b;
    return true;
  }

  double bisect(double resolution) {
    while (hi - lo > resolution) {
      const double middle = lo + 0.5 * (hi - lo);
      if (!(middle > lo && middle < hi)) break;
      (any_negative(at(middle)) ? hi : lo) = middle;
    }
    return hi;
  }

  double lo = 0, hi = 0;

 private:
  const Sliding& sliding_;
  const Stepper& stepper_;
  std::vector<double> x_;
};

}  // namespace

double find_exit(const Sliding& sliding, const Stepper& stepper, double window) {
  constexpr int kDepth = 8;
  ExitSearch search(sliding, stepper);
  double a = stepper.smooth_from();
  Margins at_a = search.at(a);
  if (any_negative(at_a)) return a;
  const double begin = a, h = stepper.t() - begin;
  const double parts = std::max(1.0, std::ceil(h / window));
  for (double i = 1; i <= parts; ++i) {
    const double b = i == parts ? stepper.t() : begin + h * (i / parts);
    if (!(b > a)) continue;
    Margins at_b = search.at(b);
    if (search.look(a, at_a, b, at_b, kDepth)) return search.bisect(EventMonitor::unit(stepper));
    a = b;
    at_a = std::move(at_b);
  }
  return std::numeric_limits<double>::infinity();
}

}  // namespace arges
