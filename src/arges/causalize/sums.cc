#include "arges/causalize/sums.h"

#include <algorithm>
#include <cmath>

#include "arges/base/index.h"

namespace arges {

namespace {

void collect(const ExprPool& pool, ExprId e, double factor, bool on_left, Sum& terms) {
  struct Open {
    ExprId e;
    double factor;
  };
  std::vector<Open> open{{e, factor}};
  while (!open.empty()) {
    const auto [part, f] = open.back();
    open.pop_back();
    const auto args = pool.args(part);
    const Op op = pool[part].op;
    const auto number = [&](int i) {
      return pool.is_constant(args[at(i)]) ? pool.value(args[at(i)]) : 0;
    };
    if (op == Op::kAdd || op == Op::kSub) {
      open.push_back({args[0], f});
      open.push_back({args[1], op == Op::kSub ? -f : f});
    } else if (op == Op::kNeg) {
      open.push_back({args[0], -f});
    } else if (op == Op::kMul && number(0) != 0) {
      open.push_back({args[1], f * number(0)});
    } else if (op == Op::kDiv && number(1) != 0) {
      open.push_back({args[0], f / number(1)});
    } else if (!pool.is_constant(part) || pool.value(part) != 0) {
      terms.push_back({part, f, on_left});
    }
  }
}

ExprId side(ExprPool& pool, const Sum& sum, bool on_left) {
  ExprId result;
  for (const SumTerm& t : sum) {
    if (t.on_left != on_left) continue;
    const double factor = on_left ? t.factor : -t.factor;
    const double size = std::abs(factor);
    const ExprId term = size == 1 ? t.of : pool.mul(pool.real(size), t.of);
    if (!result.valid())
      result = factor < 0 ? pool.neg(term) : term;
    else
      result = factor < 0 ? pool.sub(result, term) : pool.add(result, term);
  }
  return result.valid() ? result : pool.real(0);
}

}  // namespace

Sum sum_of(const ExprPool& pool, const FlatEquation& equation) {
  Sum terms;
  if (equation.defines || pool[equation.lhs].type != ScalarType::kReal) return terms;
  collect(pool, equation.lhs, 1, true, terms);
  collect(pool, equation.rhs, -1, false, terms);
  std::stable_sort(terms.begin(), terms.end(),
                   [](const SumTerm& a, const SumTerm& b) { return a.of.index < b.of.index; });
  const auto twice = std::adjacent_find(
      terms.begin(), terms.end(), [](const SumTerm& a, const SumTerm& b) { return a.of == b.of; });
  if (twice != terms.end()) terms.clear();
  return terms;
}

void write_sum(ExprPool& pool, const Sum& sum, FlatEquation& equation) {
  equation.lhs = side(pool, sum, true);
  equation.rhs = side(pool, sum, false);
}

}  // namespace arges
