#pragma once
// On which side of its root each condition is while the events of one time run.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "arges/hybrid/event_monitor.h"
#include "arges/hybrid_devs/continuous_part.h"

namespace arges::hybrid_devs {

// Between two events of one time nothing flows: a condition is where its last event, or a jump over
// its root since then, has put it. The sign of its value does not tell, for at its own event it is
// some last digits on either side. A condition has passed zero when a transition has moved it
//
//   from one side to the other, or onto its root: reaching zero counts, as in the kernel;
//   off a root on which it stood without a side;
//
// but not by standing on the root that it has just crossed. Each passage counts: one that is thrown
// back over its root may pass it again at the same time.
//
// It is on its root when it is as near to zero as rounding of the states brings it: of each by
// itself, for a transition computes one state from a few others, before and after it; and as far as
// it moves in some units in the last place of t. (What a solver does to a small state beside a
// large one is another matter: that is where a motion ends.)
//
// Stands are numbered like the events of the part they were looked at in; a component keeps its
// own when the parts are collected anew.
class ConditionSides {
 public:
  struct Stand {
    std::uint32_t component;
    const devs::Model* model;
    int condition;
    double g;
    int side;               // -1, +1; 0: it stands on its root, and has come from neither
    bool is_known = false;  // from before this time, by an event or by a jump
    bool moved = false;     // by transitions at this time
    bool crossed = false;   // its event has happened at this time, and it is still on that root
    bool fired = false;     // its event has happened at this time
    bool told = false;      // the monitor knows of that
    bool turned = false;  // it is back on its old side: its motion was turned back or stopped there
    double rounding = 0;  // of g, by the states
    double blur = 0;      // of g, by the time at which its motion came here
    double missed = 0;    // by so much at most its event was found beside the root
    bool is_on_root() const { return std::abs(g) <= std::max(rounding + blur, missed); }
  };
  const std::vector<Stand>& stands() const { return stands_; }

  // Another time begins.
  void forget() {
    stands_.clear();
    is_looked_at_ = false;
  }
  // The components are others now, or their conditions are numbered anew.
  void renumber() { is_looked_at_ = false; }

  // Before transitions at `at`: where conditions stand that have not been looked at yet at this
  // time. A monitor (else null) has followed them to here.
  void look(const ContinuousPart& part, const Point& at, const EventMonitor* monitor);
  // The event of a condition happens. `located`: by its motion, or by being about to move.
  void cross(Crossing crossing, bool located);
  // After transitions: the conditions that have passed zero by them.
  std::vector<Crossing> passed(const ContinuousPart& part, const Point& at);
  // The monitor has been told that it fired.
  void tell(EventId event) { stands_[event.index].told = true; }
  // One that has crossed, and is still on that root, does not move on.
  void turn(EventId event);
  // After the monitor has taken position.
  void follow(const EventMonitor& monitor);

 private:
  void renew(const ContinuousPart& part, const Point& at, const EventMonitor* monitor);
  void measure_rounding(const ContinuousPart& part, const Point& at);
  std::vector<double> blur(const ContinuousPart& part, const Point& at);
  bool passes(Stand& stand, double g, double rounding, Direction direction);

  std::vector<Stand> stands_;
  std::vector<double> g_, rounding_;  // now
  std::vector<double> x_aside_, g_aside_;
  bool is_looked_at_ = false;
};

}  // namespace arges::hybrid_devs
