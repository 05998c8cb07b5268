// Where a relation can be seen.

#include <array>

#include "arges/base/index.h"
#include "arges/causalize/passes.h"

namespace arges {

namespace {

// A relation in `a and r`, `a or r`, `if a then r else ...` decides nothing while a is false, true,
// false: friction that slides does not ask for the torque that would set it loose. The guard of a
// node is the condition under which its value can be seen,
//
//   guard(root) = true,   guard(node) = or over all users u of (guard(u) and what u asks for)
//
// found in one pass from the roots down. What u asks for is taken into account only if it changes
// at events alone and has no relation in it: then a guard that is false stays so whatever the
// relations do, and all of them can be ignored at once.
//
// With relations among the guards the same says where one needs no meaning: in `z > 0 and
// sqrt(z) > 1` the second is not asked for while the first does not hold.
class Guards {
 public:
  explicit Guards(CausalModel& model) : model_(model), pool_(model.flat.pool) {}

  void run() {
    if (model_.relations.empty() && model_.floors.empty()) return;
    for (const Relation& r : model_.relations) relation_[at(r.var.index)] = 1;
    for (const FloorMemory& f : model_.floors) relation_[at(f.var.index)] = 1;
    mark();
    for (const CausalEquation& e : model_.equations) see(e.lhs, e.rhs);
    for (const ReinitAction& r : model_.reinits) see(r.fires, r.value);
    for (const CheckAction& c : model_.checks) see(c.violated);
    for (const Relation& r : model_.relations) see(r.g, r.exact);
    for (const FloorMemory& f : model_.floors) see(f.argument);
    for (const TimeRelation& r : model_.time_relations) see(r.threshold);
    for (const DelayLine& d : model_.delays) {
      see(d.duration, d.value);
      if (!d.fixed) see(model_.flat.ref(d.reached), model_.flat.ref(d.returned));
    }
    for (const Transport& t : model_.transports) {
      see(t.outlets[0], t.outlets[1], model_.flat.ref(t.reached));
      for (const ExprId e : t.points) see(e);
      for (const ExprId e : t.initial) see(e);
    }
    for (const SampleTimer& s : model_.samples) see(s.start, s.interval);
    for (const AliasLink& a : model_.aliases) see(a.value);
    for (const PreLink& p : model_.pres) see(model_.flat.ref(p.of));
    const std::vector<ExprId> roots = guard_;
    descend([&](ExprId e) { return discrete_[at(e.index)] && !has_relation_[at(e.index)]; });
    for (Relation& r : model_.relations) take(r.var, r.matters);
    guard_ = roots;
    descend([&](ExprId e) { return discrete_[at(e.index)] != 0; });
    for (Relation& r : model_.relations) take(r.var, r.asked);
    for (FloorMemory& f : model_.floors) take(f.var, f.asked);
  }

 private:
  void take(VarId v, ExprId& guard) {
    const ExprId self = model_.flat.ref(v);
    if (at(self.index) >= guard_.size()) return;
    const ExprId found = guard_[at(self.index)];
    guard = found.valid() ? found : pool_.boolean(false);
    if (pool_.is_value(guard, 1)) guard = {};
  }

  // What contains a relation, and what changes at events only.
  void mark() {
    const auto n = at(pool_.size());
    has_relation_.assign(n, 0);
    discrete_.assign(n, 0);
    for (std::size_t i = 0; i < n; ++i) {
      const ExprId e{static_cast<std::int32_t>(i)};
      const ExprNode& node = pool_[e];
      char discrete = node.op != Op::kTime && node.op != Op::kCall && node.op != Op::kResult;
      if (node.op == Op::kVar) {
        const Role role = model_.role[at(node.index)];
        discrete = role == Role::kDiscrete || role == Role::kParameter;
        has_relation_[i] = relation_[at(node.index)];
      }
      for (const ExprId a : pool_.args(e)) {
        discrete = discrete && discrete_[at(a.index)];
        has_relation_[i] = has_relation_[i] || has_relation_[at(a.index)];
      }
      discrete_[i] = discrete;
    }
    guard_.assign(n, ExprId{});
  }

  template <class... Roots>
  void see(Roots... roots) {
    for (const ExprId e : std::array{roots...}) {
      if (e.valid()) guard_[at(e.index)] = pool_.boolean(true);
    }
  }

  void pass_on(ExprId to, ExprId guard) {
    ExprId& known = guard_[at(to.index)];
    known = known.valid() ? pool_.make(Op::kOr, {known, guard}) : guard;
  }

  template <class MayGuard>
  void descend(MayGuard may_guard) {
    for (std::size_t i = guard_.size(); i-- > 0;) {
      const ExprId guard = guard_[i];
      if (!guard.valid() || !has_relation_[i]) continue;
      const ExprId e{static_cast<std::int32_t>(i)};
      const std::vector<ExprId> args(pool_.args(e).begin(), pool_.args(e).end());
      const Op op = pool_[e].op;
      const auto with = [&](ExprId condition, bool wanted) {
        if (!may_guard(condition)) return guard;
        const ExprId asked = wanted ? condition : pool_.make(Op::kNot, {condition});
        return pool_.make(Op::kAnd, {guard, asked});
      };
      if (op == Op::kAnd || op == Op::kOr) {
        pass_on(args[0], with(args[1], op == Op::kAnd));
        pass_on(args[1], with(args[0], op == Op::kAnd));
      } else if (op == Op::kIf) {
        pass_on(args[0], guard);
        pass_on(args[1], with(args[0], true));
        pass_on(args[2], with(args[0], false));
      } else {
        for (const ExprId a : args) pass_on(a, guard);
      }
    }
  }

  CausalModel& model_;
  ExprPool& pool_;
  std::vector<char> relation_ = std::vector<char>(model_.flat.variables.size(), 0);
  std::vector<char> has_relation_, discrete_;  // by node, of those that were there at first
  std::vector<ExprId> guard_;                  // invalid: not seen
};

}  // namespace

void find_guards(CausalModel& model) { Guards(model).run(); }

}  // namespace arges
