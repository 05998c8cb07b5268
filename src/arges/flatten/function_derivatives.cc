// annotation(derivative(order = 2, noDerivative = a, zeroDerivative = b) = g) of external
// functions. Functions with a body are differentiated by the middle.

#include <algorithm>

#include "arges/flatten/evaluator.h"
#include "arges/parse/print.h"

namespace arges::lang {

namespace {

std::string_view name_of(const Expr* e) {
  if (e == nullptr || e->kind != ExprKind::kReference) return {};
  const auto& r = as<ReferenceExpr>(*e);
  return r.parts.size() == 1 ? r.parts[0].name.text : std::string_view();
}

}  // namespace

void Evaluator::declare_derivatives(FunctionId id, Instance& function,
                                    const std::vector<Value>& arguments, diag::Span where) {
  instances_.expand(function);
  const std::vector<Slot*> in = inputs(function);
  for (std::size_t p = 0; p < function.parts.size(); ++p) {
    ClassNode& node = *function.parts[p].node;
    const ClassDef* def = instances_.tree().definition(node);
    if (def == nullptr || def->external == nullptr || def->description.annotation == nullptr) {
      continue;
    }
    const Modification* all = instances_.annotation(*def->description.annotation, node);
    if (all == nullptr) continue;
    Context c;
    c.scope = {&function, static_cast<int>(p)};
    for (const Argument& a : all->arguments) {
      const bool is_derivative = a.name.parts.size() == 1 && a.name.parts[0].text == "derivative";
      if (!is_derivative || a.modification == nullptr || a.modification->value == nullptr) continue;
      if (a.modification->value->kind != ExprKind::kReference) continue;
      FlatDerivative d;
      std::vector<bool> constant(in.size(), false);
      for (const Argument& option : a.modification->arguments) {
        if (option.name.parts.size() != 1 || option.modification == nullptr) continue;
        const std::string_view what = option.name.parts[0].text;
        const Expr* value = option.modification->value;
        if (what == "order" && value != nullptr) d.order = integer_argument(*value, c);
        if (what != "noDerivative" && what != "zeroDerivative") continue;
        for (std::size_t i = 0; i < in.size(); ++i) {
          if (in[i]->name != name_of(value)) continue;
          constant[i] = true;
          if (what == "noDerivative") d.ignored.push_back(static_cast<std::int32_t>(i));
        }
      }
      const auto& reference = as<ReferenceExpr>(*a.modification->value);
      Resolved r = first_part(reference, c);
      if (follow_classes(reference, r, c) != reference.parts.size()) continue;
      Instance& g = instances_.make(instances_.class_of(r), World::kPackage, nullptr, {});
      const std::size_t wanted = inputs(g).size();
      if (wanted < in.size() || in.size() != arguments.size()) continue;
      // The inputs of g: those of the function, then the derivatives of the last Real ones. Of
      // order one these are all that may vary.
      std::vector<std::int32_t> varying;
      for (std::size_t i = 0; i < in.size(); ++i) {
        const Value& v = arguments[i];
        if (v.is_record() || v.type != ScalarType::kReal || constant[i]) continue;
        varying.push_back(static_cast<std::int32_t>(i));
      }
      const std::size_t count = wanted - in.size();
      if (count > varying.size()) continue;
      d.with.assign(varying.end() - static_cast<std::ptrdiff_t>(count), varying.end());
      d.rates.assign(varying.begin(), varying.end() - static_cast<std::ptrdiff_t>(count));
      std::vector<Value> values = arguments;
      for (const std::int32_t i : d.with) values.push_back(arguments[static_cast<std::size_t>(i)]);
      const std::vector<Value> results = flat_call(g, values, where);
      if (results.empty() || results[0].elements.empty()) continue;
      d.function = FunctionId{pool()[pool().arg(results[0].elements[0], 0)].index};
      model_.functions[static_cast<std::size_t>(id.index)].declared.push_back(std::move(d));
    }
  }
}

}  // namespace arges::lang
