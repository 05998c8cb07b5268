#pragma once
// What atomic and coupled models share: a name, ports, and, erased, the functions of DEVS.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <typeinfo>
#include <vector>

#include "arges/devs/clock.h"
#include "arges/devs/message.h"
#include "arges/devs/port.h"

namespace arges::devs {

class Coupled;
class Output;
class Structure;
class StateRecorder;

struct PortInfo {
  std::string name;
  const std::type_info* type;
};

// The base of Atomic (atomic.h), Coupled (coupled.h) and VariableCoupled (structure.h). A model is
// const while it is simulated, and holds no state: one model serves many simulators at once.
//
// The functions do_... are the DEVS functions over an untyped state; Atomic and VariableCoupled
// define them from the typed ones. Transitions return the new time advance, so that a transition
// costs one indirect call.
class Model {
 public:
  virtual ~Model();
  Model(const Model&) = delete;
  Model& operator=(const Model&) = delete;

  const std::string& name() const { return info_->name; }
  // The coupled model in which it was built; null at the root.
  const Coupled* parent() const { return info_->parent; }
  // As it was built: "shop.drill"; the root's name does not count, unless it is the model itself.
  std::string path() const;
  // Set by Coupled::set_priority; else that of the parent.
  int priority() const;
  const std::vector<PortInfo>& ports(PortSide side) const {
    return info_->ports[static_cast<std::size_t>(side)];
  }

  virtual const Coupled* as_coupled() const { return nullptr; }
  // Whether it has a state and transitions: atomics have, and coupled models of variable structure.
  virtual bool has_behaviour() const { return false; }

  struct StateLayout {
    std::size_t size = 0, alignment = 1;
    const std::type_info* type = nullptr;
  };
  virtual StateLayout state_layout() const { return {}; }
  virtual void create_state(void* memory) const;
  virtual void destroy_state(void* state) const noexcept;
  virtual double do_time_advance(const void* state) const;
  virtual void do_output(const void* state, Output& y) const;
  // `structure` is null for atomics.
  virtual double do_internal(void* state, Structure* structure) const;
  virtual double do_external(void* state, double elapsed, const Bag& x, Structure* structure) const;
  virtual double do_confluent(void* state, const Bag& x, Structure* structure) const;
  // Names and values of what a run records of this component (recorder.h).
  virtual void do_record(const void* state, StateRecorder& recorder) const;

 protected:
  Model();

 private:
  friend class Coupled;
  friend class Port;
  friend class Network;

  struct Info {
    std::string name = "model";
    const Coupled* parent = nullptr;
    bool has_priority = false;
    int priority = 0;
    std::vector<PortInfo> ports[4];
  };
  std::uint16_t declare_port(PortSide side, std::string name, const std::type_info& type);

  std::unique_ptr<Info> info_;
};

// Throws ApiError unless the name can stand in a path: not empty, and no '.', blank or control
// character in it.
void check_name(const std::string& name, const std::string& what);

// "double", "arges::devs::Signal": a type as written in C++.
std::string type_in_words(const std::type_info& type);

}  // namespace arges::devs
