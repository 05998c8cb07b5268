#pragma once
// A Rosenbrock code with nothing around it: fixed size, no virtual calls, no heap, the problem
// inlined. What the kernel is measured against, not a part of it.

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "arges/solvers/rodas5p_tableau.h"
#include "bench/reference_values.h"

namespace arges::bench {

// RODAS4 of Hairer and Wanner (Solving Ordinary Differential Equations II, IV.7 and their code
// RODAS): 6 stages, order 4(3), in the form without products with the Jacobian.
struct Rodas4 {
  static constexpr int kStages = 6, kOrder = 4;
  static constexpr double kGamma = 0.25;
  static constexpr double kA[4 + 1][4] = {
      {},
      {1.544},
      {0.9466785280815826, 0.2557011698983284},
      {3.314825187068521, 2.896124015972201, 0.9986419139977817},
      {1.221224509226641, 6.019134481288629, 12.53708332932087, -0.6878860361058950}};
  static constexpr double kC[kStages][kStages - 1] = {
      {},
      {-5.6688},
      {-2.430093356833875, -0.2063599157091915},
      {-0.1073529058151375, -9.594562251023355, -20.47028614809616},
      {7.496443313967647, -10.24680431464352, -33.99990352819905, 11.70890893206160},
      {8.083246795921522, -7.981132988064893, -31.52159432874371, 16.31930543123136,
       -6.058818238834054}};
};

struct Rodas5p {
  static constexpr int kStages = rodas5p::kStages, kOrder = rodas5p::kOrder;
  static constexpr double kGamma = rodas5p::kGamma;
  static constexpr auto& kA = rodas5p::kA;
  static constexpr auto& kC = rodas5p::kC;
};

template <int N>
using Vec = std::array<double, N>;

template <int N>
class BareLu {
 public:
  double m[N][N];

  void factor() {
#pragma GCC unroll 8
    for (int k = 0; k < N; ++k) {
      int q = k;
#pragma GCC unroll 8
      for (int i = k + 1; i < N; ++i) {
        if (std::abs(m[i][k]) > std::abs(m[q][k])) q = i;
      }
      pivot_[k] = q;
      if (q != k) {
        for (int j = 0; j < N; ++j) std::swap(m[k][j], m[q][j]);
      }
      inverse_[k] = 1 / m[k][k];
#pragma GCC unroll 8
      for (int i = k + 1; i < N; ++i) {
        const double factor = m[i][k] *= inverse_[k];
#pragma GCC unroll 8
        for (int j = k + 1; j < N; ++j) m[i][j] -= factor * m[k][j];
      }
    }
  }

  [[gnu::always_inline]] void solve(Vec<N>& b) const {
#pragma GCC unroll 8
    for (int k = 0; k < N; ++k) std::swap(b[k], b[pivot_[k]]);
#pragma GCC unroll 8
    for (int i = 1; i < N; ++i) {
#pragma GCC unroll 8
      for (int j = 0; j < i; ++j) b[i] -= m[i][j] * b[j];
    }
#pragma GCC unroll 8
    for (int i = N - 1; i >= 0; --i) {
#pragma GCC unroll 8
      for (int j = i + 1; j < N; ++j) b[i] -= m[i][j] * b[j];
      b[i] *= inverse_[i];
    }
  }

 private:
  int pivot_[N];
  double inverse_[N];
};

// The loop: tolerances, state, and one step at a time.
template <class Method, class Problem>
class BareRosenbrock {
 public:
  static constexpr int N = Problem::N;

  BareRosenbrock(double rtol, const Vec<N>& atol) : rtol_(rtol), atol_(atol) {}

  // Takes x to be the state, and h the next step.
  void start(const Vec<N>& x, double h) {
    x_ = x;
    h_ = h;
    fresh_ = true;
  }
  // One accepted step of at most `most`, from before() to x(); returns its length.
  double step(const Problem& problem, double most) {
    for (;;) {
      if (fresh_) {
        problem.f(x_, f_);
        problem.jacobian(x_, jacobian_);
        fresh_ = false;
      }
      const double h = std::min(h_, most);
      const double error = attempt(problem, x_, h, next_);
      constexpr double kExponent = -1.0 / Method::kOrder;
      const double factor = std::clamp(0.9 * std::pow(std::max(error, 1e-10), kExponent), 0.2, 6.0);
      h_ = h < h_ && error <= 1 ? std::max(h_, h * factor) : h * factor;
      if (error <= 1) {
        before_ = x_;
        x_ = next_;
        fresh_ = true;
        ++steps_;
        return h;
      }
    }
  }
  // The last step again, with another length.
  void retake(const Problem& problem, double h, Vec<N>& x) { attempt(problem, before_, h, x); }

