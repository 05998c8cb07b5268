#pragma once
// Several sinks at once.

#include <memory>
#include <vector>

#include "arges/results/sink.h"

namespace arges {

// Hands every call to each sink, in order. An exception of one ends the call; the sinks after it do
// not see it. On finish, files that were finished before a failing one stay: each is whole.
class TeeSink : public ResultSink {
 public:
  // Sinks that others own (a MemorySink that is read afterwards) and sinks that it owns.
  void add(ResultSink& sink);
  void add(std::unique_ptr<ResultSink> sink);

  void begin(const ResultLayout& layout) override;
  void row(double time, std::span<const double> values) override;
  void event(const EventRecord& record) override;
  void finish(const Manifest& manifest) override;

 private:
  std::vector<ResultSink*> sinks_;
  std::vector<std::unique_ptr<ResultSink>> owned_;
};

}  // namespace arges
