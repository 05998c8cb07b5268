#include "arges/causalize/mode_delays.h"

#include <map>
#include <memory>
#include <utility>

#include <fmt/format.h>

#include "arges/causalize/flat_rewrite.h"
#include "arges/causalize/machine_modes.h"
#include "arges/expr/walk.h"

namespace arges {

namespace {

class DelayNumbers {
 public:
  explicit DelayNumbers(FlatModel& whole) : whole_(whole), pool_(whole.pool), walker_(pool_) {}

  std::vector<std::int32_t> run() {
    if (!has_delays()) return {};
    for (const auto* list : {&whole_.algorithms, &whole_.initial_algorithms}) {
      for (const FlatAlgorithm& a : *list) refuse(a.body);
    }
    for (auto* list : {&whole_.equations, &whole_.initial_equations}) {
      for (FlatEquation& e : *list) {
        const std::int32_t owner = owner_of(e);
        e.lhs = numbered(e.lhs, owner);
        e.rhs = numbered(e.rhs, owner);
      }
    }
    for (WhenClause& w : whole_.whens)
      rewrite_when(w, [&, owner = owner_of(w.origin)](ExprId e) { return numbered(e, owner); });
    for (FlatAssert& a : whole_.asserts) a.condition = numbered(a.condition, owner_of(a.origin));
    for (FlatTransition& t : whole_.machines.transitions) {
      t.condition = numbered(t.condition, t.from);
      for (auto& [target, value] : t.hand_over) value = numbered(value, t.from);
    }
    return std::move(owners_);
  }

 private:
  bool has_delays() const {
    for (std::int32_t i = 0; i < pool_.size(); ++i) {
      if (pool_[ExprId{i}].op == Op::kDelay) return true;
    }
    return false;
  }

  void refuse(const std::vector<Statement>& body) {
    std::vector<ExprId> roots;
    collect_expressions(body, roots);
    for (const ExprId root : roots) {
      for (const ExprId e : walker_.nodes(root)) {
        if (pool_[e].op == Op::kDelay)
          throw ModeError(false,
                          "delay() in an algorithm of a model with state machines is not "
                          "supported: define a variable by an equation, d = delay(...), and use d");
      }
    }
  }

  std::int32_t owner_of(const Origin& origin) const {
    return origin.component.valid() ? whole_.machines.owner(pool_.text(origin.component)) : -1;
  }
  // An equation of an auxiliary variable belongs where what it uses does.
  std::int32_t owner_of(const FlatEquation& e) {
    std::int32_t owner = owner_of(e.origin);
    if (e.origin.component.valid()) return owner;
    for (const ExprId side : {e.lhs, e.rhs}) {
      for (const ExprId n : walker_.nodes(side)) {
        if (!names_variable(pool_[n].op)) continue;
        const std::int32_t used = whole_.machines.owner(whole_[VarId{pool_[n].index}].name);
        if (used >= 0 && (owner < 0 || whole_.machines.is_within(used, owner))) owner = used;
      }
    }
    return owner;
  }

  ExprId numbered(ExprId e, std::int32_t owner) {
    std::unique_ptr<ExprRewriter>& rewriter = rewriters_[owner];
    if (!rewriter) {
      rewriter = std::make_unique<ExprRewriter>(
          pool_, [this, owner](ExprId node, std::span<const ExprId> args) {
            if (pool_[node].op != Op::kDelay) return ExprId{};
            const auto number = static_cast<std::int32_t>(owners_.size());
            owners_.push_back(owner);
            return pool_.make(Op::kDelay,
                              {args[0], args[1], args[args.size() - 1], pool_.integer(number)});
          });
    }
    return (*rewriter)(e);
  }

  FlatModel& whole_;
  ExprPool& pool_;
  ExprWalker walker_;
  std::map<std::int32_t, std::unique_ptr<ExprRewriter>> rewriters_;  // by owner
  std::vector<std::int32_t> owners_;
};

}  // namespace

std::vector<std::int32_t> number_delays(FlatModel& whole) { return DelayNumbers(whole).run(); }

}  // namespace arges