  const Vec<N>& before() const { return before_; }
  const Vec<N>& x() const { return x_; }
  long steps() const { return steps_; }

 private:
  double attempt(const Problem& problem, const Vec<N>& x, double h, Vec<N>& next);
  template <int S>
  void stage(const Problem& problem, const Vec<N>& x, double inverse);

  double rtol_;
  Vec<N> atol_;
  Vec<N> x_{}, before_{}, next_{}, f_{};
  double jacobian_[N][N];
  double h_ = 0;
  bool fresh_ = true;
  long steps_ = 0;
  BareLu<N> lu_;
  Vec<N> k_[Method::kStages], u_;
};

template <class Method, class Problem>
template <int S>
inline void BareRosenbrock<Method, Problem>::stage(const Problem& problem, const Vec<N>& x,
                                                   double inverse) {
  constexpr int kFull = std::size(Method::kA);  // later rows add the stage before
#pragma GCC unroll 8
  for (int i = 0; i < N; ++i) {
    if constexpr (S < kFull) {
      double sum = x[i];
#pragma GCC unroll 8
      for (int j = 0; j < S; ++j) sum += Method::kA[S][j] * k_[j][i];
      u_[i] = sum;
    } else {
      u_[i] += k_[S - 1][i];
    }
  }
  Vec<N> slope;
  problem.f(u_, slope);
#pragma GCC unroll 8
  for (int i = 0; i < N; ++i) {
    double sum = 0;
#pragma GCC unroll 8
    for (int j = 0; j < S; ++j) sum += Method::kC[S][j] * k_[j][i];
    k_[S][i] = slope[i] + inverse * sum;
  }
  lu_.solve(k_[S]);
}

// Returns the error norm. f_ and jacobian_ belong to x.
template <class Method, class Problem>
double BareRosenbrock<Method, Problem>::attempt(const Problem& problem, const Vec<N>& x, double h,
                                                Vec<N>& next) {
  const double inverse = 1 / h;
#pragma GCC unroll 8
  for (int i = 0; i < N; ++i) {
#pragma GCC unroll 8
    for (int j = 0; j < N; ++j) lu_.m[i][j] = -jacobian_[i][j];
    lu_.m[i][i] += inverse / Method::kGamma;
  }
  lu_.factor();
  k_[0] = f_;
  lu_.solve(k_[0]);
  stage<1>(problem, x, inverse);
  stage<2>(problem, x, inverse);
  stage<3>(problem, x, inverse);
  stage<4>(problem, x, inverse);
  stage<5>(problem, x, inverse);
  if constexpr (Method::kStages > 6) {
    stage<6>(problem, x, inverse);
    stage<7>(problem, x, inverse);
  }
  const Vec<N>& last = k_[Method::kStages - 1];
  double sum = 0;
#pragma GCC unroll 8
  for (int i = 0; i < N; ++i) {
    next[i] = u_[i] + last[i];
    const double scale = atol_[i] + rtol_ * std::max(std::abs(x[i]), std::abs(next[i]));
    sum += (last[i] / scale) * (last[i] / scale);
  }
  return std::sqrt(sum / N);
}

struct BareC1 {
  static constexpr int N = 3;
  void f(const Vec<3>& x, Vec<3>& d) const {
    const double pairing = kC1_kf * x[0] * x[0], tripling = kC1_kr * x[1] * x[0];
    d[0] = kC1_dr * x[2] + 2 * kC1_dm * x[1] - tripling - 2 * pairing - kC1_lf * x[0];
    d[1] = kC1_dr * x[2] - kC1_dm * x[1] + pairing - tripling;
    d[2] = -kC1_dr * x[2] + tripling;
  }
  void jacobian(const Vec<3>& x, double (&J)[3][3]) const {
    J[0][0] = -kC1_lf - 4 * kC1_kf * x[0] - kC1_kr * x[1];
    J[0][1] = 2 * kC1_dm - kC1_kr * x[0];
    J[0][2] = kC1_dr;
    J[1][0] = 2 * kC1_kf * x[0] - kC1_kr * x[1];
    J[1][1] = -kC1_dm - kC1_kr * x[0];
    J[1][2] = kC1_dr;
    J[2][0] = kC1_kr * x[1];
    J[2][1] = kC1_kr * x[0];
    J[2][2] = -kC1_dr;
  }
};

struct BareC5 {
  static constexpr int N = 2;
  double c2, c4;
  void f(const Vec<2>& x, Vec<2>& d) const {
    d[0] = kC5_c1 * (x[1] + c2 - x[0]);
    d[1] = kC5_c3 * (c4 - x[1]);
  }
  void jacobian(const Vec<2>&, double (&J)[2][2]) const {
    J[0][0] = -kC5_c1;
    J[0][1] = kC5_c1;
    J[1][0] = 0;
    J[1][1] = -kC5_c3;
  }
};

struct BareOutcome {
  double error = 0;
  int events = 0;
  long steps = 0;
};

template <class Method>
BareOutcome bare_c1(double rtol) {
  static constexpr double kReference[] = kC1_end;
  const Vec<3> start = {kC1_f0, kC1_m0, kC1_r0};
  BareRosenbrock<Method, BareC1> loop(rtol, {kAtolOf(rtol), kAtolOf(rtol), kAtolOf(rtol)});
  loop.start(start, 1e-6);
  for (double t = 0; t < kC1_stop;) {
    const double rest = kC1_stop - t;
    const double h = loop.step(BareC1{}, rest);
    t = h == rest ? kC1_stop : t + h;
  }
  BareOutcome outcome{0, 0, loop.steps()};
  for (int i = 0; i < 3; ++i)
    outcome.error = std::max(outcome.error, std::abs(loop.x()[i] / kReference[i] - 1));
  return outcome;
}

// The event is bracketed by the regula falsi (Illinois) on the last step taken again.
template <class Method>
BareOutcome bare_c5(double rtol) {
  static constexpr double kReference[] = kC5_events;
  constexpr BareC5 kRegimes[2] = {{kC5_c2_1, kC5_c4_1}, {kC5_c2_2, kC5_c4_2}};
  constexpr double kThresholds[2] = {kC5_upper, kC5_lower};
  BareRosenbrock<Method, BareC5> loop(rtol, {kAtolOf(rtol), kAtolOf(rtol)});
  BareOutcome outcome;
  double t = 0;
  Vec<2> x = {kC5_y1, kC5_y2};
  while (t < kC5_stop) {
    const BareC5& regime = kRegimes[outcome.events % 2];
    const double sign = outcome.events % 2 == 0 ? 1 : -1;
    const auto condition = [&](const Vec<2>& at) {
      return sign * (at[0] - kThresholds[outcome.events % 2]);
    };
    loop.start(x, 1e-9);
    bool crossed = false;
    while (t < kC5_stop && !crossed) {
      const double rest = kC5_stop - t;
      const double h = loop.step(regime, rest);
      x = loop.x();
      double low = 0, high = h;
      double g_low = condition(loop.before()), g_high = condition(x);
      crossed = g_low < 0 && g_high >= 0;
      if (crossed) {
        double g = g_high;
        for (int i = 0; i < 60 && high - low > 1e-15 * (1 + t) && std::abs(g) > 1e-14; ++i) {
          double middle = high - g_high * (high - low) / (g_high - g_low);
          if (!(middle > low && middle < high)) middle = 0.5 * (low + high);
          loop.retake(regime, middle, x);
          g = condition(x);
          if (g >= 0) {
            high = middle;
            g_high = g;
            g_low *= 0.5;
          } else {
            low = middle;
            g_low = g;
            g_high *= 0.5;
          }
        }
        t += high;
      } else {
        t = h == rest ? kC5_stop : t + h;
      }
    }
    if (crossed) {
      if (outcome.events < 5)
        outcome.error = std::max(outcome.error, std::abs(t - kReference[outcome.events]));
      ++outcome.events;
    }
  }
  outcome.steps = loop.steps();
  return outcome;
}

}  // namespace arges::bench
