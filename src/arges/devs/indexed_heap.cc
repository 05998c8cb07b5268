#include "arges/devs/indexed_heap.h"

#include <algorithm>

namespace arges::devs {

void IndexedHeap::up(std::size_t at, Entry entry) {
  while (at > 0) {
    const std::size_t parent = (at - 1) / kArity;
    if (heap_[parent].time <= entry.time) break;
    put(at, heap_[parent]);
    at = parent;
  }
  put(at, entry);
}

void IndexedHeap::down(std::size_t at, Entry entry) {
  const std::size_t size = heap_.size();
  for (;;) {
    const std::size_t first = at * kArity + 1;
    if (first >= size) break;
    const std::size_t end = std::min(first + kArity, size);
    std::size_t least = first;
    for (std::size_t child = first + 1; child < end; ++child) {
      if (heap_[child].time < heap_[least].time) least = child;
    }
    if (heap_[least].time >= entry.time) break;
    put(at, heap_[least]);
    at = least;
  }
  put(at, entry);
}

void IndexedHeap::insert(std::uint32_t id, double time) {
  if (id >= position_.size()) {
    position_.resize(std::max<std::size_t>(id + 1, 2 * position_.size()));
  }
  if (vacant_) {
    vacant_ = false;
    down(0, {time, id});
    return;
  }
  heap_.push_back({time, id});
  up(heap_.size() - 1, {time, id});
}

void IndexedHeap::settle() {
  vacant_ = false;
  remove(0);
}

void IndexedHeap::move(std::uint32_t id, double from, double to) {
  if (vacant_) settle();
  if (to < from) {
    up(position_[id], {to, id});
  } else {
    down(position_[id], {to, id});
  }
}

void IndexedHeap::erase(std::uint32_t id, double /*time*/) {
  if (vacant_) settle();
  remove(position_[id]);
}

void IndexedHeap::remove(std::size_t at) {
  const Entry last = heap_.back();
  heap_.pop_back();
  if (at == heap_.size()) return;
  if (at > 0 && last.time < heap_[(at - 1) / kArity].time) {
    up(at, last);
  } else {
    down(at, last);
  }
}

// Whether the first is the only one that is due: the next is one of its children.
bool IndexedHeap::is_alone_until(double last) const {
  const std::size_t end = std::min(kArity + 1, heap_.size());
  for (std::size_t child = 1; child < end; ++child) {
    if (heap_[child].time <= last) return false;
  }
  return true;
}

void IndexedHeap::pop_until(double last, std::vector<std::uint32_t>& due) {
  if (vacant_) settle();
  while (!heap_.empty() && heap_.front().time <= last) {
    due.push_back(heap_.front().id);
    if (is_alone_until(last)) {
      vacant_ = true;
      return;
    }
    remove(0);
  }
}

void IndexedHeap::drain(std::vector<Entry>& entries) {
  if (vacant_) settle();
  entries.insert(entries.end(), heap_.begin(), heap_.end());
  heap_.clear();
}

}  // namespace arges::devs
