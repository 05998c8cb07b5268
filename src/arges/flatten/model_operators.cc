// Operators of a model that have the form of functions: the middle knows them by their names.

#include "arges/flatten/evaluator.h"

namespace arges::lang {

using diag::Code;

// A function that stands for an operator; one for each shape of its arguments.
ExprId Evaluator::operator_call(std::string_view name, const std::vector<Value>& arguments,
                                const std::vector<ScalarType>& results) {
  std::string key = std::string(kModelOperator) + std::string(name);
  std::vector<ExprId> scalars;
  for (const Value& v : arguments) {
    key += shape_key(v) + ";";
    append_scalars(v, scalars);
  }
  for (const ScalarType type : results) key += ">" + std::to_string(static_cast<int>(type));
  const auto [it, is_new] =
      functions_.try_emplace(key, FunctionId{static_cast<std::int32_t>(model_.functions.size())});
  if (is_new) {
    FlatFunction f;
    f.name = std::string(name);
    f.external = std::string(kModelOperator) + std::string(name);
    f.impure = true;
    const auto add = [&](const char* prefix, ScalarType type, const Dims& dims) {
      FlatLocal local;
      local.name = prefix + std::to_string(f.locals.size() + 1);
      local.type = type;
      local.dims.assign(dims.begin(), dims.end());
      f.external_arguments.push_back({LocalId{static_cast<std::int32_t>(f.locals.size())}, {}});
      f.locals.push_back(std::move(local));
    };
    for (const Value& v : arguments) add("u", v.type, v.dims);
    for (const ScalarType type : results) add("y", type, {});
    f.inputs = static_cast<std::int32_t>(arguments.size());
    f.outputs = static_cast<std::int32_t>(results.size());
    model_.functions.push_back(std::move(f));
  }
  return pool().call(it->second, scalars);
}

// (out0, out1) = spatialDistribution(in0, in1, x, positiveVelocity, points, values)
std::vector<Value> Evaluator::spatial_distribution(const CallExpr& e, const Context& c) {
  const diag::Span where = span(c, e);
  if (c.structural || c.in_function) {
    fail(Code::kNotConstant, "`spatialDistribution` is an operator of models", where);
  }
  std::vector<Value> arguments;
  const auto real = [&](std::size_t i, const char* name) {
    const ExprId x = eval_scalar(argument(e, i, name, c), c);
    arguments.push_back(scalar_value(pool(), convert(x, ScalarType::kReal)));
  };
  real(0, "in0");
  real(1, "in1");
  real(2, "x");
  arguments.push_back(scalar_value(pool(), eval_boolean(argument(e, 3, "positiveVelocity", c), c)));
  for (const auto& [i, name] : {std::pair{4, "initialPoints"}, {5, "initialValues"}}) {
    const Expr* given = optional_argument(e, static_cast<std::size_t>(i), name);
    if (given == nullptr) {
      arguments.push_back(array_value(pool(), {2}, {pool().real(0), pool().real(i == 4 ? 1 : 0)}));
      continue;
    }
    Value v = eval(*given, c);
    if (v.kind != Value::Kind::kArray || v.dims.size() != 1) {
      fail(Code::kSizeMismatch, in_quotes(name) + " is a vector", span(c, *given));
    }
    for (ExprId& x : v.elements) {
      x = convert(x, ScalarType::kReal);
      const std::string changing = changes(x);
      if (!changing.empty()) {
        fail(Code::kNotConstant, in_quotes(name) + " must not change during the run",
             span(c, *given));
      }
    }
    v.type = ScalarType::kReal;
    arguments.push_back(std::move(v));
  }
  if (arguments[4].dims != arguments[5].dims || arguments[4].dims[0] < 2) {
    fail(Code::kSizeMismatch,
         "`spatialDistribution` needs as many initial values as points, two at least", where);
  }
  const ExprId call =
      operator_call("spatialDistribution", arguments, {ScalarType::kReal, ScalarType::kReal});
  return {scalar_value(pool(), pool().result(call, 0, ScalarType::kReal)),
          scalar_value(pool(), pool().result(call, 1, ScalarType::kReal))};
}

}  // namespace arges::lang
