#include "arges/compile/guard_logic.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <unordered_map>

#include "arges/base/index.h"
#include "arges/expr/walk.h"

namespace arges {

class GuardLogic::Builder {
 public:
  Builder(GuardLogic& logic, const CausalModel& model)
      : logic_(logic), pool_(model.flat.pool), relation_(model.role.size(), -1) {
    for (std::size_t i = 0; i < model.relations.size(); ++i)
      relation_[at(model.relations[i].var.index)] = static_cast<std::ptrdiff_t>(i);
  }

  void run(const std::vector<ExprId>& roots) {
    ExprWalker walker(pool_);
    const auto below = walker.new_nodes(roots);
    for (const ExprId e : below) {
      bool open = pool_[e].op == Op::kVar && relation_[at(pool_[e].index)] >= 0;
      for (const ExprId a : pool_.args(e)) open = open || is_open_[a.index];
      is_open_[e.index] = open;
    }
    for (const ExprId e : roots) number_[e.index] = 0;
    for (std::size_t i = below.size(); i-- > 0;) {
      if (!is_logic(below[i]) || !number_.contains(below[i].index)) continue;
      for (const ExprId a : pool_.args(below[i])) number_[a.index] = 0;
    }
    for (const ExprId e : below) {
      const auto it = number_.find(e.index);
      if (it == number_.end()) continue;
      it->second = logic_.nodes_.size();
      logic_.nodes_.push_back(make(e));
    }
  }

  std::size_t number(ExprId e) const { return number_.at(e.index); }

 private:
  bool is_logic(ExprId e) const {
    const Op op = pool_[e].op;
    return op == Op::kNot || op == Op::kAnd || op == Op::kOr;
  }

  Node make(ExprId e) {
    const Op op = pool_[e].op;
    if (op == Op::kNot) return {Kind::kNot, number(pool_.arg(e, 0))};
    if (is_logic(e))
      return {op == Op::kAnd ? Kind::kAnd : Kind::kOr, number(pool_.arg(e, 0)),
              number(pool_.arg(e, 1))};
    if (!is_open_[e.index]) {
      logic_.inputs_.push_back(e);
      return {Kind::kInput, logic_.inputs_.size() - 1};
    }
    if (op != Op::kVar) return {Kind::kUnknown};
    return {Kind::kRelation, static_cast<std::size_t>(relation_[at(pool_[e].index)])};
  }

  GuardLogic& logic_;
  const ExprPool& pool_;
  std::vector<std::ptrdiff_t> relation_;                  // by VarId; -1: is none
  std::unordered_map<std::int32_t, bool> is_open_;        // by ExprId: has a relation in it
  std::unordered_map<std::int32_t, std::size_t> number_;  // of the node
};

GuardLogic::GuardLogic(const CausalModel& model) {
  std::vector<ExprId> roots;
  const auto each = [&](const auto& take) {
    for (const Relation& r : model.relations) take(r.asked);
    for (const FloorMemory& f : model.floors) take(f.asked);
  };
  each([&](ExprId guard) {
    if (guard.valid()) roots.push_back(guard);
  });
  if (roots.empty()) return;
  Builder builder(*this, model);
  builder.run(roots);
  each([&](ExprId guard) {
    guards_.push_back(guard.valid() ? static_cast<std::ptrdiff_t>(builder.number(guard)) : -1);
  });
}

std::vector<char> GuardLogic::false_guards(const std::function<double(std::size_t)>& side,
                                           const std::function<double(std::size_t)>& input) const {
  constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();
  std::vector<double> value;
  value.reserve(nodes_.size());
  for (const Node& n : nodes_) {
    switch (n.kind) {
      case Kind::kInput:
        value.push_back(input(n.a) != 0 ? 1 : 0);
        break;
      case Kind::kRelation:
        value.push_back(side(n.a));
        break;
      case Kind::kUnknown:
        value.push_back(kUnknown);
        break;
      case Kind::kNot:
        value.push_back(1 - value[n.a]);
        break;
      case Kind::kAnd:
        value.push_back(value[n.a] == 0 || value[n.b] == 0 ? 0 : value[n.a] * value[n.b]);
        break;
      case Kind::kOr:
        value.push_back(value[n.a] == 1 || value[n.b] == 1 ? 1 : value[n.a] + value[n.b]);
        break;
    }
  }
  std::vector<char> result;
  for (const std::ptrdiff_t guard : guards_)
    result.push_back(guard >= 0 && value[static_cast<std::size_t>(guard)] == 0);
  return result;
}

}  // namespace arges
