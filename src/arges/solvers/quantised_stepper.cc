// The quantised-state methods as solvers.

#include <algorithm>
#include <cmath>
#include <limits>

#include "arges/base/error.h"
#include "arges/qss/integrator.h"
#include "arges/solvers/factories.h"
#include "arges/solvers/failure_messages.h"
#include "arges/solvers/quantised_rows.h"

namespace arges {

namespace {

// A step takes as many moves as fit before the limit. With conditions to watch, it ends at the
// first move at which one of them may have been zero:
//
//   step(limit):
//     repeat: `to` = the next move, or limit
//             g(to); when to = limit, or some g has changed sign or bends as if it might:
//               the step ends at `to`, and the piece since the last move is its smooth part
//             make the moves at `to`
//
// Within a piece every state is a polynomial, so an event is localised on polynomials.
class QuantisedStepper final : public Stepper {
 public:
  QuantisedStepper(QuantisedMethod method, int order, const Equations& equations,
                   const SolverOptions& options)
      : equations_(equations),
        rows_(equations),
        order_(order),
        max_step_(options.max_step),
        every_move_(options.every_move),
        is_implicit_(method >= QuantisedMethod::kLiqss1),
        integrator_(
            make_quantised_integrator(method, rows_,
                                      {options.rtol, options.effective_atol(), equations.nominal(),
                                       false, max_step_, equations.condition_count() > 0})),
        moves_before_start_(equations.size()),
        x_begin_(equations.size()),
        x_end_(equations.size()),
        g_begin_(equations.condition_count()),
        g_end_(equations.condition_count()),
        x_middle_(equations.condition_count() > 0 ? equations.size() : 0),
        g_middle_(equations.condition_count()),
        largest_(equations.condition_count()),
        tiny_(equations.condition_count()),
        refines_(method >= QuantisedMethod::kLiqss2 && equations.condition_count() > 0) {
    x_ = x_end_.data();
  }

  void start(double t, const double* x, const double*, double h) override {
    // In place of the last step, after the first one: what events left alone goes on. But when that
    // step was too long for a condition (h), the quantised states, which may be a quantum away,
    // have moved it against the motion of the states. QSS states begin anew, where their companions
    // are the states themselves; those of LIQSS lie beside them in any case. The same when events
    // come one upon the other.
    const bool goes_on = started_ && t > first_ && t >= smooth_from_ && t <= t_;
    early_ = goes_on && comes_early(t) ? early_ + 1 : 0;
    bool resumed = goes_on && (is_implicit_ || (h == 0 && early_ < kFewEarly));
    if (resumed) {
      if (h == 0) choose_quanta(false);
      integrator_->resume(t, x, early_ >= kFewEarly);
      // A companion may be outside of the equations' domain while its state is inside.
      resumed = integrator_->culprit() < 0;
    }
    if (!resumed) {
      if (!goes_on) choose_quanta(true);
      for (int i = 0; i < equations_.size(); ++i) moves_before_start_[i] = moves_of(i);
      integrator_->start(t, x);
      if (!goes_on) first_ = t;
      started_ = true;
    }
    ++stats_.restarts;
    t_old_ = t_ = smooth_from_ = restart_ = t;
    std::copy_n(x, x_end_.size(), x_end_.data());
    if (g_begin_.empty()) return;
    equations_.conditions(t, x, g_begin_.data());
    double scale = 0;
    for (std::size_t i = 0; i < x_end_.size(); ++i)
      scale = std::max({scale, std::abs(x[i]), equations_.nominal()[i]});
    for (std::size_t k = 0; k < g_begin_.size(); ++k) {
      tiny_[k] = !(std::abs(g_begin_[k]) > 1e-9 * scale);
      largest_[k] = std::max(largest_[k], std::abs(g_begin_[k]));
    }
  }

  StepStatus step(double limit) override {
    const double begin = t_;
    const std::int64_t moves_before = integrator_->moves();
    x_begin_.swap(x_end_);
    x_ = x_end_.data();
    limit = std::min(limit, begin + max_step_);
    clear_ = known_ = false;
    StepStatus status = StepStatus::kOk;
    try {
      status = g_begin_.empty() && !every_move_ ? travel(begin, limit) : go_and_watch(begin, limit);
    } catch (const EvaluationError& error) {
      message_ = evaluation_message(error.what(), integrator_->last_move(), true);
      status = StepStatus::kEvaluationFailed;
    }
    const std::int64_t made = integrator_->moves() - moves_before;
    moves_ = std::max<std::int64_t>(made, 1);
    stats_.steps += made;
    stats_.rhs = rows_.evaluations();
    if (status != StepStatus::kOk) {
      started_ = false;
      stay_at_last_move(begin);
      return status;
    }
    t_old_ = begin;
    if (g_begin_.empty()) integrator_->values(t_, x_end_.data());  // else it is there already
    return StepStatus::kOk;
  }

