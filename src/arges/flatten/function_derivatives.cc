// annotation(derivative(order = 2, noDerivative = a, zeroDerivative = b) = g) of external
// functions, and of those with statements where noDerivative gives the derivative a meaning of its
// own. Others with statements are differentiated by the middle. function g = der(f, x).

#include <algorithm>
#include <functional>

#include "arges/base/error.h"
#include "arges/flat/differentiate_function.h"
#include "arges/flatten/evaluator.h"
#include "arges/parse/print.h"

namespace arges::lang {

namespace {

std::string_view name_of(const Expr* e) {
  if (e == nullptr || e->kind != ExprKind::kReference) return {};
  const auto& r = as<ReferenceExpr>(*e);
  return r.parts.size() == 1 ? r.parts[0].name.text : std::string_view();
}

bool is_option(const Argument& a, std::string_view name) {
  return a.name.parts.size() == 1 && a.name.parts[0].text == name && a.modification != nullptr;
}

// Locals of the flat function that an argument becomes: records are taken apart.
std::int32_t locals_of(const Value& v) {
  if (!v.is_record()) return 1;
  std::int32_t n = 0;
  for (const auto& [name, field] : v.fields) n += locals_of(field);
  return n;
}

}  // namespace

std::vector<Evaluator::DerivativeAnnotation> Evaluator::derivatives(Instance& function) {
  std::vector<DerivativeAnnotation> found;
  instances_.expand(function);
  for (std::size_t p = 0; p < function.parts.size(); ++p) {
    ClassNode& node = *function.parts[p].node;
    const ClassDef* def = instances_.tree().definition(node);
    if (def == nullptr || def->description.annotation == nullptr) continue;
    const Modification* all = instances_.annotation(*def->description.annotation, node);
    if (all == nullptr) continue;
    for (const Argument& a : all->arguments) {
      if (!is_option(a, "derivative") || a.modification->value == nullptr) continue;
      if (a.modification->value->kind != ExprKind::kReference) continue;
      found.push_back({&a, {}});
      found.back().context.scope = {&function, static_cast<int>(p)};
    }
  }
  return found;
}

bool Evaluator::follows_declaration(Instance& function) {
  ClassNode* node = function.cls.node;
  if (const auto it = follows_declaration_.find(node); it != follows_declaration_.end())
    return it->second;
  bool follows = false;
  for (const DerivativeAnnotation& d : derivatives(function)) {
    for (const Argument& option : d.argument->modification->arguments)
      follows = follows || is_option(option, "noDerivative");
  }
  const std::vector<Slot*> out = outputs(function);
  if (follows && out.size() == 1) {
    const Instance* output = instances_.component(function, *out[0]);
    follows = output != nullptr && output->basic == Basic::kScalar &&
              output->type == ScalarType::kReal && formal_dims(function, *out[0]) == 0;
  } else {
    follows = false;
  }
  return follows_declaration_[node] = follows;
}

void Evaluator::declare_derivatives(FunctionId id, Instance& function,
                                    const std::vector<Value>& arguments, diag::Span where) {
  const std::vector<Slot*> in = inputs(function);
  if (in.size() != arguments.size()) return;
  std::vector<std::int32_t> place;  // of the first local of an input
  std::int32_t locals = 0;
  for (const Value& v : arguments) {
    place.push_back(locals);
    locals += locals_of(v);
  }
  if (locals != model_.functions[static_cast<std::size_t>(id.index)].inputs) return;
  for (const DerivativeAnnotation& annotation : derivatives(function)) {
    const Modification& said = *annotation.argument->modification;
    FlatDerivative d;
    std::vector<bool> constant(in.size(), false);
    for (const Argument& option : said.arguments) {
      if (option.modification == nullptr) continue;
      const Expr* value = option.modification->value;
      if (is_option(option, "order") && value != nullptr)
        d.order = integer_argument(*value, annotation.context);
      const bool ignored = is_option(option, "noDerivative");
      if (!ignored && !is_option(option, "zeroDerivative")) continue;
      for (std::size_t i = 0; i < in.size(); ++i) {
        if (in[i]->name != name_of(value)) continue;
        constant[i] = true;
        for (std::int32_t k = 0; ignored && k < locals_of(arguments[i]); ++k)
          d.ignored.push_back(place[i] + k);
      }
    }
    const auto& reference = as<ReferenceExpr>(*said.value);
    Resolved r = first_part(reference, annotation.context);
    if (follow_classes(reference, r, annotation.context) != reference.parts.size()) continue;
    Instance& g = instances_.make(instances_.class_of(r), World::kPackage, nullptr, {});
    const std::size_t wanted = inputs(g).size();
    if (wanted < in.size()) continue;
    // The inputs of g: those of the function, then the derivatives of the last Real ones. Of
    // order one these are all that may vary.
    std::vector<std::size_t> varying;
    for (std::size_t i = 0; i < in.size(); ++i) {
      const Value& v = arguments[i];
      if (v.is_record() || v.type != ScalarType::kReal || constant[i]) continue;
      varying.push_back(i);
    }
    const std::size_t count = wanted - in.size();
    if (count > varying.size()) continue;
    std::vector<Value> values = arguments;
    for (std::size_t k = 0; k < varying.size(); ++k) {
      const bool with = k + count >= varying.size();
      (with ? d.with : d.rates).push_back(place[varying[k]]);
      if (with) values.push_back(arguments[varying[k]]);
    }
    const std::vector<Value> results = flat_call(g, values, where);
    if (results.empty() || results[0].elements.empty()) continue;
    d.function = FunctionId{pool()[pool().arg(results[0].elements[0], 0)].index};
    auto& functions = model_.functions;
    const bool fits = functions[static_cast<std::size_t>(d.function.index)].inputs ==
                      locals + static_cast<std::int32_t>(count);
    if (fits) functions[static_cast<std::size_t>(id.index)].declared.push_back(std::move(d));
  }
}

// The results of the function, each differentiated by the inputs in turn.
std::vector<Value> Evaluator::partial_derivative(Instance& function,
                                                 const std::vector<Identifier>& by,
                                                 const std::vector<Value>& arguments,
                                                 diag::Span where) {
  const std::vector<Slot*> in = inputs(function);
  for (const Identifier& variable : by) {
    std::size_t i = 0;
    while (i < in.size() && in[i]->name != variable.text) ++i;
    const Instance* input = i == in.size() ? nullptr : instances_.component(function, *in[i]);
    if (input == nullptr || input->basic != Basic::kScalar || input->type != ScalarType::kReal ||
        !arguments[i].is_scalar()) {
      fail(diag::Code::kWrongArguments,
           in_quotes(variable.text) + " is no scalar Real input of " +
               in_quotes(function.cls.node->path()) + ", by which it could be differentiated",
           where);
    }
  }
  std::vector<Value> results = flat_call(function, arguments, where);
  const Differentiator::Call derivative = call_derivative(model_, DerivativeBy::kVariable);
  const std::function<void(Value&)> derive = [&](Value& v) {
    v.type = ScalarType::kReal;
    for (ExprId& e : v.elements) {
      for (const Identifier& variable : by) {
        if (pool()[e].op != Op::kResult) break;  // 0
        const ExprId call = pool().arg(e, 0);
        std::vector<ExprId> seeds(pool().args(call).size());
        std::size_t place = 0;  // literals that the function was made for are no arguments
        for (const FlatLocal& local :
             model_.functions[static_cast<std::size_t>(pool()[call].index)].locals) {
          if (local.name == variable.text) break;
          place += static_cast<std::size_t>(local.size());
        }
        seeds[place] = pool().real(1);
        try {
          e = derivative(e, seeds);
        } catch (const UserError&) {
          fail(diag::Code::kNotSupported,
               "there is no derivative of " + in_quotes(function.cls.node->path()) +
                   ": it is external and declares none, or impure",
               where);
        }
      }
    }
    for (auto& [name, field] : v.fields) derive(field);
  };
  for (Value& v : results) derive(v);
  return results;
}

}  // namespace arges::lang
