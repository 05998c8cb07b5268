#include "arges/qss/integrator.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "arges/base/error.h"
#include "arges/base/float_spacing.h"
#include "arges/qss/cell.h"
#include "arges/qss/pair.h"
#include "arges/qss/scheduled_store.h"

namespace arges {

namespace {

template <int N, bool kImplicit>
class Integrator final : public ScheduledStore<N, kImplicit> {
 public:
  using Outcome = QuantisedIntegrator::Outcome;

  Integrator(const QuantisedEquations& equations, const QuantumOptions& options)
      : Store(equations, options) {}

  void start(double t, const double* x) override {
    heap_.clear();
    begin(t);
    for (int i = 0; i < n_; ++i) place(i, x[i]);
    std::fill(refresh_.begin(), refresh_.end(), Refresh{});
    settle(all_rows());
  }

  void start_sparse(double t, std::span<const int> variables, const double* x) override {
    begin(t);
    std::vector<int> touched;
    for (std::size_t k = 0; k < variables.size(); ++k) {
      place(variables[k], x[k]);
      const auto readers = equations_.readers(variables[k]);
      touched.insert(touched.end(), readers.begin(), readers.end());
    }
    std::sort(touched.begin(), touched.end());
    touched.erase(std::unique(touched.begin(), touched.end()), touched.end());
    settle(touched);
  }

  void resume(double t, const double* x, bool at_states) override {
    begin(t);
    for (Refresh& refresh : refresh_) {  // the last interval has not been used up
      refresh.due = -kNever;
      refresh.factor = 1;
    }
    bool placed = false;
    for (int i = 0; i < n_; ++i) {
      Cell<N, kImplicit>& cell = cells_[i];
      if (x[i] != this->value(i, t)) {
        const std::int64_t moves = cell.moves;
        const double activity =
            cell.activity + std::abs(this->value(i, t) - this->value(i, cell.time));
        place(i, x[i]);
        cell.moves = moves;
        cell.activity = activity;
        placed = true;
      }
    }
    if (placed) {
      settle(all_rows());
    } else {
      evaluate(all_rows());
      candidates_.clear();
      for (int i = 0; i < n_; ++i) {
        Cell<N, kImplicit>& cell = cells_[i];
        const double* f = &f_[static_cast<std::size_t>(i) * N];
        const bool sets_out = at_states && is_on_its_way(cell);
        if (!sets_out && refresh_.empty() && is_as_foreseen(cell, t, f)) continue;
        shift(i, t);
        const double rate = cell.x[1];
        renew_rate(i, f);
        if constexpr (kImplicit) {
          const double noise =
              1e-6 * (std::abs(rate) + std::abs(cell.x[1]) + std::abs(cell.slope) * cell.quantum);
          if (sets_out) {
            if (!cell.coupled) begin_anew(cell);
            set_out(cell);
          } else if (!(std::abs(cell.x[1] - rate) <= noise)) {
            begin_anew(cell);
          } else if (cell.slope_known) {
            candidates_.push_back(i);
          }
        }
        schedule(i);
      }
      if constexpr (kImplicit) look_at_slopes();
    }
  }

  Outcome run(double limit, std::int64_t moves) override {
    if (culprit_ >= 0) return Outcome::kNonFinite;
    const std::int64_t last = moves_ + moves;
    while (moves_ < last) {
      const double t = heap_.first_time();
      if (!(t < limit)) return Outcome::kLimit;
      const int i = heap_.first();
      if (t > t_) {
        stuck_ = 0;
      } else if (++stuck_ > kPatience + 10 * static_cast<std::int64_t>(n_)) {
        culprit_ = i;
        return Outcome::kStuck;
      }
      t_ = t;
      if constexpr (kImplicit) {
        move(i);
      } else {
        if (this->has_company()) {
          move_all(this->those_due());
        } else {
          move_one(i);
        }
      }
      if (culprit_ >= 0) return Outcome::kNonFinite;
    }
    return Outcome::kMoves;
  }

  double next_time() const override { return heap_.first_time(); }

