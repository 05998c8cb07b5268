#include "arges/flatten/machine_maker.h"

#include <algorithm>

#include "arges/base/index.h"
#include "arges/base/nearest.h"
#include "arges/lex/lexer.h"
#include "arges/parse/print.h"

namespace arges::lang {

using diag::Code;
using diag::Diagnostic;
using FlatVariability = decltype(FlatVariable::variability);

namespace {

constexpr std::string_view kHandOver = "__Arges_handOver";
constexpr std::string_view kBlock = "__Arges_block";

}  // namespace

MachineMaker::MachineMaker(Evaluator& evaluator)
    : e_(evaluator), instances_(evaluator.instances()), machines_(evaluator.model().machines) {
  e_.machine_builtin = [this](std::string_view name, const CallExpr& call, const Context& c) {
    FlatModel& model = e_.model();
    const diag::Span where = e_.span(c, call);
    if (name == "activeState")
      return model.ref(
          machines_.states[at(state(block(e_.argument(call, 0, "", c), c), where))].active);
    if (leaving_ < 0) {
      fail(Code::kBadEquation, "`timeInState()` stands in conditions of transitions only", where);
    }
    return e_.pool().sub(e_.pool().time(), model.ref(machines_.states[at(leaving_)].entered));
  };
}

bool MachineMaker::call(const Equation& e, const Context& c, bool conditional) {
  const auto& call = as<CallExpr>(*e.left);
  if (call.callee->parts.size() != 1) return false;
  const std::string_view name = call.callee->parts[0].name.text;
  if (name != "initialState" && name != "transition") return false;
  if (conditional) {
    fail(Code::kBadEquation, in_quotes(name) + " cannot depend on what changes during the run",
         e_.span(c, call));
  }
  if (name == "initialState") {
    initial_state(call, c);
  } else {
    transition(e, call, c);
  }
  return true;
}

std::optional<StringId> MachineMaker::marked_block(const Description& description,
                                                   const Context& c) {
  if (description.annotation == nullptr) return std::nullopt;
  // Most annotations are graphics; a look at the text saves reading them.
  const SourceFile* file = instances_.tree().file(instances_.node(c.scope));
  if (file == nullptr ||
      file->text(description.annotation->range).find(kBlock) == std::string_view::npos)
    return std::nullopt;
  const Modification* all =
      instances_.annotation(*description.annotation, instances_.node(c.scope));
  if (all == nullptr) return std::nullopt;
  for (const Argument& a : all->arguments) {
    if (a.name.parts.size() != 1 || a.name.parts[0].text != kBlock || a.modification == nullptr ||
        a.modification->value == nullptr || a.modification->value->kind != ExprKind::kString)
      continue;
    const std::string name = decode_string(as<LiteralExpr>(*a.modification->value).text);
    return name.empty() ? StringId{} : e_.pool().intern(name);
  }
  return std::nullopt;
}

Instance& MachineMaker::block(const Expr& e, const Context& c) {
  if (e.kind != ExprKind::kReference) {
    fail(Code::kWrongArguments, "a state of a machine is a block of this model", e_.span(c, e));
  }
  const Evaluator::Place place = e_.place(as<ReferenceExpr>(e), c);
  if (place.disabled) {
    fail(Code::kDisabledComponent, in_quotes(print(e)) + " is not there: its condition is false",
         e_.span(c, e));
  }
  if (place.instances.size() != 1 || place.instances[0]->basic != Basic::kNone) {
    fail(Code::kWrongArguments, in_quotes(print(e)) + " is no block: a state of a machine is one",
         e_.span(c, e));
  }
  return *place.instances[0];
}

std::int32_t MachineMaker::state(Instance& block, diag::Span where) {
  const auto [it, is_new] =
      states_.try_emplace(&block, static_cast<std::int32_t>(machines_.states.size()));
  if (!is_new) return it->second;
  FlatModel& model = e_.model();
  FlatMachineState made;
  made.name = Instances::full_name(block);
  if (e_.base_modelica) made.name = plain_name(made.name);
  FlatVariable active;
  active.name = "activeState(" + made.name + ")";
  active.type = ScalarType::kBoolean;
  active.variability = FlatVariability::kDiscrete;
  made.active = model.add(std::move(active));
  FlatVariable entered;
  entered.name = "$entered" + std::to_string(it->second + 1);
  entered.variability = FlatVariability::kParameter;
  entered.binding = e_.pool().real(0);
  entered.hidden = true;
  made.entered = model.add(std::move(entered));
  machines_.states.push_back(std::move(made));
  places_.push_back(where);
  return it->second;
}

void MachineMaker::initial_state(const CallExpr& call, const Context& c) {
  const Expr& a = e_.argument(call, 0, "state", c);
  starts_.emplace_back(state(block(a, c), e_.span(c, a)), e_.span(c, call));
}

void MachineMaker::transition(const Equation& e, const CallExpr& call, const Context& c) {
  const Expr& from = e_.argument(call, 0, "from", c);
  const Expr& to = e_.argument(call, 1, "to", c);
  Instance& a = block(from, c);
  Instance& b = block(to, c);
  const auto around = [](const Instance& i) {
    const Instance* p = i.parent;
    while (p != nullptr && p->is_array()) p = p->parent;
    return p;
  };
  if (around(a) != around(b)) {
    fail(Code::kForeignTransition,
         "`" + print(from) + "` and `" + print(to) + "` are blocks of different machines",
         e_.span(c, call));
  }
  FlatTransition t;
  t.from = state(a, e_.span(c, from));
  t.to = state(b, e_.span(c, to));
  const auto flag = [&](std::size_t i, const char* name, bool& value) {
    const Expr* given = e_.optional_argument(call, i, name);
    if (given == nullptr) return;
    const Value v = e_.eval_constant(*given, c);
    if (!v.is_scalar() || v.type != ScalarType::kBoolean) {
      fail(Code::kTypeMismatch, in_quotes(name) + " is a Boolean", e_.span(c, *given));
    }
    value = e_.pool().value(v.scalar()) != 0;
  };
  flag(3, "immediate", t.immediate);
  flag(4, "reset", t.reset);
  flag(5, "synchronize", t.synchronize);
  if (const Expr* priority = e_.optional_argument(call, 6, "priority")) {
    const Value v = e_.eval_constant(*priority, c);
    if (!v.is_scalar() || v.type != ScalarType::kInteger || e_.pool().value(v.scalar()) < 1) {
      fail(Code::kTypeMismatch, "`priority` is an Integer from 1", e_.span(c, *priority));
    }
    t.priority = static_cast<std::int32_t>(e_.pool().value(v.scalar()));
  }
  leaving_ = t.from;
  try {
    t.condition = e_.eval_boolean(e_.argument(call, 2, "condition", c), c);
  } catch (...) {
    leaving_ = -1;
    throw;
  }
  leaving_ = -1;
  const Origin origin = e_.origin(c, e.range);
  if (origin.file.valid())
    t.place = e_.pool().text(origin.file) + ":" + std::to_string(origin.line) + ":" +
              std::to_string(origin.column);
  assigned_.emplace_back();
  try {
    hand_over(e, c, t);
  } catch (...) {
    assigned_.pop_back();
    throw;
  }
  arrows_.push_back({e_.span(c, call), a.parent});
  machines_.transitions.push_back(std::move(t));
}

void MachineMaker::hand_over(const Equation& e, const Context& c, FlatTransition& t) {
  if (e.description.annotation == nullptr) return;
  const Modification* all =
      instances_.annotation(*e.description.annotation, instances_.node(c.scope));
  if (all == nullptr) return;
  for (const Argument& a : all->arguments) {
    if (a.name.parts.size() != 1 || a.name.parts[0].text != kHandOver || a.modification == nullptr)
      continue;
    for (const Argument& x : a.modification->arguments) assign(x, *c.scope.instance, c, t);
  }
}

// name = value, or name(name = value, ...).
void MachineMaker::assign(const Argument& a, Instance& owner, const Context& c, FlatTransition& t) {
  const diag::Span where = instances_.span(c.scope, a.range);
  if (a.modification == nullptr || a.name.parts.empty()) {
    fail(Code::kNoHandOverTarget, "a hand-over is an assignment, `b(x = ...)`", where);
  }
  Instance& i = target(owner, a.name, c);
  if (a.modification->value == nullptr) {
    for (const Argument& inner : a.modification->arguments) assign(inner, i, c, t);
    return;
  }
  if (i.basic != Basic::kScalar || i.type == ScalarType::kString) {
    fail(Code::kNoHandOverTarget, in_quotes(Instances::full_name(i)) + " is no variable", where);
  }
  const VarId first = e_.variable(i);
  if (e_.model()[first].variability <= FlatVariability::kParameter) {
    fail(Code::kNoHandOverTarget,
         in_quotes(Instances::full_name(i)) +
             " is a parameter or constant, which a transition cannot "
             "change",
         where);
  }
  for (const auto& [known, value] : t.hand_over) {
    if (known != first) continue;
    fail(Code::kNoHandOverTarget,
         in_quotes(Instances::full_name(i)) +
             " is handed over twice by one transition: leave one of the two out",
         where);
  }
  const Expr& text = *a.modification->value;
  const Value v =
      e_.fitted(e_.eval(text, c), i.dims, false, i.type, e_.span(c, text), i.enumeration);
  for (std::size_t k = 0; k < v.elements.size(); ++k) {
    t.hand_over.emplace_back(VarId{first.index + static_cast<std::int32_t>(k)}, v.elements[k]);
    assigned_.back().push_back(where);
  }
}

Instance& MachineMaker::target(Instance& owner, const Name& name, const Context& c) {
  Instance* i = &owner;
  for (const Identifier& part : name.parts) {
    const diag::Span where = instances_.span(c.scope, part.range());
    Slot* slot = i->basic == Basic::kNone ? instances_.find(*i, part.text) : nullptr;
    Instance* next = slot != nullptr && slot->kind == MemberKind::kComponent
                         ? instances_.referenced(*i, *slot)
                         : nullptr;
    if (next == nullptr) {
      const std::string whose = Instances::full_name(*i);
      Diagnostic d(Code::kNoHandOverTarget,
                   (whose.empty() ? "the model" : in_quotes(whose)) + " has no variable " +
                       in_quotes(part.text),
                   where);
      for (const std::string& near : nearest_names(part.text, Instances::element_names(*i), 1))
        d.suggest("did you mean " + in_quotes(near) + "?");
      throw Failure{std::move(d)};
    }
    i = next;
  }
  return *i;
}

// Machines are what transitions connect; each lies inside of the state around it.
void MachineMaker::finish(diag::Diagnostics& diagnostics) {
  if (machines_.states.empty() || diagnostics.has_errors()) return;
  const std::size_t n = machines_.states.size();
  std::vector<std::int32_t> group(n);
  for (std::size_t i = 0; i < n; ++i) group[i] = static_cast<std::int32_t>(i);
  const auto root = [&](std::int32_t s) {
    while (group[at(s)] != s) s = group[at(s)] = group[at(group[at(s)])];
    return s;
  };
  for (const FlatTransition& t : machines_.transitions) {
    const std::int32_t a = root(t.from), b = root(t.to);
    group[at(std::max(a, b))] = std::min(a, b);
  }
  for (std::size_t s = 0; s < n; ++s) {
    const std::int32_t r = root(static_cast<std::int32_t>(s));
    if (r == static_cast<std::int32_t>(s)) {
      machines_.states[s].machine = static_cast<std::int32_t>(machines_.machines.size());
      machines_.machines.emplace_back();
    } else {
      machines_.states[s].machine = machines_.states[at(r)].machine;
    }
    machines_.machines[at(machines_.states[s].machine)].states.push_back(
        static_cast<std::int32_t>(s));
  }
  for (FlatMachine& m : machines_.machines) {
    // By its name, which is all that a flat model has.
    const std::string& name = machines_.states[at(m.states[0])].name;
    const std::size_t dot = name.rfind('.');
    if (dot != std::string::npos) m.inside = machines_.owner(name.substr(0, dot));
  }
  std::vector<diag::Span> first(machines_.machines.size());
  for (const auto& [s, where] : starts_) {
    const std::int32_t number = machines_.states[at(s)].machine;
    FlatMachine& m = machines_.machines[at(number)];
    if (m.initial >= 0 && m.initial != s) {
      diagnostics.report(Diagnostic(Code::kTwoInitialStates,
                                    in_quotes(machines_.states[at(m.initial)].name) + " and " +
                                        in_quotes(machines_.states[at(s)].name) +
                                        " are initial states of the same machine",
                                    where)
                             .label(first[at(number)], "the other one"));
      continue;
    }
    m.initial = s;
    first[at(number)] = where;
  }
  for (const FlatMachine& m : machines_.machines) {
    if (m.initial >= 0) continue;
    std::string names;
    for (const std::int32_t s : m.states)
      names += (names.empty() ? "" : ", ") + in_quotes(machines_.states[at(s)].name);
    diagnostics.report(
        Diagnostic(Code::kNoInitialState, "the machine of " + names + " has no initial state",
                   places_[at(m.states[0])])
            .suggest("add `initialState(" + machines_.states[at(m.states[0])].name + ");`"));
  }
  if (diagnostics.has_errors()) return;
  check_hand_over(diagnostics);
  check_priorities(diagnostics);
  check_reached(diagnostics);
}

void MachineMaker::check_hand_over(diag::Diagnostics& diagnostics) const {
  for (std::size_t k = 0; k < machines_.transitions.size(); ++k) {
    const FlatTransition& t = machines_.transitions[k];
    for (std::size_t j = 0; j < t.hand_over.size(); ++j) {
      const std::string& name = e_.model()[t.hand_over[j].first].name;
      const std::int32_t owner = machines_.owner(name);
      // In the block itself, in a block inside of it, or in what is around both.
      if (owner < 0 || machines_.is_within(owner, t.to) || machines_.is_within(t.to, owner))
        continue;
      diagnostics.report(Diagnostic(Code::kNoHandOverTarget,
                                    in_quotes(name) + " does not exist in " +
                                        in_quotes(machines_.states[at(t.to)].name) +
                                        ", to which the transition leads",
                                    assigned_[k][j]));
    }
  }
}

void MachineMaker::check_priorities(diag::Diagnostics& diagnostics) const {
  for (std::size_t i = 0; i < machines_.transitions.size(); ++i) {
    for (std::size_t j = i + 1; j < machines_.transitions.size(); ++j) {
      const FlatTransition& a = machines_.transitions[i];
      const FlatTransition& b = machines_.transitions[j];
      if (a.from != b.from || a.priority != b.priority || a.condition != b.condition) continue;
      diagnostics.report(Diagnostic(Code::kSamePriority,
                                    "this transition from " +
                                        in_quotes(machines_.states[at(a.from)].name) +
                                        " and another one hold at the same time, and both have "
                                        "the priority " +
                                        std::to_string(a.priority),
                                    arrows_[j].where)
                             .label(arrows_[i].where, "the other one"));
    }
  }
}

void MachineMaker::check_reached(diag::Diagnostics& diagnostics) const {
  std::vector<char> reached(machines_.states.size(), 0);
  std::vector<std::int32_t> open;
  for (const FlatMachine& m : machines_.machines) open.push_back(m.initial);
  while (!open.empty()) {
    const std::int32_t s = open.back();
    open.pop_back();
    if (reached[at(s)]) continue;
    reached[at(s)] = 1;
    for (const FlatTransition& t : machines_.transitions) {
      if (t.from == s) open.push_back(t.to);
    }
  }
  for (std::size_t s = 0; s < reached.size(); ++s) {
    if (reached[s]) continue;
    diagnostics.report(Diagnostic(Code::kUnreachableState,
                                  "no transition leads to " + in_quotes(machines_.states[s].name),
                                  places_[s]));
  }
}

}  // namespace arges::lang
