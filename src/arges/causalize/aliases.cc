// Alias elimination.

#include <numeric>
#include <optional>
#include <unordered_map>

#include "arges/base/index.h"
#include "arges/causalize/flat_rewrite.h"
#include "arges/causalize/passes.h"
#include "arges/expr/walk.h"

namespace arges {

namespace {

constexpr int kMaxRounds = 20;

// Classes of variables that are equal up to the sign: union-find with signs.
class AliasClasses {
 public:
  explicit AliasClasses(std::size_t n) : parent_(n), sign_(n, 1) {
    std::iota(parent_.begin(), parent_.end(), 0);
  }
  // v = sign * root. Paths are halved on the way.
  std::pair<std::int32_t, int> find(std::int32_t v) {
    int sign = 1;
    while (parent_[at(v)] != v) {
      const std::int32_t p = parent_[at(v)];
      sign_[at(v)] *= parent_[at(p)] != p ? sign_[at(p)] : 1;
      parent_[at(v)] = parent_[at(p)];
      sign *= sign_[at(v)];
      v = parent_[at(v)];
    }
    return {v, sign};
  }
  // child = sign * root, both roots.
  void join(std::int32_t root, std::int32_t child, int sign) {
    parent_[at(child)] = root;
    sign_[at(child)] = sign;
  }

 private:
  std::vector<std::int32_t> parent_;
  std::vector<int> sign_;
};

struct SignedVariable {
  std::int32_t var;
  int sign;
};

std::optional<SignedVariable> signed_variable(const ExprPool& pool, ExprId e) {
  if (pool[e].op == Op::kVar) return SignedVariable{pool[e].index, 1};
  if (pool[e].op == Op::kNeg && pool[pool.arg(e, 0)].op == Op::kVar)
    return SignedVariable{pool[pool.arg(e, 0)].index, -1};
  return {};
}

// a = sign * b of an equation, if it is one.
struct AliasEquation {
  std::int32_t a, b;
  int sign;
};

std::optional<AliasEquation> alias_equation(const ExprPool& pool, const FlatEquation& e) {
  const auto left = signed_variable(pool, e.lhs), right = signed_variable(pool, e.rhs);
  if (left && right) return AliasEquation{left->var, right->var, left->sign * right->sign};
  ExprId sum;
  if (pool.is_value(e.rhs, 0)) sum = e.lhs;
  if (pool.is_value(e.lhs, 0)) sum = e.rhs;
  if (!sum.valid()) return {};
  const Op op = pool[sum].op;
  if (op != Op::kAdd && op != Op::kSub) return {};
  const auto a = signed_variable(pool, pool.arg(sum, 0)),
             b = signed_variable(pool, pool.arg(sum, 1));
  if (!a || !b) return {};
  return AliasEquation{a->var, b->var, a->sign * b->sign * (op == Op::kAdd ? -1 : 1)};
}

class AliasPass {
 public:
  explicit AliasPass(CausalModel& model)
      : model_(model),
        flat_(model.flat),
        classes_(flat_.variables.size()),
        value_(flat_.variables.size()) {}

  // Whether constants or twins were found: they may have left other equations of that kind.
  bool run() {
    is_differentiated_.assign(flat_.variables.size(), 0);
    for (std::int32_t i = 0; i < flat_.pool.size(); ++i) {
      const ExprNode& node = flat_.pool[ExprId{i}];
      if (node.op == Op::kDer) is_differentiated_[at(node.index)] = 1;
    }
    find_given_pasts();
    std::vector<FlatEquation> kept;
    bool constants = false;
    for (const FlatEquation& e : flat_.equations) {
      if (merge(e)) continue;
      if (give_constant(e)) {
        constants = true;
      } else {
        kept.push_back(e);
      }
    }
    flat_.equations = std::move(kept);
    const std::size_t earlier = model_.aliases.size();
    const std::int32_t n = static_cast<std::int32_t>(flat_.variables.size());
    ExprPool& pool = flat_.pool;
    for (std::int32_t v = 0; v < n; ++v) {
      const auto [root, sign] = classes_.find(v);
      if (root == v && !value_[at(v)].valid()) continue;
      const ExprId whole = root_value(root);
      model_.aliases.push_back({VarId{v}, sign < 0 ? pool.neg(whole) : whole});
    }
    rewrite(earlier);
    model_.statistics.aliases = static_cast<int>(model_.aliases.size());
    return find_twins() || constants;
  }

 private:
  bool is_known(std::int32_t v) const {
    const FlatVariable& x = flat_.variables[at(v)];
    return x.variability <= FlatVariability::kParameter || x.causality == Causality::kInput;
  }

