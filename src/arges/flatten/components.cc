// Components: declarations and modifications to instances.

#include <algorithm>

#include "arges/flatten/instances.h"
#include "arges/parse/print.h"

namespace arges::lang {

using diag::Code;
using diag::Diagnostic;

// What an environment says about the element `name`.
void Instances::collect(const Instance& owner, const Environment& from, std::string_view name,
                        Environment& to, Redeclarations* redeclarations) const {
  const auto redeclares = [&](const Argument& a, const Layer& layer) {
    if (redeclarations == nullptr) return;
    for (const auto& [known, scope] : *redeclarations) {
      if (known == &a) return;
    }
    redeclarations->emplace_back(&a, layer.scope);
  };
  // What is redeclared once more from further out takes its modifications along, but for those of
  // its constraint.
  const auto take_redeclaration = [&](const Argument& a, const Modification* own, Layer l) {
    redeclares(a, l);
    const bool replaced = redeclarations != nullptr && redeclarations->front().first != &a;
    if (own != nullptr && !replaced) {
      l.arguments = own->arguments;
      l.value = own->value;
      l.removes = own->is_break;
      to.push_back(l);
    }
    if (a.constraint == nullptr || a.constraint->modification == nullptr) return;
    l.arguments = a.constraint->modification->arguments;
    l.value = nullptr;
    l.removes = false;
    to.push_back(l);
  };
  const auto take = [&](const Argument& a, std::size_t offset, const Layer& layer) {
    Layer l;
    l.scope = layer.scope;
    l.in_type = layer.in_type;
    l.path = a.each ? nullptr : layer.path;
    l.each = a.each;
    l.is_final = a.final;
    if (offset + 1 < a.name.parts.size()) {
      l.dotted = &a;
      l.offset = offset + 1;
    } else if (a.modification != nullptr) {
      l.arguments = a.modification->arguments;
      l.value = a.modification->value;
      l.removes = a.modification->is_break;
    }
    to.push_back(l);
  };
  for (const Layer& layer : from) {
    if (layer.dotted != nullptr && layer.dotted->name.parts[layer.offset].text == name) {
      take(*layer.dotted, layer.offset, layer);
    }
    for (const Argument& a : layer.arguments) {
      if (a.kind == ArgumentKind::kModify && !a.name.parts.empty() &&
          a.name.parts[0].text == name) {
        take(a, 0, layer);
      } else if (a.kind == ArgumentKind::kComponent && a.component != nullptr &&
                 a.component->components[0].name.text == name) {
        Layer l;
        l.scope = layer.scope;
        l.path = layer.path;
        take_redeclaration(a, a.component->components[0].modification, l);
      } else if (a.kind == ArgumentKind::kClass && a.class_def != nullptr &&
                 a.class_def->name.text == name) {
        Layer l;
        l.scope = layer.scope;
        take_redeclaration(a, a.class_def->modification, l);
      }
    }
    if (layer.removes && owner.basic == Basic::kNone) {
      Layer l;
      l.removes = true;
      to.push_back(l);
    }
    if (layer.value != nullptr && owner.basic == Basic::kNone) {
      // The value of a record gives those of its fields.
      Layer l;
      l.scope = layer.scope;
      l.value = layer.value;
      l.path = const_cast<Instances*>(this)->path_field(layer.path, name);
      to.push_back(l);
    }
  }
}

Binding Instances::binding(const Instance& instance) const {
  Binding b;
  for (const Layer& layer : instance.cls.environment) {
    if (layer.removes) return b;  // whatever it is further in
    if (layer.value == nullptr) continue;
    if (b.expr == nullptr) {
      b = {layer.value, layer.scope, layer.path, layer.each, layer.is_final};
    } else if (layer.is_final && layer.value != b.expr) {
      if (b.path != nullptr && !b.path->field.empty()) {
        // The value of the whole record says nothing new of a final field.
        b = {layer.value, layer.scope, layer.path, layer.each, layer.is_final};
        continue;
      }
      fail(Code::kFinalModified,
           in_quotes(full_name(instance)) + " is final and cannot be modified",
           const_cast<Instances*>(this)->span(b.scope, b.expr->range));
    }
  }
  return b;
}

Binding Instances::attribute(const Instance& instance, std::string_view name) const {
  Environment found;
  if (instance.parts.empty()) return {};
  collect(instance, instance.parts.back().environment, name, found, nullptr);
  Binding b;
  for (const Layer& layer : found) {
    if (layer.removes) return b;
    if (layer.value == nullptr) continue;
    if (b.expr == nullptr) {
      b = {layer.value,    layer.scope,  layer.path, layer.each || layer.in_type,
           layer.is_final, layer.in_type};
    } else if (layer.is_final) {
      fail(Code::kFinalModified,
           "the attribute " + in_quotes(name) + " of " + in_quotes(full_name(instance)) +
               " is final and cannot be modified",
           const_cast<Instances*>(this)->span(b.scope, b.expr->range));
    }
  }
  return b;
}

Instance* Instances::component(Instance& owner, Slot& slot) {
  switch (slot.state) {
    case Slot::State::kReady:
      return slot.instance;
    case Slot::State::kDisabled:
      return nullptr;
    case Slot::State::kBusy:
      fail(Code::kCyclicValue,
           "the size or condition of " + in_quotes(slot.name) + " depends on itself",
           span({&owner, slot.part}, slot.component->range));
    case Slot::State::kNew:
      break;
  }
  slot.state = Slot::State::kBusy;
  try {
    slot.instance = make_component(owner, slot);
  } catch (...) {
    slot.state = Slot::State::kNew;
    throw;
  }
  slot.state = slot.instance == nullptr ? Slot::State::kDisabled : Slot::State::kReady;
  return slot.instance;
}

Instance* Instances::referenced(Instance& owner, Slot& slot) {
  const bool both = slot.element != nullptr && slot.element->inner && slot.element->outer;
  if (both && owner.parent != nullptr && owner.world == World::kModel) {
    return find_inner(owner, slot);
  }
  return component(owner, slot);
}

Instance* Instances::find_inner(Instance& owner, Slot& slot) {
  for (Instance* at = owner.parent; at != nullptr; at = at->parent) {
    if (at->is_array() || at->parts.empty()) continue;
    const auto it = at->table.find(slot.name);
    if (it == at->table.end() || it->second->element == nullptr) continue;
    // An outer element at the top of the model is the one that is meant.
    const Element& element = *it->second->element;
    const bool is_found = element.inner || (element.outer && at->parent == nullptr);
    if (it->second->kind == MemberKind::kComponent && is_found) {
      Instance* inner = component(*at, *it->second);
      if (inner != nullptr) check_inner(owner, slot, *inner);
      return inner;
    }
  }
  return add_inner(owner, slot);
}

// An inner element that nobody declared: with the defaults of its class, at the top of the model.
Instance* Instances::add_inner(Instance& owner, Slot& slot) {
  const Scope here{&owner, slot.part};
  const Name& type = slot.element->components->type;
  Diagnostic d(Code::kNoInner,
               "no inner " + in_quotes(slot.name) + " around " +
                   (owner.name.empty() ? in_quotes(slot.name) : in_quotes(full_name(owner))),
               span(here, slot.component->range), "declared outer here");
  Instance* top = &owner;
  while (top->parent != nullptr) top = top->parent;
  const bool is_taken = find(*top, slot.name) != nullptr;
  d.suggest(is_taken ? "the " + in_quotes(slot.name) + " of the model is no `inner` component"
                     : "declare `inner " + print(type) + " " + std::string(slot.name) +
                           ";` in the model");
  if (is_taken) throw Failure{std::move(d)};
  ClassRef ref = find_class(type, here);
  Instance& made = make(std::move(ref), World::kModel, top, slot.name);
  expand(made);
  if (made.basic != Basic::kNone || !slot.component->subscripts.empty() ||
      !slot.element->components->subscripts.empty() || is_partial(made)) {
    throw Failure{std::move(d)};
  }
  top->slots.push_back(slot);
  Slot& added = top->slots.back();
  Element& element = elements_.emplace_back(*slot.element);
  element.inner = true;
  element.outer = false;
  added.element = &element;
  added.part = added.visible = 0;
  added.state = Slot::State::kReady;
  added.instance = &made;
  made.slot = &added;
  made.text = slot.component;
  made.text_scope = here;
  top->table.emplace(added.name, &added);
  top->order.push_back(&added);
  Diagnostic warning(Code::kInnerAdded,
                     "no inner " + in_quotes(slot.name) + " is declared: `inner " + print(type) +
                         " " + std::string(slot.name) + "` was added",
                     span(here, slot.component->range), "declared outer here");
  tree_.diagnostics().report(std::move(warning));
  added_inners_.push_back(&made);
  return &made;
}

Instance* Instances::make_component(Instance& owner, Slot& slot) {
  const Element& element = *slot.element;
  if (element.outer && !element.inner && owner.parent != nullptr && owner.world == World::kModel) {
    return find_inner(owner, slot);
  }
  if (is_too_deep(owner, slot)) return nullptr;
  const Scope here{&owner, slot.part};
  Declaration d{element.components, slot.component, here};
  Redeclarations redeclarations;
  Environment environment;
  const Environment& around = owner.parts[static_cast<std::size_t>(slot.part)].environment;
  collect(owner, around, slot.name, environment, &redeclarations);
  const Argument* redeclaration = redeclarations.empty() ? nullptr : redeclarations[0].first;
  const auto add_modification = [&](const Modification* m, Scope scope, bool with_value,
                                    bool is_final) {
    if (m == nullptr) return;
    Layer l;
    l.arguments = m->arguments;
    l.value = with_value ? m->value : nullptr;
    l.removes = with_value && m->is_break;
    l.scope = scope;
    l.is_final = is_final;
    environment.push_back(l);
  };
  if (redeclaration != nullptr && redeclaration->component != nullptr) {
    const Scope scope = redeclarations[0].second;
    check_redeclare(owner, slot, *redeclaration, scope);
    // The sizes of an array can be redeclared in any case.
    const ComponentClause& now = *redeclaration->component;
    const bool sizes_only =
        !now.components[0].subscripts.empty() && print(now.type) == print(element.components->type);
    if (!element.replaceable && slot.replaced == nullptr && !sizes_only) {
      fail(Code::kNotReplaceable, in_quotes(slot.name) + " is not replaceable",
           span(scope, redeclaration->range));
    }
    for (std::size_t i = 1; i < redeclarations.size(); ++i) {
      if (redeclarations[i].first->replaceable) continue;
      fail(Code::kNotReplaceable,
           in_quotes(slot.name) + " was redeclared before, and is not replaceable any more",
           span(scope, redeclaration->range));
    }
    d = {redeclaration->component, &now.components[0], scope};
  }
  // What replaces an element keeps the modifications of its constraint: the constraining clause,
  // or else the declaration, with its value if that fits the new type.
  const auto keeps_value = [&](const Element& declared, const Modification* m, Scope scope) {
    const ComponentClause& was = *declared.components;
    if (&was == d.clause || print(was.type) == print(d.clause->type)) return true;
    if (m == nullptr || m->value == nullptr) return true;
    try {
      Instance& type =
          make(find_class(d.clause->type, d.scope), World::kPackage, nullptr, slot.name);
      return value_fits(*m->value, scope, type);
    } catch (const Failure&) {
      return false;  // what is wrong shows when it is used
    }
  };
  for (const Slot* s = &slot; s != nullptr && s->component != nullptr; s = s->replaced) {
    const Scope there{&owner, s->part};
    const Element& declared = *s->element;
    const Modification* own = s->component->modification;
    const bool counts = d.component == s->component;
    if (counts || (s->replaced == nullptr && declared.constraint == nullptr)) {
      add_modification(own, there, keeps_value(declared, own, there), s == &slot && declared.final);
    }
    if (declared.constraint != nullptr) {
      add_modification(declared.constraint->modification, there, false, false);
    }
  }
  const Expr* condition = slot.component->condition;
  if (condition != nullptr && owner.world == World::kModel &&
      !evaluator_->condition(*condition, here)) {
    return nullptr;
  }
  ClassRef ref = find_class(d.clause->type, d.scope);
  Environment type_environment = std::move(ref.environment);
  for (Layer& l : type_environment) l.in_type = true;
  ref.environment = environment;
  ref.environment.insert(ref.environment.end(), type_environment.begin(), type_environment.end());
  if (ref.enclosing.instance == nullptr && ref.node->parent() != nullptr &&
      !ref.node->parent()->is_root()) {
    ref.enclosing = {&of_class(*ref.node->parent()), 0};
  }
  if (endless_.contains(ref.node)) return nullptr;  // was told; each branch would be as deep
  check_containment(owner, slot, ref);
  const ClassRef original = ref;
  if (redeclaration != nullptr || element.constraint != nullptr) {
    check_constraint(owner, slot, ref, redeclarations, span(d.scope, d.clause->range));
  }
  Instance& made = make(std::move(ref), owner.world, &owner, slot.name);
  made.slot = &slot;
  made.text = d.component;
  made.text_scope = d.scope;
  made.prefix = d.clause->prefix;
  if (redeclaration != nullptr) {
    const TypePrefix& old = element.components->prefix;
    if (made.prefix.variability == Variability::kNone) made.prefix.variability = old.variability;
    if (made.prefix.causality == Causality::kNone) made.prefix.causality = old.causality;
    if (made.prefix.connecting == Connecting::kNone) made.prefix.connecting = old.connecting;
  }
  made.is_protected = slot.is_protected || owner.is_protected;
  made.is_final = element.final;
  expand(made);
  // `input RealInput u` says twice what it is; of records and connectors nothing may say it again.
  const bool says_the_same =
      made.basic != Basic::kNone && made.prefix.causality == made.cls.causality;
  if (made.prefix.causality != Causality::kNone && made.cls.causality != Causality::kNone &&
      d.clause->prefix.causality != Causality::kNone && !says_the_same) {
    fail(Code::kClassRestriction,
         in_quotes(slot.name) + " is `input` or `output` already by its type " +
             in_quotes(print(d.clause->type)),
         span(d.scope, d.clause->range));
  }
  if (made.prefix.causality == Causality::kNone) made.prefix.causality = made.cls.causality;
  check_component(owner, slot, made.prefix, made, span(d.scope, d.clause->range));
  // Fields are what their record is.
  const bool in_record = owner.basic == Basic::kNone && owner.parent != nullptr;
  if (in_record) {
    if (owner.prefix.variability > made.prefix.variability) {
      made.prefix.variability = owner.prefix.variability;
    }
    if (made.prefix.causality == Causality::kNone) made.prefix.causality = owner.prefix.causality;
    if (made.prefix.connecting == Connecting::kNone) {
      made.prefix.connecting = owner.prefix.connecting;
    }
  }
  const Sizes sizes = declared_sizes(d, slot, made.cls, made);
  try {
    made.dims = dimensions(d, slot, sizes, made);
  } catch (const Failure& why) {
    const bool may = sizes_at_run_time && why.diagnostic.code == Code::kNotConstant &&
                     made.world == World::kFunction && owner.parent == nullptr &&
                     made.basic == Basic::kScalar && made.prefix.causality != Causality::kOutput;
    if (!may) throw;
    made.run_time_dims = sizes;  // (of an input, until its argument says them)
  }
  if (made.basic != Basic::kNone || made.dims.empty()) return &made;
  make_items(made, original, environment);
  return &made;
}

namespace {

// Of size(A, 1) as a size of A itself, as in A[:, size(A, 1)]: which of its sizes; else 0.
std::size_t own_dimension(const Expr& e, std::string_view name) {
  if (e.kind != ExprKind::kCall) return 0;
  const auto& call = as<CallExpr>(e);
  if (call.callee->parts.size() != 1 || call.callee->parts[0].name.text != "size" ||
      call.positional.size() != 2 || call.positional[0]->kind != ExprKind::kReference ||
      call.positional[1]->kind != ExprKind::kInteger) {
    return 0;
  }
  const auto& array = as<ReferenceExpr>(*call.positional[0]);
  if (array.global || array.parts.size() != 1 || array.parts[0].name.text != name ||
      !array.parts[0].subscripts.empty()) {
    return 0;
  }
  const std::string_view number = as<LiteralExpr>(*call.positional[1]).text;
  return number.size() == 1 ? static_cast<std::size_t>(number[0] - '0') : 0;
}

}  // namespace

Instances::Sizes Instances::declared_sizes(const Declaration& d, const Slot& slot,
                                           const ClassRef& ref, const Instance& prototype) {
  Sizes all;
  ExprList own = d.component->subscripts;
  Scope own_scope = d.scope;
  ExprList clause = d.clause->subscripts;
  if (own.empty() && clause.empty() && d.component != slot.component) {
    own = slot.component->subscripts;  // a redeclaration keeps the sizes
    clause = slot.element->components->subscripts;
    own_scope = {prototype.parent, slot.part};
  }
  for (const Expr* e : own) all.emplace_back(e, own_scope);
  for (const Expr* e : clause) all.emplace_back(e, own_scope);
  for (const TypeDims& t : ref.dims) {
    for (const Expr* e : t.subscripts) all.emplace_back(e, t.scope);
  }
  return all;
}

Dims Instances::dimensions(const Declaration& d, const Slot& slot, const Sizes& all,
                           const Instance& prototype) {
  Dims dims;
  Dims shape;
  for (const auto& [e, scope] : all) {
    // A size that stands before: the others of this component are not known yet.
    const std::size_t before = own_dimension(*e, slot.name);
    if (before > 0 && before <= dims.size()) {
      dims.push_back(dims[before - 1]);
      continue;
    }
    if (e->kind != ExprKind::kColon) {
      dims.push_back(evaluator_->dimension(*e, scope));
      continue;
    }
    if (shape.empty()) {
      const Binding b = binding(prototype);
      if (b.expr == nullptr) {
        if (prototype.world == World::kValue || prototype.world == World::kFunction) return {};
        const bool in_bus = prototype.parent != nullptr && prototype.basic != Basic::kNone &&
                            kind(*prototype.parent) == ClassKind::kExpandableConnector;
        if (in_bus) {  // connections decide
          dims.push_back(0);
          continue;
        }
        fail(Code::kNoValue, "the size of " + in_quotes(full_name(prototype)) + " is not known",
             span(d.scope, d.component->range), "`:` takes the size of a value, which is missing");
      }
      shape = evaluator_->shape(b);
    }
    if (shape.size() < all.size()) {
      fail(Code::kSizeMismatch,
           in_quotes(full_name(prototype)) + " has " + std::to_string(all.size()) +
               " dimensions, its value " + std::to_string(shape.size()),
           span(d.scope, d.component->range));
    }
    dims.push_back(shape[dims.size()]);
  }
  if (count(dims) > limits_.elements) {
    fail(Code::kTooLarge,
         in_quotes(full_name(prototype)) + " has " + std::to_string(count(dims)) + " elements",
         span(d.scope, d.component->range));
  }
  return dims;
}

bool Instances::is_open(const Instance& i) {
  if (!i.dims.empty() || i.slot == nullptr) return false;
  const auto has_colon = [](ExprList list) {
    return std::any_of(list.begin(), list.end(),
                       [](const Expr* e) { return e->kind == ExprKind::kColon; });
  };
  return has_colon(i.slot->component->subscripts) ||
         has_colon(i.slot->element->components->subscripts) ||
         std::any_of(i.cls.dims.begin(), i.cls.dims.end(),
                     [&](const TypeDims& t) { return has_colon(t.subscripts); });
}

bool Instances::fits_open_sizes(const Instance& i, const Dims& dims) {
  if (i.slot == nullptr || i.dims.size() != dims.size()) return false;
  std::vector<const Expr*> declared;
  for (const ExprList list :
       {i.slot->component->subscripts, i.slot->element->components->subscripts})
    declared.insert(declared.end(), list.begin(), list.end());
  for (std::size_t d = 0; d < dims.size(); ++d) {
    const bool is_open = d < declared.size() && declared[d]->kind == ExprKind::kColon;
    if (dims[d] != i.dims[d] && !is_open) return false;
  }
  return true;
}

void Instances::set_dims(Instance& array, const Dims& dims) {
  array.dims = dims;
  array.items.clear();
  if (array.basic == Basic::kNone && !dims.empty()) make_items(array, array.cls, {});
}

// The elements of an array of components: the same modifications, of which each gets its element.
void Instances::make_items(Instance& array, const ClassRef& ref, const Environment& environment) {
  const std::size_t n = count(array.dims);
  std::vector<int> index(array.dims.size(), 1);
  const std::size_t own = environment.size();
  for (std::size_t i = 0; i < n; ++i) {
    ClassRef element = ref;
    for (std::size_t l = 0; l < own; ++l) {
      Layer& layer = element.environment[l];
      if (!layer.each || layer.value == nullptr) layer.path = path_index(layer.path, index);
    }
    Instance& item = make(std::move(element), array.world, &array, array.name);
    item.slot = array.slot;
    item.index = index;
    item.text = array.text;
    item.text_scope = array.text_scope;
    item.prefix = array.prefix;
    item.is_protected = array.is_protected;
    item.is_final = array.is_final;
    item.cls.dims.clear();
    array.items.push_back(&item);
    for (std::size_t d = index.size(); d-- > 0;) {
      if (++index[d] <= array.dims[d]) break;
      index[d] = 1;
    }
  }
}

}  // namespace arges::lang
