// Values of components, and arithmetic on values.

#include "arges/flatten/evaluator.h"

#include <algorithm>
#include <cmath>
#include <unordered_set>

#include "arges/expr/text.h"
#include "arges/parse/print.h"

namespace arges::lang {

using diag::Code;

Evaluator::Evaluator(Instances& instances, FlatModel& model)
    : instances_(instances), model_(model) {
  instances_.set_evaluator(*this);
}

Origin Evaluator::origin(const Context& c, TextRange range) {
  Origin o;
  if (c.scope.instance == nullptr) return o;
  o.component = pool().intern(c.scope.instance->world == World::kModel
                                  ? Instances::full_name(*c.scope.instance)
                                  : std::string());
  const diag::Span s = instances_.span(c.scope, range);
  if (s.file == nullptr) return o;
  o.file = pool().intern(s.file->path());
  const diag::LineColumn from = s.file->line_column(range.begin);
  const diag::LineColumn to = s.file->line_column(range.end);
  o.line = static_cast<std::int32_t>(from.line);
  o.column = static_cast<std::int32_t>(from.column);
  o.end_line = static_cast<std::int32_t>(to.line);
  o.end_column = static_cast<std::int32_t>(to.column);
  return o;
}

std::int32_t Evaluator::enumeration_index(ClassNode& node) {
  const auto [it, fresh] =
      enumerations_.try_emplace(&node, static_cast<std::int32_t>(model_.enumerations.size()));
  if (fresh) {
    Enumeration e;
    e.name = node.path();
    if (const ClassDef* def = instances_.tree().definition(node)) {
      for (const EnumLiteral& l : def->literals) e.literals.emplace_back(l.name.text);
    }
    model_.enumerations.push_back(std::move(e));
  }
  return it->second;
}

std::string plain_name(std::string_view name) {
  if (name.size() < 2 || name.front() != '\'' || name.back() != '\'') return std::string(name);
  std::string out;
  for (std::size_t i = 1; i + 1 < name.size(); ++i) {
    if (name[i] == '\\' && i + 2 < name.size()) ++i;
    out += name[i];
  }
  return out;
}

VarId Evaluator::variable(Instance& i) {
  if (i.variable.valid()) return i.variable;
  const std::size_t n = count(i.dims);
  const std::size_t most = instances_.limits().variables;
  if (model_.variables.size() + n > most) {
    fail(Code::kTooLarge, "the model has more than " + std::to_string(most) + " variables",
         i.text == nullptr ? diag::Span{} : instances_.span(i.text_scope, i.text->range));
  }
  i.variable = VarId{static_cast<std::int32_t>(model_.variables.size())};
  owners_[i.variable.index] = &i;
  const std::string name =
      base_modelica ? plain_name(Instances::full_name(i)) : Instances::full_name(i);
  std::vector<int> index(i.dims.size(), 1);
  for (std::size_t k = 0; k < n; ++k) {
    FlatVariable v;
    v.name = name;
    if (!index.empty()) {
      v.name += "[";
      for (std::size_t d = 0; d < index.size(); ++d) {
        v.name += (d > 0 ? "," : "") + std::to_string(index[d]);
      }
      v.name += "]";
    }
    v.type = i.basic == Basic::kExternalObject ? ScalarType::kInteger : i.type;
    v.is_clock = i.basic == Basic::kClock;
    using FlatVariability = decltype(v.variability);
    v.variability =
        i.prefix.variability == Variability::kConstant ? FlatVariability::kConstant
        : i.prefix.variability == Variability::kParameter || i.basic == Basic::kExternalObject
            ? FlatVariability::kParameter
        : i.prefix.variability == Variability::kDiscrete || v.type != ScalarType::kReal
            ? FlatVariability::kDiscrete
            : FlatVariability::kContinuous;
    model_.variables.push_back(std::move(v));
    for (std::size_t d = index.size(); d-- > 0;) {
      if (++index[d] <= i.dims[d]) break;
      index[d] = 1;
    }
  }
  return i.variable;
}

Instance* Evaluator::owner(VarId v) {
  auto it = owners_.upper_bound(v.index);
  if (it == owners_.begin()) return nullptr;
  --it;
  const auto at = static_cast<std::size_t>(v.index - it->first);
  return at < count(it->second->dims) ? it->second : nullptr;
}

void Evaluator::check_assignable(VarId v, diag::Span where) {
  const FlatVariable& target = model_[v];
  if (target.variability <= decltype(FlatVariable::variability)::kParameter &&
      target.fixed.value_or(true)) {
    fail(Code::kBadTarget,
         in_quotes(target.name) + " cannot be assigned: it is a " +
             std::string(to_string(target.variability)),
         where);
  }
}

std::optional<ExprId> Evaluator::known_value(ExprId e) {
  if (is_literal(pool(), e)) return e;
  const ExprNode node = pool()[e];
  if (node.op == Op::kVar) {
    Instance* const found = owner(VarId{node.index});
    if (found == nullptr) return std::nullopt;
    Instance& i = *found;
    if (i.prefix.variability < Variability::kParameter) return std::nullopt;
    const auto at = static_cast<std::size_t>(node.index - i.variable.index);
    try {
      const Value& v = constant_value(i);
      if (at < v.elements.size()) return v.elements[at];
    } catch (const Failure&) {
      return std::nullopt;
    }
    return std::nullopt;
  }
  if (is_leaf(node.op) || node.op >= Op::kNoEvent) return std::nullopt;
  std::vector<ExprId> args(pool().args(e).begin(), pool().args(e).end());
  for (ExprId& a : args) {
    const std::optional<ExprId> known = known_value(a);
    if (!known) return std::nullopt;
    a = *known;
  }
  const ExprId folded = pool().rebuild(e, args);
  return is_literal(pool(), folded) ? std::optional(folded) : std::nullopt;
}

ExprId Evaluator::effect_variable() {
  FlatVariable v;
  v.name = "$done" + std::to_string(model_.variables.size());
  v.type = ScalarType::kInteger;
  v.variability = decltype(v.variability)::kDiscrete;
  v.hidden = true;
  return model_.ref(model_.add(std::move(v)));
}

// The value of a component is being found as long as this lives. Fails when it is already: then the
// value depends on itself.
class BeingEvaluated {
 public:
  BeingEvaluated(Evaluator& evaluator, Instance& i) : e_(evaluator) {
    if (i.evaluating) fail_for(i);
    i.evaluating = true;
    e_.being_evaluated_.push_back(&i);
  }
  ~BeingEvaluated() {
    e_.being_evaluated_.back()->evaluating = false;
    e_.being_evaluated_.pop_back();
  }
  BeingEvaluated(const BeingEvaluated&) = delete;
  BeingEvaluated& operator=(const BeingEvaluated&) = delete;

