#include "arges/experiment/surroundings.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "arges/experiment/neighbourhood.h"
#include "arges/linear/dense.h"

namespace arges {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

// Of steps along the variables, and along constraints.
constexpr double kSizes[] = {1e-1, Neighbourhood::kSlopeSize, 1e-6};
constexpr double kTangentSizes[] = {1e-1, Neighbourhood::kSlopeSize, 1e-5, 1e-7};
constexpr double kNoise = 1e-9, kNoiseOfConstrained = 1e-7;
constexpr Index kMostMixed = 8;  // directions whose curvature is known completely

class Surroundings {
 public:
  Surroundings(Ledger& ledger, const OptimiseRequest& request)
      : ledger_(ledger), request_(request), before_(ledger.standing()), near_(ledger, request) {}

  std::optional<std::vector<double>> better() {
    if (near_.dimensions() == 0) return std::nullopt;
    try {
      look_around();
      if (found()) go_on_along(near_.step_to(near_.best()));
    } catch (const SearchEnded&) {
      if (!found()) ledger_.go_back_to(before_);
      throw;
    }
    if (found()) return near_.best();
    ledger_.go_back_to(before_);
    return std::nullopt;
  }

 private:
  void look_around() {
    here_value_ = near_.values()[0];
    look_along_variables();
    near_.differentiate();
    if (found()) return;
    look_along(near_.descent());
    const MatrixXd tangents = near_.tangent_space();
    if (is_constrained()) {
      for (Index k = 0; k < tangents.cols(); ++k) {
        look_along(tangents.col(k));
        look_along(-tangents.col(k));
      }
    }
    if (!found()) look_along_most_negative_curvature(tangents);
  }

  // A short step that was better leads further: twice as far as long as that is so, then to the
  // lowest point by the golden section. Methods that ended here may do so again.
  void go_on_along(const VectorXd& step) {
    constexpr int kMostDoublings = 24, kMostSections = 40;
    constexpr double kGolden = 0.6180339887498949;
    if (step.cwiseAbs().maxCoeff() > 2 * Neighbourhood::kSlopeSize) return;
    const auto value_at = [&](double times) {
      const VectorXd numbers = near_.restored(step * times);
      const bool is_allowed = numbers.allFinite() && near_.satisfies(numbers);
      return is_allowed ? numbers[0] : std::numeric_limits<double>::infinity();
    };
    double low = 0, middle = 1, high = 2, at_middle = value_at(1);
    for (int k = 0; k < kMostDoublings; ++k, high *= 2) {
      const double next = value_at(high);
      if (!(next < at_middle)) break;
      low = middle;
      middle = high;
      at_middle = next;
    }
    double left = high - kGolden * (high - low), right = low + kGolden * (high - low);
    double at_left = value_at(left), at_right = value_at(right);
    for (int k = 0; k < kMostSections && (high - low) > 1e-9 * high; ++k) {
      if (at_left < at_right) {
        high = right;
        right = left;
        at_right = at_left;
        left = high - kGolden * (high - low);
        at_left = value_at(left);
      } else {
        low = left;
        left = right;
        at_left = at_right;
        right = low + kGolden * (high - low);
        at_right = value_at(right);
      }
    }
  }

  bool is_constrained() const { return request_.equalities + request_.inequalities > 0; }

  bool found() const {
    if (near_.best().empty() || near_.best() == near_.here()) return false;
    const double noise = is_constrained() ? kNoiseOfConstrained : kNoise;
    return here_value_ - near_.best_value() >
           std::max(kNoise * std::abs(here_value_), noise * spread_);
  }

  void look_along_variables() {
    std::vector<std::vector<double>> points;
    for (const double size : kSizes) {
      // Nothing beside an equality satisfies it.
      if (request_.equalities > 0 && size != Neighbourhood::kSlopeSize) continue;
      for (std::size_t a = 0; a < near_.dimensions(); ++a) {
        for (const double sign : {-1.0, 1.0}) {
          points.push_back(near_.moved(near_.axis(a, sign * size)));
          if (points.back() == near_.here()) points.pop_back();
        }
      }
    }
    ledger_.announce(points);
    for (const std::vector<double>& point : points) {
      const double value = near_.numbers_at(point)[0];
      if (std::isfinite(value)) spread_ = std::max(spread_, std::abs(value - here_value_));
    }
    if (request_.equalities > 0) spread_ *= kSizes[0] / Neighbourhood::kSlopeSize;
  }

  void look_along(const VectorXd& direction) {
    const double length = direction.cwiseAbs().maxCoeff();
    if (!(length > 0)) return;
    for (const double size : kTangentSizes) near_.restored(direction * (size / length));
  }

  void look_along_most_negative_curvature(const MatrixXd& tangents) {
    const Index k = tangents.cols();
    if (k < 2 || k > kMostMixed) return;
    // f(a + b) - f(a) - f(b) + f: steps to the inside.
    std::vector<VectorXd> steps;
    std::vector<double> alone;
    MatrixXd curvature(k, k);
    for (Index a = 0; a < k; ++a) {
      VectorXd step = tangents.col(a) * Neighbourhood::kSlopeSize;
      for (const double sign : {1.0, -1.0}) {
        if (near_.step_to(near_.moved(sign * step)).isApprox(sign * step, 1e-6)) {
          step *= sign;
          break;
        }
      }
      const double forth = near_.restored(step)[0], back = near_.restored(-step)[0];
      curvature(a, a) = forth + back - 2 * here_value_;
      steps.push_back(step);
      alone.push_back(forth);
    }
    for (Index a = 0; a < k; ++a) {
      for (Index b = 0; b < a; ++b) {
        const auto i = static_cast<std::size_t>(a), j = static_cast<std::size_t>(b);
        const double both = near_.restored(steps[i] + steps[j])[0];
        curvature(a, b) = curvature(b, a) = both - alone[i] - alone[j] + here_value_;
      }
    }
    if (!curvature.allFinite()) return;
    const dense::SymmetricModes modes = dense::symmetric_modes(curvature);
    if (modes.values[0] > -1e-3 * modes.values.cwiseAbs().maxCoeff()) return;
    VectorXd direction = VectorXd::Zero(tangents.rows());
    for (Index a = 0; a < k; ++a)
      direction += modes.vectors(a, 0) * steps[static_cast<std::size_t>(a)];
    for (const double sign : {1.0, -1.0})
      for (const double size : kTangentSizes)
        near_.restored(direction * (sign * size / direction.cwiseAbs().maxCoeff()));
  }

  Ledger& ledger_;
  const OptimiseRequest& request_;
  const Ledger::Standing before_;
  Neighbourhood near_;
  double here_value_ = 0;
  double spread_ = 0;  // of the objective, along the variables by a tenth of the range
};

}  // namespace

std::optional<std::vector<double>> better_nearby(Ledger& ledger, const OptimiseRequest& request) {
  return Surroundings(ledger, request).better();
}

}  // namespace arges
