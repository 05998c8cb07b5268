#include "arges/process/wait_queue.h"

#include <algorithm>

namespace arges::process {

void WaitQueue::join_inside(const Request& request) {
  std::size_t at = requests_.size();
  if (discipline_ == Discipline::kLifo) {
    at = begin_;
  } else {
    while (at > begin_ && requests_[at - 1].priority > request.priority) --at;
  }
  requests_.insert(requests_.begin() + static_cast<std::ptrdiff_t>(at), request);
}

Request WaitQueue::take_front() {
  const Request first = requests_[begin_++];
  if (begin_ == requests_.size()) {
    requests_.clear();
    begin_ = 0;
  } else if (begin_ > 64 && 2 * begin_ > requests_.size()) {
    requests_.erase(requests_.begin(), requests_.begin() + static_cast<std::ptrdiff_t>(begin_));
    begin_ = 0;
  }
  return first;
}

Request WaitQueue::take(std::size_t i) {
  const auto at = requests_.begin() + static_cast<std::ptrdiff_t>(begin_ + i);
  const Request taken = *at;
  requests_.erase(at);
  return taken;
}

bool WaitQueue::remove(std::uint32_t slot, std::uint32_t index) {
  const auto first = requests_.begin() + static_cast<std::ptrdiff_t>(begin_);
  const auto found = std::find_if(first, requests_.end(), [&](const Request& request) {
    return request.waiter.slot == slot && request.waiter.index == index;
  });
  if (found == requests_.end()) return false;
  requests_.erase(found);
  return true;
}

}  // namespace arges::process