  void interpolate(double t, double* x) const override {
    if (t < smooth_from_) {
      std::copy(x_begin_.begin(), x_begin_.end(), x);
    } else {
      integrator_->values(t, x);
    }
  }

  bool makes_moves() const override { return true; }
  double smooth_from() const override { return smooth_from_; }
  bool keeps_clear_of_roots() const override { return clear_; }
  const double* conditions_at_begin() const override { return known_ ? g_end_.data() : nullptr; }
  const double* conditions_at_end() const override { return known_ ? g_begin_.data() : nullptr; }
  void end_at_each_move(bool on) override { each_move_ = on; }
  bool sets_out_along_equations() const override { return !is_implicit_; }
  double anchor() const override { return first_; }
  std::int64_t moves() const override { return moves_; }
  std::int64_t moves_of(int i) const override {
    return moves_before_start_[i] + integrator_->moves_of(i);
  }
  bool is_multistep() const override { return false; }
  bool suspects_stiffness() const override {
    return !is_implicit_ && 2 * integrator_->turns() > integrator_->moves();
  }
  int order() const override { return order_; }
  double next_step() const override { return integrator_->next_time() - t_; }

 private:
  // An event at the very begin of the first piece after the one before. When several come like
  // that, one after the other, a condition is pushed to and fro by the difference between a state,
  // which it reads, and its companion, which drives the other states that it reads: then all begin
  // anew without a difference.
  static constexpr int kFewEarly = 3;
  bool comes_early(double t) const {
    constexpr double kPart = 1e-3;
    return smooth_from_ == restart_ && t - smooth_from_ <= kPart * (t_ - smooth_from_);
  }

  // Events multiply errors: one that comes late by dt leaves the jump of the rates times dt. So
  // that results are within the quantum all the same, linearly implicit methods take a part of it
  // where there are events; but not where everything begins anew after every few moves.
  void choose_quanta(bool first) {
    if (!refines_) return;
    constexpr double kPart = 0.25;
    constexpr std::int64_t kEnough = 32, kFewMoves = 16;
    if (first) {
      restarts_ = 0;
      moves_at_first_ = integrator_->moves();
    } else {
      ++restarts_;
    }
    const bool often =
        restarts_ >= kEnough && integrator_->moves() - moves_at_first_ < kFewMoves * restarts_;
    integrator_->take_part_of_quanta(often ? 1 : kPart);
  }

  // What was good of a step that failed: the moves before the one that broke it.
  void stay_at_last_move(double begin) {
    const double reached = integrator_->last_move();
    if (reached > begin) {
      integrator_->values(reached, x_end_.data());
    } else {
      x_begin_.swap(x_end_);
      x_ = x_end_.data();
    }
    t_ = t_old_ = smooth_from_ = std::max(begin, reached);
  }

  StepStatus travel(double begin, double limit) {
    // Back now and then, for time limits and interruptions; seldom for large systems, whose state
    // is written out each time.
    const std::int64_t chunk = 10'000 + 4 * static_cast<std::int64_t>(equations_.size());
    for (;;) {
      const auto outcome = integrator_->run(limit, chunk);
      if (outcome == QuantisedIntegrator::Outcome::kLimit) {
        t_ = limit;
      } else if (outcome == QuantisedIntegrator::Outcome::kMoves) {
        t_ = integrator_->last_move();
      } else {
        return failed(outcome);
      }
      smooth_from_ = std::max(begin, integrator_->last_move());
      if (t_ > begin) return StepStatus::kOk;
    }
  }

  StepStatus go_and_watch(double begin, double limit) {
    smooth_from_ = begin;
    for (int pieces = 0;; ++pieces) {
      if (integrator_->culprit() >= 0) return failed(QuantisedIntegrator::Outcome::kNonFinite);
      const double to = std::min(integrator_->next_time(), limit);
      if (to > smooth_from_) {
        bool ends = to == limit || every_move_ || each_move_ || pieces > kMostPieces;
        if (!g_begin_.empty()) {
          integrator_->values(to, x_end_.data());
          equations_.conditions(to, x_end_.data(), g_end_.data());
          // Conditions may swing with time: the monitor looks closer.
          const bool sure = ends && equations_.autonomous();
          const bool near = is_near(to, sure);
          clear_ = sure && !near;
          ends |= near;
          g_begin_.swap(g_end_);
          known_ = true;
        }
        if (ends) {
          t_ = to;
          return StepStatus::kOk;
        }
      }
      const auto outcome = integrator_->run(std::numeric_limits<double>::infinity(), 1);
      if (outcome != QuantisedIntegrator::Outcome::kMoves) return failed(outcome);
      smooth_from_ = integrator_->last_move();
    }
  }