 private:
  using Store = ScheduledStore<N, kImplicit>;
  using Store::all_q_at_;
  using Store::cells_;
  using Store::culprit_;
  using Store::equations_;
  using Store::evaluate;
  using Store::f_;
  using Store::heap_;
  using Store::influence;
  using Store::is_refreshed_only;
  using Store::moves_;
  using Store::n_;
  using Store::options_;
  using Store::q;
  using Store::q_time_;
  using Store::quantum_of;
  using Store::rate_ahead;
  using Store::refresh_;
  using Store::renew_rate;
  using Store::scale_;
  using Store::schedule;
  using Store::shift;
  using Store::shift_q;
  using Store::t_;
  using Store::turns_;
  using Store::wait_for_band;

  static constexpr std::int64_t kPatience = 100'000;

  void begin(double t) {
    t_ = t;
    stuck_ = 0;
    culprit_ = -1;
    scale_ = 0;
    all_q_at_ = std::numeric_limits<double>::quiet_NaN();
  }

  // A variable begins anew at a value, at rest.
  void place(int i, double value) {
    if (!refresh_.empty()) refresh_[i].followed = 0;
    Cell<N, kImplicit>& cell = cells_[i];
    cell = {};
    cell.x[0] = value;
    cell.time = cell.moved = t_;
    cell.quantum = quantum_of(i, value);
    if constexpr (N == 1 && !kImplicit) cell.base = value;
    std::fill_n(q(i), N, 0.0);
    q(i)[0] = value;
    if constexpr (N > 1) q_time_[i] = t_;
  }

  std::span<const int> all_rows() {
    if (all_rows_.empty()) {
      all_rows_.resize(n_);
      for (int i = 0; i < n_; ++i) all_rows_[i] = i;
    }
    return all_rows_;
  }

  // The slopes of q that belong to the rates, which depend on the slopes of q: one pass for each
  // order, after which the schedule is made. Variables that keep their q are not changed.
  void settle(std::span<const int> rows) {
    for (int pass = 1; pass <= N; ++pass) {
      evaluate(rows);
      for (std::size_t k = 0; k < rows.size(); ++k) {
        const int i = rows[k];
        Cell<N, kImplicit>& cell = cells_[i];
        if (cell.quantum == 0) place(i, 0);
        renew_rate(i, &f_[k * N]);
        if (pass < N && q(i)[0] == cell.x[0] && cell.time == t_) {
          for (int c = 1; c <= pass && c < N; ++c) q(i)[c] = cell.x[c];
        }
      }
    }
    for (const int i : rows) {
      if constexpr (kImplicit) {
        // One that stands still now may depend on time.
        if (!stands_still(cells_[i]) || !refresh_.empty()) set_out(cells_[i]);
      }
      schedule(i);
    }
  }

  static void plan(Cell<N, kImplicit>& cell, double due) {
    cell.plan = due;
    cell.planned = true;
  }

  // An event has changed the rates of these states by less than can be seen in a quantum. Their
  // equations may be others all the same, which agree where the states are: a capacitor that has
  // followed its source through a diode, which blocks now.
  void look_at_slopes() {
    for (const int i : candidates_) {
      Cell<N, kImplicit>& cell = cells_[i];
      constexpr double kSame = 0.5;
      const double slope = influence(i, i);
      if (std::abs(slope - cell.slope) <= kSame * std::abs(cell.slope)) continue;
      // One that is not stiff, and does not become so, goes on as it was.
      const double left = cell.planned ? cell.plan - t_ : kNever;
      if (cell.decay != 0 || -slope * left >= kGentle) {
        begin_anew(cell);
        schedule(i);
      } else {
        cell.slope = slope;
      }
    }
  }

  // A state that is not stiff, or goes on with its partner.
  static bool is_on_its_way(const Cell<N, kImplicit>& cell) {
    if constexpr (kImplicit) return cell.decay == 0;
    return false;
  }

  // It moves at once, and its companion begins at the state itself: who is driven by it and
  // compared with it sees the same.
  void set_out(Cell<N, kImplicit>& cell) {
    if constexpr (kImplicit) {
      cell.sets_out = true;
      plan(cell, t_);
    }
  }

  // An event has changed the equation of this state: it moves at once.
  void begin_anew(Cell<N, kImplicit>& cell) {
    if constexpr (kImplicit) {
      cell.decay = 0;
      cell.slope_known = cell.coupled = false;
      cell.partner = 0;
      plan(cell, t_);
    }
  }

