// The order of the system of the run.

#include "arges/causalize/passes.h"
#include "arges/causalize/simultaneous.h"
#include "arges/causalize/sorter.h"

namespace arges {

void sort_equations(CausalModel& model) {
  std::vector<char> given(model.flat.variables.size(), 0);  // by events, not by equations
  const auto mark_condition = [&](const auto& c) {
    for (const VarId v : {c.var, c.hysteresis.band, c.hysteresis.switched, c.hysteresis.gap})
      given[static_cast<std::size_t>(v.index)] = 1;
  };
  for (const Relation& r : model.relations) mark_condition(r);
  for (const FloorMemory& f : model.floors) mark_condition(f);
  for (const SampleTimer& s : model.samples) given[static_cast<std::size_t>(s.var.index)] = 1;
  for (const DelayLine& d : model.delays) {
    for (const VarId v : {d.passed, d.broken, d.next, d.back}) {
      if (v.valid()) given[static_cast<std::size_t>(v.index)] = 1;
    }
  }
  for (const Transport& t : model.transports) given[static_cast<std::size_t>(t.front.index)] = 1;
  for (const TimeRelation& r : model.time_relations) {
    if (r.reached.valid()) given[static_cast<std::size_t>(r.reached.index)] = 1;
  }
  for (const PreLink& p : model.pres) given[static_cast<std::size_t>(p.pre.index)] = 1;
  for (const VarId flag : {model.initial_flag, model.terminal_flag, model.memory}) {
    if (flag.valid()) given[static_cast<std::size_t>(flag.index)] = 1;
  }
  std::vector<VarId> unknowns;
  for (std::size_t i = 0; i < model.flat.variables.size(); ++i) {
    const Role role = model.role[i];
    if ((role == Role::kAlgebraic || role == Role::kDiscrete) && !given[i])
      unknowns.push_back(VarId{static_cast<std::int32_t>(i)});
  }
  model.statistics.unknowns = static_cast<int>(unknowns.size()) + model.statistics.aliases;
  SystemSorter sorter(model, std::move(unknowns));
  for (std::size_t i = 0; i < model.equations.size(); ++i)
    sorter.add(model.equations[i], static_cast<std::int32_t>(i));
  const structure::Matching matching = structure::maximum_matching(sorter.candidates());
  sorter.check(matching, "model");
  if (solve_simultaneously(model, sorter, matching)) return sort_equations(model);
  for (const int c : matching.column_of_row)
    model.solved_for.push_back(sorter.unknowns()[static_cast<std::size_t>(c)]);
  model.blocks = sorter.blocks(matching, &model.statistics);
}

}  // namespace arges
