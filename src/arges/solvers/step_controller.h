#pragma once
// Step-size control of one-step methods.

#include <algorithm>
#include <cmath>

namespace arges {

// Gustafsson's predictive controller (Hairer and Wanner II, IV.8): with the scaled error norms e of
// this step h and e_old of the one before, h_old, the next step is
//
//   h * 0.9 * min( e^(-1/p),  h / h_old * (e_old / e^2)^(1/p) ),
//
// changed by at most the factors 0.2 and 6, and not enlarged right after a rejection. The second
// term sees the error grow before it is too large, and so avoids rejections where the solution gets
// steeper.
class StepController {
 public:
  explicit StepController(int order) : exponent_(-1.0 / order) {}

  // Forgets the step before.
  void reset() {
    has_past_ = false;
    after_rejection_ = false;
  }
  // The factor for the next step after an accepted one. `truncated`: the step was shortened from
  // outside and says little about the next one.
  double accept(double error, double h, bool truncated) {
    const double root = root_of(error);
    double factor = kSafety * root;
    if (has_past_) factor = std::min(factor, kSafety * (h / h_old_) * root * root / root_old_);
    factor = std::clamp(factor, kLeast, after_rejection_ ? 1.0 : kMost);
    has_past_ = !truncated;
    after_rejection_ = false;
    h_old_ = h;
    root_old_ = std::min(root, kLargestOldRoot);
    return factor;
  }
  double reject(double error) {
    after_rejection_ = true;
    return std::clamp(kSafety * root_of(error), kLeast, kSafety);
  }
  // After a failure without an error estimate (NaN, evaluation error, singular matrix).
  double fail() {
    after_rejection_ = true;
    return kAfterFailure;
  }

 private:
  static constexpr double kSafety = 0.9, kLeast = 0.2, kMost = 6, kAfterFailure = 0.25;
  static constexpr double kSmallestError = 1e-10;
  // An old error below 1/100 counts as 1/100 (order 5), lest a lucky step holds back the next.
  static constexpr double kLargestOldRoot = 2.5;

  double root_of(double error) const {
    return std::pow(std::max(error, kSmallestError), exponent_);
  }

  double exponent_;
  bool has_past_ = false;
  bool after_rejection_ = false;
  double h_old_ = 0;
  double root_old_ = 1;  // e_old^(-1/p)
};

}  // namespace arges
