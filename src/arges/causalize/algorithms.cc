// Algorithm sections to equations.

#include <map>
#include <set>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include <fmt/format.h>

#include "arges/base/error.h"
#include "arges/causalize/passes.h"
#include "arges/expr/walk.h"

namespace arges {

namespace {

// Runs the statements on expressions instead of numbers. The value of a variable after an `if` is
// an if-expression over its values after the branches. An array element with a subscript found at
// the run is as many branches as there are elements.
class SymbolicExecution {
 public:
  SymbolicExecution(FlatModel& model, bool initial) : model_(model), initial_(initial) {}

  void run(const FlatAlgorithm& algorithm) {
    env_.clear();
    active_ = model_.pool.boolean(true);
    collect_targets(algorithm.body);
    const Env at_entry = env_;
    origin_ = algorithm.origin;
    execute(algorithm.body);
    auto& list = initial_ ? model_.initial_equations : model_.equations;
    for (const auto& [v, e] : env_) {
      if (initial_ && e == at_entry.at(v)) continue;
      const auto settled = settled_.find(v);
      list.push_back({model_.ref(VarId{v}), settled != settled_.end() ? settled->second : e,
                      origin_, !initial_});
    }
  }

 private:
  using Env = std::map<std::int32_t, ExprId>;  // ordered: the result must not depend on hashes

  // On entry, discrete variables have their left limit, others their start value.
  void collect_targets(const std::vector<Statement>& body) {
    for (const Statement& s : body) {
      if (s.kind == Statement::Kind::kAssign) ++assignments_[s.target.index];
      if (s.kind == Statement::Kind::kAssign && !env_.count(s.target.index)) {
        const FlatVariable& v = model_[s.target];
        const bool discrete =
            v.type != ScalarType::kReal || v.variability == FlatVariability::kDiscrete || in_when_;
        if (in_when_) model_[s.target].variability = FlatVariability::kDiscrete;
        ExprId entry = discrete ? model_.pool.pre(s.target, v.type) : v.start;
        if (!entry.valid()) entry = model_.pool.real(0);
        env_[s.target.index] = entry;
      } else if (s.kind == Statement::Kind::kAssign && in_when_) {
        model_[s.target].variability = FlatVariability::kDiscrete;
        env_[s.target.index] = model_.pool.pre(s.target, model_[s.target].type);
      }
      const bool outer = in_when_;
      in_when_ = in_when_ || s.kind == Statement::Kind::kWhen;
      for (const auto& b : s.branches) collect_targets(b.body);
      in_when_ = outer;
    }
  }

  // With what the variables are now. The work is that of the expression, not of the pool; what the
  // assignments before have in common with it (a call, of which each takes a result) is done.
  ExprId value(ExprId root) {
    ExprPool& pool = model_.pool;
    if (const auto it = mapped_.find(root.index); it != mapped_.end()) return it->second;
    std::vector<ExprId> args;
    for (const ExprId e : walker_.new_nodes({&root, 1})) {
      ExprId& result = mapped_[e.index];
      result = e;
      if (pool[e].op == Op::kVar) {
        read_.insert(pool[e].index);
        if (const auto it = env_.find(pool[e].index); it != env_.end()) result = it->second;
        continue;
      }
      args.clear();
      bool changed = false;
      for (const ExprId a : pool.args(e)) {
        args.push_back(mapped_.at(a.index));
        changed = changed || args.back() != a;
      }
      if (changed) result = pool.rebuild(e, args);
    }
    return mapped_.at(root.index);
  }

  void forget_values() {
    mapped_.clear();
    read_.clear();
    walker_.clear();
  }

  void assign(std::int32_t v, ExprId e) {
    if (read_.contains(v)) forget_values();
    ExprId& now = env_[v];
    if (journal_ != nullptr) journal_->try_emplace(v, now);
    now = e;
  }

  // What `body` assigns, as it comes out; the variables themselves are as before.
  template <class Body>
  Env outcome(Body body) {
    Env before;
    Env* const outer = std::exchange(journal_, &before);
    body();
    journal_ = outer;
    for (auto& [v, e] : before) {
      if (read_.contains(v)) forget_values();
      std::swap(env_[v], e);
    }
    return before;
  }

  struct Choice {
    ExprId condition, taken;  // taken: and none of those before
    Env outcome;
  };

  // The work is that of the assignments in the branches. With many branches, of which each assigns
  // something else (an element of an array), a chain of all conditions for each variable would be
  // their square.
  void merge(const std::vector<Choice>& choices) {
    constexpr std::size_t kChain = 8;
    std::map<std::int32_t, std::vector<const Choice*>> changed;
    for (const Choice& choice : choices) {
      for (const auto& [v, e] : choice.outcome) changed[v].push_back(&choice);
    }
    ExprPool& pool = model_.pool;
    for (const auto& [v, by] : changed) {
      const ExprId before = env_[v];
      ExprId after = before;
      if (choices.size() > kChain) {
        for (std::size_t k = by.size(); k-- > 0;)
          after = pool.if_else(by[k]->taken, by[k]->outcome.at(v), after);
      } else {
        for (std::size_t k = choices.size(); k-- > 0;) {
          const auto it = choices[k].outcome.find(v);
          after = pool.if_else(choices[k].condition,
                               it == choices[k].outcome.end() ? before : it->second, after);
        }
      }
      assign(v, after);
    }
  }

