#include "arges/results/tee_sink.h"

#include <utility>

namespace arges {

void TeeSink::add(ResultSink& sink) { sinks_.push_back(&sink); }

void TeeSink::add(std::unique_ptr<ResultSink> sink) {
  sinks_.push_back(sink.get());
  owned_.push_back(std::move(sink));
}

void TeeSink::begin(const ResultLayout& layout) {
  for (ResultSink* sink : sinks_) sink->begin(layout);
}

void TeeSink::row(double time, std::span<const double> values) {
  for (ResultSink* sink : sinks_) sink->row(time, values);
}

void TeeSink::event(const EventRecord& record) {
  for (ResultSink* sink : sinks_) sink->event(record);
}

void TeeSink::finish(const Manifest& manifest) {
  for (ResultSink* sink : sinks_) sink->finish(manifest);
}

}  // namespace arges
