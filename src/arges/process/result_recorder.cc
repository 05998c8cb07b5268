#include "arges/process/result_recorder.h"

#include <utility>

#include <fmt/format.h>

namespace arges::process {

const char* to_string(ActivationEvent::Kind kind) {
  switch (kind) {
    case ActivationEvent::Kind::kStarted:
      return "started";
    case ActivationEvent::Kind::kResumed:
      return "resumed";
    case ActivationEvent::Kind::kInterrupted:
      return "interrupted";
  }
  return "";
}

void ResultRecorder::watch(Column column, std::function<double()> quantity) {
  const double now = quantity();
  watches_.push_back({steps_.add(std::move(column), now), std::move(quantity)});
}

void ResultRecorder::on_activation(const ActivationEvent& event) {
  std::vector<EventChange> changes;
  for (const Watch& watch : watches_) {
    const double before = steps_.values()[watch.column], after = watch.quantity();
    if (before == after) continue;
    if (log_activations_) {
      changes.push_back({steps_.columns()[watch.column].name, before, after});
    }
    steps_.set(event.time, watch.column, after);
  }
  if (!log_activations_) return;
  steps_.event({event.time, static_cast<int>(event.count),
                fmt::format("{}{}", to_string(event.kind), event.ended ? "+ended" : ""),
                fmt::format("{}#{}", event.name, event.slot),
                event.kind == ActivationEvent::Kind::kResumed, std::move(changes)});
}

}  // namespace arges::process
