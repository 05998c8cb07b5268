#pragma once
// Coupled models.

#include <new>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "arges/devs/arena.h"
#include "arges/devs/model.h"

namespace arges::devs {

struct Coupling {
  Port from, to;
};

// Components and the couplings between their ports. A derived class builds it in its constructor:
//
//   class Line : public Coupled {
//    public:
//     In<Job> in{this, "in"};
//     Out<Job> out{this, "out"};
//     Line() {
//       auto& first = add<Processor>("first");
//       auto& second = add<Processor>("second");
//       couple(in, first.in);           // external input coupling
//       couple(first.out, second.in);   // internal coupling
//       couple(second.out, out);        // external output coupling
//     }
//   };
//
// Throws ApiError with the paths for what cannot be built (docs/guide/discrete-events.md).
class Coupled : public Model {
 public:
  Coupled() = default;
  ~Coupled() override;

  // A new component, which belongs to this model. It stays where it is: references remain valid.
  template <class M, class... Arguments>
  M& add(const std::string& name, Arguments&&... arguments) {
    check_new_name(name);
    M* added =
        ::new (memory_.allocate(sizeof(M), alignof(M))) M(std::forward<Arguments>(arguments)...);
    adopt(name, added);
    return *added;
  }
  // From an own input to a component's input, from output to input of two components, or from a
  // component's output to an own output.
  void couple(const Port& from, const Port& to);
  // Smaller goes first among simultaneous things; holds for all that is inside the component.
  void set_priority(const Model& component, int priority);

  const Coupled* as_coupled() const final { return this; }
  const std::vector<Model*>& components() const { return components_; }
  const std::vector<Coupling>& couplings() const { return couplings_; }
  // Null when there is none of that name.
  const Model* find(const std::string& name) const;

 private:
  void check_new_name(const std::string& name) const;
  void adopt(std::string name, Model* model);

  Arena memory_;  // model objects of one coupled model stand side by side
  std::vector<Model*> components_;
  std::vector<Coupling> couplings_;
  std::unordered_map<std::string, std::size_t> by_name_;  // for find() and duplicates only
};

// Throws ApiError unless `from` -> `to` can be a coupling inside `where`, given the coupled models
// in which the two owners are now.
void check_coupling(const Model& where, const Port& from, const Model* from_parent, const Port& to,
                    const Model* to_parent);

}  // namespace arges::devs
