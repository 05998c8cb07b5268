#include "arges/flatten/flattener.h"

#include "arges/parse/print.h"

namespace arges::lang {

using diag::Code;
using diag::Diagnostic;

// In a model with more of them most have the same cause, and each costs a search for near names.
static constexpr std::size_t kMostErrors = 100;

Flattener::Flattener(Instances& instances, Evaluator& evaluator, diag::Diagnostics& diagnostics)
    : instances_(instances),
      e_(evaluator),
      model_(evaluator.model()),
      diagnostics_(diagnostics),
      machines_(evaluator) {}

void Flattener::attempt(const std::function<void()>& step) {
  if (diagnostics_.errors() >= kMostErrors) return;  // was told
  try {
    step();
  } catch (Failure& f) {
    diagnostics_.report(std::move(f.diagnostic));
    for (Diagnostic& d : f.more) diagnostics_.report(std::move(d));
    if (diagnostics_.errors() >= kMostErrors) {
      diagnostics_.report(Diagnostic(
          Code::kTooManyErrors, "too many errors: the rest of the model is not looked at", {}));
    }
  }
}

void Flattener::check_class(ClassNode& node) {
  const ClassDef* def = instances_.tree().definition(node);
  if (def == nullptr) {
    fail(Code::kNoModel, "the class " + in_quotes(node.path()) + " cannot be read", {});
  }
  const diag::Span where{instances_.tree().file(node), def->name.range()};
  if (def->partial) {
    fail(Code::kPartialClass, in_quotes(node.path()) + " is partial: it is made to be inherited",
         where);
  }
  switch (def->kind) {
    case ClassKind::kClass:
    case ClassKind::kModel:
    case ClassKind::kBlock:
      return;
    default:
      fail(Code::kNoModel,
           in_quotes(node.path()) + " is a " + std::string(spelling(def->kind)) +
               "; only a model, block or class can be simulated",
           where);
  }
}

void Flattener::flatten(ClassNode& node, ClassNode* origin) {
  try {
    flatten_all(node, origin);
  } catch (Exhausted& e) {
    diagnostics_.report(std::move(e.diagnostic));
  }
}

void Flattener::flatten_all(ClassNode& node, ClassNode* origin) {
  ClassNode& text = origin != nullptr ? *origin : node;
  model_.name = text.path();
  const SyntaxTree* syntax = instances_.tree().syntax(text);
  if (syntax != nullptr && syntax->root->is_base_modelica) {
    e_.base_modelica = true;
    model_.name = plain_name(text.name());
  }
  bool ready = false;
  attempt([&] {
    check_class(text);
    Instance& scope = instances_.of_class(node);
    root_ = &instances_.make(scope.cls, World::kModel, nullptr, {});
    instances_.expand(*root_);
    if (root_->basic != Basic::kNone) {
      fail(Code::kNoModel,
           in_quotes(node.path()) + " is a type; only a model, block or class can be simulated",
           {});
    }
    for (auto& [name, given] : e_.given_elements) given.scope = {root_, 0};
    if (const ClassDef* def = instances_.tree().definition(text)) {
      for (const std::string_view s : def->description.strings) {
        model_.description += s.size() > 1 ? s.substr(1, s.size() - 2) : s;
      }
    }
    ready = true;
  });
  if (!ready) return;
  walk(*root_);
  for (auto added = instances_.take_added_inners(); !added.empty();
       added = instances_.take_added_inners()) {
    for (Instance* i : added) attempt([&] { walk(*i); });
  }
  expand_buses();
  if (diagnostics_.has_errors()) return;
  for (Instance* leaf : leaves_) {
    attempt([&] { e_.variable(*leaf); });
    if (diagnostics_.has_errors()) return;
  }
  for (Instance* i : classes_) connections(*i);
  check_signals();
  resolve_graph();
  attempt([&] { find_streams(); });
  for (Instance* leaf : leaves_) attempt([&] { variable(*leaf); });
  attempt([&] { e_.check_given(); });
  for (Instance* i : classes_) sections(*i);
  drop_unconnected();
  attempt([&] { connection_equations(); });
  check_islands();
  for (FlatEquation& a : e_.auxiliary) model_.equations.push_back(a);
  mark_structural();
  attempt([&] { machines_.finish(diagnostics_); });
  check_operator_uses();
  for (Diagnostic& d : e_.warnings) diagnostics_.report(std::move(d));
  experiment(*root_, text);
}

// The value of a parameter may have been needed by the equations alone: a branch that it chooses.
void Flattener::mark_structural() {
  for (const Instance* i : leaves_) {
    if (!i->evaluated || i->prefix.variability != Variability::kParameter) continue;
    for (std::size_t k = 0; k < count(i->dims); ++k)
      model_[VarId{i->variable.index + static_cast<std::int32_t>(k)}].structural = true;
  }
}

// Makes all components.
void Flattener::walk(Instance& i) {
  instances_.expand(i);
  if (i.is_array()) {
    for (Instance* item : i.items) attempt([&] { walk(*item); });
    return;
  }
  if (i.basic != Basic::kNone) {
    leaves_.push_back(&i);
    if (instances_.kind(i) == ClassKind::kConnector) check_connector(i);
    return;
  }
  const ClassDef* def = instances_.tree().definition(*i.cls.node);
  if (i.parent != nullptr && def != nullptr && i.text != nullptr) {
    if (instances_.is_partial(i)) {
      throw Failure{Diagnostic(Code::kPartialClass,
                               in_quotes(i.cls.node->path()) + ", the class of " +
                                   in_quotes(Instances::full_name(i)) + ", is partial",
                               instances_.span(i.text_scope, i.text->range))
                        .suggest("redeclare it with a class that is complete")};
    }
    if (def->kind == ClassKind::kPackage || def->kind == ClassKind::kFunction) {
      fail(Code::kNoType, "a component cannot be a " + std::string(spelling(def->kind)),
           instances_.span(i.text_scope, i.text->range));
    }
  }
  classes_.push_back(&i);
  const bool bus = i.parent != nullptr && is_bus(i);
  has_buses_ = has_buses_ || bus;
  const std::vector<Slot*> order = i.order;  // a missing inner element may be added to it
  for (Slot* slot : order) {
    if (slot->kind != MemberKind::kComponent) continue;
    if (slot->element->outer && !slot->element->inner && i.parent != nullptr) {
      attempt([&] { instances_.component(i, *slot); });
      continue;
    }
    attempt([&] {
      Instance* made = instances_.component(i, *slot);
      if (made != nullptr && (!bus || has_buses(*made))) walk(*made);
    });
  }
  if (i.parent != nullptr && instances_.kind(i) == ClassKind::kConnector) check_connector(i);
}

// The connectors of models, each as a whole.
void Flattener::check_connector(Instance& i) {
  const Instance* owner = i.parent;
  while (owner != nullptr && owner->is_array()) owner = owner->parent;
  if (owner == nullptr || diagnostics_.has_errors()) return;
  const ClassKind around = instances_.kind(*const_cast<Instance*>(owner));
  if (is_connector(around)) return;
  attempt([&] { instances_.check_connector(i); });
}

// annotation(experiment(StopTime = 1, ...))
void Flattener::experiment(Instance& root, ClassNode& node) {
  const ClassDef* def = instances_.tree().definition(node);
  if (def == nullptr || def->description.annotation == nullptr) return;
  const Modification* all = instances_.annotation(*def->description.annotation, node);
  if (all == nullptr) return;
  Context c;
  c.scope = {&root, 0};
  for (const Argument& a : all->arguments) {
    if (a.name.parts.size() != 1 || a.name.parts[0].text != "experiment") continue;
    if (a.modification == nullptr) continue;
    for (const Argument& x : a.modification->arguments) {
      if (x.name.parts.size() != 1 || x.modification == nullptr ||
          x.modification->value == nullptr) {
        continue;
      }
      const std::string_view name = x.name.parts[0].text;
      std::optional<double>* to = name == "StartTime"   ? &model_.experiment.start_time
                                  : name == "StopTime"  ? &model_.experiment.stop_time
                                  : name == "Tolerance" ? &model_.experiment.tolerance
                                  : name == "Interval"  ? &model_.experiment.interval
                                                        : nullptr;
      if (to == nullptr) continue;
      if (const auto v = e_.try_constant(*x.modification->value, c)) {
        if (v->is_scalar() && e_.pool().is_constant(v->scalar())) {
          *to = e_.pool().value(v->scalar());
        }
      }
    }
  }
}

}  // namespace arges::lang
