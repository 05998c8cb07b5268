#pragma once
// When each variable of a quantised-state integrator has to move.

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "arges/qss/first_exit.h"
#include "arges/qss/refreshed_store.h"
#include "arges/qss/time_heap.h"

namespace arges {

// What neighbours do to a linearly implicit state may carry it so far before it has to move.
inline constexpr double kWidestBand = 1;

// A store whose variables stand in a schedule: each at the time at which it leaves the band around
// its quantised state, at that which it has planned, or at which its rate has to be looked at.
template <int N, bool kImplicit>
class ScheduledStore : public RefreshedStore<N, kImplicit> {
 protected:
  using Store = RefreshedStore<N, kImplicit>;

  ScheduledStore(const QuantisedEquations& equations, const QuantumOptions& options)
      : Store(equations, options), heap_(n_) {}

  using Store::cells_;
  using Store::culprit_;
  using Store::follow_curve;
  using Store::look_ahead;
  using Store::n_;
  using Store::q;
  using Store::q_time_;
  using Store::refresh_;
  using Store::shift_q;
  using Store::t_;

  [[gnu::always_inline]] void schedule(int i) {
    if (!refresh_.empty()) return schedule_and_look_ahead(i);
    heap_.set(i, due_after(i, wait_for_band(i, cells_[i])));
  }

  // How long x stays within its quantum of q.
  [[gnu::always_inline]] double wait_for_band(int i, const Cell<N, kImplicit>& cell) {
    double* p = q(i);
    double wait = kNever;
    if constexpr (!kImplicit && N == 1) {
      // To the neighbouring level, which is a fixed number; on or behind it means now.
      const double rate = cell.x[1];
      if (rate != 0)
        wait = std::max(0.0, (p[0] + std::copysign(cell.quantum, rate) - cell.x[0]) / rate);
      if (!(wait > 0) && !std::isfinite(rate + cell.x[0])) culprit_ = i;
    } else {
      shift_q(i);
      const double band = kImplicit ? kWidestBand * cell.quantum : cell.quantum;
      bool relaxes = false;
      if constexpr (kImplicit) relaxes = cell.decay != 0;
      if (relaxes) {
        if constexpr (kImplicit) wait = Store::way(cell).leaves(p, band);
      } else if constexpr (N == 1) {
        wait = first_exit(cell.x[0] - p[0], cell.x[1], band);
      } else if constexpr (N == 2) {
        wait = first_exit(cell.x[0] - p[0], cell.x[1] - p[1], cell.x[2], band);
      } else {
        wait = first_exit(cell.x[0] - p[0], cell.x[1] - p[1], cell.x[2] - p[2], cell.x[3], band);
      }
      double sum = cell.x[0];  // not finite with any that is not
      for (int k = 1; k <= N; ++k) sum += cell.x[k];
      if (!std::isfinite(sum)) culprit_ = i;
    }
    return wait;
  }

  // A rate has to be looked at, and no more.
  bool is_refreshed_only(int i) const { return !refresh_.empty() && refresh_[i].quantum_due > t_; }

  // Whether others may be due at t_, too. What rounding alone keeps apart is one instant: cells of
  // one row reach their levels at times that are multiples of the same rational numbers.
  bool has_company() const { return heap_.second_time() <= end_of_instant(); }

  // Who moves at t_, ascending.
  std::span<const int> those_due() {
    heap_.collect(end_of_instant(), due_);
    std::erase_if(due_, [&](int i) { return !is_due(i); });
    if (due_.size() > 2) {
      std::sort(due_.begin(), due_.end());
    } else if (due_.size() == 2 && due_[0] > due_[1]) {
      std::swap(due_[0], due_[1]);
    }
    return due_;
  }

  TimeHeap heap_;

 private:
  [[gnu::noinline]] void schedule_and_look_ahead(int i) {
    Cell<N, kImplicit>& cell = cells_[i];
    double wait = wait_for_band(i, cell);
    Refresh& refresh = refresh_[i];
    if (refresh.due <= t_) refresh.due = look_ahead(i, refresh, wait);
    if (refresh.curve != 0) {
      follow_curve(i, cell, refresh);
      wait = wait_for_band(i, cell);
    }
    refresh.quantum_due = due_after(i, wait);
    heap_.set(i, std::min(refresh.quantum_due, refresh.due));
  }

  // When a state moves that stays within its quantum so long.
  [[gnu::always_inline]] double due_after(int i, double wait) {
    double due = t_ + wait;
    if (std::isnan(due)) {
      culprit_ = i;
      due = kNever;
    }
    if constexpr (kImplicit) {
      const Cell<N, kImplicit>& cell = cells_[i];
      if (cell.planned) due = std::min(due, std::max(cell.plan, t_));
    }
    return due;
  }

  double end_of_instant() const {
    constexpr double kRounding = 4096 * std::numeric_limits<double>::epsilon();
    return t_ + kRounding * std::abs(t_);
  }

  // At this time, or so near that nobody sees the difference.
  [[gnu::always_inline]] bool is_due(int i) {
    constexpr double kNotSeen = 1e-6;  // of a quantum
    if (heap_.time_of(i) <= t_) return true;
    if (is_refreshed_only(i)) return false;
    shift_q(i);
    const double left = this->value(i, t_) - q(i)[0];
    return std::abs(left) >= (1 - kNotSeen) * cells_[i].quantum;
  }

  std::vector<int> due_;
};

}  // namespace arges
