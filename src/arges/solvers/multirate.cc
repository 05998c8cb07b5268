// Two step lengths in one run: multirate integration in frames.

#include <algorithm>
#include <array>
#include <exception>
#include <utility>

#include <fmt/format.h>

#include "arges/base/background_job.h"
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
//
// The parallel variant computes the slow part in a thread of its own, with a snapshot of the
// equations, while this one computes the fast part. Where there is no snapshot, one after the
// other; the operations, and so the results, are the same.
class Multirate : public FixedStep {
 public:
  enum class Variant { kSequential, kParallel };

  Multirate(const Equations& equations, const SolverOptions& options, Variant variant)
      : FixedStep(equations, options, 1),
        equations_(equations),
        variant_(variant),
        ratio_(options.frame_ratio),
        holds_fast_(options.hold_fast),
        fast_(n()),
        slow_(n()),
        curve_(n()) {
    std::vector<char> is_fast(n(), options.fast.empty() ? 1 : 0);
    for (const std::string& name : options.fast) is_fast[find(name)] = 1;
    for (int i = 0; i < equations.size(); ++i) (is_fast[at(i)] ? fast_ : slow_).rows.push_back(i);
    fast_.equations = slow_.equations = &equations;
  }

  bool is_multistep() const override { return false; }
  int order() const override { return slow_.rows.empty() ? 4 : holds_fast_ ? 1 : 3; }
  double stability_limit() const override { return 2.785 * (slow_.rows.empty() ? ratio_ : 1); }

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

  // Events may have changed what the snapshot holds.
  void forget() override {
    if (variant_ != Variant::kParallel || slow_.rows.empty() || fast_.rows.empty()) return;
    snapshot_ = equations_.snapshot();
    slow_.equations = snapshot_ ? snapshot_.get() : &equations_;
    if (snapshot_ && !beside_)
      beside_ = std::make_unique<BackgroundJob>([this] { advance_slow(frame_); });
  }

 private:
  struct Frame {
    double t = 0, length = 0;
    const double* x = nullptr;     // at t
    const double* rate = nullptr;  // f(t, x)
  };

  // Some of the states, and all that is needed to integrate them.
  struct Part {
    explicit Part(std::size_t n) {
      for (std::vector<double>* v : {&x, &start, &place, &f}) v->resize(n);
      for (std::vector<double>& k : stages) k.resize(n);
    }
    const Equations* equations = nullptr;
    std::vector<int> rows;
    std::vector<double> x;             // of these rows
    std::vector<double> start, place;  // of a step; argument of f, all rows
    std::vector<double> f;
    std::array<std::vector<double>, 4> stages;
    std::int64_t evaluations = 0;
  };

  std::size_t find(const std::string& name) const {
    std::vector<std::string> names;
    for (int i = 0; i < equations_.size(); ++i) {
      names.push_back(equations_.name(i));
      if (names.back() == name) return static_cast<std::size_t>(i);
    }
    throw UserError(fmt::format("no state '{}' to be fast{}", name, did_you_mean(name, names)));
  }

  void frame(double t, double t_end, const double* x, const double* rate, double* result) {
    frame_ = {t, t_end - t, x, rate};
    if (beside_ && snapshot_) {
      beside_->begin();
      std::exception_ptr failed;
      try {
        advance_fast(frame_);
      } catch (...) {
        failed = std::current_exception();
      }
      beside_->wait();
      if (failed) std::rethrow_exception(failed);
    } else {
      advance_slow(frame_);
      advance_fast(frame_);
    }
    for (Part* part : {&fast_, &slow_}) {
      for (const int i : part->rows) result[i] = part->x[at(i)];
      stats_.rhs += std::exchange(part->evaluations, 0);
    }
  }

  void advance_slow(const Frame& frame) {
    const auto place_fast = [&](double s) {
      for (const int i : fast_.rows)
        slow_.place[at(i)] = frame.x[i] + (holds_fast_ ? 0 : s * frame.rate[i]);
    };
    for (const int i : slow_.rows) slow_.x[at(i)] = frame.x[i];
    if (!slow_.rows.empty()) runge_kutta_part(slow_, frame.t, 0, frame.length, place_fast);
  }

  // In the sequential variant after advance_slow().
  void advance_fast(const Frame& frame) {
    const double H = frame.length;
    if (variant_ == Variant::kSequential) {
      for (const int i : slow_.rows)
        curve_[at(i)] = (slow_.x[at(i)] - frame.x[i] - H * frame.rate[i]) / (H * H);
    }
    const auto place_slow = [&](double s) {
      for (const int i : slow_.rows)
        fast_.place[at(i)] = frame.x[i] + s * (frame.rate[i] + s * curve_[at(i)]);
    };
    for (const int i : fast_.rows) fast_.x[at(i)] = frame.x[i];
    for (int k = 0; k < ratio_; ++k)
      runge_kutta_part(fast_, frame.t, H * k / ratio_, H * (k + 1) / ratio_, place_slow);
  }

  // One step of the states of `part`, from s to s_end after t; `place_others` writes the other
  // states at a time after t into part.place.
  template <class Place>
  static void runge_kutta_part(Part& part, double t, double s, double s_end, Place place_others) {
    const double h = s_end - s;
    auto& k = part.stages;
    for (const int i : part.rows) part.start[at(i)] = part.place[at(i)] = part.x[at(i)];
    place_others(s);
    rates(part, t + s, k[0]);
    const std::array<double, 3> reach = {0.5, 0.5, 1};
    for (std::size_t j = 0; j < reach.size(); ++j) {
      for (const int i : part.rows)
        part.place[at(i)] = part.start[at(i)] + reach[j] * h * k[j][at(i)];
      place_others(s + reach[j] * h);
      rates(part, t + s + reach[j] * h, k[j + 1]);
    }
    for (const int row : part.rows) {
      const std::size_t i = at(row);
      part.x[i] = part.start[i] + h / 6 * (k[0][i] + 2 * k[1][i] + 2 * k[2][i] + k[3][i]);
    }
  }

  static void rates(Part& part, double t, std::vector<double>& into) {
    ++part.evaluations;
    if (part.equations->row_access() == RowAccess::kWhole)
      return part.equations->rhs(t, part.place.data(), into.data());
    part.equations->rhs_rows(part.rows, t, part.place.data(), part.f.data());
    for (std::size_t k = 0; k < part.rows.size(); ++k) into[at(part.rows[k])] = part.f[k];
  }

  static std::size_t at(int i) { return static_cast<std::size_t>(i); }

  const Equations& equations_;
  Variant variant_;
  int ratio_;
  bool holds_fast_;
  Part fast_, slow_;
  std::vector<double> curve_;
  Frame frame_;
  std::unique_ptr<const Equations> snapshot_;  // for the slow part, in the other thread
  std::unique_ptr<BackgroundJob> beside_;
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
