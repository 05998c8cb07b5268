#pragma once
// Motion on the surfaces of conditions, where events would accumulate.

#include <memory>
#include <vector>

#include "arges/hybrid/event_monitor.h"
#include "arges/hybrid/mode_equations.h"
#include "arges/hybrid/system.h"

namespace arges {

// The values by which one context differs from another with the same variables.
struct ContextDifference {
  struct Entry {
    int index;
    double value;
  };
  ModeId mode;  // invalid: the same
  std::vector<Entry> p, u, z;

  // What `to` has that `from` has not.
  static ContextDifference between(const Context& from, const Context& to);
  void apply(Context& context) const;
  // None of these entries differs between the two contexts.
  bool untouched(const Context& before, const Context& after) const;
};

// One surface g(t, x) = 0 on which the policy `stick` keeps the model. Two kinds:
//
//   rest      after Zeno. The variables on which g depends, and those on which their derivatives
//             depend, stand still; the others go on. Several events that accumulate together,
//             because the action of each leads into the next, rest together: no one of the
//             `alternatives` (the values that their actions left) lifts them all.
//   sliding   after chattering between the values `one` and `other`.
struct Surface {
  // An event that is not watched meanwhile; the others of a sliding surface have the same g, or -g.
  struct Member {
    Crossing crossing;
    int orientation = 1;  // of g against that of the first member
    double used_up = 0;   // the slope of g that the bounces have left: it does not lift
    double horizon = 0;   // so long the second derivative of g is looked at; 0: only the first
    int armed() const { return crossing.rising ? -1 : 1; }
  };
  bool slides = false;
  std::vector<Member> members;
  ContextDifference one, other;                 // slides
  std::vector<ContextDifference> alternatives;  // rests; empty: the present values
  std::vector<std::uint8_t> frozen;             // rests
};

// The equations that hold on a set of surfaces. With the right-hand sides f0 (all sliding surfaces
// have their values `one`) and f_i (surface i has `other`), all with zeros for what rests,
//
//   x' = f0 + sum_i a_i (f_i - f0),     grad g_j . x' + dg_j/dt = 0 for each sliding surface j
//
// which for one surface is the motion of Filippov. A surface is left when its margin becomes
// negative: a or 1 - a (then one of the two leads off the surface), or, at rest, minus the motion
// towards the side that g came from, by its first derivative (less what the bounces have used up)
// and its second.
class Sliding final : public Equations {
 public:
  // `time_scale`: short against the run, for differences in time.
  Sliding(const HybridSystem& system, const Context& now, const std::vector<Surface>& surfaces,
          double time_scale);

  void rhs(double t, const double* x, double* f) const override;
  void residual(double, const double*, const double*, double*) const override {}
  void jacobian(double, const double*, const double*, double, double*, double*) const override {}
  std::string name(int i) const override { return sides_[0]->equations.name(i); }

  // The model's, then the margins.
  int condition_count() const override { return static_cast<int>(g_here_.size()) + margin_count(); }
  void conditions(double t, const double* x, double* g) const override;

  // Two for each surface: a and 1 - a where it slides; where it rests, the margin, and -1 when the
  // surface itself moves (the condition does, though all that it depends on rests), else 1.
  int margin_count() const { return 2 * static_cast<int>(surfaces_.size()); }
  void margins(double t, const double* x, double* margin) const;
  // Of the alternatives of a resting surface, the one that lifts it; -1: the present values.
  int lifting_alternative(int surface, double t, const double* x) const;

  // For a surface that is about to rest: fills its `frozen`, `used_up` of its members.
  void prepare_rest(double t, const double* x, Surface& surface) const;
  // 1 or -1 when the conditions of two events are the same function up to this sign, else 0.
  int orientation(EventId first, EventId second, double t, const double* x) const;
  double condition(EventId event, double t, const double* x) const;

 private:
  struct Side {
    Side(const HybridSystem& system, const Context& now)
        : context(now), equations(system, context, now.mode) {}
    Context context;
    ModeEquations equations;
  };

  void take_conditions(const ModeEquations& equations, double t, const double* x,
                       std::vector<double>& g) const;
  // A step in time along f, short for each variable in `mask` (null: all).
  double step_along(const double* x, const double* f, const std::uint8_t* mask) const;
  // grad g . f + dg/dt of all conditions, into slope_; f of what is not in `mask` counts as zero.
  void take_slopes(const ModeEquations& equations, double t, const double* x, const double* f,
                   const std::uint8_t* mask) const;
  double curvature(const ModeEquations& equations, int event, const std::uint8_t* mask, double t,
                   const double* x) const;
  double lift(const ModeEquations& equations, const Surface::Member& member,
              const std::uint8_t* mask, double t, const double* x) const;
  double least_lift(const ModeEquations& equations, const Surface& surface, double t,
                    const double* x) const;
  bool moves_at_rest(int surface, double t, const double* x) const;
  void find_frozen(EventId event, double t, const double* x, std::vector<std::uint8_t>& mask) const;
  void blend(double t, const double* x) const;  // fills f_ and a_

  const HybridSystem& system_;
  std::vector<Surface> surfaces_;
  std::vector<int> slides_;                   // indices of the sliding surfaces
  std::vector<std::unique_ptr<Side>> sides_;  // 0: all `one`; 1 + i: slides_[i] at `other`
  std::vector<std::vector<std::unique_ptr<Side>>> lifts_;  // of each surface: its alternatives
  std::vector<std::uint8_t> frozen_;
  mutable std::vector<std::vector<double>> f_;
  mutable std::vector<double> a_, matrix_;
  double time_scale_;
  mutable std::vector<double> x_try_, g_ahead_, g_here_, g_back_, slope_, rate_, rate_ahead_,
      rate_back_;
};

}  // namespace arges
