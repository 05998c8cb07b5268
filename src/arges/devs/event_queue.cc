#include "arges/devs/event_queue.h"

#include "arges/devs/indexed_heap.h"

namespace arges::devs {

std::unique_ptr<EventQueue> make_event_queue(QueueKind) { return std::make_unique<IndexedHeap>(); }

}  // namespace arges::devs
