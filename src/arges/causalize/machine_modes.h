#pragma once
// A flat model with state machines to one flat model for each of its modes.

#include <stdexcept>
#include <string>
#include <vector>

#include "arges/flat/flat_model.h"

namespace arges {

// A set of states that are active together: a mode of the model.
struct Configuration {
  std::vector<std::int32_t> active;  // sorted
  std::string name;                  // of the innermost ones: "swinging", "motor.on, brake.off"

  bool has(std::int32_t state) const;
};

// A transition that can fire in a mode.
struct ModeTransition {
  std::int32_t transition = -1;  // FlatMachines::transitions
  VarId fires;                   // Boolean: the condition
  std::vector<VarId> values;     // what is handed over, when it fires
};

// `flat` has the variables of the whole model, by the same ids; those that do not exist are absent.
struct ModeModel {
  FlatModel flat;
  std::vector<ModeTransition> outgoing;  // outer machines first, then by priority
};

// What a mode cannot be made of, with the code of the diagnostic that says so.
class ModeError : public std::runtime_error {
 public:
  ModeError(bool too_many, const std::string& what)
      : std::runtime_error(what), too_many_modes(too_many) {}
  bool too_many_modes;  // else: the mode is singular, or uses what does not exist in it
};

// All expressions of the statements of algorithms.
void collect_expressions(const std::vector<Statement>& body, std::vector<ExprId>& out);
// Whether the index of a node is a variable.
bool names_variable(Op op);

// Takes a model with machines apart.
class ModeSplitter {
 public:
  // Throws ModeError when there are more than `limit` modes.
  explicit ModeSplitter(const FlatModel& whole, std::size_t limit = 2000);

  // Those that can be reached, the initial one first.
  const std::vector<Configuration>& modes() const { return modes_; }
  ModeModel make(const Configuration& mode) const;
  // The innermost state that a variable belongs to; -1: none.
  std::int32_t owner(VarId v) const { return owner_[static_cast<std::size_t>(v.index)]; }
  // The same for a delay, by the number of its past.
  std::int32_t delay_owner(std::int32_t number) const {
    return delay_owners_[static_cast<std::size_t>(number)];
  }
  // The mode after a transition, with machines that are entered in the states `inner` (or, where
  // these say nothing, their initial ones).
  int after(const Configuration& mode, const FlatTransition& transition,
            const std::vector<std::int32_t>& inner = {}) const;

 private:
  using States = std::vector<std::int32_t>;

  void find_reachable();
  std::vector<States> inside(std::int32_t state) const;
  std::string name_of(const States& active) const;
  bool may_leave(const Configuration& mode, const FlatTransition& t) const;
  bool is_final(std::int32_t state) const;
  void drop_equations(FlatModel& flat, const Configuration& mode) const;
  void decide_active(FlatModel& flat, const Configuration& mode) const;
  void drop_variables(FlatModel& flat, const Configuration& mode) const;
  void add_transitions(ModeModel& made, const Configuration& mode) const;

  FlatModel whole_;
  const FlatMachines& machines_;
  std::size_t limit_;
  std::vector<std::int32_t> delay_owners_;
  std::vector<char> reachable_;
  std::vector<std::int32_t> owner_;  // of variables
  std::vector<Configuration> modes_;
};

}  // namespace arges
