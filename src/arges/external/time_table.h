#pragma once
// Tables over time.

#include <vector>

#include "arges/external/curve.h"

namespace arges::external {

enum class TimeEvents { kAlways = 1, kAtDiscontinuities, kNone };

// Curves over one time axis on which points may stand twice: there the value jumps, and the right
// one counts from that instant on.
//
// The model makes an event at next_event(t), and tells value() two things: the next event as it is
// known now, and as it was known before this instant. So the value does not depend on the rounding
// of t: between two events it is taken from the points between them. When t has reached the event
// and the model has not noticed yet (both are equal), the value is that of before the event.
//
// Events are at the start time, at the ends of the table (periodic: at the end of each period), and
// between them at every point (kAlways), where points stand twice (kAtDiscontinuities) or nowhere.
class TimeTable {
 public:
  struct Settings {
    Smoothness smoothness = Smoothness::kLinear;
    Extrapolation extrapolation = Extrapolation::kLastTwoPoints;
    TimeEvents events = TimeEvents::kAlways;
    double start = 0;  // before it all values are zero
    double shift = 0;  // of the time axis
  };
  // Throws EvaluationError when the times are not in order.
  TimeTable(std::vector<double> times, const std::vector<std::vector<double>>& columns,
            const Settings& settings);

  // Columns count from 1.
  Jet at(int column, double t, double next, double previous_next) const;
  // The first event after t; the largest double when there is none.
  double next_event(double t) const;
  double front() const { return times_.front(); }
  double back() const { return times_.back(); }

 private:
  struct Event {
    double x;
    std::size_t left, right;  // rows that stand there: the first and the last
  };
  double time_of(const Event& e, double period_number) const;
  // The event that `next` is the time of: its number, and the number of its period; -1 for none.
  int find(double next, double* period_number) const;
  double period() const { return times_.back() - times_.front(); }
  bool is_periodic() const { return settings_.extrapolation == Extrapolation::kPeriodic; }

  std::vector<double> times_;
  std::vector<Curve> curves_;
  Settings settings_;
  std::vector<Event> events_;  // the begin of the table, then its events, the end last
};

}  // namespace arges::external
