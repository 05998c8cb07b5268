#pragma once
// Small problems for tests of the quantised-state methods.

#include <algorithm>
#include <memory>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "arges/qss/integrator.h"
#include "arges/qss/power_series.h"

namespace arges {

inline constexpr QuantisedMethod kQuantisedMethods[] = {
    QuantisedMethod::kQss1,   QuantisedMethod::kQss2,   QuantisedMethod::kQss3,
    QuantisedMethod::kLiqss1, QuantisedMethod::kLiqss2, QuantisedMethod::kLiqss3};

inline bool is_linearly_implicit(QuantisedMethod method) {
  return method >= QuantisedMethod::kLiqss1;
}
inline int order_of(QuantisedMethod method) { return static_cast<int>(method) % 3 + 1; }

// x' = A x + b, dense.
class Linear final : public QuantisedEquations {
 public:
  Linear(std::vector<double> matrix, std::vector<double> offset)
      : matrix_(std::move(matrix)), offset_(std::move(offset)), all_(offset_.size()) {
    std::iota(all_.begin(), all_.end(), 0);
  }
  int size() const override { return static_cast<int>(offset_.size()); }
  bool autonomous() const override { return true; }
  std::span<const int> readers(int) const override { return all_; }
  std::span<const int> reads(int) const override { return all_; }
  void series(std::span<const int> rows, int order, double, const double* q, double,
              double* f) const override {
    for (std::size_t k = 0; k < rows.size(); ++k) {
      for (int c = 0; c < order; ++c) {
        double sum = c == 0 ? offset_[rows[k]] : 0;
        for (int j = 0; j < size(); ++j) sum += matrix_[rows[k] * size() + j] * q[j * order + c];
        f[k * order + c] = sum;
      }
    }
  }

 private:
  std::vector<double> matrix_, offset_;
  std::vector<int> all_;
};

// One state, x' = f(t, x) as a function of power series.
template <class F>
class Scalar final : public QuantisedEquations {
 public:
  Scalar(F f, bool autonomous) : f_(f), autonomous_(autonomous) {}
  int size() const override { return 1; }
  bool autonomous() const override { return autonomous_; }
  std::span<const int> readers(int) const override { return kAll; }
  std::span<const int> reads(int) const override { return kAll; }
  void series(std::span<const int>, int order, double t, const double* q, double,
              double* f) const override {
    PowerSeries<3> x, time(t);
    std::copy_n(q, order, x.c.data());
    time.c[1] = 1;
    const PowerSeries<3> rate = f_(time, x);
    std::copy_n(rate.c.data(), order, f);
  }

 private:
  static constexpr int kAll[1] = {0};
  F f_;
  bool autonomous_;
};

// With a fixed quantum, until `stop`.
inline std::unique_ptr<QuantisedIntegrator> run(QuantisedMethod method,
                                                const QuantisedEquations& equations,
                                                std::vector<double> x, double quantum,
                                                double stop) {
  auto integrator = make_quantised_integrator(method, equations, {0, quantum, {}, true});
  integrator->start(0, x.data());
  EXPECT_EQ(integrator->run(stop, 100'000'000), QuantisedIntegrator::Outcome::kLimit);
  return integrator;
}

}  // namespace arges
