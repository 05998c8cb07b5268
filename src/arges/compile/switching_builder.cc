#include "arges/compile/switching_builder.h"

#include <algorithm>
#include <limits>
#include <set>

#include <fmt/format.h>

#include "arges/base/error.h"
#include "arges/base/index.h"
#include "arges/causalize/passes.h"
#include "arges/expr/walk.h"

namespace arges {

namespace {

constexpr double kAbsent = std::numeric_limits<double>::quiet_NaN();

std::vector<VarId> differentiated_variables(const FlatModel& flat) {
  std::set<std::int32_t> found;
  ExprWalker walker(flat.pool);
  std::vector<ExprId> roots;
  for (const FlatEquation& e : flat.equations) roots.insert(roots.end(), {e.lhs, e.rhs});
  for (const ExprId n : walker.new_nodes(roots)) {
    if (flat.pool[n].op == Op::kDer) found.insert(flat.pool[n].index);
  }
  std::vector<VarId> list;
  for (const std::int32_t v : found) list.push_back(VarId{v});
  return list;
}

// Of a `when`.
bool is_condition(const CausalModel& model, VarId v) {
  return std::any_of(model.pres.begin(), model.pres.end(),
                     [&](const PreLink& p) { return p.of == v && p.held_at_start; });
}

// ± a variable.
struct Signed {
  VarId var;
  double sign = 1;
};

Signed resolved(CausalModel& model, VarId v) {
  const ExprId e = model.without_alias(v);
  const ExprPool& pool = model.flat.pool;
  if (pool[e].op == Op::kVar) return {pool.var(e), 1};
  if (pool[e].op == Op::kNeg && pool[pool.arg(e, 0)].op == Op::kVar)
    return {pool.var(pool.arg(e, 0)), -1};
  return {};
}

}  // namespace

SwitchingSystem::Builder::Builder(SwitchingSystem& system, const FlatModel& whole)
    : system_(system), whole_(whole), splitter_(whole) {}

void SwitchingSystem::Builder::run(
    const std::shared_ptr<const external::SharedLibraries>& libraries) {
  system_.machines_ = whole_.machines;
  system_.configurations_ = splitter_.modes();
  system_.modes_.resize(splitter_.modes().size());
  check_parameters();
  analyse();
  for (std::size_t k = 0; k < models_.size(); ++k) {
    for (const ModeTransition& t : outgoing_[k]) connect(k, t);
  }
  const auto environment = std::make_shared<external::Environment>();
  for (std::size_t k = 0; k < models_.size(); ++k)
    system_.modes_[k].system =
        std::make_unique<CompiledSystem>(std::move(models_[k]), libraries, environment);
  declare();
}

// Parameters without a value are found by the initial equations of the start, which are those of
// the blocks that are active then.
void SwitchingSystem::Builder::check_parameters() const {
  for (const FlatVariable& v : whole_.variables) {
    const std::int32_t owner = whole_.machines.owner(v.name);
    if (v.variability != FlatVariability::kParameter || v.fixed.value_or(true) ||
        v.binding.valid() || owner < 0 || splitter_.modes()[0].has(owner))
      continue;
    throw ModeError(
        false, fmt::format("the parameter '{}' has no value (fixed = false), and its block '{}' is "
                           "not active at the start, where initial equations determine parameters: "
                           "make it a variable with der({}) = 0, which the initial equations of "
                           "the block determine whenever it is entered",
                           v.name, system_.machines_.states[at(owner)].name,
                           v.name.substr(v.name.rfind('.') + 1)));
  }
}

// Each mode on its own; what is wrong is said of the mode.
void SwitchingSystem::Builder::analyse() {
  for (const Configuration& mode : splitter_.modes()) {
    ModeModel made = splitter_.make(mode);
    outgoing_.push_back(std::move(made.outgoing));
    differentiated_.push_back(differentiated_variables(made.flat));
    try {
      models_.push_back(causalize(std::move(made.flat)));
    } catch (const UserError& error) {
      throw ModeError(false, fmt::format("in mode '{}': {}", mode.name, error.what()));
    }
    if (!models_.back().transports.empty()) {
      throw ModeError(
          false, fmt::format("in mode '{}': spatialDistribution() in a model with state machines "
                             "is not supported yet",
                             mode.name));
    }
  }
}

int SwitchingSystem::Builder::read(Outgoing& out, VarId v) {
  const auto it = std::find(out.reads.begin(), out.reads.end(), v);
  if (it != out.reads.end()) return static_cast<int>(it - out.reads.begin());
  out.reads.push_back(v);
  return static_cast<int>(out.reads.size()) - 1;
}

int SwitchingSystem::Builder::memory_of(VarId v) {
  return memory_.try_emplace(v.index, static_cast<int>(memory_.size())).first->second;
}

void SwitchingSystem::Builder::connect(std::size_t mode, const ModeTransition& t) {
  Outgoing out;
  out.transition = &system_.machines_.transitions[at(t.transition)];
  out.number = t.transition;
  CausalModel& model = models_[mode];
  const ExprId fires = model.without_alias(t.fires);
  if (model.flat.pool[fires].op == Op::kVar) {
    out.fires = model.flat.pool.var(fires);
  } else {
    out.always = model.flat.pool.is_value(fires, 1);
  }
  const Configuration& from = splitter_.modes()[mode];
  out.fresh = arrive(mode, out, t, splitter_.after(from, *out.transition), false);
  if (!out.transition->reset) {
    std::set<int> targets;
    for (const Configuration& other : splitter_.modes()) {
      if (other.has(out.transition->to))
        targets.insert(splitter_.after(from, *out.transition, other.active));
    }
    for (const int to : targets) out.again.push_back(arrive(mode, out, t, to, true));
  }
  system_.modes_[mode].outgoing.push_back(std::move(out));
}

// The same variable in another mode: those of the text have the same ids everywhere, those that
// index reduction added are found by their names.
VarId SwitchingSystem::Builder::same_variable(std::size_t mode, std::size_t other, VarId v) const {
  const FlatModel& theirs = models_[other].flat;
  VarId same = v;
  if (at(v.index) >= whole_.variables.size()) {
    same = {};
    for (std::size_t i = whole_.variables.size(); i < theirs.variables.size(); ++i) {
      if (theirs.variables[i].name == models_[mode].flat[v].name)
        same = VarId{static_cast<std::int32_t>(i)};
    }
  }
  const bool exists = same.valid() && models_[other].role_of(same) != Role::kAbsent;
  return exists ? same : VarId{};
}

SwitchingSystem::Arrival SwitchingSystem::Builder::arrive(std::size_t from, Outgoing& out,
                                                          const ModeTransition& t, int to,
                                                          bool resumed) {
  CausalModel& model = models_[at(to)];
  const FlatMachines& machines = system_.machines_;
  EntrySpec spec;
  Arrival arrival;
  arrival.mode = to;
  std::set<std::int32_t> known;
  const auto give = [&](std::vector<VarId>& list, VarId v, Source source) {
    if (!known.insert(v.index).second) return;
    list.push_back(v);
    arrival.sources.push_back(source);
  };
  for (std::size_t j = 0; j < t.values.size(); ++j) {
    const VarId target = out.transition->hand_over[j].first;
    const Signed v = resolved(model, target);
    const Role role = v.var.valid() ? model.role_of(v.var) : Role::kParameter;
    if (role == Role::kParameter || role == Role::kInput || role == Role::kAbsent) {
      throw ModeError(false, fmt::format("'{}' is constant or does not exist in mode '{}', and the "
                                         "transition hands a value over to it ({})",
                                         model.flat[target].name, splitter_.modes()[at(to)].name,
                                         out.transition->place));
    }
    give(spec.handed, v.var, {read(out, t.values[j]), -1, v.sign});
  }
  const auto keep = [&](VarId v) {
    if (known.count(v.index)) return;
    const std::int32_t owner = at(v.index) < whole_.variables.size()
                                   ? splitter_.owner(v)
                                   : machines.owner(model.flat[v].name);
    if (owner >= 0 && machines.is_within(owner, out.transition->to)) {
      if (resumed && at(v.index) < whole_.variables.size())
        give(spec.kept, v, {-1, memory_of(v), 1});
      return;
    }
    const VarId before = same_variable(at(to), from, v);
    if (before.valid()) give(spec.kept, v, {read(out, before), -1, 1});
  };
  for (const StateLink& s : model.states) keep(s.state);
  // A state of the new block may be another name of a variable around it.
  for (const AliasLink& a : model.aliases) {
    const Signed root = resolved(model, a.var);
    if (!root.var.valid() || model.role_of(root.var) != Role::kState || known.count(root.var.index))
      continue;
    const std::int32_t owner = splitter_.owner(a.var);
    const VarId before = same_variable(at(to), from, a.var);
    if (before.valid() && !(owner >= 0 && machines.is_within(owner, out.transition->to)))
      give(spec.kept, root.var, {read(out, before), -1, root.sign});
  }
  for (std::size_t i = 0; i < model.role.size(); ++i) {
    const VarId v{static_cast<std::int32_t>(i)};
    if (model.role[i] == Role::kDiscrete && (i < whole_.variables.size() || is_condition(model, v)))
      keep(v);
  }
  // Guesses, or more: values of what the text calls a state.
  for (const VarId v : differentiated_[at(to)]) {
    const Signed s = resolved(model, v);
    if (s.var.valid() && s.var == v && model.role_of(v) == Role::kAlgebraic) keep(v);
  }
  spec.begins = [&](const std::string& component) {
    const std::int32_t owner = machines.owner(component);
    return !resumed && owner >= 0 && machines.is_within(owner, out.transition->to);
  };
  for (const DelayLine& d : model.delays)
    spec.pasts.push_back(past_of(d.history, from, *out.transition, resumed));
  try {
    sort_entry(model, spec);
  } catch (const UserError& error) {
    throw ModeError(false,
                    fmt::format("entering mode '{}' ({}): {}", splitter_.modes()[at(to)].name,
                                out.transition->place, error.what()));
  }
  arrival.entry = model.entries.size() - 1;
  return arrival;
}

// What a delay has seen: in the block that begins anew nothing, and nothing either where the old
// mode did not have it.
Past SwitchingSystem::Builder::past_of(std::int32_t history, std::size_t from,
                                       const FlatTransition& transition, bool resumed) const {
  const std::int32_t owner = splitter_.delay_owner(history);
  if (owner >= 0 && system_.machines_.is_within(owner, transition.to))
    return resumed ? Past::kRested : Past::kBegins;
  const auto& before = models_[from].delays;
  const bool existed = std::any_of(before.begin(), before.end(),
                                   [&](const DelayLine& d) { return d.history == history; });
  return existed ? Past::kGoesOn : Past::kBegins;
}

void SwitchingSystem::Builder::declare() {
  Schema& schema = system_.schema_;
  const Schema& first = system_.modes_[0].system->schema();
  schema.parameters = first.parameters;
  schema.inputs = first.inputs;
  schema.experiment = first.experiment;
  schema.shares_names = true;
  const auto& order = system_.modes_[0].system->code().parameters;
  for (const FlatMachineState& s : system_.machines_.states) {
    const auto it = std::find(order.begin(), order.end(), s.entered);
    system_.entered_.push_back(static_cast<int>(it - order.begin()));
    schema.parameters[at(system_.entered_.back())].hidden = true;
    schema.parameters[at(system_.entered_.back())].settable = false;
  }
  for (std::size_t k = 0; k < system_.modes_.size(); ++k) declare_mode_parts(k);
  const auto hidden = [&](const std::string& name, double start) {
    const DiscreteId id = system_.declare_discrete(name, start);
    schema.discretes[at(id.index)].hidden = true;
  };
  system_.memory_ = schema.discretes.size();
  for (std::size_t i = 0; i < memory_.size(); ++i) hidden(fmt::format("$memory{}", i + 1), kAbsent);
  system_.left_ = schema.discretes.size();
  for (std::size_t i = 0; i < system_.machines_.states.size(); ++i)
    hidden(fmt::format("$left{}", i + 1), -1);
  system_.count_ = schema.discretes.size();
  hidden("$switches", 0);
  hidden("$instant", kAbsent);
  // What a block had when it was left.
  for (Mode& mode : system_.modes_) {
    const CausalModel& model = mode.system->model();
    for (Outgoing& out : mode.outgoing) {
      if (out.fires.valid()) out.relations = mode.system->relations_of(out.fires);
      for (const auto& [v, number] : memory_) {
        const std::int32_t owner = splitter_.owner(VarId{v});
        if (!system_.machines_.is_within(owner, out.transition->from) ||
            model.role[at(v)] == Role::kAbsent)
          continue;
        out.saves.emplace_back(read(out, VarId{v}), number);
      }
    }
  }
}

void SwitchingSystem::Builder::declare_mode_parts(std::size_t k) {
  Schema& schema = system_.schema_;
  Mode& mode = system_.modes_[k];
  const Schema& own = mode.system->schema();
  ModeInfo info = own.modes[0];
  info.name = splitter_.modes()[k].name;
  info.state_space = static_cast<int>(k);
  const auto same_states = [&](const ModeInfo& other) {
    return std::equal(
        other.states.begin(), other.states.end(), info.states.begin(), info.states.end(),
        [](const VariableInfo& a, const VariableInfo& b) { return a.name == b.name; });
  };
  const auto twin = std::find_if(schema.modes.begin(), schema.modes.end(), same_states);
  if (twin != schema.modes.end()) info.state_space = twin->state_space;
  schema.modes.push_back(std::move(info));

  mode.z = schema.discretes.size();
  mode.discretes = own.discretes.size();
  for (VariableInfo z : own.discretes) {
    if (k > 0) z.start = kAbsent;
    schema.discretes.push_back(std::move(z));
  }
  mode.status = schema.discretes.size();
  for (const Outgoing& out : mode.outgoing) {
    const DiscreteId id =
        system_.declare_discrete(fmt::format("$status{}.{}", k + 1, out.number + 1), 0);
    schema.discretes[at(id.index)].hidden = true;
  }
  mode.event = schema.events.size();
  for (EventInfo e : own.events) {
    e.mode = ModeId{static_cast<std::int32_t>(k)};
    schema.events.push_back(std::move(e));
  }
  mode.timer = schema.timers.size();
  mode.timers = own.timers.size();
  for (const TimerInfo& t : own.timers) schema.timers.push_back(t);
  for (const VariableInfo& y : own.outputs) {
    if (y.name.starts_with('$')) {
      mode.outputs.push_back(-1);
      continue;
    }
    const auto it = std::find_if(schema.outputs.begin(), schema.outputs.end(),
                                 [&](const VariableInfo& o) { return o.name == y.name; });
    mode.outputs.push_back(static_cast<int>(it - schema.outputs.begin()));
    if (it == schema.outputs.end()) schema.outputs.push_back(y);
  }
  schema.acts_at_end = schema.acts_at_end || own.acts_at_end;
  schema.has_memory = schema.has_memory || own.has_memory;
  schema.watches = schema.watches || own.watches;
}

}  // namespace arges