  void execute(const std::vector<Statement>& body) {
    for (const Statement& s : body) execute(s);
  }

  void execute(const Statement& s) {
    ExprPool& pool = model_.pool;
    switch (s.kind) {
      case Statement::Kind::kAssign: {
        const ExprId e = value(s.value);
        assign(s.target.index, is_settled_by(s, e) ? settle(s.target, e) : e);
        return;
      }
      case Statement::Kind::kIf:
      case Statement::Kind::kWhen:
        return choose(s);
      case Statement::Kind::kAssert: {
        check(value(s.value), s);
        return;
      }
      case Statement::Kind::kTerminate:
        check(pool.boolean(false), s);
        return;
      case Statement::Kind::kReinit: {
        WhenAction action;
        action.kind = WhenAction::Kind::kReinit;
        action.target = s.target;
        action.value = value(s.value);
        action.origin = s.origin;
        model_.whens.push_back({{{{active_}, {action}}}, s.origin});
        return;
      }
      default:
        throw ModelError(
            diag::Code::kLoopInAlgorithm,
            fmt::format(
                "an algorithm section of '{}' uses a loop whose bounds or subscripts are not known "
                "before the run, or break or return; write it as a function",
                model_.name),
            {place_in_text(pool, s.origin, "")});
    }
  }

  // An assert or terminate, where its branch is taken; of an initial algorithm at the start only.
  void check(ExprId condition, const Statement& s) {
    ExprPool& pool = model_.pool;
    FlatAssert a{pool.make(Op::kOr, {pool.make(Op::kNot, {active_}), condition}), value(s.message),
                 s.level, s.origin, s.kind == Statement::Kind::kTerminate};
    if (initial_) {
      const ExprId later = pool.make(Op::kNot, {pool.make(Op::kInitial, {})});
      a.condition = pool.make(Op::kNoEvent, {pool.make(Op::kOr, {later, a.condition})});
    }
    model_.asserts.push_back(a);
  }

  // The only assignment, whatever happens: from now on the variable is what its equation says. Were
  // the expression itself what others read, a chain y[i] := y[i - 1] + x[i] would grow with the
  // square of its length. (Constants are read: they decide which branch is taken.)
  bool is_settled_by(const Statement& s, ExprId value) const {
    return !initial_ && journal_ == nullptr && assignments_.at(s.target.index) == 1 &&
           model_[s.target].type != ScalarType::kString && !model_.pool.args(value).empty();
  }
  ExprId settle(VarId v, ExprId value) {
    settled_[v.index] = value;
    return model_.ref(v);
  }

  // All branches begin with the values of before.
  void choose(const Statement& s) {
    ExprPool& pool = model_.pool;
    const ExprId active = active_;
    ExprId none = pool.boolean(true);  // no branch so far
    std::vector<Choice> choices;
    for (const Statement::Branch& branch : s.branches) {
      ExprId condition = pool.boolean(branch.conditions.empty());
      for (const ExprId c : branch.conditions) {
        const ExprId v = value(c);
        condition =
            pool.make(Op::kOr, {condition, s.kind == Statement::Kind::kWhen ? becomes_true(v) : v});
      }
      const ExprId taken = pool.make(Op::kAnd, {none, condition});
      active_ = pool.make(Op::kAnd, {active, taken});
      choices.push_back({condition, taken, outcome([&] { execute(branch.body); })});
      none = pool.make(Op::kAnd, {none, pool.make(Op::kNot, {condition})});
      if (branch.conditions.empty()) break;
    }
    active_ = active;
    merge(choices);
  }

  // A condition of a when-statement gets a variable, to have a left limit.
  ExprId becomes_true(ExprId condition) {
    ExprPool& pool = model_.pool;
    if (pool[condition].op == Op::kInitial) return condition;
    FlatVariable v;
    v.name = fmt::format("$whenStatement{}", model_.variables.size());
    v.type = ScalarType::kBoolean;
    v.variability = FlatVariability::kDiscrete;
    v.hidden = true;
    const VarId id = model_.add(v);
    model_.equations.push_back({model_.ref(id), condition, origin_, true});
    return pool.edge(id);
  }

  FlatModel& model_;
  bool initial_;
  bool in_when_ = false;
  Env env_;
  std::map<std::int32_t, int> assignments_;  // in the text
  Env settled_;                              // values of variables that do not change any more
  Env* journal_ = nullptr;  // what the variables were that the present branch has assigned
  // Values of expressions that hold as long as no variable in them is assigned.
  std::unordered_map<std::int32_t, ExprId> mapped_;
  std::unordered_set<std::int32_t> read_;
  ExprWalker walker_{model_.pool};
  ExprId active_;
  Origin origin_;
};

}  // namespace

void expand_algorithms(FlatModel& model) {
  const auto algorithms = std::move(model.algorithms);
  const auto initial_algorithms = std::move(model.initial_algorithms);
  model.algorithms.clear();
  model.initial_algorithms.clear();
  for (const FlatAlgorithm& a : algorithms) SymbolicExecution(model, false).run(a);
  for (const FlatAlgorithm& a : initial_algorithms) SymbolicExecution(model, true).run(a);
}

}  // namespace arges
