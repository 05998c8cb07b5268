#pragma once
// Values of a run at given times.

#include <string>
#include <vector>

#include "arges/hybrid/run_options.h"
#include "arges/results/sink.h"

namespace arges {

// Keeps some columns at some times; right of an event where there is one.
class Sampler final : public ResultSink {
 public:
  // `times` ascend. Throws UserError for a name that the layout does not have.
  Sampler(const ResultLayout& layout, const std::vector<std::string>& names,
          std::vector<double> times);

  // The options, with rows at the times and nowhere else.
  RunOptions adapt(RunOptions options) const;

  void begin(const ResultLayout&) override { start_run(); }
  void row(double time, std::span<const double> values) override;
  void event(const EventRecord&) override {}
  void finish(const Manifest&) override {}

  // Forgets the values.
  void start_run();
  const std::vector<double>& times() const { return times_; }
  // NaN for what the run did not get to.
  double value(std::size_t time, std::size_t name) const {
    return values_[time * columns_.size() + name];
  }

 private:
  std::vector<double> times_;
  std::vector<std::size_t> columns_;
  std::vector<double> values_;
  std::size_t next_ = 0;  // the first time that is not behind the last row
};

// `count` + 1 times, evenly from the start to the end.
std::vector<double> even_times(double start, double stop, int count);

}  // namespace arges
