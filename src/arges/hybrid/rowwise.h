#pragma once
// Models whose rates are written one row at a time.

#include <string>
#include <type_traits>

#include "arges/hybrid/system.h"
#include "arges/qss/power_series.h"

namespace arges {

// Where one row is evaluated, with numbers or with polynomials in time: the Point of a number type
// T.
template <class T>
class RowPoint {
 public:
  static constexpr int kOrder =
      std::is_same_v<T, double> ? 1 : static_cast<int>(sizeof(T) / sizeof(double));
  explicit RowPoint(const Point& at) : at_(at) {}

  T state(int i) const {
    if constexpr (std::is_same_v<T, double>) {
      return at_.x[i];
    } else {
      return T(at_.x + static_cast<std::ptrdiff_t>(i) * kOrder);
    }
  }
  T t() const {
    if constexpr (std::is_same_v<T, double>) {
      return at_.t;
    } else {
      T time(at_.t);
      time.c[1] = 1;
      return time;
    }
  }
  T operator[](StateId i) const { return state(i.index); }
  double operator[](ParameterId i) const { return at_[i]; }
  double operator[](InputId i) const { return at_[i]; }
  double operator[](DiscreteId i) const { return at_[i]; }
  ModeId mode() const { return at_.mode; }

 private:
  const Point& at_;
};

// A model that says only what one row is:
//
//   class Diffusion : public RowwiseSystem<Diffusion> {
//     template <class T> T rate(int row, const RowPoint<T>& at) const { ... }
//
// and gets derivatives(), derivatives_of() and series_of() from that, the last with exact
// coefficients. Its constructor calls declare_rows(RowAccess::kSeries) in each mode.
template <class Model>
class RowwiseSystem : public HybridSystem {
 public:
  using HybridSystem::HybridSystem;

  void derivatives(const Point& at, Rates xdot) const override {
    const RowPoint<double> point(at);
    const int n = static_cast<int>(schema_.modes[at.mode.index].states.size());
    for (int i = 0; i < n; ++i) xdot.data()[i] = model().template rate<double>(i, point);
  }
  void derivatives_of(std::span<const int> rows, const Point& at, double* f) const override {
    const RowPoint<double> point(at);
    for (std::size_t k = 0; k < rows.size(); ++k)
      f[k] = model().template rate<double>(rows[k], point);
  }
  void series_of(std::span<const int> rows, int order, const Point& at, double* f) const override {
    order == 2 ? write_series<2>(rows, at, f) : write_series<3>(rows, at, f);
  }

 private:
  const Model& model() const { return static_cast<const Model&>(*this); }

  template <int N>
  [[gnu::flatten]] void write_series(std::span<const int> rows, const Point& at, double* f) const {
    const RowPoint<PowerSeries<N>> point(at);
    for (std::size_t k = 0; k < rows.size(); ++k) {
      const PowerSeries<N> rate = model().template rate<PowerSeries<N>>(rows[k], point);
      for (int c = 0; c < N; ++c) f[k * N + c] = rate.c[c];
    }
  }
};

}  // namespace arges
