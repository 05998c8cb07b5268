#include "arges/causalize/late_rates.h"

#include "arges/flat/differentiate_function.h"

namespace arges {

LateRates::LateRates(FlatModel& flat, const std::vector<VarId>& columns,
                     const std::vector<int>& derivative)
    : flat_(flat),
      variables_(flat.variables.size()),
      inlined_late_(flat),
      differentiate_(
          flat.pool, [this](ExprId leaf) { return rate_of(leaf); },
          call_derivative(flat, DerivativeBy::kTime)),
      walker_(flat.pool) {
  for (std::size_t c = 0; c < columns.size(); ++c) {
    stands_for_[columns[c].index] = {static_cast<int>(c), 0};
    if (derivative[c] >= 0)
      derivative_[columns[c].index] = columns[static_cast<std::size_t>(derivative[c])];
  }
}

ExprId LateRates::rate_of(ExprId leaf) {
  const ExprNode node = flat_.pool[leaf];
  if (node.op == Op::kTime) return flat_.pool.real(1);
  if (node.op != Op::kVar) return {};
  const auto variable = stands_for_.find(node.index);
  if (variable == stands_for_.end())
    return {};  // an input, if it matters, is reported when it is needed
  const auto known = derivative_.find(node.index);
  if (known != derivative_.end()) return flat_.ref(known->second);
  const structure::Rate rate{variable->second.variable, variable->second.times + 1};
  const VarId placeholder = flat_.add({});
  stands_for_[placeholder.index] = rate;
  derivative_[node.index] = placeholder;
  return flat_.ref(placeholder);
}

std::optional<std::vector<structure::Rate>> LateRates::operator()(const CausalEquation& e,
                                                                  int order) {
  const CausalEquation inlined = inlined_late_(e);
  if (inlined.lhs == e.lhs && inlined.rhs == e.rhs) return {};
  CausalEquation derived;
  derived.lhs = flat_.pool.sub(e.lhs, e.rhs);
  derived.rhs = flat_.pool.real(0);
  for (int k = 0; k < order; ++k) {
    ExprId& next = derived_from_[derived.lhs.index];
    if (!next.valid()) next = differentiate_(derived.lhs);
    derived.lhs = next;
  }
  std::vector<structure::Rate> rates;
  for (const ExprId n : walker_.nodes(inlined_late_(derived).lhs)) {
    if (flat_.pool[n].op != Op::kVar) continue;
    const auto variable = stands_for_.find(flat_.pool[n].index);
    if (variable != stands_for_.end()) rates.push_back(variable->second);
  }
  return rates;
}

}  // namespace arges
