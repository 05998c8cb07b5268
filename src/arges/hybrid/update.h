#pragma once
// What an action may read and change.

#include <optional>
#include <string>

#include "arges/hybrid/context.h"

namespace arges {

class HybridSystem;

// Handed to initialize(), on_event(), on_timer() and settle(). Indexing gives the present value, to
// read or to assign; pre() the left limit, from before the instant began. After go_to(mode) the
// states are those of the new mode, at their start values, and pre() still reads those of the old
// one: now[new_x] = now.pre(old_x) hands a value over.
class Update {
 public:
  Update(const HybridSystem& system, const Context& before, Context& now)
      : system_(system), before_(before), now_(now) {}

  double t() const { return now_.t; }
  // In on_event(): whether the condition rose through zero (else it fell). For events in both
  // directions.
  bool rising() const { return rising_; }
  void set_rising(bool rising) { rising_ = rising; }
  ModeId mode() const { return now_.mode; }
  // The condition of this event is held on its root, where its last digits say nothing: what it has
  // switched stays as it is.
  bool holds(EventId event) const { return !now_.held.empty() && now_.held[event.index] != 0; }

  double& operator[](StateId i) { return now_.x[i.index]; }
  double& operator[](ParameterId i) { return now_.p[i.index]; }
  double& operator[](InputId i) { return now_.u[i.index]; }
  double& operator[](DiscreteId i) { return now_.z[i.index]; }

  double pre(StateId i) const { return before_.x[i.index]; }
  double pre(ParameterId i) const { return before_.p[i.index]; }
  double pre(InputId i) const { return before_.u[i.index]; }
  double pre(DiscreteId i) const { return before_.z[i.index]; }

  void go_to(ModeId mode);
  // Sets a timer; t() itself means: at this instant, in the next iteration. Infinity switches it
  // off.
  void schedule(TimerId timer, double due);
  // Exchanges the solver (SE-A).
  void use_solver(const std::string& name) { now_.solver = name; }
  // Ends the run successfully at this instant.
  void terminate(const std::string& message) { termination_ = message; }

  // The values as model functions take them.
  Point point() const { return point_at(now_); }
  const std::optional<std::string>& termination() const { return termination_; }
  Context& context() { return now_; }
  const Context& before() const { return before_; }

 private:
  const HybridSystem& system_;
  const Context& before_;
  Context& now_;
  bool rising_ = false;
  std::optional<std::string> termination_;
};

}  // namespace arges