  // The polynomial of rate i has aged: a new one.
  void refresh(int i) {
    scale_ = t_ - cells_[i].time;
    shift(i, t_);
    const int row[1] = {i};
    evaluate(row);
    renew_rate(i, f_.data());
    schedule(i);
  }

  // QSS: all that are due move at once, and who reads them sees all of it: what is symmetric stays
  // so, and the numbers of the variables do not matter.
  void move_all(std::span<const int> due) {
    double scale = kNever;
    std::size_t count = 0;
    int last = -1;
    bool ascending = true;
    for (const int i : due) {
      const bool moves = !is_refreshed_only(i);
      scale = std::min(scale, renew_explicit(i, moves));
      const auto rows = moves ? equations_.readers(i) : std::span<const int>(&i, 1);
      if (readers_.size() < count + rows.size()) readers_.resize(2 * (count + rows.size()));
      for (const int r : rows) {
        if (r == last) continue;
        ascending &= r > last;
        readers_[count++] = last = r;
      }
    }
    if (!ascending) {
      std::sort(readers_.begin(), readers_.begin() + count);
      count = std::unique(readers_.begin(), readers_.begin() + count) - readers_.begin();
    }
    scale_ = scale;
    renew_rates({readers_.data(), count});
  }

  void move_one(int i) {
    const bool moves = !is_refreshed_only(i);
    scale_ = renew_explicit(i, moves);
    const int row[1] = {i};
    renew_rates(moves ? equations_.readers(i) : std::span<const int>(row));
  }

  [[gnu::always_inline]] void renew_rates(std::span<const int> rows) {
    evaluate(rows);
    for (std::size_t k = 0; k < rows.size(); ++k) {
      const int r = rows[k];
      awake(r);
      renew_rate(r, &f_[k * N]);
      schedule(r);
    }
  }

  // One that nobody has touched since the start.
  [[gnu::always_inline]] void awake(int i) {
    Cell<N, kImplicit>& cell = cells_[i];
    if (cell.quantum != 0) return;
    cell.time = t_;
    if constexpr (N > 1) q_time_[i] = t_;
    cell.quantum = quantum_of(i, 0);
  }

  // The quantised state, if it moves, or else its rate alone. Returns the time since it did last.
  [[gnu::always_inline]] double renew_explicit(int i, bool moves) {
    Cell<N, kImplicit>& cell = cells_[i];
    ++moves_;
    if (!moves) {
      const double since = t_ - cell.time;
      shift(i, t_);
      return since;
    }
    const double since = t_ - cell.moved;
    ++cell.moves;
    if constexpr (kImplicit) {
    } else if constexpr (N == 1) {
      renew_level(i, cell);
    } else {
      shift(i, t_);
      shift_q(i);
      if (turns_back(cell, cell.x[0] > q(i)[0])) ++turns_;
      std::copy_n(cell.x, N, q(i));
      cell.quantum = quantum_of(i, cell.x[0]);
    }
    cell.moved = t_;
    return since;
  }

  // LIQSS: one after the other, so that who moves second sees where the first has gone.
  void move(int i) {
    ++moves_;
    if (is_refreshed_only(i)) return refresh(i);
    Cell<N, kImplicit>& cell = cells_[i];
    ++cell.moves;
    shift(i, t_);
    shift_q(i);
    const double before = q(i)[0];
    look_at_own_rate(i, cell);
    const double rate_before = cell.x[1];
    scale_ = t_ - cell.moved;
    cell.moved = t_;
    const int partner = renew_implicit(i, cell);
    cell.quantum = quantum_of(i, q(i)[0]);
    const double jump = q(i)[0] - before;
    const auto rows = partner < 0 ? equations_.readers(i) : readers_of_both(i, partner);
    evaluate(rows);
    for (std::size_t k = 0; k < rows.size(); ++k) {
      const int r = rows[k];
      awake(r);
      Cell<N, kImplicit>& other = cells_[r];
      const double rate = other.x[1];
      renew_rate(r, &f_[k * N]);
      if constexpr (kImplicit) {
        // What is stiff in a pair follows at once; but once only, else two pairs may follow each
        // other without end.
        if (other.coupled && r != i && r != partner && other.moved < t_ &&
            std::abs(other.x[1] - rate) > 1e-6 * std::abs(other.slope) * other.quantum)
          plan(other, t_);
        // A rate that depends on time has changed by itself, too: not for a small jump.
        const double least = refresh_.empty() ? 1e-3 : 0.5;
        if (r == i && partner < 0 && std::abs(jump) > least * cell.quantum)
          take_slope(i, jump, rate_before);
        if (options_.watched && other.moves == 0 && !other.slope_known && !other.planned &&
            !stands_still(other))
          starting_.push_back(r);
      }
      schedule(r);
    }
    if (!starting_.empty()) look_at_those_who_start();
  }

