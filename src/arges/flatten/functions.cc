// Calls of functions.

#include <algorithm>
#include <functional>
#include <unordered_map>

#include "arges/diag/suggest.h"
#include "arges/flatten/evaluator.h"
#include "arges/flatten/function_maker.h"
#include "arges/flatten/operator_records.h"
#include "arges/flatten/symbolic_execution.h"
#include "arges/parse/print.h"

namespace arges::lang {

using diag::Code;
using diag::Diagnostic;

namespace {

Causality causality_of(const Slot& slot) {
  return slot.element == nullptr || slot.element->components == nullptr
             ? Causality::kNone
             : slot.element->components->prefix.causality;
}

bool is_function(ClassKind kind) {
  return kind == ClassKind::kFunction || kind == ClassKind::kOperatorFunction;
}

const External* external_of(Instances& instances, Instance& function) {
  for (const Part& part : function.parts) {
    const ClassDef* def = instances.tree().definition(*part.node);
    if (def != nullptr && def->external != nullptr) return def->external;
  }
  return nullptr;
}

// The inputs by which function g = der(f, x, y) differentiates f, which may be such a function too.
std::vector<Identifier> partial_derivatives(Instances& instances, Instance& function) {
  std::vector<Identifier> by;
  for (const Part& part : function.parts) {
    const ClassDef* def = instances.tree().definition(*part.node);
    if (def != nullptr && def->form == ClassForm::kDerivative)
      by.insert(by.end(), def->variables.begin(), def->variables.end());
  }
  return by;
}

}  // namespace

std::vector<Slot*> Evaluator::inputs(Instance& function) {
  std::vector<Slot*> list;
  instances_.expand(function);
  for (Slot* slot : function.order) {
    if (causality_of(*slot) == Causality::kInput) list.push_back(slot);
  }
  return list;
}

std::vector<Slot*> Evaluator::outputs(Instance& function) {
  std::vector<Slot*> list;
  instances_.expand(function);
  for (Slot* slot : function.order) {
    if (causality_of(*slot) == Causality::kOutput) list.push_back(slot);
  }
  return list;
}

std::vector<Value> Evaluator::call_function(ClassRef ref, const CallExpr& e, const Context& c) {
  const diag::Span where = span(c, e);
  Instance*& cached = function_classes_[{ref.node, ref.enclosing.instance}];
  Instance* function = cached;
  if (function == nullptr || !ref.environment.empty()) {
    const bool plain = ref.environment.empty();
    function = &instances_.make(std::move(ref), World::kPackage, nullptr, {});
    instances_.expand(*function);
    if (plain) cached = function;
  }
  const ClassKind kind = instances_.kind(*function);
  if (function->basic == Basic::kExternalObject) {
    Slot* constructor = instances_.find(*function, "constructor");
    if (constructor == nullptr) {
      fail(Code::kNoFunction, "this external object has no constructor", where);
    }
    return call_function(
        instances_.class_of({Resolved::Kind::kSlot, function, constructor, nullptr}), e, c);
  }
  if (kind == ClassKind::kRecord || kind == ClassKind::kOperatorRecord) {
    if (kind == ClassKind::kOperatorRecord && OperatorRecords::has_constructor(*this, *function))
      return {operator_record(*function, e, c)};
    return {construct_record(*function, match_arguments(*function, e, c), where)};
  }
  if (function->enumeration != nullptr && e.positional.size() == 1 && e.named.empty())
    return {to_enumeration(*function->enumeration, e, c)};
  if (!is_function(kind)) {
    fail(Code::kNoFunction, in_quotes(print(*e.callee)) + " is no function", span(c, *e.callee));
  }
  const ClassDef* def = instances_.tree().definition(*function->cls.node);
  if (def != nullptr && def->partial) {
    fail(Code::kPartialClass,
         "the function " + in_quotes(function->cls.node->path()) + " is partial",
         span(c, *e.callee));
  }
  if (const External* external = external_of(instances_, *function)) {
    if (external->language == "\"builtin\"") {
      const std::string_view name =
          external->function.text.empty() ? function->cls.node->name() : external->function.text;
      return {builtin(name, e, c)};
    }
  }
  if (!e.iterators.empty()) {
    fail(Code::kNotSupported, "`for` in a call of this function is not supported yet", where);
  }
  std::vector<diag::Span> places;
  std::vector<std::optional<Value>> arguments = match_arguments(*function, e, c, nullptr, &places);
  return call_with(*function, std::move(arguments), c, where, places);
}

// E(i): the literal number i.
Value Evaluator::to_enumeration(ClassNode& enumeration, const CallExpr& e, const Context& c) {
  Value v = eval(*e.positional[0], c);
  if (v.kind != Value::Kind::kArray || v.type != ScalarType::kInteger)
    fail(Code::kTypeMismatch, "an Integer says which literal is meant", span(c, e));
  const std::size_t n = instances_.tree().definition(enumeration)->literals.size();
  std::vector<ExprId> literals;
  for (std::size_t i = 1; i <= n; ++i)
    literals.push_back(pool().enumeration(static_cast<std::int64_t>(i)));
  const StringId what = pool().intern(print(e) + place_text(pool(), origin(c, e.range)));
  for (ExprId& x : v.elements) {
    if (!pool().is_constant(x)) {
      x = pool().index(what, x, literals);
      continue;
    }
    const double i = pool().value(x);
    if (!(i >= 1 && i <= static_cast<double>(n))) {
      fail(Code::kBadSubscript,
           in_quotes(enumeration.path()) + " has " + std::to_string(n) + " literals", span(c, e));
    }
    x = literals[static_cast<std::size_t>(i) - 1];
  }
  v.type = ScalarType::kEnumeration;
  v.enumeration = &enumeration;
  return v;
}

// function f(a = 1): the function, with some of its inputs given. f may itself be an input that is
// a function.
Value Evaluator::partial_application(const PartialExpr& e, const Context& c) {
  Value v;
  v.kind = Value::Kind::kFunction;
  const Resolved r = instances_.resolve(e.function.parts[0].text, c.scope);
  if (r.kind == Resolved::Kind::kSlot && r.slot->kind == MemberKind::kComponent &&
      e.function.parts.size() == 1) {
    const Instance* at = instances_.component(*r.owner, *r.slot);
    if (at != nullptr && at->given && at->given->kind == Value::Kind::kFunction) v = *at->given;
  }
  if (v.record == nullptr) {
    v.record =
        &instances_.make(instances_.find_class(e.function, c.scope), World::kPackage, nullptr, {});
  }
  const std::vector<Slot*> formal = inputs(*v.record);
  for (const NamedArgument& a : e.named) {
    if (std::ranges::find(formal, a.name.text, &Slot::name) == formal.end() ||
        v.field(a.name.text) != nullptr) {
      fail(Code::kWrongArguments,
           in_quotes(print(e.function)) + " has no input " + in_quotes(a.name.text) +
               " that is still to be given",
           instances_.span(c.scope, a.name.range()));
    }
    v.fields.push_back({a.name.text, eval(*a.value, c)});
  }
  return v;
}

std::vector<Value> Evaluator::call_value(const Value& f, const CallExpr& e, const Context& c) {
  instances_.expand(*f.record);
  if (!is_function(instances_.kind(*f.record))) {
    fail(Code::kNoFunction, in_quotes(print(*e.callee)) + " is no function", span(c, *e.callee));
  }
  std::vector<diag::Span> places;
  std::vector<std::optional<Value>> arguments = match_arguments(*f.record, e, c, &f, &places);
  return call_with(*f.record, std::move(arguments), c, span(c, e), places);
}

std::vector<std::optional<Value>> Evaluator::match_arguments(Instance& function, const CallExpr& e,
                                                             const Context& c, const Value* partial,
                                                             std::vector<diag::Span>* places) {
  const ClassKind kind = instances_.kind(function);
  std::vector<Slot*> formal;
  if (is_function(kind)) {
    formal = inputs(function);
  } else {
    formal = arguments_of(function);
  }
  std::vector<std::optional<Value>> values(formal.size());
  if (places != nullptr) places->resize(formal.size());
  const auto set_place = [&](std::size_t i, const Expr& x) {
    if (places != nullptr) (*places)[i] = span(c, x);
  };
  std::vector<std::size_t> open;  // formal inputs that a partial application leaves
  for (std::size_t i = 0; i < formal.size(); ++i) {
    const Value* given = partial == nullptr ? nullptr : partial->field(formal[i]->name);
    if (given != nullptr) {
      values[i] = *given;
    } else {
      open.push_back(i);
    }
  }
  if (e.positional.size() > open.size()) {
    fail(Code::kWrongArguments,
         in_quotes(print(*e.callee)) + " has " + std::to_string(open.size()) + " inputs, not " +
             std::to_string(e.positional.size()),
         span(c, *e.positional[open.size()]));
  }
  const auto take = [&](const Expr& x, Slot& to) {
    if (std::optional<Value> array = run_time_array(x, c)) {
      if (!is_function(kind)) {
        fail(Code::kNotSupported,
             "a field of a record cannot be an array whose size is known only when the function "
             "runs",
             span(c, x));
      }
      check_run_time_argument(function, to, *array, span(c, x));
      return *array;
    }
    Value v = eval(x, c);
    if (v.kind == Value::Kind::kFunction) {
      Instance& type =
          instances_.make(instances_.find_class(to.element->components->type, {&function, to.part}),
                          World::kPackage, nullptr, {});
      instances_.expand(type);
      if (!is_function(instances_.kind(type))) {
        fail(Code::kTypeMismatch, "the input " + in_quotes(to.name) + " is no function",
             span(c, x));
      }
    }
    return v;
  };
  for (std::size_t i = 0; i < e.positional.size(); ++i) {
    values[open[i]] = take(*e.positional[i], *formal[open[i]]);
    set_place(open[i], *e.positional[i]);
  }
  for (const NamedArgument& a : e.named) {
    std::size_t i = 0;
    while (i < formal.size() && formal[i]->name != a.name.text) ++i;
    if (i == formal.size()) {
      Diagnostic d(Code::kWrongArguments,
                   in_quotes(print(*e.callee)) + " has no input " + in_quotes(a.name.text),
                   instances_.span(c.scope, a.name.range()));
      std::vector<std::string> names;
      for (const Slot* input : formal) names.emplace_back(input->name);
      suggest_names(d, a.name.text, names, {}, "as inputs");
      throw Failure{std::move(d)};
    }
    values[i] = take(*a.value, *formal[i]);
    set_place(i, *a.value);
  }
  return values;
}

int Evaluator::formal_dims(Instance& owner, Slot& slot) {
  std::size_t n = slot.component->subscripts.size() + slot.element->components->subscripts.size();
  ClassRef ref = instances_.find_class(slot.element->components->type, {&owner, slot.part});
  for (const TypeDims& d : ref.dims) n += d.subscripts.size();
  Instance& type = instances_.make(ref, World::kPackage, nullptr, {});
  instances_.expand(type);
  for (const TypeDims& d : type.cls.dims) n += d.subscripts.size();
  return static_cast<int>(n);
}

// Makes a component of World::kValue or kFunction stand for a value.
void Evaluator::give(Instance& component, const Value& v) {
  component.given = v;
  component.dims = v.dims;
}

// A scalar function of arrays is applied to their elements: the arguments for each element of the
// first of the `applied` dimensions.
std::vector<Evaluator::Arguments> Evaluator::by_elements(Instance& function,
                                                         const std::vector<Slot*>& formal,
                                                         const Arguments& arguments,
                                                         diag::Span where, Dims& applied) {
  std::vector<bool> taken_apart(formal.size());
  for (std::size_t i = 0; i < formal.size(); ++i) {
    if (!arguments[i] || arguments[i]->dims.empty()) continue;
    const int n = formal_dims(function, *formal[i]);
    const int more = static_cast<int>(arguments[i]->dims.size()) - n;
    if (more <= 0) continue;
    const Dims lead(arguments[i]->dims.begin(), arguments[i]->dims.begin() + more);
    if (!applied.empty() && lead != applied) {
      fail(Code::kSizeMismatch, "the arguments have different sizes", where);
    }
    applied = lead;
    taken_apart[i] = true;
  }
  std::vector<Arguments> elements;
  for (int k = 1; !applied.empty() && k <= applied[0]; ++k) {
    Arguments& one = elements.emplace_back(arguments);
    for (std::size_t i = 0; i < formal.size(); ++i) {
      if (taken_apart[i]) one[i] = element_of(*one[i], k);
    }
  }
  return elements;
}

std::vector<Value> Evaluator::call_with(Instance& function,
                                        std::vector<std::optional<Value>> arguments,
                                        const Context& c, diag::Span where,
                                        const std::vector<diag::Span>& places) {
  const std::vector<Slot*> formal = inputs(function);
  arguments.resize(formal.size());
  Dims applied;
  const std::vector<Arguments> elements = by_elements(function, formal, arguments, where, applied);
  if (!applied.empty()) {
    if (outputs(function).size() > 1) {
      fail(Code::kWrongArguments,
           "a function with several outputs is not applied to the elements of arrays", where);
    }
    std::vector<std::vector<Value>> columns;
    for (const Arguments& one : elements)
      columns.push_back(call_with(function, one, c, where, places));
    if (columns.empty()) return {array_value(pool(), applied, {})};
    std::vector<Value> results;
    for (std::size_t r = 0; r < columns[0].size(); ++r) {
      std::vector<Value> values;
      for (auto& column : columns) values.push_back(std::move(column[r]));
      results.push_back(stacked(values));
    }
    return results;
  }
  check_argument_sizes(function, arguments, places, where);
  // Defaults may use the other inputs.
  std::vector<Value> values;
  Instance* frame = nullptr;
  bool constant = true;
  for (std::size_t i = 0; i < formal.size(); ++i) {
    if (!arguments[i]) {
      if (frame == nullptr) {
        frame = &instances_.make(function.cls, World::kValue, nullptr, {});
        instances_.expand(*frame);
        const std::vector<Slot*> own = inputs(*frame);
        for (std::size_t j = 0; j < own.size(); ++j) {
          if (arguments[j]) give(*instances_.component(*frame, *own[j]), *arguments[j]);
        }
      }
      Instance* input = instances_.component(*frame, *inputs(*frame)[i]);
      if (input->basic != Basic::kNone && instances_.binding(*input).expr == nullptr) {
        fail(Code::kWrongArguments,
             "the input " + in_quotes(formal[i]->name) + " of " +
                 in_quotes(function.cls.node->path()) + " is missing",
             where);
      }
      Context inner;
      inner.in_function = true;
      values.push_back(instance_value(*input, inner));
    } else {
      values.push_back(*arguments[i]);  // a default of a later input may use it
    }
    constant = constant && is_constant(pool(), values.back());
  }
  if (function.cls.node->name() == "loadResource" && values.size() == 1) {
    if (const auto path = resource(values[0], where)) return {string_value(*path)};
  }
  const std::vector<Identifier> by = partial_derivatives(instances_, function);
  if (!by.empty()) {
    if (c.structural) {
      fail(Code::kNotConstant,
           "the derivative " + in_quotes(function.cls.node->path()) +
               " cannot be evaluated before the run",
           where);
    }
    return partial_derivative(function, by, values, where);
  }
  if (external_of(instances_, function) == nullptr) {
    check_outputs(function);
    ClassNode* node = function.cls.node;
    const bool recursive = std::count(executing_.begin(), executing_.end(), node) > 0;
    constexpr std::size_t kMostNested = 200;
    if (constant && executing_.size() >= kMostNested) {
      fail(Code::kTooLarge,
           "calls are nested more than " + std::to_string(kMostNested) +
               " deep: is there a recursion without end?",
           where);
    }
    const bool run_time =
        std::ranges::any_of(values, [](const Value& v) { return v.kind == Value::Kind::kRunTime; });
    if (constant ||
        (!run_time && !recursive && !no_inline_[node] && !follows_declaration(function))) {
      if (auto results = execute(function, values, constant)) {
        // In another function there are no events anyway.
        if (!constant && !c.in_function) {
          without_events(*results, values);
        }
        return *results;
      }
      if (!constant) no_inline_[node] = true;
    }
  }
  if (constant) {
    if (auto results = external_constant(function, values, where)) return *results;
  }
  if (c.structural) {
    Diagnostic d(Code::kNotConstant,
                 "the call of " + in_quotes(function.cls.node->path()) +
                     " cannot be evaluated before the run",
                 where);
    if (constant && !no_value_.empty()) d.note(no_value_);
    throw Failure{std::move(d)};
  }
  return flat_call(function, values, where);
}

std::vector<Value> Evaluator::call_member(Instance& record, std::string_view name,
                                          std::vector<std::optional<Value>> arguments,
                                          diag::Span where) {
  Slot* slot = instances_.find(record, name);
  if (slot == nullptr || slot->kind != MemberKind::kClass) {
    fail(Code::kNoFunction, "there is no function " + in_quotes(name), where);
  }
  Instance& function = instances_.class_instance({Resolved::Kind::kSlot, &record, slot, nullptr});
  return call_with(function, std::move(arguments), {}, where);
}

bool Evaluator::makes_events(ExprId e) {
  const auto it = makes_events_.find(e.index);
  if (it != makes_events_.end()) return it->second;
  const Op op = pool()[e].op;
  bool found = (is_relation(op) && pool()[pool().arg(e, 0)].type == ScalarType::kReal) ||
               op == Op::kFloor || op == Op::kCeil || op == Op::kToInteger || op == Op::kDivInt ||
               op == Op::kMod || op == Op::kRem || op == Op::kAbs || op == Op::kSign ||
               op == Op::kMin || op == Op::kMax;
  if (op != Op::kNoEvent) {
    const std::vector<ExprId> args(pool().args(e).begin(), pool().args(e).end());
    for (const ExprId a : args) found = found || makes_events(a);
  }
  makes_events_[e.index] = found;
  return found;
}

// What the function computes makes no events; what it is given does, wherever that stands in the
// results: f({time > 1, time > 2}) changes when these relations do.
void Evaluator::without_events(std::vector<Value>& results, const std::vector<Value>& arguments) {
  std::vector<ExprId> scalars;
  for (const Value& v : arguments) append_scalars(v, scalars);
  std::unordered_map<std::int32_t, bool> holds_given;  // whether an argument that makes events
  for (const ExprId a : scalars) {
    if (makes_events(a)) holds_given[a.index] = true;
  }
  const std::unordered_map<std::int32_t, bool> given = holds_given;
  const std::function<bool(ExprId)> holds = [&](ExprId e) {
    const auto it = holds_given.find(e.index);
    if (it != holds_given.end()) return it->second;
    bool found = false;
    for (const ExprId a : pool().args(e)) found = found || holds(a);
    holds_given[e.index] = found;
    return found;
  };
  std::unordered_map<std::int32_t, ExprId> done;
  const std::function<ExprId(ExprId)> marked = [&](ExprId e) {
    if (!makes_events(e) || given.contains(e.index)) return e;
    const Op op = pool()[e].op;
    const bool may = is_relation(op) || (op >= Op::kFloor && op <= Op::kToInteger) ||
                     (op >= Op::kDivInt && op <= Op::kRem);
    const bool makes = may && pool()[pool().arg(e, 0)].type == ScalarType::kReal;
    if (makes || given.empty() || !holds(e)) return pool().make(Op::kNoEvent, {e});
    if (const auto it = done.find(e.index); it != done.end()) return it->second;
    std::vector<ExprId> parts(pool().args(e).begin(), pool().args(e).end());
    for (ExprId& a : parts) a = marked(a);
    return done[e.index] = pool().rebuild(e, parts);
  };
  const std::function<void(Value&)> mark = [&](Value& v) {
    for (ExprId& e : v.elements) e = marked(e);
    for (auto& [name, field] : v.fields) mark(field);
  };
  for (Value& v : results) mark(v);
}

std::optional<std::vector<Value>> Evaluator::execute(Instance& function,
                                                     const std::vector<Value>& arguments,
                                                     bool constant) {
  executing_.push_back(function.cls.node);
  std::optional<std::vector<Value>> results;
  constexpr std::uint64_t kCostOfCall = 2000;  // its frame stays in memory
  evaluations_ += kCostOfCall;
  no_value_.clear();
  try {
    SymbolicExecution run(*this, function, constant);
    results = run(arguments);
    if (run.exhausted()) no_value_ = "it takes too many steps: is there a loop without end?";
  } catch (const Failure& failure) {
    // A limit ends all calls that are under way: each would only reach it again. A value that
    // depends on itself has none for other arguments either.
    const Code code = failure.diagnostic.code;
    if ((code == Code::kTooLarge && executing_.size() > 1) || code == Code::kCyclicValue) {
      executing_.pop_back();
      throw;
    }
    results.reset();  // what is wrong with the function is said when it is compiled
    if (no_value_.empty()) no_value_ = failure.diagnostic.message;
  } catch (...) {
    executing_.pop_back();
    throw;
  }
  executing_.pop_back();
  if (results && constant) {
    for (const Value& v : *results) {
      if (!is_constant(pool(), v)) return std::nullopt;
    }
  }
  return results;
}

}  // namespace arges::lang
