// Operators of clocks. They stay calls of functions that causalisation knows.

#include <algorithm>

#include "arges/flatten/evaluator.h"
#include "arges/parse/print.h"

namespace arges::lang {

using diag::Code;

namespace {

constexpr std::string_view kOfValues[] = {"previous",    "hold",       "subSample", "superSample",
                                          "shiftSample", "backSample", "noClock"};

}  // namespace

bool Evaluator::is_clock(const Value& v) {
  if (!v.is_scalar()) return false;
  const ExprNode node = pool()[v.scalar()];
  if (node.op == Op::kVar) return model_[pool().var(v.scalar())].is_clock;
  if (node.op != Op::kResult) return false;
  const ExprId call = pool().arg(v.scalar(), 0);
  const FlatFunction& f = model_.functions[static_cast<std::size_t>(pool()[call].index)];
  if (!f.is_model_operator()) return false;
  if (f.external.ends_with("Clock") && !f.external.ends_with("noClock")) return true;
  const bool changes_rate = f.external.ends_with("Sample");
  return changes_rate && is_clock(scalar_value(pool(), pool().arg(call, 0)));
}

// Clock(), Clock(interval), Clock(counter, resolution), Clock(condition, startInterval),
// Clock(c, solverMethod)
Value Evaluator::clock_constructor(const CallExpr& e, const Context& c) {
  const diag::Span where = span(c, e);
  const auto made = [&](std::string_view name, const std::vector<Value>& arguments) {
    return scalar_value(pool(),
                        pool().result(operator_call(name, arguments, {ScalarType::kBoolean}), 0,
                                      ScalarType::kBoolean));
  };
  const auto given = [&](std::size_t i, std::initializer_list<std::string_view> names) {
    const Expr* found = nullptr;
    for (const std::string_view name : names) {
      if (found == nullptr) found = optional_argument(e, i, name);
    }
    return found;
  };
  const Expr* first = given(0, {"c", "interval", "intervalCounter", "condition"});
  if (first == nullptr) return made("inferredClock", {});
  Value v = eval(*first, c);
  if (!v.is_scalar()) fail(Code::kTypeMismatch, "`Clock` needs a scalar", span(c, *first));
  const Expr* second = given(1, {"resolution", "startInterval", "solverMethod"});
  if (is_clock(v)) {
    if (second == nullptr) return v;
    const Value method = eval_constant(*second, c);
    if (!method.is_scalar() || method.type != ScalarType::kString) {
      fail(Code::kTypeMismatch, "`solverMethod` is a String", span(c, *second));
    }
    const std::string text = pool().text(StringId{pool()[method.scalar()].index});
    if (text.empty()) return v;
    // In the order of the middle's ClockSolver.
    constexpr std::string_view kMethods[] = {"ExplicitEuler", "ImplicitEuler", "ImplicitTrapezoid",
                                             "ExplicitMidPoint2", "ExplicitRungeKutta4"};
    const auto found = std::find(std::begin(kMethods), std::end(kMethods), text);
    if (found == std::end(kMethods)) {
      fail(Code::kNotSupported,
           "clocks with the solver " + in_quotes(text) +
               " are not supported yet: ExplicitEuler, ExplicitMidPoint2, ExplicitRungeKutta4, "
               "ImplicitEuler and ImplicitTrapezoid are",
           where);
    }
    const int number = static_cast<int>(found - std::begin(kMethods)) + 1;
    return made("solverClock", {v, scalar_value(pool(), pool().integer(number))});
  }
  if (v.type == ScalarType::kBoolean) {
    const ExprId start =
        second == nullptr ? pool().real(0) : convert(eval_scalar(*second, c), ScalarType::kReal);
    return made("eventClock", {v, scalar_value(pool(), start)});
  }
  if (v.type == ScalarType::kInteger) {
    const auto counted = [&](const Expr& x, std::string_view what) {
      const int n = integer_argument(x, c);
      if (n <= 0) {
        fail(Code::kWrongArguments, "the " + std::string(what) + " of a clock is positive",
             span(c, x));
      }
      return scalar_value(pool(), pool().integer(n));
    };
    const Value resolution = second == nullptr ? scalar_value(pool(), pool().integer(1))
                                               : counted(*second, "resolution");
    if (!changes(v.scalar()).empty()) return made("varyingClock", {v, resolution});
    return made("rationalClock", {counted(*first, "interval"), resolution});
  }
  if (v.type != ScalarType::kReal) {
    fail(Code::kTypeMismatch, "`Clock` needs an interval, a condition or a clock", where);
  }
  if (!changes(v.scalar()).empty())
    return made("varyingClock", {v, scalar_value(pool(), pool().integer(1))});
  return made("periodicClock", {v});
}

std::optional<Value> Evaluator::clock_builtin(std::string_view name, const CallExpr& e,
                                              const Context& c) {
  const bool with_value =
      std::find(std::begin(kOfValues), std::end(kOfValues), name) != std::end(kOfValues);
  const bool samples = name == "sample";
  if (!with_value && !samples && name != "Clock" && name != "interval" && name != "firstTick") {
    return std::nullopt;
  }
  std::vector<Value> more;
  if (samples) {
    if (const Expr* clock = optional_argument(e, 1, "c")) {
      more.push_back(eval(*clock, c));
      if (!is_clock(more[0])) return std::nullopt;  // sample(start, interval)
    } else if (optional_argument(e, 1, "interval") != nullptr) {
      return std::nullopt;
    }
  }
  const diag::Span where = span(c, e);
  if (c.structural || c.in_function) {
    fail(Code::kNotConstant,
         in_quotes(name) + " is an operator of models, not known before the run", where);
  }
  if (name == "Clock") return clock_constructor(e, c);
  if (name == "interval" || name == "firstTick") {
    const ScalarType type = name == "interval" ? ScalarType::kReal : ScalarType::kBoolean;
    std::vector<Value> arguments;
    if (const Expr* u = optional_argument(e, 0, "u")) {
      Value v = eval(*u, c);
      if (v.elements.empty()) fail(Code::kWrongArguments, "a variable is needed here", where);
      arguments.push_back(scalar_value(pool(), v.elements[0]));
    }
    const ExprId result = pool().result(operator_call(name, arguments, {type}), 0, type);
    pool().keep(result);
    return scalar_value(pool(), result);
  }
  const auto number = [&](std::size_t i, const char* parameter, int standard, int least) {
    const Expr* given = optional_argument(e, i, parameter);
    const int n = given == nullptr ? standard : integer_argument(*given, c);
    if (n < least) {
      fail(Code::kWrongArguments,
           in_quotes(parameter) + " of " + in_quotes(name) + " is " + std::to_string(least) +
               " at least",
           where);
    }
    more.push_back(scalar_value(pool(), pool().integer(n)));
  };
  if (name == "subSample" || name == "superSample") number(1, "factor", 0, 0);
  if (name == "shiftSample" || name == "backSample") {
    number(1, name == "shiftSample" ? "shiftCounter" : "backCounter", 0, 0);
    number(2, "resolution", 1, 1);
  }
  const auto apply = [&](auto&& self, Value& v) -> void {
    for (ExprId& x : v.elements) {
      if (name == "previous") as_variable(x, name, where);
      std::vector<Value> arguments{scalar_value(pool(), x)};
      arguments.insert(arguments.end(), more.begin(), more.end());
      const ScalarType type = pool()[x].type;
      x = pool().result(operator_call(name, arguments, {type}), 0, type);
      pool().keep(x);  // also where 0 is multiplied with it: it says when that ticks
    }
    for (auto& [field, f] : v.fields) self(self, f);
  };
  Value v = eval(argument(e, 0, "u", c), c);
  apply(apply, v);
  return v;
}

}  // namespace arges::lang
