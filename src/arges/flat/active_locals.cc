#include "arges/flat/active_locals.h"

#include <algorithm>

#include "arges/expr/walk.h"

namespace arges {

namespace {

class ActiveLocals {
 public:
  ActiveLocals(const FlatModel& model, const FlatFunction& f, const std::vector<bool>& varies)
      : pool_(model.pool), f_(f), walker_(model.pool), active_(f.locals.size(), false) {
    for (std::size_t i = 0; i < varies.size(); ++i)
      active_[i] = varies[i] && f.locals[i].type == ScalarType::kReal;
  }

  // A statement may use what a later one assigns (in loops): until nothing is added.
  std::vector<bool> find() {
    do {
      grown_ = false;
      for (std::size_t i = static_cast<std::size_t>(f_.inputs); i < f_.locals.size(); ++i) {
        const FlatLocal& local = f_.locals[i];
        if (local.initial.valid()) flows(local.initial, i);
        for (const ExprId e : local.initial_elements) flows(e, i);
      }
      visit(f_.body);
    } while (grown_);
    return active_;
  }

 private:
  void flows(ExprId value, std::size_t target) {
    if (active_[target] || f_.locals[target].type != ScalarType::kReal || !value.valid()) return;
    const auto nodes = walker_.nodes(value);
    const bool follows = std::ranges::any_of(nodes, [&](ExprId e) {
      const ExprNode& node = pool_[e];
      return (node.op == Op::kLocal || node.op == Op::kElement) &&
             active_[static_cast<std::size_t>(node.index)];
    });
    if (!follows) return;
    active_[target] = grown_ = true;
  }

  void visit(const std::vector<Statement>& body) {
    for (const Statement& s : body) {
      if (s.local.valid()) {
        const auto target = static_cast<std::size_t>(s.local.index);
        for (const ExprId e : {s.value, s.first, s.step}) flows(e, target);
      }
      for (const Statement::Branch& b : s.branches) visit(b.body);
    }
  }

  const ExprPool& pool_;
  const FlatFunction& f_;
  ExprWalker walker_;
  std::vector<bool> active_;
  bool grown_ = false;
};

}  // namespace

std::vector<bool> active_locals(const FlatModel& model, const FlatFunction& f,
                                const std::vector<bool>& varies) {
  return ActiveLocals(model, f, varies).find();
}

}  // namespace arges