 private:
  [[noreturn]] void fail_for(Instance& i) {
    const std::vector<Instance*>& open = e_.being_evaluated_;
    std::string through;
    for (auto at = std::find(open.begin(), open.end(), &i); at != open.end(); ++at) {
      if (*at != &i)
        through += (through.empty() ? ", through " : ", ") + in_quotes(Instances::full_name(**at));
    }
    fail(Code::kCyclicValue,
         "the value of " + in_quotes(Instances::full_name(i)) + " depends on itself" + through,
         i.text == nullptr ? diag::Span{} : e_.instances_.span(i.text_scope, i.text->range));
  }

  Evaluator& e_;
};

Value Evaluator::declared_value(Instance& i, const Binding& b, const Context& c, diag::Span where) {
  const BeingEvaluated now(*this, i);
  return fitted(bound_value(b, c), i.dims, b.each, i.type, where, i.enumeration);
}

const Value& Evaluator::constant_value(Instance& i) {
  if (i.constant) return *i.constant;
  const diag::Span where =
      i.text == nullptr ? diag::Span{} : instances_.span(i.text_scope, i.text->range);
  const BeingEvaluated now(*this, i);
  Binding b = instances_.binding(i);
  if (const Binding fixed = instances_.attribute(i, "fixed");
      fixed.expr != nullptr && i.prefix.variability == Variability::kParameter) {
    Context c;
    c.structural = true;
    for (const ExprId each : bound_value(fixed, c).elements) {
      if (!pool().is_value(each, 0)) continue;
      fail(Code::kNotConstant,
           in_quotes(Instances::full_name(i)) +
               " follows from the initial equations (fixed = false)",
           where, "this must be known before the run");
    }
  }
  if (b.expr == nullptr && i.prefix.variability != Variability::kConstant) {
    b = instances_.attribute(i, "start");
  }
  const std::map<std::size_t, ExprId> given = given_of(i);
  const bool all_given = !given.empty() && given.size() == count(i.dims);
  if (b.expr == nullptr && !all_given) {
    fail(Code::kNoValue, in_quotes(Instances::full_name(i)) + " has no value", where,
         "needed before the run");
  }
  Context c;
  c.structural = true;
  if (all_given) {
    i.constant =
        array_value(pool(), i.dims, std::vector<ExprId>(given.size(), given.at(0)), i.type);
  } else {
    i.constant = fitted(bound_value(b, c), i.dims, b.each, i.type,
                        instances_.span(b.scope, b.expr->range), i.enumeration);
  }
  for (const auto& [k, value] : given) i.constant->elements[k] = value;
  if (i.enumeration != nullptr) i.constant->enumeration = i.enumeration;
  if (!is_constant(pool(), *i.constant)) {
    i.constant.reset();
    fail(Code::kNotConstant,
         "the value of " + in_quotes(Instances::full_name(i)) + " is not known before the run",
         where);
  }
  if (i.prefix.variability == Variability::kParameter) i.evaluated = true;
  return *i.constant;
}

Value Evaluator::bound_value(const Binding& b, const Context& around) {
  Context c;
  c.scope = b.scope;
  c.structural = around.structural;
  c.in_function = around.in_function;
  c.of_size = around.of_size;
  if (b.path == nullptr) return eval(*b.expr, c);
  const MemoKey key{b.expr, b.scope.instance, b.scope.part, c.structural};
  auto it = memo_.find(key);
  if (it == memo_.end()) {
    Value all = c.structural ? record_of_constants(*b.expr, c) : eval(*b.expr, c);
    it = memo_.insert_or_assign(key, std::move(all)).first;
  }
  std::vector<const Path*> steps;
  for (const Path* p = b.path; p != nullptr; p = p->outer) steps.push_back(p);
  const Value* at = &it->second;
  Value held;
  for (std::size_t s = steps.size(); s-- > 0;) {
    const Path& step = *steps[s];
    if (!step.field.empty()) {
      const Value* field = at->field(step.field);
      if (field == nullptr) {
        fail(Code::kTypeMismatch, "this value has no field " + in_quotes(step.field),
             span(c, *b.expr));
      }
      Value copy = *field;
      held = std::move(copy);
      at = &held;
      continue;
    }
    if (at->dims.size() < step.index.size() && step.spreads) continue;
    if (at->dims.size() < step.index.size()) {
      throw Failure{diag::Diagnostic(Code::kSizeMismatch,
                                     "a value for each element of an array is needed here",
                                     span(c, *b.expr))
                        .suggest("write `each` before the modification to give all the same")};
    }
    std::vector<Subscript> subs;
    for (std::size_t d = 0; d < step.index.size(); ++d) {
      if (step.index[d] > at->dims[d]) {
        fail(Code::kSizeMismatch,
             "this array has " + std::to_string(at->dims[d]) + " elements, element " +
                 std::to_string(step.index[d]) + " is needed",
             span(c, *b.expr));
      }
      subs.push_back({{step.index[d]}, true});
    }
    held = subscripted(*at, subs);
    at = &held;
  }
  if (c.structural) refuse_running(*at, span(c, *b.expr));
  return *at;
}

ExprId Evaluator::convert(ExprId e, ScalarType type) {
  if (type == ScalarType::kReal && pool()[e].op == Op::kInteger) {
    return pool().real(pool().value(e));
  }
  return e;
}

Value Evaluator::fitted(Value v, const Dims& dims, bool each, ScalarType type, diag::Span where,
                        ClassNode* enumeration) {
  if (v.kind == Value::Kind::kOmitted || v.kind == Value::Kind::kFunction) {
    fail(Code::kTypeMismatch, "a value is needed here", where);
  }
  if (v.is_record()) return v;
  if (v.dims != dims) {
    // (of a type Real[3]: for each of the elements of an array of it)
    if (each && v.dims.size() < dims.size() && !v.elements.empty() &&
        std::equal(v.dims.rbegin(), v.dims.rend(), dims.rbegin())) {
      const std::vector<ExprId> one = v.elements;
      v.elements.clear();
      while (v.elements.size() < count(dims))
        v.elements.insert(v.elements.end(), one.begin(), one.end());
      v.dims = dims;
    } else if (count(dims) == 0 && v.elements.empty()) {
      v.dims = dims;
    } else {
      fail(Code::kSizeMismatch, size_text(dims) + " is needed, this is " + size_text(v.dims),
           where);
    }
  }
  const bool numbers = type == ScalarType::kReal || type == ScalarType::kInteger;
  const bool has_number = v.type == ScalarType::kReal || v.type == ScalarType::kInteger;
  if (!v.elements.empty() && v.type != type &&
      !(type == ScalarType::kReal && v.type == ScalarType::kInteger) &&
      !(type == ScalarType::kInteger && v.type == ScalarType::kReal && !numbers)) {
    const bool lost = type == ScalarType::kInteger && v.type == ScalarType::kReal;
    if (!(numbers && has_number) || lost) {
      fail(Code::kTypeMismatch,
           std::string(to_string(type)) + " is needed, this is " + std::string(to_string(v.type)),
           where);
    }
  }
  check_enumeration(enumeration, v, where);
  if (type == ScalarType::kReal) {
    for (ExprId& e : v.elements) e = convert(e, type);
    v.type = type;
  }
  return v;
}

std::string Evaluator::changes(ExprId root, bool parameters_too) {
  using FlatVariability = decltype(FlatVariable::variability);
  const FlatVariability limit =
      parameters_too ? FlatVariability::kConstant : FlatVariability::kParameter;
  std::vector<ExprId> stack{root};
  std::unordered_set<std::int32_t> seen;
  while (!stack.empty()) {
    const ExprId e = stack.back();
    stack.pop_back();
    if (!seen.insert(e.index).second) continue;
    const Op op = pool()[e].op;
    if (op == Op::kTime) return "time";
    if (op == Op::kVar && model_[pool().var(e)].variability > limit) {
      return model_[pool().var(e)].name;
    }
    for (const ExprId a : pool().args(e)) stack.push_back(a);
  }
  return {};
}

void Evaluator::check_assert(ExprId condition, ExprId message, AssertionLevel level,
                             diag::Span where) {
  if (!pool().is_value(condition, 0) || level == AssertionLevel::kWarning) return;
  std::string text = "this assertion never holds";
  if (pool()[message].op == Op::kString) {
    text += ": \"" + std::string(pool().text(StringId{pool()[message].index})) + "\"";
  }
  fail(Code::kAssertionFails, text, where);
}

Value Evaluator::eval_constant(const Expr& e, const Context& c) {
  Context inner = c;
  inner.structural = true;
  Value v = eval(e, inner);
  if (v.kind == Value::Kind::kFunction) return v;
  if (!is_constant(pool(), v)) {
    fail(Code::kNotConstant, "this value must be known before the run", span(c, e));
  }
  return v;
}

std::optional<Value> Evaluator::try_constant(const Expr& e, const Context& c) {
  try {
    return eval_constant(e, c);
  } catch (const Failure&) {
    return std::nullopt;
  }
}

int Evaluator::dimension(const Expr& e, Scope scope) {
  Context c;
  c.scope = scope;
  c.of_size = true;
  const Value v = eval_constant(e, c);
  if (v.kind == Value::Kind::kFunction) {
    instances_.expand(*v.record);
    if (v.record->enumeration != nullptr) {
      return static_cast<int>(
          instances_.tree().definition(*v.record->enumeration)->literals.size());
    }
    if (v.record->type == ScalarType::kBoolean && v.record->basic == Basic::kScalar) return 2;
  }
  if (!v.is_scalar() || v.type != ScalarType::kInteger) {
    fail(Code::kTypeMismatch, "the size of an array is an Integer", span(c, e));
  }
  const double n = pool().value(v.scalar());
  if (n < 0) {
    fail(Code::kBadSubscript,
         "an array cannot have the size " + value_text(ScalarType::kReal, n, 15), span(c, e));
  }
  if (n > static_cast<double>(instances_.limits().elements)) {
    fail(Code::kTooLarge,
         "an array of size " + value_text(ScalarType::kReal, n, 15) + " is too large", span(c, e));
  }
  return static_cast<int>(n);
}

bool Evaluator::condition(const Expr& e, Scope scope) {
  Context c;
  c.scope = scope;
  const Value v = eval_constant(e, c);
  if (!v.is_scalar() || v.type != ScalarType::kBoolean) {
    fail(Code::kTypeMismatch, "a condition is a Boolean", span(c, e));
  }
  return pool().value(v.scalar()) != 0;
}

Dims Evaluator::shape(const Binding& b) {
  Context c;
  c.scope = b.scope;
  if (b.path != nullptr) return bound_value(b, c).dims;
  return shape(*b.expr, c);
}

Dims Evaluator::shape(const Expr& e, const Context& c) {
  if (e.kind == ExprKind::kReference) return reference_shape(as<ReferenceExpr>(e), c);
  Context inner = c;
  inner.structural = false;
  return eval(e, inner).dims;
}

// ---- arithmetic ----

ExprId Evaluator::choose(ExprId condition, ExprId a, ExprId b) {
  if (pool().is_constant(condition)) return pool().value(condition) != 0 ? a : b;
  if (a == b) return a;
  const bool real = pool()[a].type == ScalarType::kReal || pool()[b].type == ScalarType::kReal;
  return pool().if_else(condition, real ? convert(a, ScalarType::kReal) : a,
                        real ? convert(b, ScalarType::kReal) : b);
}

Value Evaluator::choose(ExprId condition, const Value& a, const Value& b, diag::Span where) {
  if (pool().is_constant(condition)) return pool().value(condition) != 0 ? a : b;
  if (a.kind != b.kind || a.dims != b.dims || a.fields.size() != b.fields.size()) {
    fail(Code::kSizeMismatch, "the two cases have different sizes or types", where);
  }
  check_common_type(a, b, "the two cases", where);
  Value v = a;
  for (std::size_t i = 0; i < v.fields.size(); ++i) {
    v.fields[i].value = choose(condition, a.fields[i].value, *b.field(a.fields[i].name), where);
  }
  for (std::size_t i = 0; i < v.elements.size(); ++i) {
    v.elements[i] = choose(condition, a.elements[i], b.elements[i]);
  }
  if (!v.elements.empty()) v.type = pool()[v.elements[0]].type;
  return v;
}

Value Evaluator::map(Op op, const Value& a) {
  Value v = a;
  for (ExprId& e : v.elements) e = pool().make(op, {e});
  if (!v.elements.empty()) v.type = pool()[v.elements[0]].type;
  return v;
}

Value Evaluator::elementwise(Op op, const Value& a, const Value& b, diag::Span where) {
  if (a.kind != Value::Kind::kArray || b.kind != Value::Kind::kArray) {
    fail(Code::kTypeMismatch, "this operator needs numbers", where);
  }
  if (!a.dims.empty() && !b.dims.empty() && a.dims != b.dims) {
    fail(Code::kSizeMismatch, "the operands have different sizes", where);
  }
  check_operands(op, a, b, where);
  Value v = a.dims.empty() ? b : a;
  for (std::size_t i = 0; i < v.elements.size(); ++i) {
    const ExprId left = a.dims.empty() ? a.scalar() : a.elements[i];
    const ExprId right = b.dims.empty() ? b.scalar() : b.elements[i];
    v.elements[i] = op == Op::kMul ? product(left, right) : pool().make(op, {left, right});
  }
  if (op != Op::kMin && op != Op::kMax) v.enumeration = nullptr;
  if (!v.elements.empty()) {
    v.type = pool()[v.elements[0]].type;
  } else if (a.type == ScalarType::kReal || b.type == ScalarType::kReal) {
    v.type = ScalarType::kReal;
  }
  return v;
}

ExprId Evaluator::product(ExprId a, ExprId b) {
  for (const auto& [flow, stream] : {std::pair{a, b}, std::pair{b, a}}) {
    const auto it = actual_streams_.find(stream.index);
    if (it != actual_streams_.end() && it->second.flow == flow) {
      return pool().make(
          Op::kNoEvent,
          {pool().make(Op::kSemiLinear, {flow, it->second.inward, it->second.outward})});
    }
  }
  return pool().mul(a, b);
}

ExprId Evaluator::sum(const std::vector<ExprId>& terms, ScalarType type) {
  if (terms.empty()) return type == ScalarType::kInteger ? pool().integer(0) : pool().real(0);
  ExprId s = terms[0];
  for (std::size_t i = 1; i < terms.size(); ++i) s = pool().add(s, terms[i]);
  return s;
}

Value Evaluator::add(const Value& a, const Value& b, bool negate, diag::Span where) {
  if (a.dims != b.dims) {
    fail(Code::kSizeMismatch, "the terms of a sum have different sizes", where);
  }
  const bool text = a.type == ScalarType::kString || b.type == ScalarType::kString;
  const auto is_number = [](const Value& v) {
    return v.elements.empty() || v.type == ScalarType::kReal || v.type == ScalarType::kInteger;
  };
  if (text ? (a.type != b.type || negate) : (!is_number(a) || !is_number(b))) {
    fail(Code::kTypeMismatch,
         std::string(to_string(a.type)) + " and " + std::string(to_string(b.type)) +
             " cannot be added",
         where);
  }
  if (text && a.is_scalar() && b.is_scalar() && is_constant(pool(), a) && is_constant(pool(), b)) {
    const auto get = [&](const Value& v) {
      return pool().text(StringId{pool()[v.scalar()].index});
    };
    std::string sum = get(a) + get(b);
    allow(sum.size(), where);
    evaluations_ += sum.size();  // each of them stays in the pool
    return string_value(sum);
  }
  return elementwise(negate ? Op::kSub : Op::kAdd, a, b, where);
}

Value Evaluator::multiply(const Value& a, const Value& b, diag::Span where) {
  const auto is_number = [](const Value& v) {
    return v.kind == Value::Kind::kArray &&
           (v.elements.empty() || v.type == ScalarType::kReal || v.type == ScalarType::kInteger);
  };
  if (!is_number(a) || !is_number(b)) {
    fail(Code::kTypeMismatch, "only numbers can be multiplied", where);
  }
  if (a.dims.empty() || b.dims.empty()) return elementwise(Op::kMul, a, b, where);
  if (a.dims.size() > 2 || b.dims.size() > 2 || a.dims.back() != b.dims[0]) {
    fail(Code::kSizeMismatch, "the sizes of the factors do not fit", where);
  }
  const auto inner = static_cast<std::size_t>(b.dims[0]);
  const std::size_t rows = a.dims.size() == 2 ? static_cast<std::size_t>(a.dims[0]) : 1;
  const std::size_t columns = b.dims.size() == 2 ? static_cast<std::size_t>(b.dims[1]) : 1;
  Dims dims;
  if (a.dims.size() == 2) dims.push_back(a.dims[0]);
  if (b.dims.size() == 2) dims.push_back(b.dims[1]);
  const bool integers = a.type == ScalarType::kInteger && b.type == ScalarType::kInteger;
  const ScalarType type = integers ? ScalarType::kInteger : ScalarType::kReal;
  evaluations_ += rows * columns * inner / 8;
  allow(rows * columns, where);
  std::vector<ExprId> out;
  out.reserve(rows * columns);
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t j = 0; j < columns; ++j) {
      std::vector<ExprId> terms;
      for (std::size_t k = 0; k < inner; ++k) {
        terms.push_back(product(a.elements[i * inner + k], b.elements[k * columns + j]));
      }
      out.push_back(sum(terms, type));
    }
  }
  return array_value(pool(), std::move(dims), std::move(out), type);
}

}  // namespace arges::lang
