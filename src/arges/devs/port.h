#pragma once
// Ports: where messages leave and enter a model.

#include <cstdint>
#include <string>
#include <type_traits>
#include <typeinfo>

namespace arges::devs {

class Model;

// A message without a value.
struct Signal {};

// kExecutive*: ports of a coupled model's own functions (structure.h), not of its components.
enum class PortSide : std::uint8_t { kIn, kOut, kExecutiveIn, kExecutiveOut };

constexpr bool is_input(PortSide side) {
  return side == PortSide::kIn || side == PortSide::kExecutiveIn;
}
constexpr bool is_executive(PortSide side) {
  return side == PortSide::kExecutiveIn || side == PortSide::kExecutiveOut;
}

// The owner of a port, as declared: `this` of the model, or `executive()` of a VariableCoupled.
struct PortOwner {
  // NOLINTNEXTLINE(google-explicit-constructor): so that a port can be declared by {this, "name"}.
  PortOwner(Model* owner) : model(owner) {}
  PortOwner(Model* owner, bool of_executive) : model(owner), executive(of_executive) {}
  Model* model;
  bool executive = false;
};

// A reference to one port of one model: its position among the ports of its side.
class Port {
 public:
  const Model& owner() const { return *owner_; }
  std::uint16_t index() const { return index_; }
  PortSide side() const { return side_; }
  const std::string& name() const;
  const std::type_info& type() const;
  // "shop.drill.in"
  std::string path() const;
  // The value type in words: "double", "Job".
  std::string type_name() const;

 protected:
  // Declares the port at its owner. Throws ApiError when the name is taken or not a name.
  Port(PortOwner owner, std::string name, bool input, const std::type_info& type);

 private:
  const Model* owner_;
  std::uint16_t index_;
  PortSide side_;
};

// Declared as members of a model:  In<Job> in{this, "in"};  Out<Job> out{this, "out"};
template <class T>
class In : public Port {
 public:
  using Value = T;
  In(PortOwner owner, std::string name) : Port(owner, std::move(name), true, typeid(T)) {}
};

template <class T>
class Out : public Port {
 public:
  using Value = T;
  Out(PortOwner owner, std::string name) : Port(owner, std::move(name), false, typeid(T)) {}
};

}  // namespace arges::devs
