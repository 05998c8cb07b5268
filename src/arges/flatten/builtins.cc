// Calls of predefined functions and operators.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "arges/base/nearest.h"
#include "arges/base/saturated.h"
#include "arges/elaborate/predefined.h"
#include "arges/expr/text.h"
#include "arges/flatten/evaluator.h"
#include "arges/flatten/operator_records.h"
#include "arges/flatten/run_time_vectors.h"
#include "arges/parse/print.h"

namespace arges::lang {

using diag::Code;

namespace {

struct Unary {
  std::string_view name;
  Op op;
};
constexpr Unary kUnary[] = {
    {"sin", Op::kSin},         {"cos", Op::kCos},   {"tan", Op::kTan},
    {"asin", Op::kAsin},       {"acos", Op::kAcos}, {"atan", Op::kAtan},
    {"sinh", Op::kSinh},       {"cosh", Op::kCosh}, {"tanh", Op::kTanh},
    {"exp", Op::kExp},         {"log", Op::kLog},   {"log10", Op::kLog10},
    {"sqrt", Op::kSqrt},       {"abs", Op::kAbs},   {"sign", Op::kSign},
    {"floor", Op::kFloor},     {"ceil", Op::kCeil}, {"integer", Op::kToInteger},
    {"noEvent", Op::kNoEvent},
};
constexpr Unary kBinary[] = {
    {"atan2", Op::kAtan2},
    {"div", Op::kDivInt},
    {"mod", Op::kMod},
    {"rem", Op::kRem},
};

// For a function that nobody has declared: the predefined one that is nearest, unless something
// nearer was found.
void suggest_function(std::string_view name, diag::Diagnostic& d) {
  if (d.code != Code::kUnknownName) return;
  const auto all = predefined_functions();
  std::vector<std::string> known(all.begin(), all.end());
  // Of those that are as near, one with something behind it: `sinn` is rather `sin` than `sign`.
  std::stable_partition(known.begin(), known.end(),
                        [&](const std::string& k) { return name.starts_with(k); });
  const std::vector<std::string> near = nearest_names(name, known, 1);
  if (near.empty()) return;
  const bool has_near = !d.help.empty() && !d.help[0].starts_with("declared ");
  if (has_near && edit_distance(name, near[0]) > 0) return;
  d.help.clear();
  d.suggest("did you mean " + in_quotes(near[0]) + "?");
}

}  // namespace

const Expr* Evaluator::optional_argument(const CallExpr& e, std::size_t i, std::string_view name) {
  if (i < e.positional.size()) return e.positional[i];
  for (const NamedArgument& a : e.named) {
    if (a.name.text == name) return a.value;
  }
  return nullptr;
}

const Expr& Evaluator::argument(const CallExpr& e, std::size_t i, std::string_view name,
                                const Context& c) {
  const Expr* found = optional_argument(e, i, name);
  if (found == nullptr) {
    fail(Code::kWrongArguments,
         "the call of " + in_quotes(print(*e.callee)) + " lacks argument " + std::to_string(i + 1),
         span(c, e));
  }
  return *found;
}

int Evaluator::integer_argument(const Expr& e, const Context& c) {
  Value v = eval(e, c);
  if (v.is_scalar() && !is_constant(pool(), v)) v = eval_constant(e, c);
  if (!v.is_scalar() || v.type != ScalarType::kInteger) {
    fail(Code::kTypeMismatch, "an Integer is needed here", span(c, e));
  }
  const double value = pool().value(v.scalar());
  const int number = saturated<int>(value);
  if (number != value)
    fail(Code::kTooLarge,
         "the Integer " + value_text(ScalarType::kReal, value, 15) + " is too large here",
         span(c, e));
  return number;
}

ExprId Evaluator::number_argument(const Expr& e, const Context& c) {
  const Value v = eval(e, c);
  if (!v.is_scalar()) fail(Code::kSizeMismatch, "a scalar is needed here", span(c, e));
  check_number(v, span(c, e));
  return v.scalar();
}

std::vector<Value> Evaluator::call(const CallExpr& e, const Context& c) {
  const ReferenceExpr& callee = *e.callee;
  if (callee.parts.size() == 2 && callee.parts[0].name.text == "Connections") {
    return {builtin("Connections." + std::string(callee.parts[1].name.text), e, c)};
  }
  // Functions that are components: none; names of classes only.
  Resolved r;
  try {
    r = first_part(callee, c);
  } catch (Failure& why) {
    suggest_function(callee.parts[0].name.text, why.diagnostic);
    throw;
  }
  if (r.kind == Resolved::Kind::kBuiltin) {
    if (callee.parts[0].name.text == "spatialDistribution") return spatial_distribution(e, c);
    return {builtin(callee.parts[0].name.text, e, c)};
  }
  if (r.kind == Resolved::Kind::kClass && r.node->is_predefined() && callee.parts.size() == 1) {
    return {builtin(r.node->name(), e, c)};
  }
  const std::size_t used = follow_classes(callee, r, c);
  const bool is_class = r.kind == Resolved::Kind::kClass ||
                        (r.kind == Resolved::Kind::kSlot && r.slot->kind == MemberKind::kClass);
  if (r.kind == Resolved::Kind::kSlot && r.slot->kind == MemberKind::kComponent) {
    // A function declared inside the class of a component: world.gravityAcceleration(...).
    check_unconditional(*r.slot, span(c, callee));
    Instance* at = instances_.component(*r.owner, *r.slot);
    if (at != nullptr && at->given && at->given->kind == Value::Kind::kFunction) {
      return call_value(Value(*at->given), e, c);
    }
    for (std::size_t k = used; at != nullptr && k < callee.parts.size(); ++k) {
      if (at->is_array()) {
        fail(Code::kNoPackage,
             "a function is not taken from an array: " + in_quotes(Instances::full_name(*at)),
             span(c, callee));
      }
      Slot* slot = instances_.find(*at, callee.parts[k].name.text);
      if (slot == nullptr) break;
      if (slot->kind == MemberKind::kClass) {
        instances_.check_step(*at, *slot, span(c, callee));
        r = {Resolved::Kind::kSlot, at, slot, nullptr};
        if (k + 1 == callee.parts.size()) return call_function(instances_.class_of(r), e, c);
        at = &instances_.class_instance(r);
        continue;
      }
      if (slot->kind != MemberKind::kComponent || at->world != World::kModel) break;
      check_unconditional(*slot, span(c, callee));
      at = instances_.component(*at, *slot);
    }
  }
  if (!is_class || used != callee.parts.size()) {
    fail(Code::kNoFunction, in_quotes(print(callee)) + " is no function", span(c, callee));
  }
  return call_function(instances_.class_of(r), e, c);
}

Value Evaluator::builtin(std::string_view name, const CallExpr& e, const Context& c) {
  const diag::Span where = span(c, e);
  if (!e.iterators.empty()) return reduction(name, e, c);
  for (const Unary& u : kUnary) {
    if (u.name != name) continue;
    if (e.positional.size() != 1) {
      fail(Code::kWrongArguments, in_quotes(name) + " has one argument", where);
    }
    Value v = eval(*e.positional[0], c);
    if (v.kind != Value::Kind::kArray) {
      fail(Code::kTypeMismatch, in_quotes(name) + " needs a number", where);
    }
    if (u.op != Op::kNoEvent && !v.elements.empty() && v.type != ScalarType::kReal &&
        v.type != ScalarType::kInteger) {
      fail(Code::kTypeMismatch, in_quotes(name) + " needs a number", where);
    }
    if (u.op == Op::kToInteger && v.type == ScalarType::kInteger) return v;
    if (u.op == Op::kNoEvent && c.in_function) return v;
    for (const ExprId x : v.elements) {
      if (!pool().is_constant(x) || c.structural) continue;
      const double number = pool().value(x);
      const bool outside = (u.op == Op::kSqrt && number < 0) ||
                           ((u.op == Op::kLog || u.op == Op::kLog10) && number <= 0) ||
                           ((u.op == Op::kAsin || u.op == Op::kAcos) && std::abs(number) > 1);
      if (outside) {
        fail(Code::kWrongArguments, in_quotes(name) + " is not defined for this argument", where);
      }
    }
    return map(u.op, v);
  }
  for (const Unary& u : kBinary) {
    if (u.name != name) continue;
    if (e.positional.size() != 2) {
      fail(Code::kWrongArguments, in_quotes(name) + " has two arguments", where);
    }
    return elementwise(u.op, eval(*e.positional[0], c), eval(*e.positional[1], c), where);
  }
  if (auto v = array_builtin(name, e, c)) return *v;
  if (auto v = clock_builtin(name, e, c)) return *v;
  if (auto v = event_builtin(name, e, c)) return *v;
  if (name == "String") return to_string_value(e, c);
  if (name == "Integer") {
    Value v = eval(argument(e, 0, "", c), c);
    for (ExprId& x : v.elements) {
      x = pool().is_constant(x) ? pool().integer(saturated<std::int64_t>(pool().value(x)))
                                : pool().make(Op::kToInteger, {x});
    }
    v.type = ScalarType::kInteger;
    v.enumeration = nullptr;
    return v;
  }
  if (name == "smooth") {
    const ExprId order = eval_scalar(argument(e, 0, "p", c), c);
    Value v = eval(argument(e, 1, "expr", c), c);
    if (c.in_function) return v;  // no events there
    for (ExprId& x : v.elements) x = pool().make(Op::kSmooth, {order, x});
    for (auto& [field, f] : v.fields) {
      for (ExprId& x : f.elements) x = pool().make(Op::kSmooth, {order, x});
    }
    return v;
  }
  if (name == "homotopy") {
    const Value a = eval(argument(e, 0, "actual", c), c);
    return elementwise(Op::kHomotopy, a, eval(argument(e, 1, "simplified", c), c), where);
  }
  if (name == "semiLinear") {
    const Value x = eval(argument(e, 0, "x", c), c);
    const Value p = eval(argument(e, 1, "positiveSlope", c), c);
    const Value n = eval(argument(e, 2, "negativeSlope", c), c);
    const Dims dims = !x.dims.empty() ? x.dims : !p.dims.empty() ? p.dims : n.dims;
    std::vector<ExprId> out(count(dims));
    for (const Value* v : {&x, &p, &n}) {
      check_number(*v, where);
      if (v->kind != Value::Kind::kArray || (!v->dims.empty() && v->dims != dims)) {
        fail(Code::kSizeMismatch, "the arguments of `semiLinear` have different sizes", where);
      }
    }
    for (std::size_t i = 0; i < out.size(); ++i) {
      const auto at = [&](const Value& v) { return v.elements[v.dims.empty() ? 0 : i]; };
      out[i] = pool().make(Op::kSemiLinear, {at(x), at(p), at(n)});
    }
    return array_value(pool(), dims, std::move(out));
  }
  if (name == "inStream" || name == "actualStream") return stream_builtin(name, e, c);
  if (name == "cardinality") {
    const Expr& a = argument(e, 0, "c", c);
    if (a.kind != ExprKind::kReference) {
      fail(Code::kWrongArguments, "`cardinality` needs a connector", where);
    }
    const Place p = place(as<ReferenceExpr>(a), c);
    if (!p.instances.empty()) {
      const ClassKind what = instances_.kind(*p.instances[0]);
      if (!is_connector(what)) {
        fail(Code::kWrongArguments, "`cardinality` needs a connector", where);
      }
    }
    int n = 0;
    if (!p.instances.empty()) {
      const auto it = cardinalities.find(p.instances[0]);
      if (it != cardinalities.end()) n = it->second;
    }
    return scalar_value(pool(), pool().integer(n));
  }
  if (name == "Connections.isRoot" || name == "Connections.rooted" || name == "rooted") {
    const Expr& a = argument(e, 0, "", c);
    if (a.kind != ExprKind::kReference) {
      fail(Code::kWrongArguments, in_quotes(name) + " needs a component", where);
    }
    const Place p = place(as<ReferenceExpr>(a), c);
    bool yes = true;
    if (!p.instances.empty()) {
      const auto it = roots.find(p.instances[0]);
      if (it != roots.end()) yes = name.ends_with("isRoot") ? it->second.first : it->second.second;
    }
    return scalar_value(pool(), pool().boolean(yes));
  }
  if (name == "getInstanceName") {
    const std::string path =
        c.scope.instance == nullptr ? std::string() : Instances::full_name(*c.scope.instance);
    // Of the class that is run, the name without its packages.
    const std::string& whole = model_.name;
    const std::size_t end =
        whole.ends_with('\'') ? whole.rfind('\'', whole.size() - 2) : whole.size();
    const std::string simple = whole.substr(whole.rfind('.', end) + 1);
    return string_value(simple + (path.empty() ? "" : "." + path));
  }
  if (name == "pure") return eval(argument(e, 0, "", c), c);
  if (name == "activeState" || name == "timeInState") {
    if (c.structural || !machine_builtin) {
      fail(Code::kNotConstant, in_quotes(name) + " is not known before the run", where);
    }
    return scalar_value(pool(), machine_builtin(name, e, c));
  }
  if (name == "transition" || name == "initialState") {
    fail(Code::kBadEquation, in_quotes(name) + " is an equation of its own, no value", where);
  }
  if (name == "ticksInState") {
    throw Failure{
        diag::Diagnostic(Code::kNotSupported,
                         "`ticksInState` counts ticks of a clock, and state machines here are "
                         "continuous: it is not supported",
                         where)
            .suggest("compare `timeInState()`")};
  }
  fail(Code::kNotSupported, in_quotes(name) + " is not supported yet", where);
}

Value Evaluator::stream_builtin(std::string_view name, const CallExpr& e, const Context& c) {
  const diag::Span where = span(c, e);
  if (c.structural || !in_stream) {
    fail(Code::kNotConstant, in_quotes(name) + " is not known before the run", where);
  }
  Value v = eval(argument(e, 0, "", c), c);
  if (v.kind != Value::Kind::kArray) {
    fail(Code::kNoVariable, in_quotes(name) + " needs a stream variable of a connector", where);
  }
  for (ExprId& x : v.elements) {
    const VarId stream = as_variable(x, name, where);
    const ExprId flow = stream_flow(stream, where);
    const ExprId inward = in_stream(stream);
    if (name == "inStream") {
      x = inward;
      continue;
    }
    const ExprId outward = x;
    x = pool().if_else(pool().make(Op::kGreater, {flow, pool().real(0)}), inward, outward);
    if (x != inward) actual_streams_[x.index] = {flow, inward, outward};
  }
  return v;
}

std::optional<Value> Evaluator::event_builtin(std::string_view name, const CallExpr& e,
                                              const Context& c) {
  const diag::Span where = span(c, e);
  const auto variable_only = [&] {
    if (c.structural) {
      fail(Code::kNotConstant, in_quotes(name) + " is not known before the run", where);
    }
  };
  if (name == "der") {
    variable_only();
    check_model_operator(name, c, where);
    Value v = eval(argument(e, 0, "", c), c);
    if (v.type != ScalarType::kReal && !v.elements.empty()) {
      fail(Code::kTypeMismatch, "`der` needs a Real", where);
    }
    for (ExprId& x : v.elements) {
      if (pool()[x].op == Op::kVar) operator_uses.push_back({pool().var(x), true, where});
      x = derivative(x, c, where);
    }
    for (auto& [field, f] : v.fields) {
      for (ExprId& x : f.elements) x = derivative(x, c, where);
    }
    v.type = ScalarType::kReal;
    return v;
  }
  if (name == "pre" || name == "edge" || name == "change") {
    variable_only();
    check_model_operator(name, c, where);
    Value v = eval(argument(e, 0, "", c), c);
    for (ExprId& x : v.elements) x = left_limit(name, x, c, where);
    if (name != "pre") v.type = ScalarType::kBoolean;
    return v;
  }
  if (name == "initial") {
    variable_only();
    check_model_operator(name, c, where);
    return scalar_value(pool(), pool().initial());
  }
  if (name == "terminal") {
    variable_only();
    check_model_operator(name, c, where);
    return scalar_value(pool(), pool().terminal());
  }
  if (name == "sample") {
    variable_only();
    check_model_operator(name, c, where);
    const Value start = eval(argument(e, 0, "start", c), c);
    const Value interval = eval(argument(e, 1, "interval", c), c);
    if (!start.is_scalar() || !interval.is_scalar()) {
      fail(Code::kTypeMismatch, "`sample` needs scalar times", where);
    }
    check_number(start, where);
    check_number(interval, where);
    for (const ExprId x : {start.scalar(), interval.scalar()}) {
      if (!changes(x).empty()) {
        fail(Code::kNotConstant, "`sample` needs times that do not change during the run", where);
      }
    }
    return scalar_value(pool(),
                        pool().make(Op::kSample, {convert(start.scalar(), ScalarType::kReal),
                                                  convert(interval.scalar(), ScalarType::kReal)}));
  }
  if (name == "delay") {
    variable_only();
    check_model_operator(name, c, where);
    Value v = eval(argument(e, 0, "expr", c), c);
    const ExprId time = number_argument(argument(e, 1, "delayTime", c), c);
    const Expr* longest = optional_argument(e, 2, "delayMax");
    const std::optional<ExprId> most =
        longest == nullptr ? std::nullopt : std::optional(number_argument(*longest, c));
    for (ExprId& x : v.elements) x = delayed(x, time, most);
    return v;
  }
  return std::nullopt;
}

// The past is one of Reals. What was no Real is what was read from it, with events of its own.
ExprId Evaluator::delayed(ExprId x, ExprId time, std::optional<ExprId> longest) {
  const ScalarType type = pool()[x].type;
  const ExprId number = type == ScalarType::kBoolean
                            ? pool().if_else(x, pool().real(1), pool().real(0))
                            : convert(x, ScalarType::kReal);
  const ExprId past = longest ? pool().make(Op::kDelay, {number, time, *longest})
                              : pool().make(Op::kDelay, {number, time});
  const ExprId half = pool().real(0.5);
  if (type == ScalarType::kBoolean) return pool().make(Op::kGreater, {past, half});
  if (type == ScalarType::kInteger) return pool().make(Op::kToInteger, {pool().add(past, half)});
  return past;
}

// pre, edge or change of a scalar. Of an element that is chosen during the run: the choice among
// those of the elements.
ExprId Evaluator::left_limit(std::string_view name, ExprId x, const Context& c, diag::Span where) {
  const ExprNode node = pool()[x];
  if (node.op == Op::kIndex) {
    std::vector<ExprId> choices(pool().args(x).begin() + 1, pool().args(x).end());
    const ExprId position = pool().arg(x, 0);
    for (ExprId& choice : choices) choice = left_limit(name, choice, c, where);
    return pool().index(StringId{node.index}, position, choices);
  }
  const bool fixed = is_literal(pool(), x) ||
                     (node.op == Op::kVar && model_[pool().var(x)].variability <=
                                                 decltype(FlatVariable::variability)::kParameter);
  if (fixed) return name == "pre" ? x : pool().boolean(false);
  const VarId var = as_variable(x, name, where);
  if (!c.in_when && node.type == ScalarType::kReal) operator_uses.push_back({var, false, where});
  return name == "pre"    ? pool().pre(var, node.type)
         : name == "edge" ? pool().edge(var)
                          : pool().change(var);
}

VarId Evaluator::as_variable(ExprId e, std::string_view operation, diag::Span where) {
  if (pool()[e].op != Op::kVar) {
    fail(Code::kNoVariable, in_quotes(operation) + " needs a variable", where);
  }
  return pool().var(e);
}

// d/dt: of sums and products term by term, of anything else by a variable of its own.
ExprId Evaluator::derivative(ExprId e, const Context& c, diag::Span where) {
  const ExprNode node = pool()[e];
  switch (node.op) {
    case Op::kReal:
    case Op::kInteger:
      return pool().real(0);
    case Op::kTime:
      return pool().real(1);
    case Op::kVar:
      return pool().der(pool().var(e));
    case Op::kNeg:
      return pool().neg(derivative(pool().arg(e, 0), c, where));
    case Op::kAdd:
    case Op::kSub: {
      const ExprId a = derivative(pool().arg(e, 0), c, where);
      const ExprId b = derivative(pool().arg(e, 1), c, where);
      return pool().make(node.op, {a, b});
    }
    case Op::kMul: {
      const ExprId a = pool().arg(e, 0);
      const ExprId b = pool().arg(e, 1);
      const ExprId left = pool().mul(derivative(a, c, where), b);
      return pool().add(left, pool().mul(a, derivative(b, c, where)));
    }
    default:
      break;
  }
  return pool().der(pool().var(auxiliary_variable("$der", e)));
}

ExprId Evaluator::auxiliary_variable(const char* prefix, ExprId value) {
  FlatVariable v;
  v.name = prefix + std::to_string(model_.variables.size());
  v.hidden = true;
  const ExprId variable = model_.ref(model_.add(std::move(v)));
  auxiliary.push_back({variable, value, {}});
  return variable;
}

// Sums and products of nothing are Integers, which are Reals where those are needed.
Value Evaluator::empty_reduction(std::string_view name, ScalarType type, ClassNode* enumeration) {
  const auto number = [&](auto n) { return scalar_value(pool(), n); };
  if (name == "sum") return number(pool().integer(0));
  if (name == "product") return number(pool().integer(1));
  const bool least = name == "max";  // nothing is larger than the least value of the type
  if (type == ScalarType::kBoolean) return number(pool().boolean(!least));
  if (type == ScalarType::kInteger) {
    using Int = std::numeric_limits<std::int32_t>;
    return number(pool().integer(least ? Int::min() : Int::max()));
  }
  if (type == ScalarType::kEnumeration && enumeration != nullptr) {
    const auto n = instances_.tree().definition(*enumeration)->literals.size();
    Value v = number(pool().enumeration(least ? 1 : static_cast<std::int64_t>(n)));
    v.enumeration = enumeration;
    return v;
  }
  constexpr double kLargest = std::numeric_limits<double>::max();
  return number(pool().real(least ? -kLargest : kLargest));
}

// sum(e for i in range) and the like.
Value Evaluator::reduction(std::string_view name, const CallExpr& e, const Context& c) {
  std::vector<Value> values;
  try {
    iterate(
        e.iterators, 0, c,
        [&](const Context& inner) { values.push_back(eval(*e.positional[0], inner)); },
        [&](std::string_view n) { return find_use(n, e.positional[0]); });
  } catch (const Failure& why) {
    const bool known = name == "sum" || name == "product" || name == "min" || name == "max";
    if (!known || e.iterators.size() != 1 || !RunTimeVectors::may_be(*this, why, c)) throw;
    return RunTimeVectors::reduced(*this, name, *e.positional[0], e.iterators[0], c, why);
  }
  const diag::Span where = span(c, e);
  if (name == "array") return comprehension(*e.positional[0], e.iterators, e.iterators.size(), c);
  if (values.empty()) return empty_reduction(name, ScalarType::kReal, nullptr);
  Value v = values[0];
  if (v.is_record() && name == "sum") {
    auto total = OperatorRecords(*this, c, where).sum(stacked(values));
    if (!total) fail(Code::kTypeMismatch, "these records cannot be added", where);
    return *total;
  }
  if ((name == "sum" || name == "product") && v.kind == Value::Kind::kArray)
    check_number(v, span(c, *e.positional[0]));
  for (std::size_t i = 1; i < values.size(); ++i) {
    if (name == "sum") {
      v = add(v, values[i], false, where);
    } else if (name == "product") {
      v = multiply(v, values[i], where);
    } else if (name == "min" || name == "max") {
      v = elementwise(name == "min" ? Op::kMin : Op::kMax, v, values[i], where);
    } else {
      fail(Code::kWrongArguments, in_quotes(name) + " cannot be used with `for`", where);
    }
  }
  return v;
}

}  // namespace arges::lang
