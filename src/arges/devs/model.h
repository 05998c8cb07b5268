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

namespace arges::hybrid_devs {
struct ContinuousBehaviour;
}

namespace arges::devs {

class Coupled;
class Output;
class Structure;
class StateRecorder;

struct PortInfo {
  std::string name;
  const std::type_info* type;
};

// The functions of DEVS over an untyped state: one table a class, made by Atomic and
// VariableCoupled from the typed functions. Transitions return the new time advance, so that a
// transition costs one indirect call. `structure` is null for atomics.
struct Behaviour {
  std::size_t state_size, state_alignment;
  void (*create)(const Model&, void* memory);
  void (*destroy)(void* state) noexcept;
  double (*time_advance)(const Model&, const void* state);
  void (*output)(const Model&, const void* state, Output& y);
  double (*internal)(const Model&, void* state, Structure* structure);
  double (*external)(const Model&, void* state, double elapsed, const Bag& x, Structure* structure);
  double (*confluent)(const Model&, void* state, const Bag& x, Structure* structure);
  void (*record)(const Model&, const void* state, StateRecorder& recorder);
  const hybrid_devs::ContinuousBehaviour* continuous;  // null: there are only events
};

// The base of Atomic (atomic.h), Coupled (coupled.h) and VariableCoupled (structure.h). A model is
// const while it is simulated, and holds no state: one model serves many simulators at once.
class Model {
 public:
  virtual ~Model();
  Model(const Model&) = delete;
  Model& operator=(const Model&) = delete;

  const std::string& name() const { return info_->name; }
  // The coupled model in which it was built; null at the root. Of one that was made while the model
  // runs: where it has been moved since.
  const Coupled* parent() const { return info_->parent; }
  // As it was built: "shop.drill"; the root's name does not count, unless it is the model itself.
  std::string path() const;
  // Set by Coupled::set_priority; else that of the parent.
  int priority() const;
  // Among the components of its parent: as set there; else 0.
  int own_priority() const { return info_->has_priority ? info_->priority : 0; }
  const std::vector<PortInfo>& ports(PortSide side) const {
    return info_->ports[static_cast<std::size_t>(side)];
  }

  virtual const Coupled* as_coupled() const { return nullptr; }
  // Null for coupled models of fixed structure, which have no state.
  virtual const Behaviour* behaviour() const { return nullptr; }

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
