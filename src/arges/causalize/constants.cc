// Parameters whose value is settled before the run.

#include "arges/base/index.h"
#include "arges/causalize/flat_rewrite.h"
#include "arges/causalize/passes.h"
#include "arges/expr/walk.h"

namespace arges {

namespace {

class ConstantFolding {
 public:
  explicit ConstantFolding(FlatModel& flat)
      : flat_(flat),
        known_(flat.variables.size()),
        visited_(flat.variables.size(), 0),
        map_(flat.pool, [this](ExprId e, std::span<const ExprId>) { return value(e); }) {}

  void run() {
    for (std::size_t i = 0; i < flat_.variables.size(); ++i) settle(static_cast<std::int32_t>(i));
    rewrite_equations(flat_, [&](ExprId e) { return map_(e); });
  }

 private:
  ExprId value(ExprId e) const {
    return flat_.pool[e].op == Op::kVar ? known_[at(flat_.pool[e].index)] : ExprId{};
  }

  bool is_settled(const FlatVariable& v) const {
    return (v.evaluate || v.variability == FlatVariability::kConstant) &&
           v.variability <= FlatVariability::kParameter && v.type != ScalarType::kString &&
           v.binding.valid();
  }

  // Depth first over what bindings use: with a stack of its own, as chains may be long.
  void settle(std::int32_t root) {
    std::vector<std::int32_t> stack{root};
    while (!stack.empty()) {
      const std::int32_t v = stack.back();
      const FlatVariable& variable = flat_.variables[at(v)];
      if (visited_[at(v)] == 2 || !is_settled(variable)) {
        visited_[at(v)] = 2;
        stack.pop_back();
        continue;
      }
      if (visited_[at(v)] == 0) {
        visited_[at(v)] = 1;  // a cycle is left to the pass that orders parameters
        for (const ExprId e : walker_.nodes(variable.binding)) {
          if (flat_.pool[e].op == Op::kVar && visited_[at(flat_.pool[e].index)] == 0)
            stack.push_back(flat_.pool[e].index);
        }
        continue;
      }
      visited_[at(v)] = 2;
      stack.pop_back();
      // Of a rewriter of its own: what the other one remembers must not be from before.
      ExprRewriter map(flat_.pool, [this](ExprId e, std::span<const ExprId>) { return value(e); });
      const ExprId folded = map(variable.binding);
      if (flat_.pool.is_constant(folded)) known_[at(v)] = folded;
    }
  }

  FlatModel& flat_;
  std::vector<ExprId> known_;  // by VarId
  std::vector<char> visited_;
  ExprWalker walker_{flat_.pool};
  ExprRewriter map_;
};

}  // namespace

void fold_constants(FlatModel& model) { ConstantFolding(model).run(); }

}  // namespace arges
