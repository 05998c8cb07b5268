#pragma once
// The schedule as a calendar.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "arges/devs/event_queue.h"
#include "arges/devs/large_pages.h"

namespace arges::devs {

// A calendar queue (Brown 1988) of intrusive, singly linked lists: time is cut into days of equal
// width, day k is bucket k mod 2^b, and a bucket holds its events of all years unsorted. The
// present day is taken out of its bucket and kept as a sorted list. With one or two events a day,
// all operations are O(1): no comparison with other events but those of the same day, and two cache
// lines touched.
//
// The width comes from the distances of the earliest events. It is chosen again when the number of
// events has doubled or halved, or when the queue has looked at too many empty days or too many
// events a day (see `work`): O(n), after O(n) operations. When that does not help (the events are
// too uneven for any width), is_uneven() says so, and the owner takes a heap. Up to the first
// choice of a width all is one day.
class CalendarQueue final : public EventQueue {
 public:
  void set(std::uint32_t id, double time) override;
  void erase(std::uint32_t id) override;
  double min_time() override;
  void pop_until(double last, std::vector<std::uint32_t>& due) override;
  std::size_t size() const override { return size_; }
  void drain(std::vector<Entry>& entries) override;
  void set_objects(const Objects& objects) override { objects_ = objects; }

  bool is_uneven() const { return uneven_; }

 private:
  static constexpr std::uint32_t kNil = 0xffffffff, kAbsent = 0xfffffffe;
  struct Node {
    double time = 0;
    std::uint32_t next = kAbsent;  // kAbsent: not in the queue
  };
  // Days since the base; at most 2^52, so that counting stays exact.
  std::uint64_t day_of(double time) const {
    const double days = (time - base_) * per_day_;
    if (!(days > 0)) return 0;
    return static_cast<std::uint64_t>(days < kLastDay ? days : kLastDay);
  }
  static constexpr double kLastDay = 4503599627370496.0;

  void insert(std::uint32_t id, double time);
  void insert_today(std::uint32_t id, double time);
  void unlink(std::uint32_t id);
  void next_day();
  void take_day(std::uint32_t bucket);
  void take_long_day(std::uint32_t bucket);
  void fetch_ahead() const;
  void rebuild();
  void jump_to_earliest();

  std::vector<Node, LargePageAllocator<Node>> nodes_;
  std::vector<std::uint32_t, LargePageAllocator<std::uint32_t>> buckets_;  // heads
  std::uint64_t mask_ = 0;
  double base_ = 0, per_day_ = 0;
  std::uint64_t today_ = 0;
  std::uint32_t first_ = kNil;  // of the present day, sorted by time
  std::size_t size_ = 0;
  std::size_t size_at_rebuild_ = 0;
  std::uint64_t work_ = 0, pops_ = 0;  // since the last rebuild
  int rebuilds_in_vain_ = 0;
  bool uneven_ = false;
  std::vector<Entry> scratch_;
  Objects objects_;
};

}  // namespace arges::devs
