#include "arges/experiment/find_root.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "arges/base/error.h"

namespace arges {

double find_root(const std::function<double(double)>& f, double a, double b, double tolerance) {
  // [newest, other] is the bracket, `oldest` the point that was given up last.
  double newest = b, f_newest = f(b), other = a, f_other = f(a);
  if (std::signbit(f_newest) == std::signbit(f_other) && f_newest != 0 && f_other != 0) {
    throw ApiError(fmt::format("no change of sign between {} (f = {}) and {} (f = {})", a, f_other,
                               b, f_newest));
  }
  double oldest = 0, f_oldest = 0;
  double share = 0.5;  // where in the bracket to look next, from newest to other
  for (int iteration = 0; iteration < 200; ++iteration) {
    const double x = newest + share * (other - newest);
    const double fx = f(x);
    if (std::signbit(fx) == std::signbit(f_newest)) {
      oldest = newest, f_oldest = f_newest;
    } else {
      oldest = other, f_oldest = f_other;
      other = newest, f_other = f_newest;
    }
    newest = x, f_newest = fx;

    const bool newest_is_better = std::abs(f_newest) < std::abs(f_other);
    const double best = newest_is_better ? newest : other;
    const double resolution =
        tolerance + 4 * std::numeric_limits<double>::epsilon() * std::abs(best);
    const double smallest_share = resolution / std::abs(other - newest);
    if (smallest_share > 0.5 || fx == 0) return fx == 0 ? newest : best;

    const double xi = (newest - other) / (oldest - other);
    const double phi = (f_newest - f_other) / (f_oldest - f_other);
    share = 0.5;
    if (phi * phi < xi && (1 - phi) * (1 - phi) < 1 - xi) {
      share = f_newest / (f_other - f_newest) * f_oldest / (f_other - f_oldest) +
              (oldest - newest) / (other - newest) * f_newest / (f_oldest - f_newest) * f_other /
                  (f_oldest - f_other);
      share = std::clamp(share, smallest_share, 1 - smallest_share);
    }
  }
  return newest;
}

}  // namespace arges
