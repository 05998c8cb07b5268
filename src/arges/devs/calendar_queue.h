#pragma once
// The schedule as a calendar.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "arges/devs/event_queue.h"
#include "arges/devs/large_pages.h"

namespace arges::devs {

// A calendar queue (Brown 1988): time is cut into days of equal width, day k is bucket k mod 2^b,
// and a bucket holds its events of all years unsorted. The events of the present day are taken out
// of their bucket into a sorted list.
//
// With many events the price of an operation is that of the cache lines it touches. So a bucket is
// one cache line with the events themselves in it: days go by in the order of memory, an insertion
// touches one line, and there is no record of where an id is. No line is waited for: what the
// events of the coming days will need is fetched days ahead, and an event for a day that is far
// away is written some insertions later, when its line has come.
//
// The width comes from the distances of the earliest events. It is chosen again when the number of
// events has doubled or halved, or when the queue has looked at too many empty days or too many
// events a day (see `work`): O(n), after O(n) operations. When that does not help (the events are
// too uneven for any width), is_uneven() says so, and the owner takes a heap. Up to the first
// choice of a width all is one day.
class CalendarQueue final : public EventQueue {
 public:
  void insert(std::uint32_t id, double time) override;
  void move(std::uint32_t id, double from, double to) override;
  void erase(std::uint32_t id, double time) override;
  double min_time() override;
  void pop_until(double last, std::vector<std::uint32_t>& due) override;
  std::size_t size() const override { return size_; }
  void drain(std::vector<Entry>& entries) override;
  void set_objects(const Objects& objects) override { objects_ = objects; }

  bool is_uneven() const { return uneven_; }

 private:
  // A cache line of events. More than fit go on in a line of `spill_`.
  struct alignas(64) Bucket {
    static constexpr std::uint32_t kCapacity = 5;
    double time[kCapacity];
    std::uint32_t id[kCapacity];
    std::uint32_t used : 3;
    std::uint32_t next : 29;  // number in spill_; 0: none
  };
  // Days since the base; at most 2^52, so that counting stays exact.
  std::uint64_t day_of(double time) const {
    const double days = (time - base_) * per_day_;
    if (!(days > 0)) return 0;
    return static_cast<std::uint64_t>(days < kLastDay ? days : kLastDay);
  }
  static constexpr double kLastDay = 4503599627370496.0;

  // An event whose line is on its way into the cache.
  struct Waiting {
    double time;
    std::uint64_t day = 0;  // 0: none
    std::uint32_t id;
  };
  static constexpr std::size_t kWaiting = 8;
  static constexpr std::uint64_t kSoon = 128;  // days
  static constexpr std::uint64_t kNever = ~std::uint64_t{0};

  void put(std::uint32_t id, double time);
  void put_later(std::uint32_t id, double time, std::uint64_t day);
  void write_waiting();
  void put_today(std::uint32_t id, double time);
  void make_room(Bucket& bucket);
  void take_out(std::uint32_t id, double time);
  void next_day();
  void take_day(Bucket& bucket);
  void fetch_ahead() const;
  void rebuild();
  void jump_to_earliest();
  template <class Visit>
  void for_each_later(const Visit& visit) const;  // all but those of the present day

  std::vector<Bucket, LargePageAllocator<Bucket>> buckets_;
  std::vector<Bucket> spill_;              // [0] is not used
  std::vector<std::uint32_t> free_spill_;  // numbers
  std::vector<Entry> today_list_;          // the last is the earliest
  Waiting waiting_[kWaiting] = {};
  std::size_t next_waiting_ = 0;
  std::uint64_t first_waiting_day_ = kNever;  // or before
  std::uint64_t mask_ = 0;
  double base_ = 0, per_day_ = 0;
  std::uint64_t today_ = 0;
  std::size_t size_ = 0;
  std::size_t size_at_rebuild_ = 0;
  std::uint64_t work_ = 0, pops_ = 0;  // since the last rebuild
  int rebuilds_in_vain_ = 0;
  bool uneven_ = false;
  Objects objects_;
};

}  // namespace arges::devs
