// String variables.

#include <utility>

#include <fmt/format.h>

#include "arges/base/index.h"
#include "arges/causalize/flat_rewrite.h"
#include "arges/causalize/passes.h"
#include "arges/expr/walk.h"

namespace arges {

namespace {

// What the equation of a string says stands where it is used; the variable is then there no more. A
// string that an event sets, or whose left limit is asked for, is a discrete variable as others
// are: the number that stands for its text is kept.
class StringSubstitution {
 public:
  explicit StringSubstitution(FlatModel& model)
      : model_(model), pool_(model.pool), value_(model.variables.size()) {}

  void run() {
    if (!find_variables()) return;
    keep_discrete();
    take_equations();
    for (std::size_t i = 0; i < value_.size(); ++i) {
      if (is_string_[i] && !value_[i].valid()) refuse_undetermined(model_.variables[i]);
    }
    for (std::size_t i = 0; i < value_.size(); ++i) {
      if (is_string_[i]) resolved(static_cast<std::int32_t>(i));
    }
    ExprRewriter replace(pool_, [this](ExprId e, std::span<const ExprId>) {
      return is_replaced(e) ? value_[at(pool_[e].index)] : ExprId{};
    });
    rewrite_equations(model_, [&](ExprId e) { return replace(e); });
    for (std::size_t i = 0; i < value_.size(); ++i) {
      if (is_string_[i]) model_.variables[i].absent = true;
    }
  }

 private:
  bool find_variables() {
    bool any = false;
    is_string_.assign(model_.variables.size(), 0);
    for (std::size_t i = 0; i < model_.variables.size(); ++i) {
      const FlatVariable& v = model_.variables[i];
      if (v.type != ScalarType::kString || v.variability <= FlatVariability::kParameter || v.absent)
        continue;
      is_string_[i] = 1;
      any = true;
      if (v.causality != Causality::kInput) continue;
      // Nobody changes an input during the run.
      value_[i] = v.binding.valid() ? v.binding : v.start.valid() ? v.start : pool_.string("");
    }
    return any;
  }

  [[noreturn]] void refuse(const std::string& what, const Origin& where) const {
    throw ModelError(diag::Code::kNotSupported, what, {place_in_text(pool_, where, "")});
  }
  [[noreturn]] void refuse_undetermined(const FlatVariable& v) const {
    throw ModelError(diag::Code::kTooFewEquations,
                     fmt::format("no equation gives the String variable `{}` its value", v.name),
                     {place_in_text(pool_, v.origin, "")});
  }

  bool is_replaced(ExprId e) const {
    return pool_[e].op == Op::kVar && is_string_[at(pool_[e].index)] != 0;
  }

  void keep_discrete() {
    const auto keep = [&](std::int32_t v) {
      if (!std::exchange(is_string_[at(v)], 0)) return;
      const FlatVariable& variable = model_.variables[at(v)];
      if (variable.causality == Causality::kInput) {
        refuse(fmt::format("the left limit of `{}`, an input of type String, is not supported",
                           variable.name),
               variable.origin);
      }
      model_.variables[at(v)].variability = FlatVariability::kDiscrete;
    };
    for (const WhenClause& clause : model_.whens) {
      for (const WhenBranch& branch : clause.branches) {
        for (const WhenAction& action : branch.actions) {
          if (action.kind == WhenAction::Kind::kAssign) keep(action.target.index);
        }
      }
    }
    for (std::int32_t i = 0; i < static_cast<std::int32_t>(pool_.size()); ++i) {
      const Op op = pool_[ExprId{i}].op;
      if (op == Op::kPre || op == Op::kChange) keep(pool_[ExprId{i}].index);
    }
  }

  // Each equation between strings gives one of its sides. Those that can give only one go first;
  // what is left over is too much, and said to be when the equations are sorted.
  void take_equations() {
    std::vector<char> is_taken(model_.equations.size(), 0);
    const auto take = [&](bool only_clear) {
      bool found = false;
      for (std::size_t i = 0; i < model_.equations.size(); ++i) {
        const FlatEquation& e = model_.equations[i];
        if (is_taken[i] || pool_[e.lhs].type != ScalarType::kString) continue;
        const auto is_free = [&](ExprId side) {
          return is_replaced(side) && !value_[at(pool_[side].index)].valid();
        };
        const bool left = is_free(e.lhs), right = !e.defines && is_free(e.rhs);
        if (left == right && (only_clear || !left)) continue;
        value_[at(pool_[left ? e.lhs : e.rhs].index)] = left ? e.rhs : e.lhs;
        is_taken[i] = 1;
        found = true;
        if (!only_clear) return true;
      }
      return found;
    };
    while (take(true) || take(false)) {
    }
    std::vector<FlatEquation> kept;
    for (std::size_t i = 0; i < model_.equations.size(); ++i) {
      if (!is_taken[i]) kept.push_back(model_.equations[i]);
    }
    model_.equations = std::move(kept);
  }

  // The value of a string over variables that are none.
  ExprId resolved(std::int32_t v) {
    enum : char { kOpen = 1, kDone = 2 };
    state_.resize(value_.size(), 0);
    char& state = state_[at(v)];
    ExprId& value = value_[at(v)];
    if (state == kDone) return value;
    const FlatVariable& variable = model_.variables[at(v)];
    if (state == kOpen) {
      throw ModelError(diag::Code::kDiscreteLoop,
                       fmt::format("the String variable `{}` depends on itself", variable.name),
                       {place_in_text(pool_, variable.origin, "")});
    }
    state = kOpen;
    ExprRewriter replace(pool_, [this](ExprId e, std::span<const ExprId>) {
      return is_replaced(e) ? resolved(pool_[e].index) : ExprId{};
    });
    value = replace(value);
    state = kDone;
    return value;
  }

  FlatModel& model_;
  ExprPool& pool_;
  std::vector<char> is_string_;  // by variable: to be replaced
  std::vector<ExprId> value_;    // by variable
  std::vector<char> state_;      // by variable, of resolved()
};

}  // namespace

void substitute_strings(FlatModel& model) { StringSubstitution(model).run(); }

}  // namespace arges
