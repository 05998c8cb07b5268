#pragma once
// Who watches a discrete-event run.

#include <cstdint>
#include <span>
#include <string>

#include "arges/devs/message.h"

namespace arges::devs {

class Model;
class Simulator;

// kState: of a hybrid component, by a condition on its continuous states (src/arges/hybrid_devs).
enum class Transition : std::uint8_t { kInitial, kInternal, kExternal, kConfluent, kState };

// "initial", "internal", "external", "confluent", "state"
const char* to_string(Transition kind);

struct TransitionEvent {
  double time;
  std::int64_t iteration;
  std::uint32_t component;  // see Simulator::path
  const Model& model;
  const void* state;  // after the transition
  Transition kind;
  double elapsed;  // since the last transition of the component
  double due;      // when its next internal event is; infinity
};

struct MessageEvent {
  double time;
  std::int64_t iteration;
  std::uint32_t from, to;  // components; from is kNone for a message from outside
  std::uint16_t from_port, to_port;
  const MessageWord& word;
};

struct StructureEvent {
  enum class Kind { kAdded, kRemoved, kMoved, kExchanged, kCoupled, kDecoupled };
  double time;
  std::int64_t iteration;
  std::uint32_t executive;  // who did it
  Kind kind;
  std::string what;  // the path of the component, or "a.out -> b.in"
  // The numbers of all components that are gone (removed, exchanged) or have moved. A number may be
  // used again from the next change on.
  std::span<const std::uint32_t> components;
};

// "added", "removed", "moved", "exchanged", "coupled", "decoupled"
const char* to_string(StructureEvent::Kind kind);

// Called during a step: may look at the simulator, not change it.
class Observer {
 public:
  virtual ~Observer() = default;
  virtual void on_transition(const Simulator&, const TransitionEvent&) {}
  virtual void on_message(const Simulator&, const MessageEvent&) {}
  virtual void on_structure(const Simulator&, const StructureEvent&) {}
};

}  // namespace arges::devs
