// State machines in the text of a flat model.

#include <fmt/format.h>

#include "arges/flat/flat_text.h"

namespace arges {

namespace {

constexpr const char* kState = "State";

}  // namespace

bool FlatText::belongs_to_machine(const FlatVariable& v) const {
  for (const FlatMachineState& s : model_.machines.states) {
    if (&model_[s.active] == &v || &model_[s.entered] == &v) return true;
  }
  return false;
}

std::string FlatText::machine_variable(VarId v) const {
  if (model_[v].name == kTimeInState) return kTimeInState;
  for (const FlatMachineState& s : model_.machines.states) {
    if (s.active == v) return fmt::format("activeState({})", style_.name(s.name));
  }
  return {};
}

std::string FlatText::owner_mark(const Origin& origin) const {
  if (model_.machines.empty() || !style_.complete) return {};
  if (!origin.component.valid()) return " annotation(__Arges_block = \"\")";
  const std::int32_t owner = model_.machines.owner(model_.pool.text(origin.component));
  if (owner < 0) return {};
  return fmt::format(" annotation(__Arges_block = {})",
                     quoted_text(model_.machines.states[static_cast<std::size_t>(owner)].name));
}

std::string FlatText::state_class() const {
  return fmt::format("block {0} \"a state of a machine: what belongs to it is marked\"\nend {0};\n",
                     style_.name(kState));
}

void FlatText::machine_states() {
  for (const FlatMachineState& s : model_.machines.states)
    out_ += fmt::format("  {} {};\n", style_.name(kState), style_.name(s.name));
}

void FlatText::machines() {
  const FlatMachines& machines = model_.machines;
  const auto state = [&](std::int32_t s) {
    return style_.name(machines.states[static_cast<std::size_t>(s)].name);
  };
  const auto transition = [&](const FlatTransition& t) {
    out_ += fmt::format("  transition({}, {}, {}", state(t.from), state(t.to), text(t.condition));
    if (!t.immediate) out_ += ", immediate = false";
    if (!t.reset) out_ += ", reset = false";
    if (t.synchronize) out_ += ", synchronize = true";
    if (t.priority != 1) out_ += fmt::format(", priority = {}", t.priority);
    out_ += ")";
    std::vector<std::string> values;
    for (const auto& [target, value] : t.hand_over)
      values.push_back(fmt::format("{} = {}", names_.variable(target), text(value)));
    if (!values.empty())
      out_ += fmt::format(" annotation(__Arges_handOver({}))", fmt::join(values, ", "));
    out_ += ";\n";
  };
  for (std::size_t m = 0; m < machines.machines.size(); ++m) {
    out_ += fmt::format("  initialState({});\n", state(machines.machines[m].initial));
    for (const FlatTransition& t : machines.transitions) {
      if (machines.states[static_cast<std::size_t>(t.from)].machine == static_cast<int>(m))
        transition(t);
    }
  }
}

}  // namespace arges
