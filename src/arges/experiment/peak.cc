#include "arges/experiment/peak.h"

#include <algorithm>
#include <cmath>

namespace arges {

const std::array<double, kGaussPoints> kGaussNodes{-0.86113631159405257522, -0.33998104358485626480,
                                                   0.33998104358485626480, 0.86113631159405257522};
const std::array<double, kGaussPoints> kGaussWeights{
    0.34785484513745385737, 0.65214515486254614263, 0.65214515486254614263, 0.34785484513745385737};

std::optional<Peak> peak_of_cubic(const std::array<double, kGaussPoints>& values) {
  // p(s) = c0 + c1 s + c2 s^2 + c3 s^3, from its even and odd parts.
  const double inner = kGaussNodes[2], outer = kGaussNodes[3];
  const double even_inner = 0.5 * (values[1] + values[2]),
               odd_inner = 0.5 * (values[2] - values[1]);
  const double even_outer = 0.5 * (values[0] + values[3]),
               odd_outer = 0.5 * (values[3] - values[0]);
  const double squares = outer * outer - inner * inner;
  const double c2 = (even_outer - even_inner) / squares;
  const double c0 = even_inner - c2 * inner * inner;
  const double c3 = (odd_outer / outer - odd_inner / inner) / squares;
  const double c1 = odd_inner / inner - c3 * inner * inner;
  // p' = c1 + 2 c2 s + 3 c3 s^2 has two roots; that with p'' < 0 is -(c2 + root)/(3 c3), or, where
  // this cancels, c1/(root - c2).
  const double discriminant = c2 * c2 - 3 * c1 * c3;
  if (!(discriminant > 0)) return std::nullopt;
  const double divisor = std::sqrt(discriminant) - c2;
  const double s =
      divisor > std::abs(c2) * 1e-3 ? c1 / divisor : -(c2 + std::sqrt(discriminant)) / (3 * c3);
  if (!(std::abs(s) < 1)) return std::nullopt;
  return Peak{s, c0 + s * (c1 + s * (c2 + s * c3))};
}

double largest_between(const std::function<double(double)>& f, double low, double high) {
  constexpr double kGolden = 0.3819660112501051;
  // The value depends on the place by its square.
  constexpr double kTolerance = 1e-8;
  constexpr int kMostSteps = 60;
  double best = low + kGolden * (high - low), second = best, third = best;
  double f_best = -f(best), f_second = f_best, f_third = f_best;
  double step = 0, before = 0;
  const double tolerance = kTolerance * (high - low);
  for (int k = 0; k < kMostSteps; ++k) {
    const double middle = 0.5 * (low + high);
    if (std::abs(best - middle) <= 2 * tolerance - 0.5 * (high - low)) break;
    // The parabola through the three best points, when it leads inside, by less than half the last
    // step but one.
    bool golden = true;
    if (std::abs(before) > tolerance) {
      const double r = (best - second) * (f_best - f_third);
      double q = (best - third) * (f_best - f_second);
      double p = (best - third) * q - (best - second) * r;
      q = 2 * (q - r);
      if (q > 0) p = -p;
      q = std::abs(q);
      const double last = before;
      before = step;
      if (std::abs(p) < std::abs(0.5 * q * last) && p > q * (low - best) && p < q * (high - best)) {
        step = p / q;
        const double there = best + step;
        if (there - low < 2 * tolerance || high - there < 2 * tolerance)
          step = std::copysign(tolerance, middle - best);
        golden = false;
      }
    }
    if (golden) {
      before = best >= middle ? low - best : high - best;
      step = kGolden * before;
    }
    const double next =
        best + (std::abs(step) >= tolerance ? step : std::copysign(tolerance, step));
    const double f_next = -f(next);
    if (f_next <= f_best) {
      (next >= best ? low : high) = best;
      third = second, f_third = f_second;
      second = best, f_second = f_best;
      best = next, f_best = f_next;
      continue;
    }
    (next < best ? low : high) = next;
    if (f_next <= f_second || second == best) {
      third = second, f_third = f_second;
      second = next, f_second = f_next;
    } else if (f_next <= f_third || third == best || third == second) {
      third = next, f_third = f_next;
    }
  }
  return -f_best;
}

}  // namespace arges
