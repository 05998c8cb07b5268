#pragma once
// Rates that depend on time: how long their polynomials may be followed.

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "arges/base/error.h"
#include "arges/base/float_spacing.h"
#include "arges/qss/cell_store.h"

namespace arges {

// A cell store whose rates leave their polynomials by themselves, not only when a state that they
// read moves. Each polynomial is compared with its rate ahead; it is renewed before it misses more
// than a part of the quantum, and what it has missed by then is made good.
template <int N, bool kImplicit>
class RefreshedStore : public CellStore<N, kImplicit> {
 protected:
  using Store = CellStore<N, kImplicit>;

  RefreshedStore(const QuantisedEquations& equations, const QuantumOptions& options)
      : Store(equations, options),
        refresh_(equations.autonomous() ? 0 : static_cast<std::size_t>(n_)),
        ahead_(refresh_.size()) {}

  using Store::cells_;
  using Store::equations_;
  using Store::n_;
  using Store::options_;
  using Store::q;
  using Store::q_time_;
  using Store::rows_evaluated_;
  using Store::series_calls_;
  using Store::t_;

  // A rate that leaves its polynomial as c s^N until h: the last coefficient becomes such that what
  // it misses adds up to nothing at the end, c h N / (N + 1) more.
  void follow_curve(int i, Cell<N, kImplicit>& cell, Refresh& refresh) {
    refresh.followed = refresh.curve;
    refresh.since = t_;
    refresh.length = refresh.due - t_;
    cell.x[N] += refresh.followed * refresh.length / (N + 1);
    this->find_way(i);
  }

  // x of row i goes on from t_ with the rate f. A polynomial that was to follow a curve for longer
  // has missed c (s^(N+1) - h s^N) / (N + 1) so far, always to the same side: that is made good. (A
  // stiff state forgets it.)
  [[gnu::always_inline]] void renew_rate(int i, const double* f) {
    if (!refresh_.empty() && refresh_[i].followed != 0) {
      const double c = std::exchange(refresh_[i].followed, 0);
      const double s = t_ - refresh_[i].since;
      double power = s;
      for (int k = 1; k < N; ++k) power *= s;
      bool forgets = false;
      if constexpr (kImplicit) forgets = cells_[i].decay != 0;
      if (!forgets) cells_[i].x[0] += c * power * (s - refresh_[i].length) / (N + 1);
    }
    this->take_rate(i, f);
  }

  double first_interval(double wait) const {
    return std::max(1e-6 * std::abs(t_), 1e-6 * (std::isfinite(wait) ? wait : 1.0)) + 1e-12;
  }

  // How far the polynomial of rate i may be followed: it is compared with the rate itself ahead, at
  // the end of an interval, and in its middle when it is longer than the last one; the interval is
  // shortened until what it misses is a part of the quantum. So it ends before a jump of the rate
  // in time, or is so short that the jump does not matter. A rate that cannot be computed ahead is
  // one that is missed.
  double look_ahead(int i, Refresh& refresh, double wait) {
    double h = refresh.interval > 0 ? refresh.interval * refresh.factor : first_interval(wait);
    h = std::min(h, options_.longest_look);
    const double least = 4 * spacing(t_);
    double factor;
    for (;;) {
      h = std::max(h, least);
      const double at_end = missed(i, h);
      double miss = std::abs(at_end), curve = 0;
      {
        const double in_middle = missed(i, 0.5 * h);
        // As a smooth rate does it.
        const bool smooth = std::abs(at_end - (1 << N) * in_middle) <= 0.5 * miss;
        if (smooth && miss > 0) {
          curve = as_curve(at_end, in_middle) / (N == 1 ? h : N == 2 ? h * h : h * h * h);
        } else {
          miss = std::max(miss, std::abs(in_middle));
        }
      }
      const double part = part_missed(cells_[i], miss, h, curve != 0, options_.watched);
      factor = 0.8 * std::pow(part, -1.0 / (N + 1));
      refresh.curve = curve;
      if (part <= 1 || h <= least) break;
      h *= std::clamp(factor, 0.1, 0.5);
    }
    refresh.interval = h;
    refresh.factor = std::clamp(factor, 0.5, 2.0);
    return t_ + h;
  }

  // Of a rate that leaves its polynomial as c s^N + b s^(N+1): the one power N that adds up to the
  // same at the end, times h^N.
  static double as_curve(double at_end, double in_middle) {
    const double doubled = (2 << N) * in_middle;
    return doubled - at_end + 2 * (at_end - 0.5 * doubled) * (N + 1) / (N + 2);
  }

  // f_i - its polynomial, after s; infinite when it cannot be computed.
  double missed(int i, double s) {
    double foreseen = 0;
    for (int k = N; k >= 1; --k) foreseen = foreseen * s + k * cells_[i].x[k];
    const double miss = rate_ahead(i, s) - foreseen;
    return std::isnan(miss) ? kNever : miss;
  }

  // f_i after s along the quantised states; NaN where it cannot be computed.
  double rate_ahead(int i, double s) {
    for (const int j : equations_.reads(i)) {
      const double* p = q(j);
      double r = s;
      if constexpr (N > 1) r += t_ - q_time_[j];
      double sum = p[N - 1];
      for (int k = N - 2; k >= 0; --k) sum = sum * r + p[k];
      ahead_[j] = sum;
    }
    double rate = 0;
    const int row[1] = {i};
    ++rows_evaluated_;
    ++series_calls_;
    try {
      equations_.series(row, 1, t_ + s, ahead_.data(), s, &rate);
    } catch (const EvaluationError&) {
      return std::numeric_limits<double>::quiet_NaN();
    }
    return rate;
  }

  std::vector<Refresh> refresh_;  // empty: nothing depends on time
  std::vector<double> ahead_;     // the quantised states at a later time
};

}  // namespace arges
