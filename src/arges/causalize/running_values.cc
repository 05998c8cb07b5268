// Integers, Booleans and enumerations that follow from what changes all the time.

#include <cmath>
#include <unordered_set>

#include <fmt/format.h>

#include "arges/base/index.h"
#include "arges/causalize/between_events.h"
#include "arges/causalize/passes.h"
#include "arges/expr/walk.h"

namespace arges {

namespace {

// A function of continuous arguments, noEvent() and sign() make no events. A variable that follows
// from them is
//   - computed all the time, as an algebraic variable, when no one asks for its left limit and no
//     timer is set by it: its value is then right whenever it is read, and costs no events;
//   - else remembered between events, with events of its own where it changes: a when, change() or
//     edge() that saw it at the next event of something else only would be too late.
// What is read from one of the first kind is of either kind itself, and so on.
class RunningValues {
 public:
  explicit RunningValues(CausalModel& model)
      : model_(model), flat_(model.flat), pool_(flat_.pool), has_timer_(flat_.variables.size(), 0) {
    for (const TimeRelation& r : model_.time_relations) has_timer_[at(r.var.index)] = 1;
    is_remembered_.assign(flat_.variables.size(), 0);
    is_floor_.assign(flat_.variables.size(), 0);
    for (const FloorMemory& f : model_.floors) is_floor_[at(f.var.index)] = 1;
    for (const PreLink& p : model_.pres) is_remembered_[at(p.of.index)] = 1;
    for (const TimeRelation& r : model_.time_relations) remember_all(r.threshold);
    for (const DelayLine& d : model_.delays) {
      if (d.fixed) remember_all(d.duration);
    }
  }

  void run() {
    for (bool again = true; again;) {
      again = false;
      const BetweenEvents between(model_);
      for (CausalEquation& e : model_.equations) {
        if (solve(e, e.lhs, e.rhs, between) || (!e.defines && solve(e, e.rhs, e.lhs, between)))
          again = true;
      }
    }
  }

 private:
  void remember_all(ExprId root) {
    for (const ExprId e : walker_.nodes(root)) {
      if (pool_[e].op == Op::kVar) is_remembered_[at(pool_[e].index)] = 1;
    }
  }

  // Whether it is no Real in the text: integer(x) is the floor of x here.
  bool is_whole(ExprId root) const {
    std::vector<ExprId> open{root};
    std::unordered_set<std::int32_t> seen;
    while (!open.empty()) {
      const ExprId e = open.back();
      open.pop_back();
      const ExprNode& node = pool_[e];
      if (node.type != ScalarType::kReal || !seen.insert(e.index).second) continue;
      const auto args = pool_.args(e);
      switch (node.op) {
        case Op::kFloor:
        case Op::kCeil:
        case Op::kSign:
          break;
        case Op::kVar:  // what a floor is remembered as
          if (is_floor_[at(node.index)] == 0) return false;
          break;
        case Op::kIndex:
          open.insert(open.end(), args.begin() + 1, args.end());
          break;
        case Op::kReal:
          if (node.value != std::floor(node.value)) return false;
          break;
        case Op::kIf:
          open.insert(open.end(), {args[1], args[2]});
          break;
        case Op::kNoEvent:
        case Op::kAbs:
        case Op::kNeg:
        case Op::kAdd:
        case Op::kSub:
        case Op::kMul:
        case Op::kMin:
        case Op::kMax:
        case Op::kDivInt:
        case Op::kMod:
        case Op::kRem:
          open.insert(open.end(), args.begin(), args.end());
          break;
        default:
          return false;
      }
    }
    return true;
  }

  // Takes `e` as the equation of the variable that is `side`. Whether that was news.
  bool solve(CausalEquation& e, ExprId side, ExprId other, const BetweenEvents& between) {
    const Op op = pool_[side].op;
    const bool is_wrapped = op == Op::kNeg || op == Op::kNot;
    const ExprId target = is_wrapped ? pool_.arg(side, 0) : side;
    if (pool_[target].op != Op::kVar || !is_whole(other)) return false;
    const VarId v = pool_.var(target);
    if (model_.role_of(v) != Role::kDiscrete || flat_[v].type == ScalarType::kReal ||
        flat_[v].type == ScalarType::kString || has_timer_[at(v.index)] != 0 || is_effect(v))
      return false;
    if (!between.changes(other)) return false;
    const ExprId value = is_wrapped ? pool_.make(op, {other}) : other;
    if (is_remembered_[at(v.index)] != 0) {
      e.rhs = remembered(v, value);
    } else {
      e.rhs = value;
      model_.role[at(v.index)] = Role::kAlgebraic;
      flat_[v].variability = FlatVariability::kContinuous;
    }
    e.lhs = target;
    e.defines = true;
    return true;
  }

  // A function that is called for its effect is called at events: its hidden result says nothing.
  bool is_effect(VarId v) const { return flat_[v].hidden && flat_[v].name.starts_with("$done"); }

  VarId new_discrete(std::string name, ScalarType type, double start) {
    FlatVariable v;
    v.name = std::move(name);
    v.type = type;
    v.variability = FlatVariability::kDiscrete;
    v.start = type == ScalarType::kBoolean ? pool_.boolean(start != 0) : pool_.real(start);
    v.hidden = true;
    has_timer_.push_back(0);
    is_remembered_.push_back(0);
    is_floor_.push_back(0);
    model_.role.push_back(Role::kDiscrete);
    return flat_.add(std::move(v));
  }

  // A condition that jumps is seen as any other when it has passed its root.
  ExprId remembered(VarId v, ExprId value) {
    const bool is_boolean = flat_[v].type == ScalarType::kBoolean;
    const std::string name = is_boolean ? fmt::format("$relation{}", model_.relations.size() + 1)
                                        : fmt::format("$floor{}", model_.floors.size() + 1);
    const VarId kept = new_discrete(name, is_boolean ? ScalarType::kBoolean : ScalarType::kReal, 0);
    const Hysteresis hysteresis{new_discrete(name + ".band", ScalarType::kReal, 0),
                                new_discrete(name + ".switched", ScalarType::kReal, -1e300),
                                new_discrete(name + ".gap", ScalarType::kReal, 1e300),
                                pool_.real(1)};
    if (is_boolean) {
      const ExprId side = pool_.if_else(value, pool_.real(1), pool_.real(-1));
      model_.relations.push_back({kept, side, value, hysteresis});
    } else {
      is_floor_[at(kept.index)] = 1;
      model_.floors.push_back({kept, pool_.add(value, pool_.real(0.5)), hysteresis});
    }
    return flat_.ref(kept);
  }

  CausalModel& model_;
  FlatModel& flat_;
  ExprPool& pool_;
  ExprWalker walker_{pool_};
  std::vector<char> has_timer_, is_remembered_, is_floor_;  // by variable
};

}  // namespace

void find_running_values(CausalModel& model) { RunningValues(model).run(); }

}  // namespace arges
