#pragma once
// Coupled models whose structure varies.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "arges/devs/behaviour.h"
#include "arges/devs/coupled.h"
#include "arges/devs/state_recorder.h"

namespace arges::devs {

class Simulator;

// Whether a component may be removed although it is due at some time.
enum class Pending { kRefuse, kDrop };

// The structure of one coupled model in a run, as its own transition functions see and change it.
// Changes are seen at once; messages take the new ways from the next step on. Components are named
// by reference to their model objects, as add() gives them. All functions throw ApiError for what
// cannot be done, which ends the run with the path of the coupled model. Who catches that, or what
// a new component throws, finds the structure as it was before the call.
class Structure {
 public:
  // A new component, initialised at the present time.
  template <class M, class... Arguments>
  // NOLINTNEXTLINE(performance-unnecessary-value-param): it is moved on
  const M& add(std::string name, Arguments&&... arguments) {
    auto model = construct<M>(name, std::forward<Arguments>(arguments)...);
    const M& added = *model;
    adopt(std::move(name), std::move(model));
    return added;
  }
  // Its couplings go with it. The object lives until the end of the step.
  void remove(const Model& component, Pending pending = Pending::kRefuse);
  // Into `to`, which is this coupled model or one inside it: state and due time are kept, couplings
  // are not. The component is anywhere inside this coupled model.
  void move(const Model& component, const Coupled& to);
  // A new component in the place of an old one: name and couplings stay.
  template <class M, class... Arguments>
  const M& exchange(const Model& component, Pending pending, Arguments&&... arguments) {
    auto model = construct<M>(component.name(), std::forward<Arguments>(arguments)...);
    const M& added = *model;
    replace(component, pending, std::move(model));
    return added;
  }
  void couple(const Port& from, const Port& to);
  void decouple(const Port& from, const Port& to);

  // The structure of a coupled model inside this one.
  Structure of(const Coupled& inner) const;

  // Null when there is no component of that name.
  const Model* find(const std::string& name) const;
  // The same with its type; throws ApiError when there is none, or when it is of another type.
  template <class M>
  const M& get(const std::string& name) const {
    const M* model = dynamic_cast<const M*>(find(name));
    if (model == nullptr) not_there(name);
    return *model;
  }
  std::size_t size() const;  // direct components
  // The direct components, sorted by name.
  std::vector<const Model*> components() const;
  double time() const;
  // The state of a component of this model.
  template <class M>
  const typename M::State& state(const M& component) const {
    return *static_cast<const typename M::State*>(state_of(component));
  }

 private:
  friend class Simulator;
  Structure(Simulator& simulator, std::uint32_t node, std::uint32_t executive);
  // Of the model whose structure it is. Throws ApiError when that has been removed since.
  std::uint32_t here() const;

  template <class M, class... Arguments>
  std::unique_ptr<M> construct(const std::string& name, Arguments&&... arguments) const {
    try {
      return std::make_unique<M>(std::forward<Arguments>(arguments)...);
    } catch (const ApiError&) {
      throw_from_inside(path_of(name));
    }
  }
  std::string path_of(const std::string& name) const;  // of a component of this model
  void adopt(std::string name, std::unique_ptr<Model> model);
  void replace(const Model& component, Pending pending, std::unique_ptr<Model> model);
  void create_or_take_back(std::uint32_t node);
  // The components of the node; throws ApiError when they must not be removed.
  std::vector<std::uint32_t> check_removal(std::uint32_t node, Pending pending) const;
  void remove_node(std::uint32_t node, const std::vector<std::uint32_t>& gone);
  std::uint32_t own_node(const Model& component, bool direct) const;
  const void* state_of(const Model& component) const;
  [[noreturn]] void not_there(const std::string& name) const;
  void note(int kind, const std::string& what,
            const std::vector<std::uint32_t>& components = {}) const;
  std::string way(const Port& from, const Port& to) const;

  Simulator* simulator_;
  const Model* model_;
  std::uint32_t node_, executive_;
};

// A coupled model <X, Y, {d}, S_N, internal, external, confluent, output, time_advance>: beside
// components and couplings it has a state of its own, `D::State` (the structural variables), and
// transition functions that change the structure. Its ports for these functions are declared with
// executive():
//
//   class Shop : public VariableCoupled<Shop> {
//    public:
//     struct State { int machines = 0; };
//     In<Signal> grow{executive(), "grow"};
//     void external(State& s, double, const Bag&, Structure& now) const {
//       const auto& machine = now.add<Machine>("machine[" + std::to_string(++s.machines) + "]");
//       now.couple(in, machine.in);
//     }
//   };
//
// Defaults are those of Atomic. The functions run after the atomics' of the same step
// (docs/guide/discrete-events.md, changes of structure).
template <class D>
class VariableCoupled : public Behaving<D, Coupled> {
 protected:
  VariableCoupled() = default;
  PortOwner executive() { return {this, true}; }
};

}  // namespace arges::devs