  // A condition may be zero between the last move and `to`: it changes sign, or it bends so much
  // that it may be there and back. What is many changes away needs no look at its middle, unless
  // that is to be sure.
  bool is_near(double to, bool sure) {
    constexpr double kChanges = 8, kBends = 4, kStraight = 8, kOnRoot = 1e-6;
    bool middle_known = false;
    const std::size_t count = g_end_.size();
    const double *begins = g_begin_.data(), *ends = g_end_.data();
    for (std::size_t k = 0; k < count; ++k) {
      const double begin = begins[k], end = ends[k];
      const double distance = std::min(std::abs(begin), std::abs(end));
      const bool far = distance > kChanges * std::abs(end - begin);  // on one side, then
      if (far && !sure) continue;
      if (begin == 0 && end == 0) continue;  // at rest, or not of this mode
      if (!(begin * end > 0)) return true;
      // It leaves its root, to a side that only the monitor knows to be the one it was on.
      if (!(std::abs(begin) > kOnRoot * largest_[k])) return true;
      largest_[k] = std::max(largest_[k], distance);
      if (!middle_known) {
        const double t = smooth_from_ + 0.5 * (to - smooth_from_);
        integrator_->values(t, x_middle_.data());
        equations_.conditions(t, x_middle_.data(), g_middle_.data());
        middle_known = true;
      }
      const double bend = std::abs(g_middle_[k] - 0.5 * (begin + end));
      // What goes nearly straight has no extremum. (What set out from its root, or is not larger
      // than rounding, has to be seen by the monitor.)
      if (!tiny_[k] && std::abs(end - begin) > kStraight * bend) continue;
      if (!(distance > kBends * bend)) return true;
    }
    return false;
  }

  StepStatus failed(QuantisedIntegrator::Outcome outcome) {
    const int i = integrator_->culprit();
    const double t = integrator_->last_move();
    if (outcome == QuantisedIntegrator::Outcome::kStuck) {
      message_ = "the quantised states move without end at one time, '" + equations_.name(i) +
                 "' among them: " + no_progress_message(t, 0);
      return StepStatus::kStepTooSmall;
    }
    message_ = non_finite_slope_message(equations_, i, std::nan(""), t);
    return StepStatus::kNonFinite;
  }

  static constexpr int kMostPieces = 10'000;

  const Equations& equations_;
  QuantisedRows rows_;
  int order_;
  double max_step_;
  bool every_move_;         // for those who read the rows
  bool each_move_ = false;  // for the event monitor
  bool is_implicit_;
  std::unique_ptr<QuantisedIntegrator> integrator_;
  std::vector<std::int64_t> moves_before_start_;
  std::vector<double> x_begin_, x_end_;  // at t_old() and t()
  std::vector<double> g_begin_, g_end_;  // conditions at both ends of a piece
  std::vector<double> x_middle_, g_middle_;
  std::vector<double> largest_;     // of each condition
  std::vector<std::uint8_t> tiny_;  // at the last start, against the states
  double smooth_from_ = 0;
  bool clear_ = false;
  bool known_ = false;  // g_end_ and g_begin_, in this order, are those of the last piece
  double first_ = 0;
  bool started_ = false;
  double restart_ = 0;  // the last one
  int early_ = 0;       // so many events in a row came early
  bool refines_;
  std::int64_t restarts_ = 0, moves_at_first_ = 0;
  std::int64_t moves_ = 0;
};

}  // namespace

std::unique_ptr<Stepper> make_quantised(std::string_view name, const Equations& equations,
                                        const SolverOptions& options) {
  const bool implicit = name.starts_with("li");
  const int order = name.back() - '0';
  constexpr QuantisedMethod kMethods[2][3] = {
      {QuantisedMethod::kQss1, QuantisedMethod::kQss2, QuantisedMethod::kQss3},
      {QuantisedMethod::kLiqss1, QuantisedMethod::kLiqss2, QuantisedMethod::kLiqss3}};
  return std::make_unique<QuantisedStepper>(kMethods[implicit][order - 1], order, equations,
                                            options);
}

}  // namespace arges
