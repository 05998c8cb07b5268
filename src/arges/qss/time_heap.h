#pragma once
// Who is next: the schedule of a quantised-state integrator.

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

#include "arges/qss/zeroed_array.h"

namespace arges {

// A heap of (time, variable) in which the time of a variable can be changed: O(log m) for the m
// variables that have ever had a time. Variables without one take no part, and no memory. Times of
// infinity stay in the heap, at its far end. Not NaN. A few variables are not worth a heap: their
// times stand in a row.
class TimeHeap {
 public:
  explicit TimeHeap(int variables)
      : few_(variables <= kFew ? variables : 0),
        position_(static_cast<std::size_t>(few_ > 0 ? 0 : variables)) {
    clear();
  }

  // There must be a time, or few variables.
  int first() const { return few_ > 0 ? first_of_few() : heap_.front().variable; }
  double first_time() const {
    if (few_ > 0) return times_[first_of_few()];
    return heap_.empty() ? std::numeric_limits<double>::infinity() : heap_.front().time;
  }

  // Of who is next after the first.
  double second_time() const {
    double least = std::numeric_limits<double>::infinity();
    if (few_ > 0) {
      const int first = first_of_few();
      for (int i = 0; i < few_; ++i) {
        if (i != first) least = std::min(least, times_[i]);
      }
    } else {
      for (std::size_t at = 1; at < std::min<std::size_t>(heap_.size(), 3); ++at)
        least = std::min(least, heap_[at].time);
    }
    return least;
  }
  // Of one that has a time.
  double time_of(int variable) const {
    return few_ > 0 ? times_[variable] : heap_[position_[variable] - 1].time;
  }
  // All whose time is not after `last`, in any order.
  void collect(double last, std::vector<int>& variables) const {
    variables.clear();
    if (few_ > 0) {
      for (int i = 0; i < few_; ++i) {
        if (times_[i] <= last) variables.push_back(i);
      }
      return;
    }
    // Who is not after it stands below others that are not.
    collect_from(0, last, variables);
  }

  [[gnu::always_inline]] void set(int variable, double time) {
    if (few_ > 0) {
      times_[variable] = time;
      first_ = kUnknown;
    } else {
      set_one_of_many(variable, time);
    }
  }

  void clear() {
    std::fill_n(times_, kFew, std::numeric_limits<double>::infinity());
    first_ = 0;
    for (const Entry& entry : heap_) position_[entry.variable] = 0;
    heap_.clear();
  }

 private:
  static constexpr int kFew = 8, kUnknown = -1;

  // Of several with the first time, the one with the lowest number. Each move sets several times
  // and asks once.
  int first_of_few() const {
    if (first_ == kUnknown) {
      first_ = 0;
      for (int i = 1; i < few_; ++i) {
        if (times_[i] < times_[first_]) first_ = i;
      }
    }
    return first_;
  }

  void set_one_of_many(int variable, double time) {
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

  struct Entry {
    double time;
    int variable;
  };

  void collect_from(std::size_t at, double last, std::vector<int>& variables) const {
    if (at >= heap_.size() || heap_[at].time > last) return;
    variables.push_back(heap_[at].variable);
    collect_from(2 * at + 1, last, variables);
    collect_from(2 * at + 2, last, variables);
  }

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

  int few_;  // so many variables; 0: many
  mutable int first_ = 0;
  double times_[kFew];
  std::vector<Entry> heap_;
  ZeroedArray<std::uint32_t> position_;  // in heap_, plus one; 0: not there
};

}  // namespace arges
