#pragma once
// The schedule as a heap.

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "arges/devs/event_queue.h"

namespace arges::devs {

// A 4-ary heap of (time, id) with the position of each id, so that an id can be moved or erased:
// O(log n) each. The best choice for few pending events. The place of what was popped last stays
// vacant until the next call, which mostly is an insertion: then the new event begins there.
class IndexedHeap final : public EventQueue {
 public:
  void insert(std::uint32_t id, double time) override;
  void move(std::uint32_t id, double from, double to) override;
  void erase(std::uint32_t id, double time) override;
  double min_time() override {
    if (vacant_) settle();
    return heap_.empty() ? std::numeric_limits<double>::infinity() : heap_.front().time;
  }
  void pop_until(double last, std::vector<std::uint32_t>& due) override;
  std::size_t size() const override { return heap_.size() - (vacant_ ? 1 : 0); }
  void drain(std::vector<Entry>& entries) override;
  void set_objects(const Objects&) override {}

 private:
  static constexpr std::size_t kArity = 4;
  void remove(std::size_t at);
  void settle();  // nothing is vacant
  bool is_alone_until(double last) const;
  void up(std::size_t at, Entry entry);
  void down(std::size_t at, Entry entry);
  void put(std::size_t at, const Entry& entry) {
    heap_[at] = entry;
    position_[entry.id] = static_cast<std::uint32_t>(at);
  }

  std::vector<Entry> heap_;
  bool vacant_ = false;                  // the first has been popped
  std::vector<std::uint32_t> position_;  // of the ids that are in the heap
};

}  // namespace arges::devs
