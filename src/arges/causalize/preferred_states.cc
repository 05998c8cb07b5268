// Which variables may be states: those of the text, and those that it prefers to them.

#include <algorithm>
#include <numeric>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "arges/base/index.h"
#include "arges/causalize/jumps.h"
#include "arges/causalize/passes.h"
#include "arges/causalize/reduce_index.h"

namespace arges {

namespace {

bool is_preferred(const CausalModel& model, VarId v) {
  return model.flat[v].state_select >= StateSelect::kPrefer &&
         model.role_of(v) == Role::kAlgebraic && !model.is_stepwise(v);
}

// Derivatives that the text prefers as states (relative velocities of springs, say), but does not
// differentiate themselves.
std::vector<VarId> preferred_rates(const CausalModel& model) {
  std::vector<VarId> preferred;
  for (const StateLink& s : model.states) {
    if (is_preferred(model, s.derivative)) preferred.push_back(s.derivative);
  }
  return preferred;
}

// What others are computed from that it does differentiate: pressure and enthalpy, where it is the
// mass and the energy of a volume whose derivatives it names.
std::vector<VarId> preferred_variables(const CausalModel& model, const std::vector<VarId>& except) {
  std::vector<VarId> preferred;
  for (std::size_t i = 0; i < model.flat.variables.size(); ++i) {
    const VarId v{static_cast<std::int32_t>(i)};
    if (is_preferred(model, v) && std::find(except.begin(), except.end(), v) == except.end())
      preferred.push_back(v);
  }
  return preferred;
}

// They can be states only if their derivatives are variables: index reduction finds the equations
// for these.
void differentiate(CausalModel& model, const std::vector<VarId>& wanted) {
  for (const VarId v : wanted) {
    FlatVariable rate;
    rate.name = "der(" + model.flat[v].name + ")";
    model.states.push_back({v, model.flat.add(std::move(rate))});
    model.role[at(v.index)] = Role::kState;
    model.role.push_back(Role::kAlgebraic);
  }
}

// Nothing: some equation cannot be differentiated so often.
std::optional<CausalModel> with_rates_of(const CausalModel& model,
                                         const std::vector<VarId>& wanted) {
  CausalModel trial = model;
  differentiate(trial, wanted);
  try {
    reduce_index(trial);
  } catch (const UserError&) {
    return std::nullopt;
  }
  return trial;
}

std::vector<VarId> states_of(const CausalModel& model) {
  std::vector<VarId> states;
  for (const StateLink& s : model.states) states.push_back(s.state);
  std::sort(states.begin(), states.end(), [](VarId a, VarId b) { return a.index < b.index; });
  return states;
}

// Of those preferred, the ones that no event lets jump, as states: `plain` tells how they follow
// from the states of the text. Nothing: there are none, or an equation cannot be differentiated.
std::optional<CausalModel> with_preferred(const CausalModel& model, Jumps& plain,
                                          const std::vector<VarId>& rates,
                                          std::vector<VarId> preferred) {
  while (!preferred.empty()) {
    std::vector<VarId> wanted = rates;
    wanted.insert(wanted.end(), preferred.begin(), preferred.end());
    std::optional<CausalModel> chosen = with_rates_of(model, wanted);
    if (!chosen) return std::nullopt;
    Jumps of_chosen(*chosen);
    const auto jumps = [&](VarId v) { return of_chosen.near(v) && plain.in_computing(v); };
    if (std::erase_if(preferred, jumps) == 0) return chosen;
  }
  return std::nullopt;
}

// With stateSelect = always, and not a state.
std::vector<VarId> not_obeyed(const CausalModel& model) {
  std::vector<VarId> missing;
  for (std::size_t i = 0; i < model.flat.variables.size(); ++i) {
    const VarId v{static_cast<std::int32_t>(i)};
    if (model.flat[v].state_select == StateSelect::kAlways &&
        model.role_of(v) == Role::kAlgebraic && !model.is_stepwise(v))
      missing.push_back(v);
  }
  return missing;
}

// What the text asks for by `always` counts more than what it prefers: where not all can be states
// together, those alone are tried, and then one after the other.
std::optional<CausalModel> with_always(const CausalModel& model, Jumps& plain,
                                       const std::vector<VarId>& rates,
                                       const std::vector<VarId>& preferred) {
  constexpr std::size_t kMostTried = 20;
  std::vector<VarId> always;
  for (const VarId v : preferred) {
    if (model.flat[v].state_select == StateSelect::kAlways) always.push_back(v);
  }
  std::optional<CausalModel> best;
  if (always.size() < preferred.size()) best = with_preferred(model, plain, rates, always);
  if (best && not_obeyed(*best).empty()) return best;
  if (always.size() < 2 || always.size() > kMostTried) return best;
  std::vector<VarId> taken;
  for (const VarId v : always) {
    taken.push_back(v);
    std::optional<CausalModel> more = with_preferred(model, plain, rates, taken);
    if (more && more->role_of(v) == Role::kState) {
      best = std::move(more);
    } else {
      taken.pop_back();
    }
  }
  return best;
}

void choose_states(CausalModel& model) {
  const std::vector<VarId> rates = preferred_rates(model);
  const std::vector<VarId> preferred = preferred_variables(model, rates);
  std::optional<CausalModel> plain;
  if (!rates.empty() || !preferred.empty()) plain = with_rates_of(model, rates);
  if (!plain) return reduce_index(model);
  Jumps jumps(*plain);
  std::optional<CausalModel> chosen = with_preferred(model, jumps, rates, preferred);
  const std::size_t missing = not_obeyed(chosen ? *chosen : *plain).size();
  if (missing > 0) {
    std::optional<CausalModel> obedient = with_always(model, jumps, rates, preferred);
    if (obedient && not_obeyed(*obedient).size() < missing) chosen = std::move(obedient);
  }
  if (!chosen) {
    model = std::move(*plain);
    return;
  }
  for (const VarId v : states_of(*plain)) {
    if (chosen->role_of(v) != Role::kState) chosen->replaced_states.push_back(v);
  }
  model = std::move(*chosen);
}

constexpr char kFollows[] =
    "there are no more degrees of freedom than the other states have, from which it follows";

// Why a variable is not a state, alone.
std::string reason_against(const CausalModel& before, VarId v) {
  if (before.role_of(v) == Role::kState) return kFollows;
  CausalModel trial = before;
  differentiate(trial, {v});
  try {
    reduce_index(trial);
  } catch (const UserError& error) {
    return error.what();
  }
  if (Jumps(trial).near(v)) return "an event may let it jump";
  return kFollows;
}

void tell_not_obeyed(CausalModel& model, const CausalModel& before) {
  for (const VarId v : not_obeyed(model)) {
    const FlatVariable& variable = model.flat[v];
    if (variable.hidden || variable.origin.line == 0) continue;
    model.findings.push_back(
        {diag::Code::kNotAState,
         fmt::format("'{}' has stateSelect = StateSelect.always, and is not a state: {}",
                     variable.name, reason_against(before, v)),
         {place_in_text(model.flat.pool, variable.origin, "declared here")}});
  }
}

}  // namespace

void select_states(CausalModel& model) {
  const bool asks = std::ranges::any_of(model.flat.variables, [](const FlatVariable& v) {
    return v.state_select == StateSelect::kAlways;
  });
  std::optional<CausalModel> before;
  if (asks) before = model;
  choose_states(model);
  if (asks) tell_not_obeyed(model, *before);
  model.statistics.states = static_cast<int>(model.states.size());
  for (const ReinitAction& r : model.reinits) {
    if (model.role_of(r.state) != Role::kState) {
      throw ModelError(
          diag::Code::kReinitNoState,
          fmt::format("reinit({}, ...): not a state; stateSelect = StateSelect.always may help",
                      model.flat[r.state].name),
          {place_in_text(model.flat.pool, model.flat[r.state].origin, "")});
    }
  }
}

}  // namespace arges
