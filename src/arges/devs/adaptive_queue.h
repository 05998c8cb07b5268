#pragma once
// The schedule that chooses by itself.

#include "arges/devs/calendar_queue.h"
#include "arges/devs/event_queue.h"
#include "arges/devs/indexed_heap.h"

namespace arges::devs {

// A heap while there are few events, a calendar for many: between the two numbers it stays as it
// is. A calendar that finds its events too uneven gives way to the heap until there are twice as
// many.
class AdaptiveQueue final : public EventQueue {
 public:
  void insert(std::uint32_t id, double time) override {
    if (in_calendar_) {
      calendar_.insert(id, time);
      leave_bad_calendar();
    } else {
      heap_.insert(id, time);
      if (heap_.size() > many_) to_calendar();
    }
  }
  void move(std::uint32_t id, double from, double to) override {
    if (in_calendar_) {
      calendar_.move(id, from, to);
      leave_bad_calendar();
    } else {
      heap_.move(id, from, to);
    }
  }
  void erase(std::uint32_t id, double time) override {
    if (in_calendar_) {
      calendar_.erase(id, time);
    } else {
      heap_.erase(id, time);
    }
  }
  double min_time() override { return in_calendar_ ? calendar_.min_time() : heap_.min_time(); }
  void pop_until(double last, std::vector<std::uint32_t>& due) override {
    if (in_calendar_) {
      calendar_.pop_until(last, due);
    } else {
      heap_.pop_until(last, due);
    }
  }
  std::size_t size() const override { return in_calendar_ ? calendar_.size() : heap_.size(); }
  void drain(std::vector<Entry>& entries) override {
    if (in_calendar_) {
      calendar_.drain(entries);
    } else {
      heap_.drain(entries);
    }
  }
  void set_objects(const Objects& objects) override {
    objects_ = objects;
    calendar_.set_objects(objects);
  }

 private:
  static constexpr std::size_t kFew = 64, kMany = 256;

  void leave_bad_calendar() {
    if (calendar_.size() < kFew || calendar_.is_uneven()) to_heap();
  }
  void to_calendar();
  void to_heap();

  bool in_calendar_ = false;
  std::size_t many_ = kMany;
  Objects objects_;
  IndexedHeap heap_;
  CalendarQueue calendar_;
};

}  // namespace arges::devs
