#include "arges/flat/differentiate_function.h"

#include <algorithm>

#include <fmt/format.h>

#include "arges/base/error.h"
#include "arges/base/index.h"
#include "arges/flat/statement_derivative.h"

namespace arges {

namespace {

std::vector<std::int32_t> first_scalars(const FlatFunction& f) {
  std::vector<std::int32_t> first;  // scalar argument of each input
  std::int32_t scalars = 0;
  for (std::int32_t i = 0; i < f.inputs; ++i) {
    first.push_back(scalars);
    scalars += f.locals[at(i)].size();
  }
  return first;
}

bool has(const std::vector<std::int32_t>& list, std::int32_t i) {
  return std::find(list.begin(), list.end(), i) != list.end();
}

// Which inputs have a derivative in the call.
std::vector<bool> varying(const FlatModel& model, FunctionId id,
                          std::span<const ExprId> darguments) {
  const FlatFunction& f = model.functions[at(id.index)];
  std::vector<bool> varies(at(f.inputs), false);
  std::size_t k = 0;
  for (std::size_t i = 0; i < varies.size(); ++i) {
    for (std::int32_t j = 0; j < f.locals[i].size(); ++j, ++k)
      varies[i] = varies[i] || (darguments[k].valid() && !model.pool.is_value(darguments[k], 0));
  }
  return varies;
}

// By a declared derivative that fits what varies; invalid when there is none.
ExprId declared_derivative(FlatModel& model, ExprId result, std::span<const ExprId> darguments) {
  ExprPool& pool = model.pool;
  const ExprId call = pool.arg(result, 0);
  const FlatFunction& f = model.functions[at(pool[call].index)];
  if (f.outputs != 1 || !f.locals[at(f.inputs)].dims.empty()) return {};
  const auto given = pool.args(call);
  const std::vector<std::int32_t> first = first_scalars(f);
  const auto varies = [&](std::int32_t input) {
    for (std::int32_t k = 0; k < f.locals[at(input)].size(); ++k) {
      const ExprId d = darguments[at(first[at(input)] + k)];
      if (d.valid() && !pool.is_value(d, 0)) return true;
    }
    return false;
  };
  for (const FlatDerivative& d : f.declared) {
    bool fits = d.order == 2 ? d.rates.size() == d.with.size() : d.rates.empty();
    for (std::int32_t i = 0; i < f.inputs && fits; ++i)
      fits = has(d.with, i) || has(d.rates, i) || has(d.ignored, i) || !varies(i);
    for (std::size_t k = 0; k < d.rates.size() && fits; ++k) {
      const std::int32_t rate = first[at(d.rates[k])], is = first[at(d.with[k])];
      const ExprId value = darguments[at(rate)];
      fits = f.locals[at(d.rates[k])].dims.empty() &&
             (value.valid() ? value : pool.real(0)) == given[at(is)];
    }
    if (!fits) continue;
    std::vector<ExprId> args(given.begin(), given.end());
    for (const std::int32_t i : d.with) {
      for (std::int32_t k = 0; k < f.locals[at(i)].size(); ++k) {
        const ExprId value = darguments[at(first[at(i)] + k)];
        args.push_back(value.valid() ? value : pool.real(0));
      }
    }
    return pool.result(pool.call(d.function, args), pool[result].index, ScalarType::kReal);
  }
  return {};
}

}  // namespace

bool follows_declaration(const FlatFunction& f) {
  return f.external.empty() && !f.declared.empty();
}

Differentiator::Call call_derivative(FlatModel& model, DerivativeBy by) {
  return [&model, by](ExprId result, std::span<const ExprId> darguments) {
    ExprPool& pool = model.pool;
    const ExprId call = pool.arg(result, 0);
    const FunctionId f{pool[call].index};
    const auto none = [&] {
      return UserError(fmt::format(
          "function '{}' has no derivative: it is external, impure or calls such a function; give "
          "it annotation(derivative = ...)",
          model.functions[at(f.index)].name));
    };
    const bool declared_only = follows_declaration(model.functions[at(f.index)]);
    if (by == DerivativeBy::kTime || !declared_only) {
      const ExprId d = declared_derivative(model, result, darguments);
      if (d.valid()) return d;
      if (declared_only) throw none();
    }
    const FunctionId g = statement_derivative(model, f, varying(model, f, darguments));
    if (!g.valid()) throw none();
    const FlatFunction& function = model.functions[at(f.index)];
    const auto given = pool.args(call);
    std::vector<ExprId> args(given.begin(), given.end());
    // Derivatives of the Real inputs only.
    std::size_t k = 0;
    for (std::int32_t i = 0; i < function.inputs; ++i) {
      const FlatLocal& input = function.locals[at(i)];
      for (std::int32_t j = 0; j < input.size(); ++j, ++k) {
        if (input.type != ScalarType::kReal) continue;
        args.push_back(darguments[k].valid() ? darguments[k] : pool.real(0));
      }
    }
    // The index among the Real outputs.
    std::int32_t scalar = 0, real = 0;
    for (std::int32_t i = function.inputs; i < function.inputs + function.outputs; ++i) {
      const FlatLocal& output = function.locals[at(i)];
      const std::int32_t size = output.size();
      if (pool[result].index < scalar + size) {
        if (output.type != ScalarType::kReal) return pool.real(0);
        return pool.result(pool.call(g, args), real + pool[result].index - scalar,
                           ScalarType::kReal);
      }
      scalar += size;
      if (output.type == ScalarType::kReal) real += size;
    }
    return ExprId{};
  };
}

}  // namespace arges
