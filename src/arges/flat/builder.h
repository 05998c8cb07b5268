#pragma once
// Flat models written in C++: for tests and generated models.
//
//   ModelBuilder m("Decay");
//   Ex k = m.parameter("k", 2), x = m.state("x", 1);
//   m.equation(der(x), -k * x);
//   FlatModel flat = m.take();

#include <initializer_list>
#include <string>
#include <vector>

#include "arges/flat/flat_model.h"

namespace arges {

// An expression together with its pool. Ex(3.0) is not possible: numbers take part in operators
// only.
struct Ex {
  ExprPool* pool = nullptr;
  ExprId id;

  VarId var() const { return pool->var(id); }
};

namespace expression {
inline Ex make(Op op, const Ex& a) { return {a.pool, a.pool->make(op, {a.id})}; }
inline Ex make(Op op, const Ex& a, const Ex& b) { return {a.pool, a.pool->make(op, {a.id, b.id})}; }
inline Ex number(const Ex& like, double v) { return {like.pool, like.pool->real(v)}; }
}  // namespace expression

inline Ex operator-(const Ex& a) { return expression::make(Op::kNeg, a); }
inline Ex operator!(const Ex& a) { return expression::make(Op::kNot, a); }
#define ARGES_OPERATOR(symbol, op)                                                               \
  inline Ex operator symbol(const Ex& a, const Ex& b) { return expression::make(op, a, b); }     \
  inline Ex operator symbol(const Ex& a, double b) { return a symbol expression::number(a, b); } \
  inline Ex operator symbol(double a, const Ex& b) { return expression::number(b, a) symbol b; }
ARGES_OPERATOR(+, Op::kAdd)
ARGES_OPERATOR(-, Op::kSub)
ARGES_OPERATOR(*, Op::kMul)
ARGES_OPERATOR(/, Op::kDiv)
ARGES_OPERATOR(<, Op::kLess)
ARGES_OPERATOR(<=, Op::kLessEqual)
ARGES_OPERATOR(>, Op::kGreater)
ARGES_OPERATOR(>=, Op::kGreaterEqual)
#undef ARGES_OPERATOR
inline Ex operator&&(const Ex& a, const Ex& b) { return expression::make(Op::kAnd, a, b); }
inline Ex operator||(const Ex& a, const Ex& b) { return expression::make(Op::kOr, a, b); }
inline Ex sin(const Ex& a) { return expression::make(Op::kSin, a); }
inline Ex cos(const Ex& a) { return expression::make(Op::kCos, a); }
inline Ex exp(const Ex& a) { return expression::make(Op::kExp, a); }
inline Ex sqrt(const Ex& a) { return expression::make(Op::kSqrt, a); }
inline Ex floor(const Ex& a) { return expression::make(Op::kFloor, a); }
inline Ex no_event(const Ex& a) { return expression::make(Op::kNoEvent, a); }
inline Ex der(const Ex& x) { return {x.pool, x.pool->der(x.var())}; }
inline Ex pre(const Ex& x) { return {x.pool, x.pool->pre(x.var(), (*x.pool)[x.id].type)}; }
inline Ex if_else(const Ex& c, const Ex& a, const Ex& b) {
  return {c.pool, c.pool->if_else(c.id, a.id, b.id)};
}

class ModelBuilder {
 public:
  explicit ModelBuilder(std::string name) { model_.name = std::move(name); }

  Ex variable(FlatVariable v) { return ex(model_.ref(model_.add(std::move(v)))); }
  Ex real(const std::string& name) { return variable(named(name)); }
  Ex real(const std::string& name, double guess) {
    FlatVariable v = named(name);
    v.start = model_.pool.real(guess);
    return variable(std::move(v));
  }
  // With a fixed start value.
  Ex state(const std::string& name, double start) {
    FlatVariable v = named(name);
    v.start = model_.pool.real(start);
    v.fixed = true;
    return variable(std::move(v));
  }
  Ex parameter(const std::string& name, double value) { return parameter(name, number(value)); }
  Ex parameter(const std::string& name, const Ex& value) {
    FlatVariable v = named(name);
    v.variability = FlatVariability::kParameter;
    v.binding = value.id;
    return variable(std::move(v));
  }
  Ex discrete(const std::string& name, double start, ScalarType type = ScalarType::kReal) {
    FlatVariable v = named(name);
    v.type = type;
    v.variability = FlatVariability::kDiscrete;
    v.start = type == ScalarType::kBoolean   ? model_.pool.boolean(start != 0)
              : type == ScalarType::kInteger ? model_.pool.integer(static_cast<std::int64_t>(start))
                                             : model_.pool.real(start);
    return variable(std::move(v));
  }
  Ex input(const std::string& name, double value) {
    FlatVariable v = named(name);
    v.causality = Causality::kInput;
    v.binding = model_.pool.real(value);
    return variable(std::move(v));
  }

  Ex number(double v) { return ex(model_.pool.real(v)); }
  Ex time() { return ex(model_.pool.time()); }
  Ex initial() { return ex(model_.pool.initial()); }
  Ex text(const std::string& s) { return ex(model_.pool.string(s)); }
  Ex sample(double start, double interval) {
    return ex(model_.pool.make(Op::kSample, {model_.pool.real(start), model_.pool.real(interval)}));
  }
  Ex ex(ExprId id) { return {&model_.pool, id}; }

  void equation(const Ex& lhs, const Ex& rhs) { model_.equations.push_back({lhs.id, rhs.id, {}}); }
  void equation(const Ex& lhs, double rhs) { equation(lhs, number(rhs)); }
  void initial_equation(const Ex& lhs, const Ex& rhs) {
    model_.initial_equations.push_back({lhs.id, rhs.id, {}});
  }
  void initial_equation(const Ex& lhs, double rhs) { initial_equation(lhs, number(rhs)); }

  static WhenAction assign(const Ex& v, const Ex& value) {
    return {WhenAction::Kind::kAssign, v.var(), value.id, {}, AssertionLevel::kError, {}};
  }
  static WhenAction reinit(const Ex& v, const Ex& value) {
    return {WhenAction::Kind::kReinit, v.var(), value.id, {}, AssertionLevel::kError, {}};
  }
  static WhenAction terminate(const Ex& message) {
    return {WhenAction::Kind::kTerminate, {}, {}, message.id, AssertionLevel::kError, {}};
  }
  void when(const Ex& condition, std::vector<WhenAction> actions) {
    model_.whens.push_back({{{{condition.id}, std::move(actions)}}, {}});
  }
  // Another branch of the last when.
  void elsewhen(const Ex& condition, std::vector<WhenAction> actions) {
    model_.whens.back().branches.push_back({{condition.id}, std::move(actions)});
  }
  void check(const Ex& condition, const Ex& message) {
    model_.asserts.push_back({condition.id, message.id, AssertionLevel::kError, {}});
  }

  FlatModel& model() { return model_; }
  FlatModel take() { return std::move(model_); }

 private:
  static FlatVariable named(const std::string& name) {
    FlatVariable v;
    v.name = name;
    return v;
  }
  FlatModel model_;
};

}  // namespace arges
