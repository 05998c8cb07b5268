// References to components, with subscripts.

#include <algorithm>

#include "arges/flatten/evaluator.h"
#include "arges/parse/print.h"

namespace arges::lang {

using diag::Code;

namespace {

// Whether statements of its function assign a local variable, or what it is part of.
bool is_assigned(const Instance& local) {
  for (const Instance* i = &local; i != nullptr && i->slot != nullptr; i = i->parent) {
    if (i->slot->is_assigned) return true;
  }
  return false;
}

}  // namespace

Resolved Evaluator::first_part(const ReferenceExpr& r, const Context& c) {
  const Identifier& id = r.parts[0].name;
  Resolved found;
  if (r.global) {
    if (const Member* m = instances_.tree().member(instances_.tree().root(), id.text)) {
      found.kind = Resolved::Kind::kClass;
      found.node = m->node;
    } else {
      found = instances_.resolve(id.text, {});  // .sin
    }
  } else {
    found = instances_.resolve(id.text, c.scope);
    if (found.enclosing &&
        found.slot->element->components->prefix.variability != Variability::kConstant) {
      fail(Code::kEnclosingVariable,
           in_quotes(id.text) + " is no constant of " + in_quotes(found.owner->cls.node->path()) +
               ", so that " + in_quotes(instances_.node(c.scope).path()) + " cannot use it",
           instances_.span(c.scope, id.range()));
    }
  }
  if (found.kind == Resolved::Kind::kNothing) {
    Name name;
    name.parts = {&id, 1};
    name.range = id.range();
    name.global = r.global;
    instances_.find_class(name, c.scope);  // says what is wrong
  }
  return found;
}

std::size_t Evaluator::follow_classes(const ReferenceExpr& e, Resolved& r, const Context& c) {
  std::size_t used = 1;
  while (used < e.parts.size()) {
    const bool is_class = r.kind == Resolved::Kind::kClass ||
                          (r.kind == Resolved::Kind::kSlot && r.slot->kind == MemberKind::kClass);
    if (!is_class) break;
    Instance& owner = instances_.class_instance(r);
    Slot* slot = instances_.find(owner, e.parts[used].name.text);
    if (slot == nullptr) {
      Instances::no_element(owner, e.parts[used].name.text,
                            in_quotes(owner.cls.node->path()) + " has no element " +
                                in_quotes(e.parts[used].name.text),
                            instances_.span(c.scope, e.parts[used].name.range()));
    }
    instances_.check_step(owner, *slot, instances_.span(c.scope, e.parts[used].name.range()));
    r = {Resolved::Kind::kSlot, &owner, slot, nullptr};
    ++used;
  }
  return used;
}

Instance& Evaluator::child(Instance& i, const ReferenceExpr& r, std::size_t k, const Context& c) {
  const Identifier& id = r.parts[k].name;
  Slot* slot = instances_.find(i, id.text);
  if (slot == nullptr || slot->kind != MemberKind::kComponent) {
    Instances::no_element(i, id.text,
                          in_quotes(Instances::full_name(i)) + " of class " +
                              in_quotes(i.cls.node->path()) + " has no component " +
                              in_quotes(id.text),
                          instances_.span(c.scope, id.range()));
  }
  if (slot->is_protected && i.world == World::kModel) {
    fail(Code::kProtectedAccess,
         in_quotes(id.text) + " is protected in " + in_quotes(i.cls.node->path()),
         instances_.span(c.scope, id.range()));
  }
  Instance* made = instances_.component(i, *slot);
  if (made == nullptr) {
    fail(Code::kDisabledComponent,
         in_quotes(Instances::full_name(i) + "." + std::string(id.text)) +
             " is not there: its condition is false",
         instances_.span(c.scope, id.range()));
  }
  return *made;
}

// Only connections and modifications name what may not be there.
void Evaluator::check_unconditional(const Slot& slot, diag::Span where) {
  if (slot.component != nullptr && slot.component->condition != nullptr) {
    fail(Code::kConditionalUse,
         in_quotes(slot.name) + " has a condition and can only be connected, not used as a value",
         where);
  }
}

void Evaluator::check_time(const Context& c, diag::Span where) {
  if (c.scope.instance == nullptr) return;
  const ClassDef* def = instances_.definition(c.scope);
  if (def == nullptr || def->kind == ClassKind::kClass || def->kind == ClassKind::kModel ||
      def->kind == ClassKind::kBlock) {
    return;
  }
  fail(Code::kNoTimeHere, "a " + std::string(spelling(def->kind)) + " has no `time`", where);
}

Value Evaluator::reference(const ReferenceExpr& r, const Context& c) {
  const ReferencePart& first = r.parts[0];
  if (!r.global) {
    for (const Frame* f = c.frame; f != nullptr; f = f->outer) {
      if (f->name != first.name.text) continue;
      Value v = f->value;
      for (std::size_t k = 0; k < r.parts.size(); ++k) {
        if (k > 0) {
          const Value* field = v.field(r.parts[k].name.text);
          if (field == nullptr) {
            fail(Code::kUnknownElement, in_quotes(first.name.text) + " has no such field",
                 instances_.span(c.scope, r.parts[k].name.range()));
          }
          v = Value(*field);
        }
        if (!r.parts[k].subscripts.empty()) {
          v = apply(v, subscripts(r.parts[k].subscripts, v.dims, c, span(c, r)));
        }
      }
      return v;
    }
  }
  Resolved found = first_part(r, c);
  if (found.kind == Resolved::Kind::kTime) {
    if (c.structural) fail(Code::kNotConstant, "`time` is not known before the run", span(c, r));
    check_time(c, span(c, r));
    return scalar_value(pool(), pool().time());
  }
  const std::size_t used = follow_classes(r, found, c);
  if (found.kind == Resolved::Kind::kSlot && found.slot->kind == MemberKind::kLiteral) {
    Value v = scalar_value(pool(), pool().enumeration(found.slot->literal));
    v.enumeration = found.slot->node;
    return v;
  }
  if (found.kind == Resolved::Kind::kSlot && found.slot->kind == MemberKind::kComponent) {
    Instance* i = instances_.referenced(*found.owner, *found.slot);
    if (i == nullptr) {
      fail(Code::kDisabledComponent,
           in_quotes(found.slot->name) + " is not there: its condition is false", span(c, r));
    }
    check_unconditional(*found.slot, span(c, r));
    return component_value(*i, r, used - 1, c);
  }
  if (found.kind == Resolved::Kind::kBuiltin) {
    fail(Code::kNoVariable, in_quotes(first.name.text) + " is a function, not a value", span(c, r));
  }
  Value v;
  v.kind = Value::Kind::kFunction;
  v.record = &instances_.class_instance(found);
  return v;
}

// `i` is what parts[k] names, without its subscripts.
Value Evaluator::component_value(Instance& i, const ReferenceExpr& r, std::size_t k,
                                 const Context& c) {
  const diag::Span where = span(c, r);
  const ExprList list = r.parts[k].subscripts;
  if (i.given && (i.basic == Basic::kNone || k + 1 == r.parts.size())) {
    Value v = *i.given;
    for (std::size_t p = k; p < r.parts.size(); ++p) {
      if (p > k) {
        const Value* field = v.field(r.parts[p].name.text);
        if (field == nullptr) {
          fail(Code::kUnknownElement,
               in_quotes(i.name) + " has no field " + in_quotes(r.parts[p].name.text), where);
        }
        v = Value(*field);
      }
      if (!r.parts[p].subscripts.empty()) {
        v = apply(v, subscripts(r.parts[p].subscripts, v.dims, c, where, p == k ? &i : nullptr));
      }
    }
    if (c.structural && !is_constant(pool(), v)) {
      fail(Code::kNotConstant, "the value of " + in_quotes(print(r)) + " is not known here", where);
    }
    return v;
  }
  if (i.is_array()) {
    const std::vector<Sub> subs = subscripts(list, i.dims, c, where, &i);
    if (const std::optional<std::size_t> one = single(subs, i.dims)) {
      return member_value(*i.items[*one], r, k + 1, c);
    }
    Dims kept;
    std::vector<Subscript> all;
    for (std::size_t d = 0; d < i.dims.size(); ++d) {
      Subscript s;
      if (d < subs.size() && !subs[d].is_dynamic()) {
        s = subs[d].fixed;
      } else {
        for (int p = 1; p <= i.dims[d]; ++p) s.positions.push_back(p);
      }
      if (!s.scalar) kept.push_back(static_cast<int>(s.positions.size()));
      all.push_back(std::move(s));
    }
    Value positions;  // of the chosen elements
    positions.dims = i.dims;
    for (std::size_t n = 0; n < i.items.size(); ++n) {
      positions.elements.push_back(ExprId{static_cast<std::int32_t>(n)});
    }
    positions = subscripted(positions, all);
    std::vector<Value> values;
    for (const ExprId p : positions.elements) {
      values.push_back(member_value(*i.items[static_cast<std::size_t>(p.index)], r, k + 1, c));
    }
    if (values.empty()) return array_value(pool(), kept, {});
    if (kept.empty()) return values[0];
    Value v = arranged(values, kept);
    std::vector<Sub> rest;  // subscripts that are known only when the model runs
    bool dynamic = false;
    for (const Sub& s : subs) {
      if (!s.is_dynamic() && s.fixed.scalar) continue;
      Sub whole = s;
      if (!s.is_dynamic()) {
        whole.fixed.positions.clear();
        for (std::size_t p = 1; p <= s.fixed.positions.size(); ++p) {
          whole.fixed.positions.push_back(static_cast<int>(p));
        }
      }
      dynamic = dynamic || s.is_dynamic();
      rest.push_back(std::move(whole));
    }
    return dynamic ? apply(v, rest) : v;
  }
  if (i.basic == Basic::kNone) {
    if (!list.empty()) {
      fail(Code::kBadSubscript, in_quotes(Instances::full_name(i)) + " is no array", where);
    }
    return member_value(i, r, k + 1, c);
  }
  if (k + 1 < r.parts.size()) {
    fail(Code::kUnknownElement,
         in_quotes(Instances::full_name(i)) + " is a variable without components", where);
  }
  if (!i.sizes.empty() && !list.empty()) return run_time_element(i, r, k, c);
  return leaf(i, subscripts(list, i.dims, c, where, &i), c, where);
}

// The position from 0 when the subscripts choose one element.
std::optional<std::size_t> Evaluator::single(const std::vector<Sub>& subs, const Dims& dims) {
  if (subs.size() != dims.size()) return std::nullopt;
  std::size_t at = 0;
  for (std::size_t d = 0; d < dims.size(); ++d) {
    if (subs[d].is_dynamic() || !subs[d].fixed.scalar) return std::nullopt;
    at = at * static_cast<std::size_t>(dims[d]) +
         static_cast<std::size_t>(subs[d].fixed.positions[0] - 1);
  }
  return at;
}

Value Evaluator::member_value(Instance& i, const ReferenceExpr& r, std::size_t k,
                              const Context& c) {
  if (k == r.parts.size()) return instance_value(i, c);
  Instance& part = child(i, r, k, c);
  if (part.slot != nullptr && i.world == World::kModel) {
    check_unconditional(*part.slot, span(c, r));
  }
  return component_value(part, r, k, c);
}

Value Evaluator::instance_value(Instance& i, const Context& c) {
  if (i.given) return *i.given;
  instances_.expand(i);
  if (i.basic != Basic::kNone) return leaf(i, {}, c, {});
  if (i.is_array()) {
    std::vector<Value> values;
    for (Instance* item : i.items) values.push_back(instance_value(*item, c));
    if (values.empty()) return array_value(pool(), i.dims, {});
    return arranged(values, i.dims);
  }
  Value v;
  v.kind = Value::Kind::kRecord;
  v.record = &i;
  for (Slot* slot : i.order) {
    if (slot->kind != MemberKind::kComponent) continue;
    Instance* field = instances_.component(i, *slot);
    if (field != nullptr) v.fields.push_back({slot->name, instance_value(*field, c)});
  }
  return v;
}

// A variable of a basic type, or elements of it.
Value Evaluator::leaf(Instance& i, const std::vector<Sub>& subs, const Context& c,
                      diag::Span where) {
  if (!i.run_time_dims.empty() || !i.sizes.empty()) {
    fail(c.structural ? Code::kNotConstant : Code::kNotSupported,
         "the size of " + in_quotes(i.name) +
             " is known only when the function runs: the array cannot stand here as a whole",
         where);
  }
  if (i.given) {
    if (c.structural && !is_constant(pool(), *i.given)) {
      fail(Code::kNotConstant, "the value of " + in_quotes(i.name) + " is not known here", where);
    }
    return apply(*i.given, subs);
  }
  // A constant of a record that is given to a function is what the record says.
  const bool of_argument = i.world == World::kFunction && i.local.valid() && !c.structural;
  const bool fixed = (i.prefix.variability == Variability::kConstant && !of_argument) ||
                     (i.prefix.variability == Variability::kParameter && c.structural) ||
                     i.world == World::kPackage;
  if (fixed || i.world == World::kValue) {
    if (i.world == World::kValue) {
      const Binding b = instances_.binding(i);
      if (b.expr == nullptr) {
        fail(Code::kNotConstant, in_quotes(i.name) + " is used before it has a value", where);
      }
      Context inner;
      inner.structural = c.structural;
      inner.in_function = c.in_function;
      inner.of_size = c.of_size;
      return apply(declared_value(i, b, inner, where), subs);
    }
    if (i.basic == Basic::kExternalObject) {
      fail(Code::kNotSupported, "external objects as constants are not supported yet", where);
    }
    return apply(constant_value(i), subs);
  }
  // The size of an array of a function may be a local variable: what it is bound to counts, if no
  // statement changes it before.
  if (c.structural && i.world == World::kFunction && i.prefix.causality == Causality::kNone &&
      (c.of_size || !is_assigned(i))) {
    const Binding b = instances_.binding(i);
    if (b.expr != nullptr) {
      Context inner;
      inner.structural = true;
      inner.in_function = true;
      inner.of_size = true;
      return apply(declared_value(i, b, inner, where), subs);
    }
  }
  if (c.structural) {
    fail(Code::kNotConstant,
         in_quotes(Instances::full_name(i)) + " changes during the run, a constant is needed",
         where, "this must be known before the run");
  }
  if (i.world == World::kModel && i.prefix.variability == Variability::kParameter &&
      i.text != nullptr &&
      (i.evaluated ||
       instances_.annotated(i.text->description.annotation, i.text_scope, "Evaluate"))) {
    try {
      return apply(constant_value(i), subs);
    } catch (const Failure&) {
      // It depends on what is known only later: then it stays a parameter.
    }
  }
  bool dynamic = false;
  for (const Sub& s : subs) dynamic = dynamic || s.is_dynamic();
  if (i.world == World::kFunction && dynamic) {
    // Elements of a local array, with subscripts that are known when the function runs.
    std::vector<std::vector<ExprId>> lists{{}};
    for (const int p : i.local_at) lists[0].push_back(pool().integer(p));
    Value v;
    for (std::size_t d = 0; d < i.dims.size(); ++d) {
      std::vector<ExprId> choices;
      if (d < subs.size()) {
        choices = subs[d].chosen;
        for (const int p : subs[d].fixed.positions) choices.push_back(pool().integer(p));
        if (!subs[d].fixed.scalar) v.dims.push_back(static_cast<int>(choices.size()));
      } else {
        for (int p = 1; p <= i.dims[d]; ++p) choices.push_back(pool().integer(p));
        v.dims.push_back(i.dims[d]);
      }
      std::vector<std::vector<ExprId>> next;
      for (const auto& l : lists) {
        for (const ExprId e : choices) {
          next.push_back(l);
          next.back().push_back(e);
        }
      }
      lists = std::move(next);
    }
    v.type = i.type;
    v.enumeration = i.enumeration;
    for (const auto& l : lists) v.elements.push_back(pool().element(i.local, l, i.type));
    return v;
  }
  if (dynamic) return apply(leaf_elements(i, {}), subs);
  std::vector<Subscript> plain;
  for (const Sub& s : subs) plain.push_back(s.fixed);
  return leaf_elements(i, plain);
}

Value Evaluator::leaf_elements(Instance& i, const std::vector<Subscript>& subs) {
  std::vector<std::size_t> offsets{0};
  Value v;
  v.type = i.type;
  v.enumeration = i.enumeration;
  for (std::size_t d = 0; d < i.dims.size(); ++d) {
    std::vector<std::size_t> next;
    const auto n = static_cast<std::size_t>(i.dims[d]);
    const bool whole = d >= subs.size();
    if (whole || !subs[d].scalar) {
      v.dims.push_back(whole ? i.dims[d] : static_cast<int>(subs[d].positions.size()));
    }
    for (const std::size_t o : offsets) {
      if (whole) {
        for (std::size_t p = 0; p < n; ++p) next.push_back(o * n + p);
      } else {
        for (const int p : subs[d].positions) {
          next.push_back(o * n + static_cast<std::size_t>(p - 1));
        }
      }
    }
    offsets = std::move(next);
  }
  v.elements.reserve(offsets.size());
  if (i.world == World::kFunction) {
    for (std::size_t o : offsets) {
      if (i.dims.empty() && i.local_at.empty()) {
        v.elements.push_back(pool().local(i.local, i.type));
        continue;
      }
      const std::size_t outer = i.local_at.size();
      std::vector<ExprId> list(outer + i.dims.size());
      for (std::size_t d = 0; d < outer; ++d) list[d] = pool().integer(i.local_at[d]);
      for (std::size_t d = i.dims.size(); d-- > 0;) {
        const auto n = static_cast<std::size_t>(i.dims[d]);
        list[outer + d] = pool().integer(static_cast<std::int64_t>(o % n) + 1);
        o /= n;
      }
      v.elements.push_back(pool().element(i.local, list, i.type));
    }
    return v;
  }
  const VarId base = variable(i);
  for (const std::size_t o : offsets) {
    v.elements.push_back(pool().variable(VarId{base.index + static_cast<std::int32_t>(o)}, i.type));
  }
  return v;
}

// Elements 1, 2, ... of one dimension of a local array, all of them: its element at the position.
ExprId Evaluator::element_of_local(ExprId position, const std::vector<ExprId>& choices) {
  const ExprNode first = pool()[choices[0]];
  if (first.op != Op::kElement || function_made == nullptr || choices.size() < 2) return {};
  const auto& dims = function_made->locals[static_cast<std::size_t>(first.index)].dims;
  std::vector<ExprId> subscripts(pool().args(choices[0]).begin(), pool().args(choices[0]).end());
  std::optional<std::size_t> dimension;
  const ExprNode second = pool()[choices[1]];
  if (second.op != Op::kElement || second.index != first.index) return {};
  for (std::size_t d = 0; d < subscripts.size(); ++d) {
    if (pool().args(choices[1])[d] == subscripts[d]) continue;
    if (dimension) return {};
    dimension = d;
  }
  if (!dimension || static_cast<std::size_t>(dims[*dimension]) != choices.size()) return {};
  for (std::size_t k = 0; k < choices.size(); ++k) {
    subscripts[*dimension] = pool().integer(static_cast<std::int64_t>(k) + 1);
    if (choices[k] != pool().element(LocalId{first.index}, subscripts, first.type)) return {};
  }
  subscripts[*dimension] = position;
  return pool().element(LocalId{first.index}, subscripts, first.type);
}

// The element at a position that is known when the model runs.
Value Evaluator::indexed(StringId what, ExprId position, const std::vector<Value>& elements) {
  Value v = elements[0];
  for (std::size_t f = 0; f < v.fields.size(); ++f) {
    std::vector<Value> fields;
    for (const Value& e : elements) fields.push_back(e.fields[f].value);
    v.fields[f].value = indexed(what, position, fields);
  }
  std::vector<ExprId> choices;
  for (std::size_t i = 0; i < v.elements.size(); ++i) {
    choices.clear();
    for (const Value& e : elements) choices.push_back(e.elements[i]);
    const ExprId element = element_of_local(position, choices);
    v.elements[i] = element.valid() ? element : pool().index(what, position, choices);
  }
  return v;
}

// value[subscripts] where some subscripts are expressions: choices among the elements.
Value Evaluator::apply(const Value& v, const std::vector<Sub>& subs, std::size_t from) {
  std::size_t kept = 0;  // dimensions before d that stay
  for (std::size_t d = 0; d < subs.size(); ++d) {
    if (d < from || !subs[d].is_dynamic()) {
      if (!subs[d].fixed.scalar) ++kept;
      continue;
    }
    std::vector<Value> elements;
    for (int p = 1; p <= v.dims[d]; ++p) {
      std::vector<Sub> fixed = subs;
      fixed[d].chosen.clear();
      fixed[d].fixed.positions = {p};
      elements.push_back(apply(v, fixed, d + 1));
    }
    if (elements.empty()) fail(Code::kBadSubscript, "an array without elements is subscripted", {});
    allow(subs[d].chosen.size() * elements.size() * scalar_count(elements[0]), {});
    std::vector<Value> chosen;
    for (const ExprId position : subs[d].chosen)
      chosen.push_back(indexed(subs[d].what, position, elements));
    return subs[d].fixed.scalar ? chosen[0] : joined(chosen, kept);
  }
  std::vector<Subscript> plain;
  for (const Sub& s : subs) plain.push_back(s.fixed);
  return subscripted(v, plain);
}

Dims Evaluator::reference_shape(const ReferenceExpr& r, const Context& c) {
  if (!r.global) {
    for (const Frame* f = c.frame; f != nullptr; f = f->outer) {
      if (f->name == r.parts[0].name.text) return reference(r, c).dims;
    }
  }
  Resolved found = first_part(r, c);
  std::size_t k = follow_classes(r, found, c) - 1;
  if (found.kind != Resolved::Kind::kSlot || found.slot->kind != MemberKind::kComponent) {
    return reference(r, c).dims;
  }
  Instance* i = instances_.referenced(*found.owner, *found.slot);
  if (i == nullptr) return {};
  if (!i->sizes.empty() || !i->run_time_dims.empty()) {
    fail(Code::kNotConstant,
         "the size of " + in_quotes(i->name) + " is known only when the function runs", span(c, r));
  }
  Dims dims;
  for (;; ++k) {
    if (i->given) {
      Context inner = c;
      inner.structural = false;
      const Dims rest = component_value(*i, r, k, inner).dims;
      dims.insert(dims.end(), rest.begin(), rest.end());
      return dims;
    }
    const ExprList list = r.parts[k].subscripts;
    for (std::size_t d = 0; d < i->dims.size(); ++d) {
      if (d >= list.size() || list[d]->kind == ExprKind::kColon) {
        dims.push_back(i->dims[d]);
        continue;
      }
      Context inner = c;
      inner.end = i->dims[d];
      inner.end_size = {};
      inner.end_type = index_type(*i, d).value_or(IndexType{});
      inner.structural = false;
      const Dims s = shape(*list[d], inner);
      if (!s.empty()) dims.push_back(s[0]);
    }
    if (k + 1 == r.parts.size()) return dims;
    if (i->is_array()) {
      if (i->items.empty()) return dims;
      i = i->items[0];
    }
    i = &child(*i, r, k + 1, c);
  }
}

}  // namespace arges::lang
