#include "arges/flatten/symbolic_execution.h"

namespace arges::lang {

std::optional<std::vector<Value>> SymbolicExecution::operator()(
    const std::vector<Value>& arguments) {
  Instances& instances = e_.instances();
  frame_ = &instances.make(function_.cls, World::kValue, nullptr, {});
  instances.expand(*frame_);
  const std::vector<Slot*> inputs = e_.inputs(*frame_);
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    Instance* input = instances.component(*frame_, *inputs[i]);
    if (input == nullptr) return std::nullopt;
    Value v = arguments[i];
    if (input->basic != Basic::kNone)
      v = e_.fitted(v, v.dims, false, input->type, {}, input->enumeration);
    e_.give(*input, v);
  }
  // What a declaration says holds before the first statement, whatever that assigns.
  for (Slot* slot : frame_->order) {
    if (slot->kind != MemberKind::kComponent) continue;
    Instance* i = instances.component(*frame_, *slot);
    if (i == nullptr || i->given || i->prefix.variability == Variability::kConstant) continue;
    Context c;
    c.in_function = true;
    if (instances.binding(*i).expr != nullptr) e_.give(*i, e_.instance_value(*i, c));
  }
  bool body = false;
  for (std::size_t p = 0; p < frame_->parts.size(); ++p) {
    const ClassDef* def = instances.tree().definition(*frame_->parts[p].node);
    if (def == nullptr) continue;
    Context c;
    c.scope = {frame_, static_cast<int>(p)};
    c.in_function = true;
    for (const Section& section : def->sections) {
      if (section.kind != SectionKind::kAlgorithm) continue;
      body = true;
      const Flow flow = run(section.statements, c);
      if (flow == Flow::kUnknown) return std::nullopt;
      if (flow == Flow::kReturn) break;
    }
  }
  std::vector<Value> results;
  Context c;
  c.in_function = true;
  for (Slot* slot : e_.outputs(*frame_)) {
    Instance* output = instances.component(*frame_, *slot);
    if (output == nullptr) return std::nullopt;
    if (!body && instances.binding(*output).expr == nullptr) return std::nullopt;
    results.push_back(e_.instance_value(*output, c));
  }
  return results;
}

SymbolicExecution::Flow SymbolicExecution::run(StatementList list, const Context& c) {
  for (const Statement* s : list) {
    if (--budget_ < 0) return Flow::kUnknown;
    const Flow flow = run(*s, c);
    if (flow != Flow::kNext) return flow;
  }
  return Flow::kNext;
}

SymbolicExecution::Flow SymbolicExecution::run(const Statement& s, const Context& c) {
  switch (s.kind) {
    case StatementKind::kAssign: {
      if (s.left->kind == ExprKind::kTuple) {
        const auto& targets = as<TupleExpr>(*s.left).elements;
        const std::vector<Value> values = e_.eval_all(*s.right, c);
        if (targets.size() > values.size()) return Flow::kUnknown;
        for (std::size_t i = 0; i < targets.size(); ++i) {
          if (targets[i] != nullptr && !assign(*targets[i], values[i], c)) return Flow::kUnknown;
        }
        return Flow::kNext;
      }
      return assign(*s.left, e_.eval(*s.right, c), c) ? Flow::kNext : Flow::kUnknown;
    }
    case StatementKind::kBreak:
      return Flow::kBreak;
    case StatementKind::kReturn:
      return Flow::kReturn;
    case StatementKind::kIf:
      for (const Branch<Statement>& b : s.branches) {
        if (b.condition != nullptr) {
          const ExprId condition = e_.eval_boolean(*b.condition, c);
          if (!e_.pool().is_constant(condition)) return Flow::kUnknown;
          if (e_.pool().value(condition) == 0) continue;
        }
        return run(b.body, c);
      }
      return Flow::kNext;
    case StatementKind::kFor:
      return run_for(s, 0, c);
    case StatementKind::kWhile:
      for (;;) {
        if (--budget_ < 0) return Flow::kUnknown;
        const ExprId condition = e_.eval_boolean(*s.branches[0].condition, c);
        if (!e_.pool().is_constant(condition)) return Flow::kUnknown;
        if (e_.pool().value(condition) == 0) return Flow::kNext;
        const Flow flow = run(s.branches[0].body, c);
        if (flow == Flow::kBreak) return Flow::kNext;
        if (flow != Flow::kNext) return flow;
      }
    case StatementKind::kCall: {
      const auto& call = as<CallExpr>(*s.left);
      if (call.callee->parts.size() == 1 && call.callee->parts[0].name.text == "assert" &&
          !call.positional.empty()) {
        const ExprId condition = e_.eval_boolean(*call.positional[0], c);
        return e_.pool().is_value(condition, 1) ? Flow::kNext : Flow::kUnknown;
      }
      return Flow::kUnknown;
    }
    case StatementKind::kWhen:
    case StatementKind::kMissing:
      break;
  }
  return Flow::kUnknown;
}

