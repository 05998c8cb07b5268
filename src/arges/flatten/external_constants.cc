// External functions whose arguments are literals.

#include <algorithm>
#include <cctype>

#include "arges/base/saturated.h"
#include "arges/compile/evaluate_call.h"
#include "arges/external/registry.h"
#include "arges/flatten/evaluator.h"
#include "arges/flatten/failure.h"

namespace arges::lang {

namespace {

int compare(std::string a, std::string b, bool sensitive) {
  if (!sensitive) {
    for (std::string* s : {&a, &b}) {
      for (char& c : *s) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    }
  }
  return a < b ? 1 : a == b ? 2 : 3;  // Modelica.Utilities.Types.Compare
}

}  // namespace

std::optional<std::vector<Value>> Evaluator::external_constant(Instance& function,
                                                               const std::vector<Value>& arguments,
                                                               diag::Span where) {
  std::string_view name;
  for (const Part& part : function.parts) {
    const ClassDef* def = instances_.tree().definition(*part.node);
    if (def != nullptr && def->external != nullptr) name = def->external->function.text;
  }
  if (name.empty()) return std::nullopt;
  if (auto results = string_constant(name, arguments)) return results;
  const external::Entry* entry = external::find_builtin(name);
  if (entry == nullptr || !entry->pure) return std::nullopt;
  // As the run would call it, with literals in place of the results.
  std::vector<Value> results;
  try {
    results = flat_call(function, arguments, where);
  } catch (const Failure&) {
    return std::nullopt;  // the caller says what it needs
  }
  std::vector<ExprId> scalars;
  for (const Value& v : results) append_scalars(v, scalars);
  if (scalars.empty() || pool()[scalars[0]].op != Op::kResult) return std::nullopt;
  const ExprId call = pool().arg(scalars[0], 0);
  if (!calls_) calls_ = std::make_shared<CallEvaluator>(model_);
  std::vector<double> given;
  for (const ExprId e : pool().args(call)) {
    const bool is_text = pool()[e].op == Op::kString;
    given.push_back(is_text ? calls_->environment().intern(pool().text(StringId{pool()[e].index}))
                            : pool().value(e));
  }
  const auto values = (*calls_)(FunctionId{pool()[call].index}, given);
  if (!values) return std::nullopt;
  for (Value& v : results) put_literals(v, *values);
  return results;
}

void Evaluator::put_literals(Value& v, const std::vector<double>& results) {
  for (ExprId& e : v.elements) {
    const double value = results.at(static_cast<std::size_t>(pool()[e].index));
    switch (pool()[e].type) {
      case ScalarType::kReal:
        e = pool().real(value);
        break;
      case ScalarType::kInteger:
        e = pool().integer(saturated<std::int64_t>(value));
        break;
      case ScalarType::kBoolean:
        e = pool().boolean(value != 0);
        break;
      case ScalarType::kEnumeration:
        e = pool().enumeration(saturated<std::int64_t>(value));
        break;
      case ScalarType::kString:
        e = pool().string(calls_->environment().text(value));
        break;
    }
  }
  for (auto& [name, field] : v.fields) put_literals(field, results);
}

std::optional<std::vector<Value>> Evaluator::string_constant(std::string_view name,
                                                             const std::vector<Value>& arguments) {
  const auto text = [&](std::size_t i) {
    return pool().text(StringId{pool()[arguments.at(i).scalar()].index});
  };
  const auto integer = [&](std::size_t i) {
    return saturated<int>(pool().value(arguments.at(i).scalar()));
  };
  const auto result = [&](ExprId e) { return std::vector<Value>{scalar_value(pool(), e)}; };
  // In all of these the first argument is a text; in compare the second, too.
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const Value& v = arguments[i];
    const bool wants_text = i == 0 || (i == 1 && name == "ModelicaStrings_compare");
    if (!v.is_scalar() || (v.type == ScalarType::kString) != wants_text) return std::nullopt;
  }
  if (name == "ModelicaStrings_length" && arguments.size() == 1) {
    return result(pool().integer(static_cast<std::int64_t>(text(0).size())));
  }
  if (name == "ModelicaStrings_substring" && arguments.size() == 3) {
    const std::string s = text(0);
    const int from = std::clamp(integer(1), 1, static_cast<int>(s.size()) + 1);
    const int to = std::clamp(integer(2), from - 1, static_cast<int>(s.size()));
    return result(pool().string(
        s.substr(static_cast<std::size_t>(from - 1), static_cast<std::size_t>(to - from + 1))));
  }
  if (name == "ModelicaStrings_compare" && arguments.size() == 3) {
    return result(pool().enumeration(compare(text(0), text(1), integer(2) != 0)));
  }
  if (name == "ModelicaStrings_skipWhiteSpace" && arguments.size() == 2) {
    const std::string s = text(0);
    auto at = static_cast<std::size_t>(std::max(integer(1), 1));
    while (at <= s.size() && std::isspace(static_cast<unsigned char>(s[at - 1])) != 0) ++at;
    return result(pool().integer(static_cast<std::int64_t>(at)));
  }
  return std::nullopt;
}

}  // namespace arges::lang
