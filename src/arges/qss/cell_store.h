#pragma once
// The variables of a quantised-state integrator, and how they move between two events.

#include <algorithm>
#include <limits>
#include <span>
#include <vector>

#include "arges/qss/cell.h"
#include "arges/qss/integrator.h"
#include "arges/qss/relaxation.h"
#include "arges/qss/zeroed_array.h"

namespace arges {

// Holds x and q of all variables, evaluates rates along q and moves single variables in time. When
// they move and what becomes of q is for the integrator that is made from it.
template <int N, bool kImplicit>
class CellStore : public QuantisedIntegrator {
 public:
  CellStore(const QuantisedEquations& equations, const QuantumOptions& options)
      : equations_(equations),
        options_(options),
        n_(equations.size()),
        cells_(static_cast<std::size_t>(n_)),
        q_(static_cast<std::size_t>(n_) * N),
        q_time_(static_cast<std::size_t>(N > 1 ? n_ : 0)) {}

  double value(int i, double t) const override {
    return value_after(cells_[i], t - cells_[i].time);
  }
  void values(double t, double* x) const override {
    const Cell<N, kImplicit>* cell = cells_.data();
    for (int i = 0; i < n_; ++i, ++cell) x[i] = value_after(*cell, t - cell->time);
  }
  void take_part_of_quanta(double part) override { part_ = part; }
  std::int64_t moves_of(int i) const override { return cells_[i].moves; }
  double activity_of(int i, double t) const override {
    Cell<N, kImplicit> cell = cells_[i];
    add_way(cell, t - cell.time);
    return cell.activity;
  }

 protected:
  // How a stiff state goes on from cell.time.
  static Relaxation<N> way(const Cell<N, kImplicit>& cell) {
    return Relaxation<N>::known(cell.decay, cell.end, cell.x[0]);
  }

  // Where it begins x is known, whatever its rate is.
  [[gnu::always_inline]] static double value_after(const Cell<N, kImplicit>& cell, double s) {
    if (s == 0) return cell.x[0];
    if constexpr (kImplicit) {
      if (cell.decay != 0) return way(cell).value(s);
    }
    double sum = cell.x[N];
    for (int k = N - 1; k >= 0; --k) sum = sum * s + cell.x[k];
    return sum;
  }

  // The way over the next s: of a stiff state, which turns once at most, that between a few points.
  static void add_way(Cell<N, kImplicit>& cell, double s) {
    if constexpr (kImplicit) {
      if (cell.decay != 0) {
        constexpr int kPoints = 8;
        double before = cell.x[0];
        for (int k = 1; k <= kPoints; ++k) {
          const double now = value_after(cell, s * k / kPoints);
          cell.activity += std::abs(now - before);
          before = now;
        }
        return;
      }
    }
    add_activity(cell, s);
  }

  double* q(int i) { return &q_[static_cast<std::size_t>(i) * N]; }

  [[gnu::always_inline]] double quantum_of(int i, double value) const {
    const double nominal = options_.nominal.empty() ? 1 : options_.nominal[i];
    const double quantum =
        part_ * std::max(options_.relative * std::abs(value), options_.absolute * nominal);
    return std::max(quantum, std::numeric_limits<double>::min());
  }

  // All coefficients of x from t on; `activity` of what passes.
  [[gnu::always_inline]] void shift(int i, double t) {
    Cell<N, kImplicit>& cell = cells_[i];
    const double s = t - cell.time;
    if (s == 0) return;
    if constexpr (kImplicit) {
      cell.rated = false;
      if (cell.decay != 0) {
        if (options_.measures_activity) add_way(cell, s);
        const double now = way(cell).value(s);
        shift_polynomial<N>(cell.x, s);
        cell.x[0] = now;
        shift_polynomial<N - 1>(cell.end, s);
        cell.time = t;
        return;
      }
    }
    if (options_.measures_activity) add_way(cell, s);
    shift_polynomial<N>(cell.x, s);
    cell.time = t;
  }

  [[gnu::always_inline]] void shift_q(int i) {
    if constexpr (N > 1) {
      const double s = t_ - q_time_[i];
      if (s == 0) return;
      shift_polynomial<N - 1>(q(i), s);
      q_time_[i] = t_;
    }
  }

  // f_ := the rows along q.
  void evaluate(std::span<const int> rows) {
    if (f_.size() < rows.size() * N) f_.resize(rows.size() * N);
    if constexpr (N > 1) {
      // To move a few more costs less than to ask who is read.
      constexpr int kFew = 8;
      if (n_ <= kFew || rows.size() == static_cast<std::size_t>(n_)) {
        if (all_q_at_ != t_) {
          for (int j = 0; j < n_; ++j) shift_q(j);
          all_q_at_ = t_;
        }
      } else {
        for (const int row : rows) {
          for (const int j : equations_.reads(row)) shift_q(j);
        }
      }
    }
    rows_evaluated_ += static_cast<std::int64_t>(rows.size());
    ++series_calls_;
    equations_.series(rows, N, t_, q_.data(), scale_, f_.data());
  }

  // x of row i goes on from t_ with the rate f.
  [[gnu::always_inline]] void take_rate(int i, const double* f) {
    Cell<N, kImplicit>& cell = cells_[i];
    if (cell.time != t_) {
      if (options_.measures_activity) {
        shift(i, t_);
      } else {  // the other coefficients are new, in any case
        cell.x[0] = value_after(cell, t_ - cell.time);
        cell.time = t_;
      }
    }
    for (int k = 0; k < N; ++k) cell.x[k + 1] = f[k] / (k + 1);
    if constexpr (kImplicit) cell.rated = true;
    find_way(i);
  }

  // Of a stiff state, whose rate is new: x' = a x + u, u = f - a q.
  [[gnu::always_inline]] void find_way(int i) {
    if constexpr (kImplicit) {
      Cell<N, kImplicit>& cell = cells_[i];
      if (cell.decay == 0) return;
      shift_q(i);
      const double a = cell.decay;
      double u[N];
      for (int k = 0; k < N; ++k) u[k] = (k + 1) * cell.x[k + 1] - a * q(i)[k];
      std::copy_n(Relaxation<N>(a, u, cell.x[0]).end(), N, cell.end);
    }
  }

  // The rate of row i is that of this time.
  bool is_rated(int i) const {
    if constexpr (kImplicit) return cells_[i].rated && cells_[i].time == t_;
    return false;
  }

  // df_row/dx_j.
  double influence(int row, int j) {
    const int rows[1] = {row};
    shift_q(j);
    double rate = cells_[row].x[1];
    if (!is_rated(row)) {
      evaluate(rows);
      rate = f_[0];
    }
    const double before = q(j)[0];
    const double aside = cells_[j].quantum > 0 ? cells_[j].quantum : quantum_of(j, before);
    q(j)[0] = before + aside;
    evaluate(rows);
    const double slope = (f_[0] - rate) / (q(j)[0] - before);
    q(j)[0] = before;
    return slope;
  }

  const QuantisedEquations& equations_;
  QuantumOptions options_;
  int n_;
  ZeroedArray<Cell<N, kImplicit>> cells_;
  ZeroedArray<double> q_;       // polynomials of the quantised states, N coefficients each ...
  ZeroedArray<double> q_time_;  // ... from here on (order 1: constants)
  double all_q_at_ = std::numeric_limits<double>::quiet_NaN();  // all of them are from there on
  std::vector<double> f_;
  double scale_ = 0;
  double part_ = 1;  // of the quanta
};

}  // namespace arges
