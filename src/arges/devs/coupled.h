#pragma once
// Coupled models.

#include <cstdint>
#include <functional>
#include <new>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "arges/base/error.h"
#include "arges/devs/arena.h"
#include "arges/devs/model.h"

namespace arges::devs {

struct Coupling {
  Port from, to;
};

// A model that cannot be built. A model gets its name and place when its constructor has returned,
// so paths in the message begin at the model that was being constructed; whoever constructs it says
// where it would be (inside), and in the end the message has whole paths.
class BuildError : public ApiError {
 public:
  static constexpr char kPath = '\1';  // stands for the next of the paths in the text
  BuildError(std::string text, std::vector<std::string> paths);
  BuildError inside(const std::string& name) const;

 private:
  std::string text_;
  std::vector<std::string> paths_;
};
// As paths of a BuildError.
std::string relative_path(const Model& model);
std::string relative_path(const Port& port);
// In the handler of an ApiError from the constructor of component `name`: throws it on, with paths
// that begin there.
[[noreturn]] void throw_from_inside(const std::string& name);

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
// Throws BuildError with the paths for what cannot be built (docs/guide/discrete-events.md).
class Coupled : public Model {
 public:
  Coupled() = default;
  ~Coupled() override;

  // A new component, which belongs to this model. It stays where it is: references remain valid.
  template <class M, class... Arguments>
  M& add(const std::string& name, Arguments&&... arguments) {
    check_new_name(name);
    M* added = nullptr;
    try {
      added =
          ::new (memory_.allocate(sizeof(M), alignof(M))) M(std::forward<Arguments>(arguments)...);
    } catch (const ApiError&) {
      throw_from_inside(name);
    }
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

  void refuse_twice(const Coupling& coupling);

  Arena memory_;  // model objects of one coupled model stand side by side
  std::vector<Model*> components_;
  std::vector<Coupling> couplings_;
  std::unordered_map<std::string, std::size_t> by_name_;  // for find() and duplicates only
  std::vector<std::uint32_t> made_;  // a hash table of couplings_, by number from 1; for duplicates
};

// Throws BuildError unless `from` -> `to` can be a coupling inside `where`, given the coupled
// models in which the two owners are now, and what the paths of models are now.
using PathOf = std::function<std::string(const Model&)>;
void check_coupling(const Model& where, const Port& from, const Model* from_parent, const Port& to,
                    const Model* to_parent, const PathOf& path_of);

}  // namespace arges::devs