  bool merge(const FlatEquation& e) {
    const auto alias = alias_equation(flat_.pool, e);
    if (!alias) return false;
    const FlatVariable& va = flat_.variables[at(alias->a)];
    const FlatVariable& vb = flat_.variables[at(alias->b)];
    if (va.type != vb.type || va.type == ScalarType::kString) return false;
    if (alias->sign < 0 && va.type != ScalarType::kReal) return false;
    // The condition of a when-statement in an algorithm: it fires by its own left limit, which is
    // its value at the start, not what the left limit of b in `when b` begins with.
    if (va.name.starts_with("$when") || vb.name.starts_with("$when")) return false;
    if (va.type == ScalarType::kReal && !is_known(alias->a) && !is_known(alias->b) &&
        va.variability != vb.variability)
      return false;
    auto [ra, sa] = classes_.find(alias->a);
    auto [rb, sb] = classes_.find(alias->b);
    if (ra == rb || (is_known(ra) && is_known(rb))) return false;  // says nothing new, or too much
    if (value_[at(ra)].valid() || value_[at(rb)].valid()) return false;
    const int sign = sa * alias->sign * sb;  // ra = sign * rb
    if (is_known(rb)) std::swap(ra, rb);     // the root stays: a known one, else the wanted one
    if (!is_known(ra) && wanted(rb) > wanted(ra)) std::swap(ra, rb);
    if (is_known(ra) && is_fixed(rb)) return false;
    if (have_own_pasts(ra, rb, sign)) return false;
    hand_over(ra, rb, sign);
    classes_.join(ra, rb, sign);
    has_given_past_[at(ra)] |= has_given_past_[at(rb)];
    return true;
  }

  // x = literal.
  bool give_constant(const FlatEquation& e) {
    const ExprPool& pool = flat_.pool;
    ExprId variable = e.lhs, constant = e.rhs;
    if (!pool.is_constant(constant)) std::swap(variable, constant);
    if (!pool.is_constant(constant)) return false;
    const auto v = signed_variable(pool, variable);
    if (!v || is_known(v->var) || (v->sign < 0 && pool[variable].type != ScalarType::kReal))
      return false;
    const auto [root, sign] = classes_.find(v->var);
    if (is_known(root) || value_[at(root)].valid() || is_fixed(root)) return false;
    if (has_given_past_[at(root)]) return false;
    if (pool[variable].type == ScalarType::kInteger && pool[constant].type == ScalarType::kReal)
      return false;  // an error, told where it is sorted
    value_[at(root)] = v->sign * sign < 0 ? flat_.pool.neg(constant) : constant;
    return true;
  }

  // x = e and y = e: the second becomes y = x. As they stand, they are two equations for the
  // unknowns of e, which no choice of states could make independent.
  bool find_twins() {
    const ExprPool& pool = flat_.pool;
    std::unordered_map<std::int32_t, ExprId> first;  // right side -> variable
    bool found = false;
    for (FlatEquation& e : flat_.equations) {
      const bool is_leaf = pool.args(e.rhs).empty() && pool[e.rhs].op != Op::kDer;
      if (e.defines || is_leaf || !is_continuous_unknown(e.lhs)) continue;
      const auto [it, is_new] = first.try_emplace(e.rhs.index, e.lhs);
      if (is_new || it->second == e.lhs) continue;
      e.rhs = it->second;
      found = true;
    }
    return found;
  }

  bool is_continuous_unknown(ExprId e) const {
    if (flat_.pool[e].op != Op::kVar) return false;
    const FlatVariable& v = flat_[flat_.pool.var(e)];
    return v.variability == FlatVariability::kContinuous && v.causality != Causality::kInput &&
           v.type == ScalarType::kReal;
  }

  void find_given_pasts() {
    has_given_past_.assign(flat_.variables.size(), 0);
    ExprWalker walker(flat_.pool);
    for (const FlatEquation& e : flat_.initial_equations) {
      for (const ExprId n : walker.new_nodes(std::vector{e.lhs, e.rhs})) {
        if (flat_.pool[n].op == Op::kPre) has_given_past_[at(flat_.pool[n].index)] = 1;
      }
    }
  }

  // A fixed start value of a discrete variable is that of its left limit only, and initial
  // equations may give one: two variables may be equal from the start on, and not have been so
  // before. So may a variable and a constant.
  bool have_own_pasts(std::int32_t a, std::int32_t b, int sign) const {
    const FlatVariable& va = flat_.variables[at(a)];
    const bool is_given_a = has_given_past_[at(a)] != 0, is_given_b = has_given_past_[at(b)] != 0;
    if ((is_given_a || is_given_b) && (is_known(a) || is_known(b))) return true;
    if ((is_given_a && (is_given_b || is_fixed(b))) || (is_given_b && is_fixed(a))) return true;
    return va.variability == FlatVariability::kDiscrete && is_fixed(a) && is_fixed(b) &&
           (sign < 0 || va.start != flat_.variables[at(b)].start);
  }

  bool is_fixed(std::int32_t v) const { return flat_.variables[at(v)].fixed.value_or(false); }

