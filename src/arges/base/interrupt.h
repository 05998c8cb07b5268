#pragma once
// The wish that long work should end.

#include <atomic>
#include <chrono>

namespace arges {

// The user's flag and the deadline of a run. The kernel looks at them between steps; what may take
// long within one evaluation (a loop in a function of the model) looks itself, now and then, and
// ends with an EvaluationError that is not recoverable.
class Interrupt {
 public:
  Interrupt() = default;
  Interrupt(const std::atomic<bool>* cancel, std::chrono::steady_clock::time_point deadline)
      : cancel_(cancel), deadline_(deadline) {}

  bool requested() const {
    return (cancel_ != nullptr && *cancel_) || std::chrono::steady_clock::now() > deadline_;
  }

 private:
  const std::atomic<bool>* cancel_ = nullptr;
  std::chrono::steady_clock::time_point deadline_ = std::chrono::steady_clock::time_point::max();
};

}  // namespace arges
