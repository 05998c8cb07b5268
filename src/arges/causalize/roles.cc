#include "arges/causalize/roles.h"

namespace arges {

void set_roles(CausalModel& model) {
  const FlatModel& flat = model.flat;
  model.role.assign(flat.variables.size(), Role::kAlgebraic);
  const auto role = [&](VarId v) -> Role& { return model.role[static_cast<std::size_t>(v.index)]; };
  for (std::size_t i = 0; i < flat.variables.size(); ++i) {
    const FlatVariable& v = flat.variables[i];
    if (v.absent) {
      model.role[i] = Role::kAbsent;
    } else if (v.variability <= FlatVariability::kParameter) {
      model.role[i] = Role::kParameter;
    } else if (v.causality == Causality::kInput) {
      model.role[i] = Role::kInput;
    } else if (v.variability == FlatVariability::kDiscrete) {
      model.role[i] = Role::kDiscrete;
    }
  }
  for (const AliasLink& a : model.aliases) role(a.var) = Role::kAlias;
  for (const StateLink& s : model.states) role(s.state) = Role::kState;
}

}  // namespace arges
