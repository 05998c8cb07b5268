#pragma once
// The schedule of a simulator: who is due when.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace arges::devs {

// kAdaptive looks at how many events are pending and what they cost, and changes between the
// others.
enum class QueueKind { kAdaptive, kHeap, kCalendar };

// A set of (id, time), at most one time an id, ordered by time. Ids are small integers. All kinds
// give the same sets; the order inside one pop is not defined (the simulator sorts).
class EventQueue {
 public:
  virtual ~EventQueue() = default;

  // Times are finite, and not before what was popped last. Who moves or erases an id says the time
  // that it has: then no queue needs to keep a second record of it.
  virtual void insert(std::uint32_t id, double time) = 0;
  virtual void move(std::uint32_t id, double from, double to) = 0;
  virtual void erase(std::uint32_t id, double time) = 0;
  virtual double min_time() = 0;  // infinity when it is empty
  // Removes all that are due up to `last` and appends them to `due`.
  virtual void pop_until(double last, std::vector<std::uint32_t>& due) = 0;
  virtual std::size_t size() const = 0;
  // Appends all pairs in any order, and becomes empty.
  struct Entry {
    double time;
    std::uint32_t id;
  };
  virtual void drain(std::vector<Entry>& entries) = 0;

  // For speed only: where the objects of the ids stand, so that the queue can fetch them into the
  // cache: object `id` is at first + id * size, and has a pointer to something else that is needed
  // at `pointer`.
  struct Objects {
    const std::byte* first = nullptr;
    std::size_t size = 0, pointer = 0;
  };
  virtual void set_objects(const Objects& objects) = 0;
};

std::unique_ptr<EventQueue> make_event_queue(QueueKind kind);

}  // namespace arges::devs