  int wanted(std::int32_t v) const {
    const FlatVariable& x = flat_.variables[at(v)];
    return 8 * static_cast<int>(x.state_select) + (is_differentiated_[at(v)] ? 4 : 0) +
           (is_fixed(v) ? 2 : 0) + (x.start.valid() && !x.start_of_type ? 1 : 0);
  }

  // What two names of one quantity ask for: the stronger wish. A name without a word (the position
  // of a connector) does not outweigh one that says `avoid` (the position of the body behind it).
  static StateSelect joint_wish(StateSelect a, StateSelect b) {
    const auto [weaker, stronger] = std::minmax(a, b);
    return stronger == StateSelect::kDefault && weaker == StateSelect::kAvoid ? weaker : stronger;
  }

  // The attributes of an eliminated variable count for the one that stays.
  void hand_over(std::int32_t to, std::int32_t from, int sign) {
    FlatVariable& a = flat_.variables[at(to)];
    const FlatVariable& b = flat_.variables[at(from)];
    if (is_known(to)) return;
    const bool is_weaker = !a.start.valid() || (a.start_of_type && !b.start_of_type);
    const bool takes_start =
        b.start.valid() && (is_fixed(from) != is_fixed(to) ? is_fixed(from) : is_weaker);
    if (takes_start) {
      a.start = sign < 0 ? flat_.pool.neg(b.start) : b.start;
      a.start_of_type = b.start_of_type;
    }
    // Two fixed values must agree: the second becomes an initial equation, to be checked.
    if (is_fixed(from) && is_fixed(to) && b.start.valid())
      flat_.initial_equations.push_back({flat_.ref(VarId{from}), b.start, b.origin});
    if (is_fixed(from)) a.fixed = true;
    if (!a.nominal.valid()) a.nominal = b.nominal;
    a.state_select = joint_wish(a.state_select, b.state_select);
  }

  ExprId root_value(std::int32_t root) {
    return value_[at(root)].valid() ? value_[at(root)] : flat_.ref(VarId{root});
  }

  void rewrite(std::size_t earlier_aliases) {
    ExprPool& pool = flat_.pool;
    ExprRewriter map(pool, [&](ExprId e, std::span<const ExprId>) {
      const ExprNode node = pool[e];
      if (node.op != Op::kVar && node.op != Op::kDer && node.op != Op::kPre &&
          node.op != Op::kEdge && node.op != Op::kChange)
        return ExprId{};
      const auto [root, sign] = classes_.find(node.index);
      if (root == node.index && !value_[at(root)].valid()) return ExprId{};
      const bool constant = value_[at(root)].valid() ||
                            flat_.variables[at(root)].variability <= FlatVariability::kParameter;
      ExprId mapped;
      switch (node.op) {
        case Op::kDer:
          mapped = constant ? pool.real(0) : pool.der(VarId{root});
          break;
        case Op::kPre:
          mapped = constant ? root_value(root) : pool.pre(VarId{root}, node.type);
          break;
        case Op::kEdge:
          return constant ? pool.boolean(false) : pool.edge(VarId{root});
        case Op::kChange:
          return constant ? pool.boolean(false) : pool.change(VarId{root});
        default:
          mapped = root_value(root);
      }
      return sign < 0 ? pool.neg(mapped) : mapped;
    });
    rewrite_equations(flat_, [&](ExprId e) { return map(e); });
    for (std::size_t k = 0; k < earlier_aliases; ++k)
      model_.aliases[k].value = map(model_.aliases[k].value);
    for (WhenClause& clause : flat_.whens) {
      for (WhenBranch& branch : clause.branches) {
        for (WhenAction& action : branch.actions) {
          if (!action.target.valid()) continue;
          const auto [root, sign] = classes_.find(action.target.index);
          action.target = VarId{root};
          if (sign < 0) action.value = pool.neg(action.value);
        }
      }
    }
  }

  CausalModel& model_;
  FlatModel& flat_;
  AliasClasses classes_;
  std::vector<char> is_differentiated_;
  std::vector<char> has_given_past_;  // initial equations say what was before the start
  std::vector<ExprId> value_;         // of a root: the constant that it is
};

}  // namespace

void eliminate_aliases(CausalModel& model) {
  FlatModel& flat = model.flat;
  // What a when-clause assigns is discrete, whatever its declaration says; so is all but Real.
  for (const WhenClause& clause : flat.whens) {
    for (const WhenBranch& branch : clause.branches) {
      for (const WhenAction& action : branch.actions) {
        if (action.kind == WhenAction::Kind::kAssign)
          flat[action.target].variability = FlatVariability::kDiscrete;
      }
    }
  }
  for (FlatVariable& v : flat.variables) {
    if (v.type != ScalarType::kReal && v.variability == FlatVariability::kContinuous)
      v.variability = FlatVariability::kDiscrete;
  }
  model.statistics.equations = static_cast<int>(flat.equations.size());
  for (int round = 0; round < kMaxRounds && AliasPass(model).run(); ++round) {
  }
}

}  // namespace arges
