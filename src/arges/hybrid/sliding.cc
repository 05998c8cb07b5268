#include "arges/hybrid/sliding.h"

#include <algorithm>
#include <cmath>

namespace arges {

Sliding::Sliding(const HybridSystem& system, const Context& now, EventId event, int armed, double t,
                 const double* x)
    : system_(system),
      one_(now),
      other_(now),
      one_equations_(system, one_, now.mode),
      other_equations_(system, other_, now.mode),
      event_(event),
      is_rest_(true),
      armed_(armed) {
  take_structure();
  find_frozen(t, x);
}

Sliding::Sliding(const HybridSystem& system, const Context& one, const Context& other,
                 EventId event)
    : system_(system),
      one_(one),
      other_(other),
      one_equations_(system, one_, one.mode),
      other_equations_(system, other_, other.mode),
      event_(event),
      is_rest_(false) {
  take_structure();
}

void Sliding::take_structure() {
  size_ = one_equations_.size();
  form_ = EquationForm::kExplicit;
  autonomous_ = one_equations_.autonomous() && other_equations_.autonomous();
  nominal_ = one_equations_.nominal();
  f1_.resize(size_);
  f2_.resize(size_);
  x_try_.resize(size_);
  g_.resize(system_.schema().events.size());
}

double Sliding::condition(double t, const double* x) const {
  system_.conditions(one_equations_.point(t, x), Conditions(g_.data()));
  return g_[event_.index];
}

// How far one may go along f for a difference quotient.
double Sliding::step_along(const double* x, const double* f) const {
  double step = 1e-4;
  for (int i = 0; i < size_; ++i) {
    const double scale = std::max(std::abs(x[i]), 1e-3 * nominal_[i]);
    if (f[i] != 0) step = std::min(step, 1e-4 * scale / std::abs(f[i]));
  }
  return step;
}

double Sliding::slope(double t, const double* x, const double* f) const {
  const double h = step_along(x, f);
  for (int i = 0; i < size_; ++i) x_try_[i] = x[i] + h * f[i];
  const double ahead = condition(t + h, x_try_.data());
  for (int i = 0; i < size_; ++i) x_try_[i] = x[i] - h * f[i];
  return (ahead - condition(t - h, x_try_.data())) / (2 * h);
}

double Sliding::blend(double t, const double* x) const {
  one_equations_.rhs(t, x, f1_.data());
  other_equations_.rhs(t, x, f2_.data());
  const double d1 = slope(t, x, f1_.data()), d2 = slope(t, x, f2_.data());
  return d1 == d2 ? 0.5 : d1 / (d1 - d2);
}

// The variables that move the condition, and those that move these.
void Sliding::find_frozen(double t, const double* x) {
  const auto shifted = [&](int j) {
    std::copy_n(x, size_, x_try_.begin());
    x_try_[j] += 1e-6 * std::max(std::abs(x[j]), nominal_[j]);
    return x_try_.data();
  };
  frozen_.assign(size_, 0);
  const double g = condition(t, x);
  std::vector<int> first;
  for (int j = 0; j < size_; ++j) {
    if (condition(t, shifted(j)) != g) first.push_back(j);
  }
  one_equations_.rhs(t, x, f1_.data());
  for (int j = 0; j < size_; ++j) {
    one_equations_.rhs(t, shifted(j), f2_.data());
    for (const int i : first) frozen_[j] |= f2_[i] != f1_[i];
  }
  for (const int i : first) frozen_[i] = 1;
}

void Sliding::rhs(double t, const double* x, double* f) const {
  if (is_rest_) {
    one_equations_.rhs(t, x, f);
    for (int i = 0; i < size_; ++i) {
      if (frozen_[i] != 0) f[i] = 0;
    }
    return;
  }
  const double a = blend(t, x);
  for (int i = 0; i < size_; ++i) f[i] = (1 - a) * f1_[i] + a * f2_[i];
}

Sliding::Exit Sliding::exit(double t, const double* x) const {
  if (!is_rest_) {
    const double a = blend(t, x);
    return a < 0 ? Exit::kToOne : a > 1 ? Exit::kToOther : Exit::kStays;
  }
  // Where would the condition be after a short while of free motion?
  one_equations_.rhs(t, x, f1_.data());
  const double h = 1e-4;
  for (int i = 0; i < size_; ++i) x_try_[i] = x[i] + h * f1_[i];
  one_equations_.rhs(t + h, x_try_.data(), f2_.data());
  const double g = condition(t, x);
  for (int i = 0; i < size_; ++i) x_try_[i] = x[i] + h * f2_[i];
  return armed_ * (condition(t, x_try_.data()) - g) > 0 ? Exit::kToOne : Exit::kStays;
}

}  // namespace arges
