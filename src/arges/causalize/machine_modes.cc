#include "arges/causalize/machine_modes.h"

#include <algorithm>

#include <fmt/format.h>

#include "arges/base/index.h"
#include "arges/causalize/flat_rewrite.h"
#include "arges/causalize/mode_delays.h"
#include "arges/causalize/mode_whens.h"
#include "arges/expr/walk.h"

namespace arges {

namespace {

void collect_targets(const std::vector<Statement>& body, std::vector<char>& used) {
  for (const Statement& s : body) {
    if (s.target.valid()) used[at(s.target.index)] = 1;
    for (const Statement::Branch& b : s.branches) collect_targets(b.body, used);
  }
}

}  // namespace

void collect_expressions(const std::vector<Statement>& body, std::vector<ExprId>& out) {
  for (const Statement& s : body) {
    for (const ExprId e : {s.value, s.message, s.first, s.step, s.last}) {
      if (e.valid()) out.push_back(e);
    }
    for (const Statement::Branch& b : s.branches) {
      out.insert(out.end(), b.conditions.begin(), b.conditions.end());
      collect_expressions(b.body, out);
    }
  }
}

bool names_variable(Op op) {
  return op == Op::kVar || op == Op::kDer || op == Op::kPre || op == Op::kEdge || op == Op::kChange;
}

bool Configuration::has(std::int32_t state) const {
  return std::binary_search(active.begin(), active.end(), state);
}

ModeSplitter::ModeSplitter(const FlatModel& whole, std::size_t limit)
    : whole_(whole),
      machines_(whole_.machines),
      limit_(limit),
      delay_owners_(number_delays(whole_)) {
  keep_left_limits(whole_);
  find_reachable();
  owner_.reserve(whole_.variables.size());
  for (const FlatVariable& v : whole_.variables)
    owner_.push_back(v.variability <= FlatVariability::kParameter ? -1 : machines_.owner(v.name));
  for (States& active : inside(-1)) {
    std::sort(active.begin(), active.end());
    modes_.push_back({active, name_of(active)});
  }
}

void ModeSplitter::find_reachable() {
  reachable_.assign(machines_.states.size(), 0);
  States open;
  for (const FlatMachine& m : machines_.machines) open.push_back(m.initial);
  while (!open.empty()) {
    const std::int32_t s = open.back();
    open.pop_back();
    if (reachable_[at(s)]) continue;
    reachable_[at(s)] = 1;
    for (const FlatTransition& t : machines_.transitions) {
      if (t.from == s) open.push_back(t.to);
    }
  }
}

// All combinations of active states of the machines that lie directly inside of a state, and of
// those inside of them.
std::vector<ModeSplitter::States> ModeSplitter::inside(std::int32_t state) const {
  std::vector<States> all{{}};
  for (const FlatMachine& m : machines_.machines) {
    if (m.inside != state) continue;
    std::vector<States> next;
    States order{m.initial};
    for (const std::int32_t s : m.states) {
      if (s != m.initial && reachable_[at(s)]) order.push_back(s);
    }
    for (const States& before : all) {
      for (const std::int32_t s : order) {
        for (const States& inner : inside(s)) {
          States one = before;
          one.push_back(s);
          one.insert(one.end(), inner.begin(), inner.end());
          next.push_back(std::move(one));
          if (next.size() > limit_) {
            throw ModeError(true, fmt::format("the machines of the model have more than {} "
                                              "combinations of active blocks",
                                              limit_));
          }
        }
      }
    }
    all = std::move(next);
  }
  return all;
}

std::string ModeSplitter::name_of(const States& active) const {
  std::string name;
  for (const std::int32_t s : active) {
    const bool is_innermost = std::none_of(active.begin(), active.end(), [&](std::int32_t other) {
      return other != s && machines_.is_within(other, s);
    });
    if (is_innermost) name += (name.empty() ? "" : ", ") + machines_.states[at(s)].name;
  }
  return name;
}

int ModeSplitter::after(const Configuration& mode, const FlatTransition& t,
                        const States& inner) const {
  States next;
  for (const std::int32_t s : mode.active) {
    if (!machines_.is_within(s, t.from)) next.push_back(s);
  }
  next.push_back(t.to);
  // Machines inside of what has been entered; entering one may add others.
  for (bool added = true; added;) {
    added = false;
    for (const FlatMachine& m : machines_.machines) {
      const auto is_active = [&](std::int32_t s) {
        return std::find(next.begin(), next.end(), s) != next.end();
      };
      if (m.inside < 0 || !is_active(m.inside) ||
          std::any_of(m.states.begin(), m.states.end(), is_active))
        continue;
      const auto wanted = std::find_if(inner.begin(), inner.end(), [&](std::int32_t s) {
        return std::find(m.states.begin(), m.states.end(), s) != m.states.end();
      });
      next.push_back(wanted != inner.end() ? *wanted : m.initial);
      added = true;
    }
  }
  std::sort(next.begin(), next.end());
  for (std::size_t k = 0; k < modes_.size(); ++k) {
    if (modes_[k].active == next) return static_cast<int>(k);
  }
  return -1;
}

bool ModeSplitter::is_final(std::int32_t state) const {
  return std::none_of(machines_.transitions.begin(), machines_.transitions.end(),
                      [&](const FlatTransition& t) { return t.from == state; });
}

bool ModeSplitter::may_leave(const Configuration& mode, const FlatTransition& t) const {
  if (!mode.has(t.from)) return false;
  if (!t.synchronize) return true;
  return std::all_of(mode.active.begin(), mode.active.end(), [&](std::int32_t s) {
    return s == t.from || !machines_.is_within(s, t.from) || is_final(s);
  });
}

ModeModel ModeSplitter::make(const Configuration& mode) const {
  ModeModel made;
  made.flat = whole_;
  made.flat.machines = {};
  drop_equations(made.flat, mode);
  add_transitions(made, mode);
  decide_active(made.flat, mode);
  drop_variables(made.flat, mode);
  return made;
}

// What belongs to blocks that are not active.
void ModeSplitter::drop_equations(FlatModel& flat, const Configuration& mode) const {
  std::vector<std::int32_t> known;
  const auto owner_of = [&](StringId component) {
    if (!component.valid()) return -1;
    known.resize(std::max(known.size(), at(component.index) + 1), -2);
    std::int32_t& owner = known[at(component.index)];
    if (owner == -2) owner = machines_.owner(flat.pool.text(component));
    return owner;
  };
  const auto is_gone = [&](const auto& item) {
    const std::int32_t owner = owner_of(item.origin.component);
    return owner >= 0 && !mode.has(owner);
  };
  // The equation of an auxiliary variable has no place of its own: it goes with what it uses.
  ExprWalker walker(flat.pool);
  const auto is_equation_gone = [&](const FlatEquation& e) {
    if (is_gone(e)) return true;
    if (e.origin.component.valid()) return false;
    for (const ExprId side : {e.lhs, e.rhs}) {
      for (const ExprId n : walker.nodes(side)) {
        if (!names_variable(flat.pool[n].op)) continue;
        const std::int32_t owner = owner_[at(flat.pool[n].index)];
        if (owner >= 0 && !mode.has(owner)) return true;
      }
    }
    return false;
  };
  std::erase_if(flat.equations, is_equation_gone);
  std::erase_if(flat.initial_equations, is_equation_gone);
  std::erase_if(flat.whens, is_gone);
  std::erase_if(flat.algorithms, is_gone);
  std::erase_if(flat.initial_algorithms, is_gone);
  std::erase_if(flat.asserts, is_gone);
}

void ModeSplitter::add_transitions(ModeModel& made, const Configuration& mode) const {
  FlatModel& flat = made.flat;
  ExprPool& pool = flat.pool;
  for (std::size_t k = 0; k < machines_.transitions.size(); ++k) {
    const FlatTransition& t = machines_.transitions[k];
    if (!may_leave(mode, t)) continue;
    ModeTransition out;
    out.transition = static_cast<std::int32_t>(k);
    FlatVariable fires;
    fires.name = fmt::format("$fires{}", k + 1);
    fires.type = ScalarType::kBoolean;
    fires.variability = FlatVariability::kDiscrete;
    fires.hidden = true;
    out.fires = flat.add(std::move(fires));
    flat.equations.push_back({flat.ref(out.fires), t.condition, {}, true});
    for (std::size_t j = 0; j < t.hand_over.size(); ++j) {
      const ScalarType type = whole_[t.hand_over[j].first].type;
      FlatVariable value;
      value.name = fmt::format("$value{}.{}", k + 1, j + 1);
      value.type = type;
      value.hidden = true;
      const VarId v = flat.add(std::move(value));
      const ExprId none = type == ScalarType::kBoolean   ? pool.boolean(false)
                          : type == ScalarType::kInteger ? pool.integer(0)
                          : type == ScalarType::kReal    ? pool.real(0)
                                                         : pool.enumeration(1);
      // Only then: far from the transition the value may not be defined.
      const ExprId given = pool.make(Op::kNoEvent, {t.hand_over[j].second});
      flat.equations.push_back(
          {flat.ref(v), pool.if_else(flat.ref(out.fires), given, none), {}, true});
      out.values.push_back(v);
    }
    made.outgoing.push_back(std::move(out));
  }
  const auto depth = [&](std::int32_t state) {
    int n = 0;
    for (std::int32_t s = state; s >= 0; ++n)
      s = machines_.machines[at(machines_.states[at(s)].machine)].inside;
    return n;
  };
  std::stable_sort(made.outgoing.begin(), made.outgoing.end(),
                   [&](const ModeTransition& a, const ModeTransition& b) {
                     const FlatTransition& ta = machines_.transitions[at(a.transition)];
                     const FlatTransition& tb = machines_.transitions[at(b.transition)];
                     const auto key = [&](const FlatTransition& t) {
                       return std::tuple(depth(t.from), machines_.states[at(t.from)].machine,
                                         t.priority);
                     };
                     return key(ta) < key(tb);
                   });
}

// activeState(a) is known in a mode, so that a branch that is not taken may name what is absent.
void ModeSplitter::decide_active(FlatModel& flat, const Configuration& mode) const {
  std::vector<ExprId> literal(flat.variables.size());
  for (std::size_t s = 0; s < machines_.states.size(); ++s)
    literal[at(machines_.states[s].active.index)] =
        flat.pool.boolean(mode.has(static_cast<std::int32_t>(s)));
  ExprRewriter map(flat.pool, [&](ExprId e, std::span<const ExprId>) {
    const ExprNode node = flat.pool[e];
    return node.op == Op::kVar ? literal[at(node.index)] : ExprId{};
  });
  rewrite_equations(flat, [&](ExprId e) { return map(e); });
  for (std::size_t s = 0; s < machines_.states.size(); ++s) {
    const VarId v = machines_.states[s].active;
    flat.equations.push_back({flat.ref(v), literal[at(v.index)], {}});
  }
}

void ModeSplitter::drop_variables(FlatModel& flat, const Configuration& mode) const {
  std::vector<char> used(flat.variables.size(), 0);
  std::vector<ExprId> roots;
  for (const auto* list : {&flat.equations, &flat.initial_equations}) {
    for (const FlatEquation& e : *list) roots.insert(roots.end(), {e.lhs, e.rhs});
  }
  for (const auto* list : {&flat.algorithms, &flat.initial_algorithms}) {
    for (const FlatAlgorithm& a : *list) {
      collect_expressions(a.body, roots);
      collect_targets(a.body, used);
    }
  }
  for (const WhenClause& w : flat.whens) {
    for (const WhenBranch& b : w.branches) {
      roots.insert(roots.end(), b.conditions.begin(), b.conditions.end());
      for (const WhenAction& a : b.actions) {
        if (a.value.valid()) roots.push_back(a.value);
        if (a.target.valid()) used[at(a.target.index)] = 1;
      }
    }
  }
  ExprWalker walker(flat.pool);
  for (const ExprId n : walker.new_nodes(roots)) {
    if (names_variable(flat.pool[n].op)) used[at(flat.pool[n].index)] = 1;
  }
  for (std::size_t i = 0; i < flat.variables.size(); ++i) {
    FlatVariable& v = flat.variables[i];
    if (v.variability <= FlatVariability::kParameter) continue;
    const std::int32_t owner = i < owner_.size() ? owner_[i] : -1;
    // Auxiliary variables have no owner: they are there when something uses them.
    const bool is_auxiliary = v.name.starts_with('$');
    v.absent = owner >= 0 ? !mode.has(owner) : is_auxiliary && !used[i];
  }
}

}  // namespace arges
