#pragma once
// Who watches processes.

#include <cstdint>
#include <string_view>

namespace arges::process {

// A process has run until it waits again, or has ended.
struct ActivationEvent {
  enum class Kind : std::uint8_t { kStarted, kResumed, kInterrupted };
  double time;
  std::int64_t count;     // of the activations at this time, from 0
  std::string_view name;  // of the process
  std::uint32_t slot;     // which of those with that name
  Kind kind;              // how it came to run
  bool ended;
};

// "started", "resumed", "interrupted"
const char* to_string(ActivationEvent::Kind kind);

// Called between activations: may look at everything, not change it.
class Observer {
 public:
  virtual ~Observer() = default;
  virtual void on_activation(const ActivationEvent& event) = 0;
};

}  // namespace arges::process
