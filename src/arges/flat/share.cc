#include "arges/flat/share.h"

#include <functional>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>

#include "arges/expr/walk.h"

namespace arges {

namespace {

// Trees of this size are read without trouble.
constexpr double kLargeTree = 300;

std::size_t at(ExprId e) { return static_cast<std::size_t>(e.index); }

bool makes_events(Op op, ScalarType of) {
  switch (op) {
    case Op::kFloor:
    case Op::kCeil:
    case Op::kToInteger:
    case Op::kDivInt:
    case Op::kMod:
    case Op::kRem:
    case Op::kAbs:
    case Op::kSign:
    case Op::kMin:
    case Op::kMax:
    case Op::kSemiLinear:
    case Op::kSmooth:  // says which events are not needed: it means nothing in a function
      return true;
    default:
      return is_relation(op) && of == ScalarType::kReal;
  }
}

// Operators of the model, which have no meaning in a function.
bool belongs_to_model(Op op) {
  return op == Op::kDelay || op == Op::kSample || op == Op::kHomotopy;
}

class Sharing {
 public:
  explicit Sharing(FlatModel& model)
      : model_(model), pool_(model.pool), walker_(pool_), known_(pool_.size()) {
    const auto n = static_cast<std::size_t>(known_);
    tree_.resize(n);
    events_.resize(n);
    fixed_.resize(n);
    for (std::size_t i = 0; i < n; ++i) {
      const ExprId e{static_cast<std::int32_t>(i)};
      const auto args = pool_.args(e);
      const Op op = pool_[e].op;
      tree_[i] = 1;
      events_[i] = !args.empty() && makes_events(op, pool_[args[0]].type);
      fixed_[i] = belongs_to_model(op) ||
                  (op == Op::kCall &&
                   model_.functions[static_cast<std::size_t>(pool_[e].index)].is_model_operator());
      for (const ExprId a : args) {
        tree_[i] += tree_[at(a)];
        events_[i] = events_[i] || events_[at(a)];
        fixed_[i] = fixed_[i] || fixed_[at(a)];
      }
      if (op == Op::kNoEvent) events_[i] = false;
    }
  }

  void run() {
    const std::size_t functions = model_.functions.size();
    for (FlatVariable& v : model_.variables) {
      for (ExprId* e : {&v.start, &v.nominal, &v.min, &v.max, &v.binding}) root(*e, false);
    }
    for (auto* list : {&model_.equations, &model_.initial_equations}) {
      for (FlatEquation& e : *list) {
        root(e.lhs, true);
        root(e.rhs, true);
      }
    }
    for (FlatAssert& a : model_.asserts) {
      root(a.condition, true);
      root(a.message, true);
    }
    for (WhenClause& w : model_.whens) {
      for (WhenBranch& b : w.branches) {
        for (ExprId& e : b.conditions) root(e, true);
        for (WhenAction& a : b.actions) {
          root(a.value, true);
          root(a.message, true);
        }
      }
    }
    for (auto* list : {&model_.algorithms, &model_.initial_algorithms}) {
      for (FlatAlgorithm& a : *list) statements(a.body, true);
    }
    for (std::size_t i = 0; i < functions; ++i) {
      FlatFunction& f = model_.functions[i];
      for (FlatLocal& l : f.locals) {
        root(l.initial, false);
        for (ExprId& e : l.initial_elements) root(e, false);
      }
      for (ExternalArgument& a : f.external_arguments) root(a.value, false);
      statements(f.body, false);
    }
    for (FlatFunction& f : made_) model_.functions.push_back(std::move(f));
  }

 private:
  void statements(std::vector<Statement>& body, bool events) {
    for (Statement& s : body) {
      for (ExprId* e : {&s.value, &s.message, &s.first, &s.step, &s.last}) root(*e, events);
      for (ExprId& e : s.subscripts) root(e, events);
      for (Statement::Branch& b : s.branches) {
        for (ExprId& e : b.conditions) root(e, events);
        statements(b.body, events);
      }
    }
  }

  void root(ExprId& e, bool events) {
    if (!e.valid() || e.index >= known_ || tree_[at(e)] <= kLargeTree) return;
    if (tree_[at(e)] < 2 * static_cast<double>(walker_.nodes(e).size())) return;
    ExprRewriter& rewrite = events ? outside_ : inside_;
    e = rewrite(e);
  }

  // What stands for e; invalid: the same node, look at its arguments.
  ExprId enter(ExprId e, bool events) {
    if (e.index >= known_ || tree_[at(e)] <= kLargeTree) return e;
    if (pool_[e].op == Op::kCall || pool_[e].op == Op::kElement || fixed_[at(e)]) return {};
    if (events && events_[at(e)]) return {};
    return moved(pool_[e].op == Op::kNoEvent ? pool_.arg(e, 0) : e);
  }