SymbolicExecution::Flow SymbolicExecution::run_for(const Statement& s, std::size_t at,
                                                   const Context& c) {
  if (at == s.indices.size()) return run(s.branches[0].body, c);
  Context structural = c;
  structural.structural = true;
  const IndexUse use = find_use(s.indices[at].name.text, s.branches[0].body);
  for (Value& v : e_.range_values(s.indices[at], structural, &use)) {
    const Frame frame{c.frame, s.indices[at].name.text, std::move(v)};
    Context inner = c;
    inner.frame = &frame;
    const Flow flow = run_for(s, at + 1, inner);
    if (flow == Flow::kBreak) return Flow::kNext;
    if (flow != Flow::kNext) return flow;
  }
  return Flow::kNext;
}

Value SymbolicExecution::current(Instance& i) {
  if (i.given) return *i.given;
  if (i.basic == Basic::kNone) {
    if (i.is_array() || e_.instances().binding(i).expr != nullptr) {
      return e_.instance_value(i, {});
    }
    Value v;
    v.kind = Value::Kind::kRecord;
    v.record = &i;
    for (Slot* slot : i.order) {
      Instance* field = e_.instances().component(i, *slot);
      if (field != nullptr) v.fields.push_back({slot->name, current(*field)});
    }
    return v;
  }
  if (e_.instances().binding(i).expr != nullptr) return e_.instance_value(i, {});
  ExprPool& pool = e_.pool();
  const ExprId zero = i.type == ScalarType::kReal      ? pool.real(0)
                      : i.type == ScalarType::kBoolean ? pool.boolean(false)
                      : i.type == ScalarType::kString  ? pool.string("")
                      : i.type == ScalarType::kInteger ? pool.integer(0)
                                                       : pool.enumeration(1);
  return array_value(pool, i.dims, std::vector<ExprId>(count(i.dims), zero), i.type);
}

bool SymbolicExecution::assign(const Expr& target, const Value& v, const Context& c) {
  if (target.kind != ExprKind::kReference) return false;
  const auto& r = as<ReferenceExpr>(target);
  Slot* slot = e_.instances().find(*frame_, r.parts[0].name.text);
  if (slot == nullptr || slot->kind != MemberKind::kComponent) return false;
  if (slot->element->components->prefix.causality == Causality::kInput) return false;
  Instance* i = e_.instances().component(*frame_, *slot);
  if (i == nullptr || v.kind == Value::Kind::kFunction) return false;
  if (r.parts.size() == 1 && r.parts[0].subscripts.empty()) {
    Value whole = v;
    if (i->basic != Basic::kNone) {
      const bool open = i->dims.empty() && !v.dims.empty();
      whole =
          e_.fitted(v, open ? v.dims : i->dims, false, i->type, e_.span(c, target), i->enumeration);
    }
    e_.give(*i, whole);
    return true;
  }
  // A part: rebuild the whole with the part replaced.
  Value whole = current(*i);
  Value* at = &whole;
  std::vector<std::vector<Evaluator::Sub>> lists;
  Value* deepest = at;
  for (std::size_t k = 0; k < r.parts.size(); ++k) {
    if (k > 0) {
      Value* next = nullptr;
      for (auto& [name, field] : deepest->fields) {
        if (name == r.parts[k].name.text) next = &field;
      }
      if (next == nullptr) return false;
      deepest = next;
    }
    if (r.parts[k].subscripts.empty()) continue;
    if (k + 1 != r.parts.size()) return false;  // fields of an element of an array of records
    const std::vector<Evaluator::Sub> subs = e_.subscripts(
        r.parts[k].subscripts, deepest->dims, c, e_.span(c, target), k == 0 ? i : nullptr);
    std::vector<Subscript> plain;
    for (const Evaluator::Sub& s : subs) {
      if (s.is_dynamic()) return false;
      plain.push_back(s.fixed);
    }
    if (deepest->is_record()) return false;
    Value positions;
    positions.dims = deepest->dims;
    for (std::size_t n = 0; n < deepest->elements.size(); ++n) {
      positions.elements.push_back(ExprId{static_cast<std::int32_t>(n)});
    }
    positions = subscripted(positions, plain);
    if (positions.dims != v.dims) return false;
    const Value fit =
        e_.fitted(v, v.dims, false, deepest->type, e_.span(c, target), deepest->enumeration);
    for (std::size_t n = 0; n < positions.elements.size(); ++n) {
      deepest->elements[static_cast<std::size_t>(positions.elements[n].index)] = fit.elements[n];
    }
    e_.give(*i, whole);
    return true;
  }
  if (deepest->dims != v.dims) return false;
  *deepest = v;
  e_.give(*i, whole);
  return true;
}

}  // namespace arges::lang
