#pragma once
// C18: recorded data of a nonlinear process, and models of it that were learnt from them.

#include <array>
#include <vector>

#include "arges/neural/network.h"

namespace arges::argesim::c18 {

constexpr int kSamples = 2000, kTraining = 1000, kHold = 20;
constexpr double kPeriod = 0.1;

// u_k: a level that holds for 20 samples; the levels are those of a congruential generator.
std::vector<double> input_levels();

struct Record {
  std::vector<double> u, y;  // y_k is taken before u_k acts
};
// The plant x1' = x2, x2' = -x1 - 0.8 x2 + u; y = x1 + 0.3 x1^2 - 0.1 x1^3, between the samples by
// its exact solution.
Record recorded();

// y_k = t1 y_{k-1} + t2 y_{k-2} + t3 u_{k-1} + t4 u_{k-2} + t5, by least squares on the training
// part.
using Linear = std::array<double, 5>;
Linear fit_linear(const Record& record);

// The same regressors, by a net: y_k = y_{k-1} + h g(y_{k-1}, y_{k-1} - y_{k-2}, u_{k-1}, u_{k-2}).
// Trained on single steps by Levenberg and Marquardt, then on the free run.
struct NetModel {
  static constexpr double kScale = 0.05;  // h: of one step
  neural::Network net;
  double step_error = 0;  // root of the mean square on the training part

  double next(double y1, double y2, double u1, double u2) const;
};
NetModel fit_net(const Record& record);

// A linear model z_k = t1 z_{k-1} + t2 z_{k-2} + t3 u_{k-1} + t4 u_{k-2}, and a net on its output:
// y_k = g(z_k).
struct WienerModel {
  Linear linear;
  neural::Network net;

  std::vector<double> run(const Record& record, int count) const;
};
WienerModel fit_wiener(const Record& record);

// Simulated without looking at measured outputs, but for the first two.
template <class Next>
std::vector<double> free_run(const Record& record, int count, const Next& next) {
  std::vector<double> y(record.y.begin(), record.y.begin() + 2);
  for (int i = 2; i < count; ++i) {
    const auto k = static_cast<std::size_t>(i);
    y.push_back(next(y[k - 1], y[k - 2], record.u[k - 1], record.u[k - 2]));
  }
  return y;
}
double step(const Linear& t, double y1, double y2, double u1, double u2);

// Root of the mean square of the difference, over samples from `first` to `last` - 1.
double distance(const std::vector<double>& a, const std::vector<double>& b, int first, int last);

}  // namespace arges::argesim::c18
