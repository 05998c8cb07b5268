// Two step lengths in one run: multirate integration in frames.

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "arges/base/error.h"
#include "arges/base/nearest.h"
#include "arges/solvers/factories.h"
#include "arges/solvers/failure_messages.h"
#include "arges/solvers/fixed_step.h"

namespace arges {

namespace {

// A frame is one step H of the slow states S and R steps H/R of the fast states F, all by the
// classical Runge-Kutta method (Du, Huang, Zha):
//
//   slow    x_S over the frame, with the fast states as x_F + s x_F'  (or held at x_F)
//   fast    R steps, with the slow states as a polynomial in the time s since the frame began:
//             sequential   the parabola through x_S, x_S' and the new x_S
//             parallel     x_S + s x_S', which is known at once: both parts can run side by side
//
// When no state is named fast, all are: R steps of the whole in each frame. Single rows of f are
// asked for where the equations offer them.
class Multirate : public FixedStep {
 public:
  enum class Variant { kSequential, kParallel };

  Multirate(const Equations& equations, const SolverOptions& options, Variant variant)
      : FixedStep(equations, options, 1),
        equations_(equations),
        variant_(variant),
        ratio_(options.frame_ratio),
        holds_fast_(options.hold_fast) {
    std::vector<char> is_fast(n(), options.fast.empty() ? 1 : 0);
    for (const std::string& name : options.fast) is_fast[find(name)] = 1;
    for (int i = 0; i < equations.size(); ++i)
      (is_fast[static_cast<std::size_t>(i)] ? fast_ : slow_).push_back(i);
    for (std::vector<double>* v : {&start_, &slow_end_, &curve_, &x_, &at_, &f_}) v->resize(n());
    for (std::vector<double>& k : stages_) k.resize(n());
  }

  bool is_multistep() const override { return false; }
  int order() const override { return slow_.empty() ? 4 : holds_fast_ ? 1 : 3; }
  double stability_limit() const override { return 2.785 * (slow_.empty() ? ratio_ : 1); }

  bool retake(double s, double* x) override {
    if (!(s > t_old_) || s > t_) return false;
    if (s == t_) {
      std::copy_n(Stepper::x_, n(), x);
      return true;
    }
    try {
      frame(t_old_, s, x_old(), slope(0), x);
    } catch (const EvaluationError&) {
      return false;
    }
    return find_non_finite(static_cast<int>(n()), x) < 0;
  }

 protected:
  void advance(const StepGrid::Target& target, double* x_next) override {
    frame(t_, target.t, Stepper::x_, slope(0), x_next);
  }

 private:
  std::size_t find(const std::string& name) const {
    std::vector<std::string> names;
    for (int i = 0; i < equations_.size(); ++i) {
      names.push_back(equations_.name(i));
      if (names.back() == name) return static_cast<std::size_t>(i);
    }
    throw UserError(fmt::format("no state '{}' to be fast{}", name, did_you_mean(name, names)));
  }

  void frame(double t, double t_end, const double* x, const double* rate, double* result) {
    const double H = t_end - t;
    std::copy_n(x, n(), x_.data());
    if (!slow_.empty()) {
      const auto place_fast = [&](double s) {
        for (const int i : fast_) at_[at(i)] = x[i] + (holds_fast_ ? 0 : s * rate[i]);
      };
      runge_kutta_part(slow_, t, 0, H, place_fast);
      for (const int i : slow_) {
        slow_end_[at(i)] = x_[at(i)];
        curve_[at(i)] =
            variant_ == Variant::kSequential ? (x_[at(i)] - x[i] - H * rate[i]) / (H * H) : 0;
      }
    }
    const auto place_slow = [&](double s) {
      for (const int i : slow_) at_[at(i)] = x[i] + s * (rate[i] + s * curve_[at(i)]);
    };
    for (int k = 0; k < ratio_; ++k) {
      const double from = H * k / ratio_, to = H * (k + 1) / ratio_;
      runge_kutta_part(fast_, t, from, to, place_slow);
    }
    for (const int i : fast_) result[i] = x_[at(i)];
    for (const int i : slow_) result[i] = slow_end_[at(i)];
  }

  // One step of the states `part`, in x_, from s to s_end after t; `place_others` writes the other
  // states at a time after t into at_.
  template <class Place>
  void runge_kutta_part(const std::vector<int>& part, double t, double s, double s_end,
                        Place place_others) {
    const double h = s_end - s;
    for (const int i : part) start_[at(i)] = at_[at(i)] = x_[at(i)];
    place_others(s);
    rates(part, t + s, stages_[0]);
    const std::array<double, 3> reach = {0.5, 0.5, 1};
    for (std::size_t k = 0; k < reach.size(); ++k) {
      for (const int i : part) at_[at(i)] = start_[at(i)] + reach[k] * h * stages_[k][at(i)];
      place_others(s + reach[k] * h);
      rates(part, t + s + reach[k] * h, stages_[k + 1]);
    }
    for (const int i : part) {
      const std::size_t j = at(i);
      x_[j] = start_[j] +
              h / 6 * (stages_[0][j] + 2 * stages_[1][j] + 2 * stages_[2][j] + stages_[3][j]);
    }
  }

  void rates(const std::vector<int>& rows, double t, std::vector<double>& into) {
    if (equations_.row_access() == RowAccess::kWhole) return evaluate(t, at_.data(), into.data());
    ++stats_.rhs;
    equations_.rhs_rows(rows, t, at_.data(), f_.data());
    for (std::size_t k = 0; k < rows.size(); ++k) into[at(rows[k])] = f_[k];
  }

  static std::size_t at(int i) { return static_cast<std::size_t>(i); }

  const Equations& equations_;
  Variant variant_;
  int ratio_;
  bool holds_fast_;
  std::vector<int> fast_, slow_;
  std::vector<double> start_, slow_end_, curve_, x_, at_, f_;
  std::array<std::vector<double>, 4> stages_;
};

}  // namespace

std::unique_ptr<Stepper> make_multirate(std::string_view name, const Equations& equations,
                                        const SolverOptions& options) {
  if (options.frame_ratio < 1) {
    throw UserError(
        fmt::format("the frame ratio must be one or more fast steps, not {}", options.frame_ratio));
  }
  if (name == "multirate")
    return std::make_unique<Multirate>(equations, options, Multirate::Variant::kSequential);
  if (name == "multirate-parallel")
    return std::make_unique<Multirate>(equations, options, Multirate::Variant::kParallel);
  throw ApiError(fmt::format("'{}' is not a multirate method", name));
}

}  // namespace arges
