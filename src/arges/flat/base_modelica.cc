#include "arges/flat/base_modelica.h"

#include <fmt/format.h>

#include "arges/base/error.h"
#include "arges/expr/walk.h"
#include "arges/flat/flat_text.h"
#include "arges/flat/share.h"

namespace arges {

namespace {

// time - entered, as it stands in the conditions of transitions, back to timeInState(): a variable
// of that name, which is written as it is.
void name_time_in_state(FlatModel& model) {
  ExprPool& pool = model.pool;
  FlatVariable elapsed;
  elapsed.name = kTimeInState;
  elapsed.absent = true;
  const ExprId named = model.ref(model.add(std::move(elapsed)));
  for (FlatTransition& t : model.machines.transitions) {
    const ExprId since = pool.sub(
        pool.time(), model.ref(model.machines.states[static_cast<std::size_t>(t.from)].entered));
    ExprRewriter rewrite(
        pool, [&](ExprId e, std::span<const ExprId>) { return e == since ? named : ExprId{}; });
    t.condition = rewrite(t.condition);
  }
}

}  // namespace

std::string to_base_modelica(const FlatModel& model) {
  for (const FlatVariable& v : model.variables) {
    if (!v.is_clock) continue;
    throw UserError(
        fmt::format("the model '{}' has clocks, which Base Modelica cannot hold", model.name));
  }
  for (const FlatFunction& f : model.functions) {
    for (const FlatLocal& l : f.locals) {
      if (!l.is_object) continue;
      throw UserError(fmt::format(
          "the model '{}' has external objects, which Base Modelica cannot hold", model.name));
    }
  }
  FlatModel shared = with_shared_functions(model);
  if (!shared.machines.empty()) name_time_in_state(shared);
  const std::string name = quoted_name(model.name);
  return fmt::format("//! base 0.1.0\npackage {}\n{}end {};\n", name,
                     FlatText(shared, {quoted_name, true}).run(), name);
}

}  // namespace arges
