// Which variables are there for events alone.

#include "arges/causalize/passes.h"
#include "arges/expr/walk.h"

namespace arges {

// Left limits, hysteresis, the conditions of when, sample flags. A relation is one of them when it
// stands in conditions of when only: what it does there shows in what the clause sets.
std::vector<char> internal_variables(const CausalModel& model) {
  const FlatModel& flat = model.flat;
  std::vector<char> internal(flat.variables.size(), 0);
  const auto mark = [&](VarId v) {
    if (v.valid()) internal[static_cast<std::size_t>(v.index)] = 1;
  };
  for (std::size_t i = 0; i < flat.variables.size(); ++i)
    internal[i] = flat.variables[i].name.starts_with("$when");
  for (const PreLink& p : model.pres) mark(p.pre);
  for (const SampleTimer& s : model.samples) mark(s.var);
  mark(model.initial_flag);
  mark(model.terminal_flag);
  const auto mark_hysteresis = [&](const Hysteresis& h) {
    mark(h.band);
    mark(h.switched);
    mark(h.gap);
  };
  for (const FloorMemory& f : model.floors) mark_hysteresis(f.hysteresis);

  std::vector<char> relation(flat.variables.size(), 0);
  const auto mark_relation = [&](VarId v) {
    mark(v);
    relation[static_cast<std::size_t>(v.index)] = 1;
  };
  for (const Relation& r : model.relations) {
    mark_relation(r.var);
    mark_hysteresis(r.hysteresis);
  }
  for (const TimeRelation& r : model.time_relations) {
    mark_relation(r.var);
    mark(r.reached);
  }

  std::vector<ExprId> roots;  // of what asks for more than when a clause fires
  for (const CausalEquation& e : model.equations) {
    const bool of_internal = flat.pool[e.lhs].op == Op::kVar &&
                             internal[static_cast<std::size_t>(flat.pool[e.lhs].index)] != 0;
    if (!of_internal) roots.insert(roots.end(), {e.lhs, e.rhs});
  }
  for (const ReinitAction& r : model.reinits) roots.push_back(r.value);
  for (const Relation& r : model.relations) roots.push_back(r.g);
  for (const FloorMemory& f : model.floors) roots.push_back(f.argument);
  for (const TimeRelation& r : model.time_relations) roots.push_back(r.threshold);
  for (const DelayLine& d : model.delays) roots.insert(roots.end(), {d.duration, d.value});
  for (const Transport& t : model.transports)
    roots.insert(roots.end(), {t.outlets[0], t.outlets[1]});
  ExprWalker walker(flat.pool);
  for (const ExprId e : walker.new_nodes(roots)) {
    if (flat.pool[e].op != Op::kVar) continue;
    const auto v = static_cast<std::size_t>(flat.pool[e].index);
    if (relation[v] != 0) internal[v] = 0;
  }
  return internal;
}

}  // namespace arges