  // What a node of a text is written over: a result is written as a call.
  std::span<const ExprId> parts(ExprId e) const {
    const ExprNode& node = pool_[e];
    if (is_input(e)) return {};
    return pool_.args(node.op == Op::kResult ? pool_.arg(e, 0) : e);
  }
  bool is_input(ExprId e) const {
    const Op op = pool_[e].op;
    return op == Op::kElement || (is_leaf(op) && !is_literal(op));
  }
  static bool is_literal(Op op) {
    return op == Op::kReal || op == Op::kInteger || op == Op::kBoolean || op == Op::kString;
  }

  // Nodes of the text of e, arguments first, each once; `uses_` counts where each stands.
  std::vector<ExprId> text_nodes(ExprId e) {
    uses_.clear();
    std::vector<ExprId> order;
    std::vector<std::pair<ExprId, bool>> stack{{e, false}};
    while (!stack.empty()) {
      const auto [node, done] = stack.back();
      stack.pop_back();
      if (done) {
        order.push_back(node);
        continue;
      }
      if (++uses_[node.index] > 1) continue;
      stack.emplace_back(node, true);
      const auto list = parts(node);
      for (std::size_t i = list.size(); i-- > 0;) stack.emplace_back(list[i], false);
    }
    return order;
  }

  ExprId moved(ExprId e) {
    const auto [it, fresh] = calls_.try_emplace(e.index);
    if (!fresh) return it->second;
    FlatFunction f;
    f.name = fmt::format("$shared{}", made_.size() + 1);
    const std::vector<ExprId> nodes = text_nodes(e);
    std::vector<ExprId> arguments;
    std::unordered_map<std::int32_t, ExprId> here;
    const auto add_local = [&](const std::string& name, ScalarType type) {
      FlatLocal local;
      local.name = name;
      local.type = type;
      f.locals.push_back(std::move(local));
      return LocalId{static_cast<std::int32_t>(f.locals.size()) - 1};
    };
    for (const ExprId n : nodes) {
      if (!is_input(n)) continue;
      const ScalarType type = pool_[n].type;
      here[n.index] = pool_.local(add_local(fmt::format("$x{}", arguments.size() + 1), type), type);
      arguments.push_back(n);
    }
    const ScalarType type = pool_[e].type;
    f.inputs = static_cast<std::int32_t>(f.locals.size());
    f.outputs = 1;
    const LocalId result = add_local("$y", type);
    const auto assign = [&](LocalId to, ExprId value) {
      Statement s;
      s.local = to;
      s.value = value;
      f.body.push_back(std::move(s));
    };
    for (const ExprId n : nodes) {
      if (is_input(n)) continue;
      std::vector<ExprId> args;
      for (const ExprId p : parts(n)) args.push_back(here.at(p.index));
      const ExprNode node = pool_[n];
      ExprId made = n;
      if (node.op == Op::kResult) {
        const ExprId call = pool_.arg(n, 0);
        f.impure = f.impure || model_.functions[static_cast<std::size_t>(pool_[call].index)].impure;
        made = pool_.result(pool_.rebuild(call, args), node.index, node.type);
      } else if (node.op == Op::kNoEvent) {
        made = args[0];
      } else if (!args.empty()) {
        made = pool_.rebuild(n, args);
      }
      if (n == e) {
        assign(result, made);
      } else if (uses_.at(n.index) > 1 && !args.empty()) {
        const LocalId local =
            add_local(fmt::format("$s{}", static_cast<int>(f.locals.size()) - f.inputs), node.type);
        assign(local, made);
        made = pool_.local(local, node.type);
      }
      here[n.index] = made;
    }
    const FunctionId id{static_cast<std::int32_t>(model_.functions.size() + made_.size())};
    made_.push_back(std::move(f));
    const ExprId call = pool_.result(pool_.call(id, arguments), 0, type);
    calls_[e.index] = call;
    return call;
  }

  FlatModel& model_;
  ExprPool& pool_;
  ExprWalker walker_;
  std::int32_t known_;                // nodes that the model came with
  std::vector<double> tree_;          // sizes
  std::vector<bool> events_, fixed_;  // of each node with all below
  ExprRewriter outside_{pool_, keep(), [this](ExprId e) { return enter(e, true); }};
  ExprRewriter inside_{pool_, keep(), [this](ExprId e) { return enter(e, false); }};
  std::unordered_map<std::int32_t, ExprId> calls_;
  std::unordered_map<std::int32_t, int> uses_;
  std::vector<FlatFunction> made_;

  static ExprRewriter::Replace keep() {
    return [](ExprId, std::span<const ExprId>) { return ExprId{}; };
  }
};

}  // namespace

FlatModel with_shared_functions(FlatModel model) {
  Sharing(model).run();
  return model;
}

}  // namespace arges