  // States that have stood still so far: their equations are not known, and they would go as those
  // that are not stiff until they are a quantum away. Stiff ones move at once.
  void look_at_those_who_start() {
    for (const int i : starting_) {
      Cell<N, kImplicit>& cell = cells_[i];
      find_slope(i, cell);
      if (-cell.slope * wait_for_band(i, cell) >= kGentle) plan(cell, t_);
      schedule(i);
    }
    starting_.clear();
  }

  // a from the change of the rate when q jumped. Where time can have changed the rate as well and a
  // is not what it was, the rate before is computed.
  void take_slope(int i, double jump, double rate_before) {
    if constexpr (kImplicit) {
      Cell<N, kImplicit>& cell = cells_[i];
      double slope = (cell.x[1] - rate_before) / jump;
      if (!refresh_.empty() && !(std::abs(slope - cell.slope) <= 0.5 * std::abs(cell.slope))) {
        double* p = q(i);
        p[0] -= jump;
        const double rate = rate_ahead(i, 0);
        p[0] += jump;
        slope = (cell.x[1] - rate) / jump;
      }
      cell.slope = slope;
    }
  }

  // LIQSS: a rate that is not linear has left its polynomial, and the change of the rate at this
  // move would tell nothing about the slope: the row is evaluated once more, before q changes. A
  // rate that is as foreseen is looked at seldom.
  void look_at_own_rate(int i, Cell<N, kImplicit>& cell) {
    if constexpr (kImplicit) {
      constexpr int kTrusted = 3, kSeldom = 8;
      if (this->is_rated(i)) return;
      if (cell.slope_known && cell.foreseen >= kTrusted && cell.moves % kSeldom != 0) return;
      const double rate = cell.x[1];
      const int row[1] = {i};
      evaluate(row);
      renew_rate(i, f_.data());
      const double miss = std::abs(cell.x[1] - rate);
      if (!(miss <= 1e-6 * std::abs(cell.slope) * cell.quantum)) {
        cell.foreseen = 0;
      } else if (cell.foreseen < kTrusted) {
        ++cell.foreseen;
      }
    }
  }

  // QSS1: the next level in the direction of motion.
  void renew_level(int i, Cell<N, kImplicit>& cell) {
    if constexpr (!kImplicit && N == 1) {
      double* p = q(i);
      if (options_.measures_activity) add_activity(cell, t_ - cell.time);
      if (turns_back(cell, cell.x[1] > 0)) ++turns_;
      cell.level += cell.x[1] > 0 ? 1 : -1;
      p[0] = cell.base + cell.level * cell.quantum;
      cell.x[0] = p[0];
      cell.time = t_;
      const double quantum = quantum_of(i, p[0]);
      if (quantum != cell.quantum) {
        cell.quantum = quantum;
        cell.base = p[0];
        cell.level = 0;
      }
    }
  }

  // a by one more evaluation of the row, a quantum aside; the rate is of this time.
  void find_slope(int i, Cell<N, kImplicit>& cell) {
    if constexpr (kImplicit) {
      const int row[1] = {i};
      const double before = q(i)[0];
      q(i)[0] = before + cell.quantum;
      evaluate(row);
      cell.slope = (f_[0] - cell.x[1]) / (q(i)[0] - before);
      q(i)[0] = before;
      cell.slope_known = true;
    }
  }

  // Returns the state that has moved with this one, or -1.
  int renew_implicit(int i, Cell<N, kImplicit>& cell) {
    if constexpr (kImplicit) {
      if (!cell.slope_known) find_slope(i, cell);
      const double a = std::isfinite(cell.slope) ? cell.slope : 0;
      double* p = q(i);
      // x and its derivatives when q = x: x^(k+1) = a x^(k) + u^(k), u = f - a q.
      double x[N + 1] = {cell.x[0]}, companion[N];
      for (int k = 0; k < N; ++k) {
        x[k + 1] = a * x[k] + ((k + 1) * cell.x[k + 1] - a * p[k]) * kFactorial[k];
      }
      const Renewal renewal = renew_companion<N>(a, x, cell.quantum, companion, cell.sets_out);
      if (renewal.decay != 0 && renew_together(i)) return cell.partner - 1;
      cell.sets_out = false;
      cell.coupled = false;
      std::copy_n(companion, N, p);
      follow(cell, renewal);
    }
    return -1;
  }

