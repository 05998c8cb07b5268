// The order in which parameters are computed.

#include <algorithm>

#include <fmt/format.h>

#include "arges/causalize/passes.h"
#include "arges/expr/walk.h"
#include "arges/structure/blocks.h"

namespace arges {

// A parameter that nothing gives a value has its start value, which may be given from outside as
// that of any other; one that initial equations determine (fixed = false) begins there.
void bind_starts(FlatModel& flat) {
  for (FlatVariable& v : flat.variables) {
    if (v.variability == FlatVariability::kParameter && !v.binding.valid() && v.start.valid() &&
        v.fixed.value_or(true))
      v.binding = v.start;
  }
}

void order_parameters(CausalModel& model) {
  FlatModel& flat = model.flat;
  ExprWalker walker(flat.pool);
  structure::Incidence graph;
  graph.columns = static_cast<int>(flat.variables.size());
  std::vector<int> uses;
  const auto is_parameter = [&](const FlatVariable& v) {
    return v.variability <= FlatVariability::kParameter;
  };
  for (const FlatVariable& v : flat.variables) {
    uses.clear();
    if (is_parameter(v) && v.binding.valid()) {
      for (const ExprId e : walker.nodes(v.binding)) {
        if (flat.pool[e].op != Op::kVar) continue;
        uses.push_back(flat.pool[e].index);
        const FlatVariable& other = flat.variables[static_cast<std::size_t>(uses.back())];
        if (!is_parameter(other)) {
          throw ModelError(diag::Code::kNotAParameter,
                           fmt::format("parameter '{}' is bound to '{}', which is not a parameter",
                                       v.name, other.name),
                           {place_in_text(flat.pool, v.origin, "")});
        }
      }
    }
    graph.add_row(uses);
  }
  const structure::Blocks order = structure::strong_components(graph);
  for (int k = 0; k < order.count(); ++k) {
    const auto block = order[k];
    const FlatVariable& v = flat.variables[static_cast<std::size_t>(block[0])];
    const auto row = graph.row(block[0]);
    if (block.size() > 1 || std::find(row.begin(), row.end(), block[0]) != row.end()) {
      std::string names;
      std::vector<TextPlace> places;
      for (const int i : block) {
        const FlatVariable& one = flat.variables[static_cast<std::size_t>(i)];
        names += (names.empty() ? "'" : ", '") + one.name + "'";
        places.push_back(place_in_text(flat.pool, one.origin, ""));
      }
      throw ModelError(diag::Code::kParameterCycle,
                       fmt::format("parameters depend on each other in a cycle: {}", names),
                       std::move(places));
    }
    if (is_parameter(v) && v.binding.valid() && !flat.pool.is_constant(v.binding) &&
        flat.pool[v.binding].op != Op::kString)
      model.parameter_order.push_back(VarId{block[0]});
  }
}

}  // namespace arges
