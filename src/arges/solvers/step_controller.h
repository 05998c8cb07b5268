#pragma once
// Step-size control of one-step methods.

#include <algorithm>
#include <bit>
#include <cstdint>

namespace arges {

// x^P in few dependent multiplications.
template <int P>
constexpr double integer_power(double x) {
  if constexpr (P == 1) {
    return x;
  } else {
    return integer_power<P / 2>(x) * integer_power<P - P / 2>(x);
  }
}

// x^(-1/P) for positive, normal x, too small by at most 0.6 % (P = 10): one step of Newton's
// iteration from a guess that divides the exponent of x. Good enough for a step size, in a third of
// the time of std::pow, and the same on every machine.
template <int P>
double inverse_root(double x) {
  constexpr double kOneBits = 0x3FF0000000000000;
  // Without the last term the guess is exact at powers of two and too large between.
  constexpr auto kOffset = static_cast<std::int64_t>(kOneBits * (1 + 1.0 / P) - 0.05 * 0x1p52);
  const double y = std::bit_cast<double>(kOffset - std::bit_cast<std::int64_t>(x) / P);
  return y * ((P + 1.0) / P - integer_power<P>(y) * (x / P));
}

// Gustafsson's predictive controller (Hairer and Wanner II, IV.8) for a method of order P: with the
// scaled error norms e of this step h and e_old of the one before, h_old, the next step is
//
//   h * 0.9 * min( e^(-1/p),  h / h_old * (e_old / e^2)^(1/p) ),
//
// changed by at most the factors 0.2 and 6, and not enlarged right after a rejection. The second
// term sees the error grow before it is too large, and so avoids rejections where the solution gets
// steeper. Errors come as their squares, which saves a square root.
template <int P>
class StepController {
 public:
  // Forgets the step before.
  void reset() {
    has_past_ = false;
    after_rejection_ = false;
  }
  // The factor for the next step after an accepted one. `truncated`: the step was shortened from
  // outside and says little about the next one.
  double accept(double squared_error, double h, bool truncated) {
    const double root = root_of(squared_error);
    double factor = kSafety * root;
    if (has_past_) factor = std::min(factor, (h * past_) * (root * root));
    factor = std::clamp(factor, kLeast, after_rejection_ ? 1.0 : kMost);
    has_past_ = !truncated;
    after_rejection_ = false;
    past_ = kSafety / (h * std::min(root, kLargestOldRoot));
    return factor;
  }
  double reject(double squared_error) {
    after_rejection_ = true;
    return std::clamp(kSafety * root_of(squared_error), kLeast, kSafety);
  }
  // After a failure without an error estimate (NaN, evaluation error, singular matrix).
  double fail() {
    after_rejection_ = true;
    return kAfterFailure;
  }

 private:
  static constexpr double kSafety = 0.9, kLeast = 0.2, kMost = 6, kAfterFailure = 0.25;
  // Between these the factor is not at its bounds.
  static constexpr double kSmallestSquare = 1e-20, kLargestSquare = 1e20;
  // An old error below 1/100 counts as 1/100 (order 5), lest a lucky step holds back the next.
  static constexpr double kLargestOldRoot = 2.5;

  static double root_of(double squared_error) {
    return inverse_root<2 * P>(std::clamp(squared_error, kSmallestSquare, kLargestSquare));
  }

  bool has_past_ = false;
  bool after_rejection_ = false;
  double past_ = 0;  // 0.9 e_old^(1/p) / h_old
};

}  // namespace arges
