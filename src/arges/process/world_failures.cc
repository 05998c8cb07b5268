// What is said when a run of processes cannot go on.

#include <fmt/format.h>

#include "arges/devs/run_failure_internal.h"
#include "arges/process/any_all.h"
#include "arges/process/world.h"

namespace arges::process {

std::string World::describe(std::uint32_t id) const {
  return fmt::format("{}#{}", names_[slots_[id].name], id);
}

RunStatus World::failure(RunReason reason, const std::string& component,
                         const std::string& what) const {
  RunStatus status;
  status.reason = reason;
  status.time = clock_.t;
  status.component = component;
  status.message = fmt::format("{}, t = {:.17g}: {}", component.empty() ? "the model" : component,
                               clock_.t, what);
  return status;
}

void World::too_many_activations(std::uint32_t id) const {
  throw devs::RunFailure{failure(
      RunReason::kEventsDidNotSettle, describe(id),
      fmt::format("{} activations of processes at one time: something goes on without waiting for "
                  "a time above 0",
                  max_activations_))};
}

std::string World::what_it_waits_for(std::uint32_t id) const {
  const Slot& slot = slots_[id];
  if (slot.source != nullptr) return slot.source->name();
  if (slot.many != nullptr) return slot.many->describe_missing();
  if (slot.checks_condition) return "a condition";
  if (slot.joined != ProcessRef{}) return "the end of " + describe(slot.joined.slot);
  return "ever";
}

// Success, when there are none but daemons.
RunStatus World::those_who_wait() const {
  std::string waiting, first;
  int count = 0;
  for (std::uint32_t id = 0; id < slots_.size(); ++id) {
    const Slot& slot = slots_[id];
    if (slot.state != State::kWaiting || slot.daemon) continue;
    if (++count > 5) continue;
    if (first.empty()) first = describe(id);
    waiting += fmt::format("{}{} waits for {} since t = {}", count > 1 ? "; " : "", describe(id),
                           what_it_waits_for(id), slot.waiting_since);
  }
  RunStatus status;
  status.time = clock_.t;
  if (count == 0) return status;
  if (count > 5) waiting += fmt::format("; and {} more", count - 5);
  return failure(RunReason::kEvaluationFailed, first,
                 "no event is left, and " + waiting +
                     ". Processes that may wait for ever are started as daemons");
}

}  // namespace arges::process
