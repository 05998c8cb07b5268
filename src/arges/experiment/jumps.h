#pragma once
// Where variables jump in a run, and which samples of two runs that makes incomparable; events that
// one of two runs has and the other has not.

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "arges/results/sink.h"

namespace arges {

// By the name of the event: when it occurred, in ascending order.
using EventTimes = std::map<std::string, std::vector<double>>;

// Keeps the times at which some columns jump (those with two rows of different values), and those
// of the events that are logged. One that follows from another at the same instant and changes
// nothing is left out: whether a condition that the other one has put to zero crosses is rounding.
class JumpRecorder final : public ResultSink {
 public:
  explicit JumpRecorder(std::vector<std::string> names);

  void begin(const ResultLayout& layout) override;
  void row(double time, std::span<const double> values) override;
  void event(const EventRecord& record) override;
  void finish(const Manifest&) override {}

  // Of each name, in ascending order.
  const std::vector<std::vector<double>>& times() const { return times_; }
  const EventTimes& events() const { return events_; }

 private:
  std::vector<std::string> names_;
  std::vector<std::vector<double>> times_;
  EventTimes events_;
  std::vector<std::size_t> columns_;  // of the names; npos for what this run does not have
  std::vector<double> last_row_;
  double last_time_ = 0;
  double instant_ = 0;  // of the event before
  bool any_event_ = false;
};

// Two runs find an event at slightly different times. A sample in between has the value before the
// jump in one of them and the value behind it in the other: it says nothing about the error, which
// the samples around it show. Of each sample: whether it is one of those.
//
//   for each jump of one run: the nearest jump of the other; are they apart, but by no more than
//   `most`: leave out what lies from the one to the other
//   a jump without such a partner, so near to the end of the runs (or there) that the other may
//   come behind it: leave out what lies from there to the end
//
// So near is ten times the largest distance of partners, or a hundredth of `most`: what is farther
// away the other run has missed.
// When that would be more than half of the samples, none is left out.
std::vector<bool> samples_between_jumps(const std::vector<double>& samples,
                                        const std::vector<double>& a, const std::vector<double>& b,
                                        double most);

// An event of one of two runs that the other one does not have: at least not at nearly this time.
struct LoneEvent {
  std::string name;
  double time = 0;
  bool in_first = false;
};
// The earliest one. The first event of a name belongs to the first one of the other run, and so on;
// they may be apart by `most`, and by half of what it takes until the next one. What one run has
// more than the other counts when it is not so near to `end`, where both ended, that it may come
// behind it there: so near is what it is above.
std::optional<LoneEvent> first_lone_event(const EventTimes& first, const EventTimes& second,
                                          double end, double most);

}  // namespace arges
