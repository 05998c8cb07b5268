#pragma once
// Who is next: the schedule of a quantised-state integrator.

#include <cstdint>
#include <limits>
#include <vector>

#include "arges/qss/zeroed_array.h"

namespace arges {

// A heap of (time, variable) in which the time of a variable can be changed: O(log m) for the m
// variables that have ever had a time. Variables without one take no part, and no memory. Times of
// infinity stay in the heap, at its far end. Not NaN.
class TimeHeap {
 public:
  explicit TimeHeap(int variables) : position_(static_cast<std::size_t>(variables)) {}

  bool empty() const { return heap_.empty(); }
  int first() const { return heap_.front().variable; }
  double first_time() const {
    return heap_.empty() ? std::numeric_limits<double>::infinity() : heap_.front().time;
  }

  void set(int variable, double time) {
    std::uint32_t at = position_[variable];
    if (at == 0) {
      if (time == std::numeric_limits<double>::infinity()) return;
      heap_.push_back({time, variable});
      return up(heap_.size() - 1, {time, variable});
    }
    --at;
    const double old = heap_[at].time;
    if (time < old) return up(at, {time, variable});
    if (time > old) down(at, {time, variable});
  }

  void clear() {
    for (const Entry& entry : heap_) position_[entry.variable] = 0;
    heap_.clear();
  }

 private:
  struct Entry {
    double time;
    int variable;
  };

  void put(std::size_t at, Entry entry) {
    heap_[at] = entry;
    position_[entry.variable] = static_cast<std::uint32_t>(at) + 1;
  }
  void up(std::size_t at, Entry entry) {
    while (at > 0) {
      const std::size_t parent = (at - 1) / 2;
      if (heap_[parent].time <= entry.time) break;
      put(at, heap_[parent]);
      at = parent;
    }
    put(at, entry);
  }
  void down(std::size_t at, Entry entry) {
    const std::size_t size = heap_.size();
    for (;;) {
      std::size_t child = 2 * at + 1;
      if (child >= size) break;
      if (child + 1 < size && heap_[child + 1].time < heap_[child].time) ++child;
      if (heap_[child].time >= entry.time) break;
      put(at, heap_[child]);
      at = child;
    }
    put(at, entry);
  }

  std::vector<Entry> heap_;
  ZeroedArray<std::uint32_t> position_;  // in heap_, plus one; 0: not there
};

}  // namespace arges
