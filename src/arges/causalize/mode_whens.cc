#include "arges/causalize/mode_whens.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "arges/causalize/passes.h"
#include "arges/expr/walk.h"

namespace arges {

namespace {

class LeftLimits {
 public:
  explicit LeftLimits(FlatModel& whole) : whole_(whole), pool_(whole.pool), walker_(pool_) {}

  void run() {
    keep_variables();
    for (WhenClause& w : whole_.whens) {
      for (WhenBranch& b : w.branches) keep_conditions(b.conditions, w.origin);
    }
  }

 private:
  // A variable of the text that is the one side of an equation.
  void keep_variables() {
    std::vector<char> has_left_limit(whole_.variables.size(), 0);
    for (std::int32_t i = 0; i < pool_.size(); ++i) {
      const ExprNode& node = pool_[ExprId{i}];
      if (node.op == Op::kPre || node.op == Op::kEdge || node.op == Op::kChange)
        has_left_limit[static_cast<std::size_t>(node.index)] = 1;
    }
    const std::size_t count = whole_.equations.size();
    for (std::size_t i = 0; i < count; ++i) {
      FlatEquation e = whole_.equations[i];
      if (pool_[e.lhs].op != Op::kVar) std::swap(e.lhs, e.rhs);
      if (pool_[e.lhs].op != Op::kVar) continue;
      const VarId v = pool_.var(e.lhs);
      if (!has_left_limit[static_cast<std::size_t>(v.index)] ||
          whole_[v].type == ScalarType::kReal || whole_[v].type == ScalarType::kString)
        continue;
      e.rhs = not_constant(v, e.rhs);
      whole_.equations[i] = e;
    }
  }

  void keep_conditions(std::vector<ExprId>& conditions, const Origin& origin) {
    for (ExprId& c : conditions) {
      if (!c.valid() || happens_by_itself(c)) continue;
      FlatVariable condition;
      // In its block: it is there when that is.
      const std::string_view block =
          origin.component.valid() ? std::string_view(pool_.text(origin.component)) : "";
      condition.name = fmt::format("{}{}$when{}", block, block.empty() ? "" : ".", ++conditions_);
      condition.type = ScalarType::kBoolean;
      condition.variability = FlatVariability::kDiscrete;
      condition.hidden = true;
      const VarId v = whole_.add(std::move(condition));
      whole_.equations.push_back({whole_.ref(v), not_constant(v, c), origin, true});
      c = whole_.ref(v);
    }
  }

  // By a clock of its own, not because something else has changed.
  bool happens_by_itself(ExprId condition) {
    const auto nodes = walker_.nodes(condition);
    return std::any_of(nodes.begin(), nodes.end(), [&](ExprId e) {
      const Op op = pool_[e].op;
      return op == Op::kSample || op == Op::kInitial || op == Op::kTerminal;
    });
  }

  // The same value, but not known before the run.
  ExprId not_constant(VarId v, ExprId value) {
    if (!never_.valid()) never_ = unchanging("$never", ScalarType::kBoolean);
    VarId& other = others_[static_cast<std::size_t>(whole_[v].type)];
    if (!other.valid())
      other = unchanging(fmt::format("$other{}", static_cast<int>(whole_[v].type)), whole_[v].type);
    return pool_.if_else(whole_.ref(never_), whole_.ref(other), value);
  }

  // A variable that is 0, or false, always.
  VarId unchanging(std::string name, ScalarType type) {
    FlatVariable made;
    made.name = std::move(name);
    made.type = type;
    made.variability = FlatVariability::kDiscrete;
    made.hidden = true;
    const VarId v = whole_.add(std::move(made));
    whole_.equations.push_back({whole_.ref(v), pool_.pre(v, type), {}, true});
    return v;
  }

  FlatModel& whole_;
  ExprPool& pool_;
  ExprWalker walker_;
  VarId never_;
  std::array<VarId, 8> others_;  // by type
  int conditions_ = 0;
};

}  // namespace

void keep_left_limits(FlatModel& whole) {
  expand_algorithms(whole);
  LeftLimits(whole).run();
}

}  // namespace arges
