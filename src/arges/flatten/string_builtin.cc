// String(value, ...).

#include <algorithm>

#include "arges/base/saturated.h"
#include "arges/diag/suggest.h"
#include "arges/expr/text.h"
#include "arges/flatten/evaluator.h"
#include "arges/flatten/operator_records.h"

namespace arges::lang {

using diag::Code;

std::string Evaluator::literal_name(ClassNode& enumeration, int ordinal) {
  const ClassDef* def = instances_.tree().definition(enumeration);
  const auto i = static_cast<std::size_t>(ordinal - 1);
  return def != nullptr && i < def->literals.size() ? std::string(def->literals[i].name.text)
                                                    : std::to_string(ordinal);
}

Value Evaluator::to_string_value(const CallExpr& e, const Context& c) {
  Value v = eval(argument(e, 0, "", c), c);
  if (v.is_record()) {
    OperatorRecords::Arguments given{{v}, {}};
    for (const Expr* x : e.positional.subspan(1)) given.positional.push_back(eval(*x, c));
    for (const NamedArgument& a : e.named) given.named.emplace_back(a.name.text, eval(*a.value, c));
    if (auto r = OperatorRecords(*this, c, span(c, e)).string(given)) return *r;
  }
  if (!v.is_scalar()) fail(Code::kSizeMismatch, "`String` needs a scalar", span(c, e));
  const ExprId x = v.scalar();
  if (v.type == ScalarType::kString) return v;
  ExprId digits = pool().integer(6), length = pool().integer(0), left = pool().boolean(true),
         format;
  const bool of_literal = v.type == ScalarType::kEnumeration && v.enumeration != nullptr;
  const bool is_real = v.type == ScalarType::kReal;
  const auto option = [&](std::string_view name, const Expr& value) {
    // The names of literals are filled up before the run.
    const ExprId given = of_literal ? eval_constant(value, c).scalar() : eval_scalar(value, c);
    const ScalarType wanted = name == "leftJustified" ? ScalarType::kBoolean
                              : name == "format"      ? ScalarType::kString
                                                      : ScalarType::kInteger;
    if (pool()[given].type != wanted) {
      fail(Code::kTypeMismatch,
           in_quotes(name) + " of `String` is " + std::string(to_string(wanted)) + ", not " +
               std::string(to_string(pool()[given].type)),
           span(c, value));
    }
    (name == "significantDigits" ? digits
     : name == "minimumLength"   ? length
     : name == "leftJustified"   ? left
                                 : format) = given;
  };
  std::vector<std::string> names{"minimumLength", "leftJustified"};
  if (is_real) names.insert(names.begin(), "significantDigits");
  if (e.positional.size() > names.size() + 1) {
    fail(Code::kWrongArguments,
         "`String` of this type has " + std::to_string(names.size()) + " options at most",
         span(c, *e.positional[names.size() + 1]));
  }
  for (std::size_t i = 1; i < e.positional.size(); ++i) option(names[i - 1], *e.positional[i]);
  if (is_real || v.type == ScalarType::kInteger) names.emplace_back("format");
  for (const NamedArgument& a : e.named) {
    if (std::ranges::find(names, a.name.text) == names.end()) {
      diag::Diagnostic d(Code::kWrongArguments,
                         "`String` of this type has no option " + in_quotes(a.name.text),
                         instances_.span(c.scope, a.name.range()));
      suggest_names(d, a.name.text, names, {}, "as options");
      throw Failure{std::move(d)};
    }
    option(a.name.text, *a.value);
  }
  if (of_literal) {
    const ClassDef* def = instances_.tree().definition(*v.enumeration);
    const int n = def == nullptr ? 0 : static_cast<int>(def->literals.size());
    const auto name_of = [&](int k) {
      return pool().string(padded_text(literal_name(*v.enumeration, k),
                                       saturated<int>(pool().value(length)),
                                       pool().value(left) != 0));
    };
    ExprId text = name_of(n);
    for (int k = n - 1; k >= 1; --k) {
      const ExprId is = pool().make(Op::kEqual, {x, pool().enumeration(k)});
      text = pool().if_else(is, name_of(k), text);
    }
    return scalar_value(pool(), text);
  }
  const auto known = [&](ExprId o) { return is_literal(pool(), o); };
  if (format.valid()) {
    if (!known(x) || !known(format)) {
      return scalar_value(pool(), pool().make(Op::kToString, {x, format}));
    }
    return string_value(
        formatted_text(v.type, pool().value(x), pool().text(StringId{pool()[format].index})));
  }
  const bool plain = pool().is_value(digits, 6) && pool().is_value(length, 0);
  if (!known(x) && plain) return scalar_value(pool(), pool().make(Op::kToString, {x}));
  if (!known(x) || !known(digits) || !known(length) || !known(left)) {
    return scalar_value(pool(), pool().make(Op::kToString, {x, digits, length, left}));
  }
  return string_value(value_text(v.type, pool().value(x), saturated<int>(pool().value(digits)),
                                 saturated<int>(pool().value(length)), pool().value(left) != 0));
}

}  // namespace arges::lang
