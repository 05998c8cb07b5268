#pragma once
// Where variables jump in a run, and which samples of two runs that makes incomparable.

#include <string>
#include <vector>

#include "arges/results/sink.h"

namespace arges {

// Keeps the times at which some columns jump: those with two rows of different values.
class JumpRecorder final : public ResultSink {
 public:
  explicit JumpRecorder(std::vector<std::string> names);

  void begin(const ResultLayout& layout) override;
  void row(double time, std::span<const double> values) override;
  void event(const EventRecord&) override {}
  void finish(const Manifest&) override {}

  // Of each name, in ascending order.
  const std::vector<std::vector<double>>& times() const { return times_; }

 private:
  std::vector<std::string> names_;
  std::vector<std::vector<double>> times_;
  std::vector<std::size_t> columns_;  // of the names; npos for what this run does not have
  std::vector<double> last_row_;
  double last_time_ = 0;
};

// Two runs find an event at slightly different times. A sample in between has the value before the
// jump in one of them and the value behind it in the other: it says nothing about the error, which
// the samples around it show. Of each sample: whether it is one of those.
//
//   for each jump of one run: the nearest jump of the other; are they apart, but by no more than
//   `most`: leave out what lies from the one to the other
//   a jump without such a partner, so near to the end of the runs that the other may come behind
//   it: leave out what lies from there to the end
//
// So near is ten times the largest distance of partners, or a hundredth of `most`: what is farther
// away the other run has missed.
// When that would be more than half of the samples, none is left out.
std::vector<bool> samples_between_jumps(const std::vector<double>& samples,
                                        const std::vector<double>& a, const std::vector<double>& b,
                                        double most);

}  // namespace arges
