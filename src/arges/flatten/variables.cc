// Variables: attributes and values.

#include "arges/flatten/flattener.h"

#include <algorithm>

#include "arges/lex/lexer.h"

namespace arges::lang {

using diag::Code;

namespace {

std::string unquoted(std::span<const std::string_view> strings) {
  std::string out;
  for (const std::string_view s : strings) out += decode_string(s);
  return out;
}

}  // namespace

namespace {

// type V = Real[2]: what is said for each V of an array of them has two elements.
void repeat_for_type(Value& v, const Instance& i) {
  std::size_t rank = 0;
  for (const TypeDims& d : i.cls.dims) rank += d.subscripts.size();
  const std::size_t n = v.dims.size();
  if (n == 0 || n > rank || n >= i.dims.size() || v.is_record()) return;
  if (!std::equal(v.dims.begin(), v.dims.end(), i.dims.end() - static_cast<std::ptrdiff_t>(n)))
    return;
  const std::vector<ExprId> once = v.elements;
  v.elements.clear();
  while (v.elements.size() < count(i.dims))
    v.elements.insert(v.elements.end(), once.begin(), once.end());
  v.dims = i.dims;
}

// The component, and the records that it is part of and that are parameters themselves.
template <class Test>
bool any_enclosing_parameter(const Instance& i, Test test) {
  for (const Instance* p = &i; p != nullptr; p = p->parent) {
    if (p != &i && p->prefix.variability != Variability::kParameter) return false;
    if (test(*p)) return true;
  }
  return false;
}

// Inputs are given from outside only at the top of the model: `input Real u`, the fields of
// `input R u`, and the inputs in a connector.
bool is_of_top(const Instance& i, Instances& instances, const Instance* root) {
  Instance* top = i.parent;
  if (top == root) return true;
  bool only_connectors = true;
  for (;; top = top->parent) {
    if (!top->is_array())
      only_connectors = only_connectors && instances.kind(*top) == ClassKind::kConnector;
    if (top->parent == nullptr || top->parent == root) break;
  }
  return top->prefix.causality == i.prefix.causality || only_connectors;
}

bool is_final(const Instance& i) {
  return any_enclosing_parameter(i, [](const Instance& p) { return p.is_final; });
}

}  // namespace

bool Flattener::is_annotated_evaluate(const Instance& i) {
  return any_enclosing_parameter(i, [&](const Instance& p) {
    return p.text != nullptr &&
           instances_.annotated(p.text->description.annotation, p.text_scope, "Evaluate");
  });
}

bool Flattener::hides_result(const Instance& i) {
  for (const Instance* p = &i; p != nullptr; p = p->parent) {
    if (p->text != nullptr &&
        instances_.annotated(p->text->description.annotation, p->text_scope, "HideResult"))
      return true;
  }
  return false;
}

void Flattener::variable(Instance& i) {
  const std::size_t n = count(i.dims);
  const VarId first = e_.variable(i);
  std::string description;
  if (i.text != nullptr) description = unquoted(i.text->description.strings);
  const Context here{i.text_scope};
  const Origin origin = i.text == nullptr ? Origin{} : e_.origin(here, i.text->range);
  const bool top = is_of_top(i, instances_, root_);
  const auto* annotation = i.text == nullptr ? nullptr : i.text->description.annotation;
  const bool hide_result = hides_result(i);
  // What a flat text says of those that were protected.
  const bool hidden = i.is_protected || hide_result ||
                      instances_.annotated(annotation, i.text_scope, "__Arges_protected");
  const bool evaluate = i.evaluated || is_annotated_evaluate(i);
  for (std::size_t k = 0; k < n; ++k) {
    FlatVariable& v = model_[VarId{first.index + static_cast<std::int32_t>(k)}];
    v.description = description;
    v.origin = origin;
    v.hidden = hidden;
    v.hide_result = hide_result;
    v.evaluate = evaluate && i.prefix.variability == Variability::kParameter;
    if (top && i.prefix.causality == Causality::kInput) v.causality = ::arges::Causality::kInput;
    if (top && i.prefix.causality == Causality::kOutput) v.causality = ::arges::Causality::kOutput;
    if (i.enumeration != nullptr) v.enumeration = e_.enumeration_index(*i.enumeration);
  }
  if (i.basic == Basic::kScalar && n > 0) {
    attributes(i, n);
  }
  bind(i);
}

void Flattener::attributes(Instance& i, std::size_t n) {
  const VarId first = i.variable;
  const auto at = [&](std::size_t k) -> FlatVariable& {
    return model_[VarId{first.index + static_cast<std::int32_t>(k)}];
  };
  const auto values = [&](std::string_view name, ScalarType type,
                          bool structural) -> std::optional<Value> {
    const Binding b = instances_.attribute(i, name);
    if (b.expr == nullptr) return std::nullopt;
    Context c;
    c.structural = structural;
    c.in_function = true;  // attributes have no events
    Value v;
    try {
      v = e_.bound_value(b, c);
    } catch (const Failure&) {
      // Limits that use variables of the model say nothing before the run.
      if (name == "min" || name == "max" || name == "nominal") return std::nullopt;
      throw;
    }
    const bool each =
        b.each || (v.dims.empty() && !i.dims.empty() &&
                   (name == "fixed" || type == ScalarType::kString || name == "stateSelect"));
    if (each) repeat_for_type(v, i);
    return e_.fitted(std::move(v), i.dims, each, type, instances_.span(b.scope, b.expr->range),
                     name == "stateSelect" ? nullptr : i.enumeration);
  };
  const auto expressions = [&](std::string_view name, ExprId FlatVariable::*member) {
    if (const auto v = values(name, i.type, false)) {
      for (std::size_t k = 0; k < n; ++k) at(k).*member = v->elements[k];
    }
  };
  expressions("start", &FlatVariable::start);
  const bool start_of_type = instances_.attribute(i, "start").in_type;
  for (std::size_t k = 0; k < n; ++k) at(k).start_of_type = start_of_type;
  if (i.type == ScalarType::kReal || i.type == ScalarType::kInteger ||
      i.type == ScalarType::kEnumeration) {
    expressions("min", &FlatVariable::min);
    expressions("max", &FlatVariable::max);
  }
  if (const auto v = values("fixed", ScalarType::kBoolean, true)) {
    for (std::size_t k = 0; k < n; ++k) at(k).fixed = e_.pool().value(v->elements[k]) != 0;
  }
  if (i.type != ScalarType::kReal) return;
  expressions("nominal", &FlatVariable::nominal);
  const auto texts = [&](std::string_view name, std::string FlatVariable::*member) {
    const auto v = values(name, ScalarType::kString, true);
    if (!v) return;
    for (std::size_t k = 0; k < n; ++k) {
      at(k).*member = e_.pool().text(StringId{e_.pool()[v->elements[k]].index});
    }
  };
  texts("unit", &FlatVariable::unit);
  texts("displayUnit", &FlatVariable::display_unit);
  if (const auto v = values("stateSelect", ScalarType::kEnumeration, true)) {
    for (std::size_t k = 0; k < n; ++k) {
      at(k).state_select =
          static_cast<StateSelect>(static_cast<int>(e_.pool().value(v->elements[k])) - 1);
    }
  }
}

// A parameter depends on parameters and constants only, a constant on constants.
void Flattener::check_variability(Instance& i, ExprId root, diag::Span where) {
  const bool constant = i.prefix.variability == Variability::kConstant;
  const std::string problem = e_.changes(root, constant);
  if (problem.empty()) return;
  fail(constant ? Code::kNotConstant : Code::kNotAParameter,
       (constant ? "the constant " : "the parameter ") + in_quotes(Instances::full_name(i)) +
           " depends on " + in_quotes(problem) +
           (constant ? ", which is no constant" : ", which changes during the run"),
       where);
}

void Flattener::bind(Instance& i) {
  const Binding b = instances_.binding(i);
  const VarId first = i.variable;
  const std::map<std::size_t, ExprId> given = e_.given_of(i);
  if (b.expr == nullptr) {
    for (const auto& [k, value] : given)
      model_[VarId{first.index + static_cast<std::int32_t>(k)}].binding = value;
    return;
  }
  const bool fixed = i.prefix.variability == Variability::kParameter ||
                     i.prefix.variability == Variability::kConstant ||
                     i.basic == Basic::kExternalObject;
  Value v;
  if (fixed && i.constant) {
    v = *i.constant;
  } else {
    Context around;
    around.in_function = fixed;  // parameters have no events
    v = e_.fitted(e_.bound_value(b, around), i.dims, b.each,
                  i.basic == Basic::kExternalObject ? ScalarType::kInteger : i.type,
                  instances_.span(b.scope, b.expr->range));
    for (const auto& [k, value] : given) v.elements[k] = value;
  }
  const diag::Span where = instances_.span(b.scope, b.expr->range);
  if (i.enumeration != nullptr && v.enumeration != nullptr &&
      !instances_.same_enumeration(*i.enumeration, *v.enumeration)) {
    fail(Code::kTypeMismatch,
         in_quotes(Instances::full_name(i)) + " is a " + in_quotes(i.enumeration->path()) +
             ", its value a " + in_quotes(v.enumeration->path()),
         where);
  }
  if (i.prefix.variability == Variability::kDiscrete && i.type == ScalarType::kReal &&
      i.basic == Basic::kScalar && i.prefix.causality != Causality::kInput) {
    fail(
        Code::kNotSetByWhen,
        in_quotes(Instances::full_name(i)) + " is discrete: a `when` must set it, not a value here",
        where);
  }
  if (fixed && i.basic == Basic::kScalar) {
    for (const ExprId e : v.elements)
      check_variability(i, e, instances_.span(b.scope, b.expr->range));
  }
  const Context c{b.scope};
  for (std::size_t k = 0; k < v.elements.size(); ++k) {
    const VarId id{first.index + static_cast<std::int32_t>(k)};
    ::arges::Causality& causality = model_[id].causality;
    // An input with a value that changes is not given from outside.
    const bool is_input = causality == ::arges::Causality::kInput;
    if (is_input && !fixed && !e_.pool().is_constant(v.elements[k]))
      causality = ::arges::Causality::kLocal;
    if (fixed || causality == ::arges::Causality::kInput) {
      model_[id].binding = v.elements[k];
      if (i.prefix.variability == Variability::kParameter && (b.is_final || is_final(i)))
        model_[id].evaluate = true;
    } else {
      FlatEquation e{model_.ref(id), v.elements[k], {}};
      e.origin = e_.origin(c, b.expr->range);
      e.origin.component =
          e_.pool().intern(i.parent == nullptr ? std::string() : Instances::full_name(*i.parent));
      model_.equations.push_back(e);
    }
  }
}

}  // namespace arges::lang