  void follow(Cell<N, kImplicit>& cell, Renewal renewal) {
    if constexpr (kImplicit) {
      cell.planned = false;
      cell.decay = renewal.decay;
      if (std::isfinite(renewal.length)) plan(cell, t_ + renewal.length);
    }
  }

  // A stiff state and its partner, if it has one. Who has many neighbours is not looked at.
  bool renew_together(int i) {
    if constexpr (kImplicit) {
      constexpr int kMany = 16, kNone = -1;
      Cell<N, kImplicit>& cell = cells_[i];
      if (cell.partner == 0) {
        const auto reads = equations_.reads(i);
        candidates_.assign(reads.begin(), reads.end());
        const int found =
            reads.size() > kMany
                ? -1
                : find_partner(
                      i, candidates_, [&](int j) { return equations_.reads(j); },
                      [&](int row, int j) {
                        const auto& own = cells_[j];
                        return row == j && own.slope_known ? own.slope : influence(row, j);
                      });
        cell.partner = found < 0 ? kNone : found + 1;
      }
      if (cell.partner == kNone) return false;
      const int rows[2] = {i, cell.partner - 1};
      Cell<N, kImplicit>& other = cells_[rows[1]];
      shift(rows[1], t_);
      shift_q(rows[1]);
      const double quantum[2] = {cell.quantum, other.quantum};
      const double x[2] = {cell.x[0], other.x[0]};
      double* companions[2] = {q(rows[0]), q(rows[1])};
      PairRenewal renewal;
      const auto rates = [&] {
        evaluate(rows);
        return f_.data();
      };
      const double elapsed = cell.coupled ? scale_ : -1;  // since both have moved
      if (!renew_pair<N>(rates, quantum, x, elapsed, cell.sets_out || other.sets_out, companions,
                         renewal))
        return false;
      for (int s = 0; s < 2; ++s) {
        Cell<N, kImplicit>& each = cells_[rows[s]];
        each.x[0] = renewal.rest[s];
        each.slope = renewal.slope[s];
        each.slope_known = each.coupled = true;
        each.sets_out = false;
        each.partner = rows[1 - s] + 1;
        each.moved = t_;
        each.quantum = quantum_of(rows[s], companions[s][0]);
        follow(each, {0, renewal.length});
      }
      ++other.moves;
      ++moves_;
    }
    return true;
  }

  std::span<const int> readers_of_both(int i, int j) {
    const auto first = equations_.readers(i);
    candidates_.assign(first.begin(), first.end());
    const auto second = equations_.readers(j);
    candidates_.insert(candidates_.end(), second.begin(), second.end());
    std::sort(candidates_.begin(), candidates_.end());
    candidates_.erase(std::unique(candidates_.begin(), candidates_.end()), candidates_.end());
    return candidates_;
  }

  std::vector<int> all_rows_, candidates_, readers_, starting_;
  std::int64_t stuck_ = 0;
};

}  // namespace

std::unique_ptr<QuantisedIntegrator> make_quantised_integrator(QuantisedMethod method,
                                                               const QuantisedEquations& equations,
                                                               const QuantumOptions& options) {
  switch (method) {
    case QuantisedMethod::kQss1:
      return std::make_unique<Integrator<1, false>>(equations, options);
    case QuantisedMethod::kQss2:
      return std::make_unique<Integrator<2, false>>(equations, options);
    case QuantisedMethod::kQss3:
      return std::make_unique<Integrator<3, false>>(equations, options);
    case QuantisedMethod::kLiqss1:
      return std::make_unique<Integrator<1, true>>(equations, options);
    case QuantisedMethod::kLiqss2:
      return std::make_unique<Integrator<2, true>>(equations, options);
    case QuantisedMethod::kLiqss3:
      return std::make_unique<Integrator<3, true>>(equations, options);
  }
  return nullptr;
}

}  // namespace arges
