#pragma once
// The line in front of something.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "arges/process/world.h"

namespace arges::process {

// kPriority: smaller numbers first, equal ones in the order of arrival.
enum class Discipline { kFifo, kLifo, kPriority };

struct Request {
  Waiter waiter;
  int priority;
  double since;
};

// Requests in the order in which they will be served. Taking the first is O(1), and so is joining
// at the end; joining by priority goes from the end.
class WaitQueue {
 public:
  explicit WaitQueue(Discipline discipline = Discipline::kFifo) : discipline_(discipline) {}

  bool empty() const { return begin_ == requests_.size(); }
  std::size_t size() const { return requests_.size() - begin_; }
  const Request& operator[](std::size_t i) const { return requests_[begin_ + i]; }
  const Request& front() const { return requests_[begin_]; }

  // Whether a newcomer would.
  bool would_stand_first(int priority) const {
    return empty() || discipline_ == Discipline::kLifo ||
           (discipline_ == Discipline::kPriority && front().priority > priority);
  }
  void join(const Request& request) {
    const bool at_end =
        discipline_ == Discipline::kFifo || empty() ||
        (discipline_ == Discipline::kPriority && requests_.back().priority <= request.priority);
    if (at_end) {
      requests_.push_back(request);
    } else {
      join_inside(request);
    }
  }
  Request take_front();
  Request take(std::size_t i);
  // False when it is not there.
  bool remove(std::uint32_t slot, std::uint32_t index);

 private:
  void join_inside(const Request& request);
  Discipline discipline_;
  std::vector<Request> requests_;  // from begin_ on
  std::size_t begin_ = 0;
};

}  // namespace arges::process
