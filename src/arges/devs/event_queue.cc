#include "arges/devs/event_queue.h"

#include "arges/devs/adaptive_queue.h"

namespace arges::devs {

void AdaptiveQueue::to_calendar() {
  in_calendar_ = true;
  std::vector<Entry> entries;
  heap_.drain(entries);
  for (const Entry& entry : entries) calendar_.insert(entry.id, entry.time);
}

void AdaptiveQueue::to_heap() {
  in_calendar_ = false;
  if (calendar_.is_uneven()) many_ = 2 * calendar_.size();
  std::vector<Entry> entries;
  calendar_.drain(entries);
  calendar_ = {};
  calendar_.set_objects(objects_);
  for (const Entry& entry : entries) heap_.insert(entry.id, entry.time);
}

std::unique_ptr<EventQueue> make_event_queue(QueueKind kind) {
  switch (kind) {
    case QueueKind::kAdaptive:
      return std::make_unique<AdaptiveQueue>();
    case QueueKind::kHeap:
      return std::make_unique<IndexedHeap>();
    case QueueKind::kCalendar:
      return std::make_unique<CalendarQueue>();
  }
  return nullptr;
}

}  // namespace arges::devs
