#include <fmt/format.h>

#include "arges/base/error.h"
#include "arges/causalize/passes.h"
#include "arges/flat/print.h"

namespace arges {

CausalModel causalize(FlatModel flat) {
  if (!flat.machines.empty())
    throw ApiError(
        fmt::format("model '{}' has state machines: ModeSplitter makes its modes", flat.name));
  CausalModel model;
  model.flat = std::move(flat);
  check_reinits(model.flat);
  expand_algorithms(model.flat);
  substitute_strings(model.flat);
  lower_clocks(model.flat);
  bind_starts(model.flat);
  fold_constants(model.flat);
  cancel_terms(model.flat);
  eliminate_aliases(model);
  cancel_terms(model.flat);
  take_out_common_sums(model.flat);
  expose_hidden_constraints(model.flat);
  order_parameters(model);
  check_whens(model.flat);
  lower_events(model);
  find_running_values(model);
  check_present(model);
  select_states(model);
  inline_late(model);
  sort_equations(model);
  check_discrete_values(model);
  sort_initial_system(model);
  find_guards(model);
  arrange_constraints(model);
  return model;
}

ExprId CausalModel::without_alias(VarId v) {
  for (const AliasLink& a : aliases) {
    if (a.var == v) return a.value;
  }
  return flat.ref(v);
}

ExprNames CausalModel::names_to_read() const {
  ExprNames names = names_of(flat);
  names.enough = kEnoughToRead;
  names.stands_for = [this](VarId v) {
    const auto it = written.find(v.index);
    return it == written.end() ? ExprId{} : it->second;
  };
  return names;
}

std::string CausalModel::equation_text(const CausalEquation& equation) const {
  const ExprNames names = names_to_read();
  const std::string lhs = to_text(flat.pool, equation.lhs, names);
  // Left limits of the text are variables by now. This is one of sort_initial_system().
  if (flat.pool[equation.rhs].op == Op::kPre) {
    const bool is_fixed = flat[flat.pool.var(equation.rhs)].fixed.value_or(false);
    return fmt::format("{} = its start value{}", lhs, is_fixed ? " (fixed = true)" : "");
  }
  return lhs + " = " + to_text(flat.pool, equation.rhs, names);
}

std::string CausalModel::describe(const CausalEquation& equation) const {
  std::string text = equation_text(equation);
  if (text.size() > 200) text = text.substr(0, 197) + "...";
  const Origin& origin = equation.origin;
  if (origin.component.valid() && !flat.pool.text(origin.component).empty())
    text = fmt::format("{} (in {})", text, flat.pool.text(origin.component));
  return text + place_text(flat.pool, origin);
}

std::string to_text(const CausalModel& model) {
  const ExprNames names = names_of(model.flat);
  std::string out = "model " + model.flat.name + "\n";
  const auto expression = [&](ExprId e) { return to_text(model.flat.pool, e, names); };
  for (const StateLink& s : model.states)
    out += fmt::format("  state {}, derivative {}\n", names.variable(s.state),
                       names.variable(s.derivative));
  for (const Relation& r : model.relations)
    out += fmt::format("  relation {}: {}\n", names.variable(r.var), expression(r.exact));
  for (const TimeRelation& r : model.time_relations)
    out += fmt::format("  relation {}: time {} {}\n", names.variable(r.var),
                       r.reached.valid() ? ">" : ">=", expression(r.threshold));
  const auto list = [&](const char* title, const std::vector<Block>& blocks) {
    out += fmt::format("  {}\n", title);
    for (const Block& block : blocks) {
      if (!block.tears.empty()) {
        out += fmt::format("    {} loop, guess", block.linear ? "linear" : "nonlinear");
        for (const VarId v : block.tears) out += " " + names.variable(v);
        out += "\n";
      }
      const char* indent = block.tears.empty() ? "    " : "      ";
      for (const auto& a : block.inner)
        out += fmt::format("{}{} := {}\n", indent, names.variable(a.var), expression(a.value));
      for (const ExprId r : block.residuals) out += fmt::format("      0 = {}\n", expression(r));
    }
  };
  list("initial", model.initial_blocks);
  list("equations", model.blocks);
  for (const ReinitAction& r : model.reinits)
    out += fmt::format("  when {}: reinit({}, {})\n", expression(r.fires), names.variable(r.state),
                       expression(r.value));
  return out;
}

}  // namespace arges
