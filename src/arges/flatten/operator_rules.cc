// Where operators may stand: those of models, equality of Reals; and what functions must give.

#include <algorithm>
#include <unordered_set>

#include "arges/flatten/assigned_names.h"
#include "arges/flatten/assignment_paths.h"
#include "arges/flatten/flattener.h"

namespace arges::lang {

using diag::Code;
using diag::Diagnostic;
using FlatStatement = ::arges::Statement;

bool Evaluator::stands_in_function(const Context& c) {
  if (c.scope.instance == nullptr) return false;
  const ClassDef* def = instances_.definition(c.scope);
  return def != nullptr &&
         (def->kind == ClassKind::kFunction || def->kind == ClassKind::kOperatorFunction);
}

// A function is a relation between numbers; it knows nothing of time (specification, 12.2).
void Evaluator::check_model_operator(std::string_view name, const Context& c, diag::Span where) {
  if (!stands_in_function(c)) return;
  throw Failure{
      Diagnostic(Code::kOperatorInFunction, in_quotes(name) + " cannot stand in a function", where)
          .suggest("give the value as an input of the function")};
}

// Values that are computed in different ways, or pass each other between two steps, are equal by
// chance only (specification, 3.5). The language forbids it of parameters as well; numbers may be
// compared.
void Evaluator::check_equality(BinaryOp op, const Value& a, const Value& b, const Context& c,
                               diag::Span where) {
  if (op != BinaryOp::kEqual && op != BinaryOp::kNotEqual) return;
  if (a.type != ScalarType::kReal && b.type != ScalarType::kReal) return;
  if (!a.is_scalar() || !b.is_scalar() || base_modelica || stands_in_function(c)) return;
  const auto name_of = [&](bool parameters_too) {
    const std::string name = changes(a.scalar(), parameters_too);
    return name.empty() ? changes(b.scalar(), parameters_too) : name;
  };
  const std::string changing = name_of(false);
  const std::string name = changing.empty() ? name_of(true) : changing;
  if (name.empty()) return;
  const bool is_equal = op == BinaryOp::kEqual;
  throw Failure{Diagnostic(Code::kRealEquality,
                           in_quotes(name) +
                               (changing.empty() ? " is" : " changes during the run, and is") +
                               " compared by " + in_quotes(is_equal ? "==" : "<>") + " of Reals",
                           where)
                    .suggest(is_equal ? "compare with a tolerance: `abs(a - b) < eps`"
                                      : "compare with a tolerance: `abs(a - b) > eps`")};
}

// Of basic types: a record may have values of its own.
void Evaluator::check_outputs(Instance& function) {
  if (!with_checked_outputs_.insert(function.cls.node).second) return;
  std::unordered_set<std::string_view> assigned;
  for (const Part& part : function.parts) {
    const ClassDef* def = instances_.tree().definition(*part.node);
    if (def == nullptr) continue;
    for (const Section& section : def->sections) add_assigned_names(section.statements, assigned);
  }
  for (Slot* slot : outputs(function)) {
    // Of what has its value from the declaration the sizes need not be known here.
    const Modification* declared = slot->component->modification;
    if (assigned.contains(slot->name) || (declared != nullptr && declared->value != nullptr))
      continue;
    Instance* i = instances_.component(function, *slot);
    if (i == nullptr || i->basic != Basic::kScalar || i->text == nullptr) continue;
    if (instances_.binding(*i).expr != nullptr || std::count(i->dims.begin(), i->dims.end(), 0) > 0)
      continue;
    fail(Code::kOutputNotAssigned,
         "the function " + in_quotes(function.cls.node->path()) + " never assigns its output " +
             in_quotes(slot->name),
         instances_.span(i->text_scope, i->text->range));
  }
  check_paths(function, assigned);
}

// Of basic types as well. `assigned`: names that stand on the left of any assignment.
void Evaluator::check_paths(Instance& function,
                            const std::unordered_set<std::string_view>& assigned) {
  std::unordered_set<std::string_view> outputs, locals;
  for (Slot* slot : function.order) {
    if (slot->kind != MemberKind::kComponent || slot->component == nullptr) continue;
    const ComponentClause& clause = *slot->element->components;
    const Modification* const declared = slot->component->modification;
    if (clause.prefix.causality == Causality::kInput ||
        clause.prefix.variability >= Variability::kParameter ||
        (declared != nullptr && declared->value != nullptr))
      continue;
    Instance& type = instances_.make(instances_.find_class(clause.type, {&function, slot->part}),
                                     World::kPackage, nullptr, {});
    instances_.expand(type);
    const bool is_output = clause.prefix.causality == Causality::kOutput;
    if (type.basic != Basic::kScalar || (is_output && !assigned.contains(slot->name))) continue;
    // An array may be empty, so that nothing is left to assign.
    const auto may_be_empty = [](const Expr* size) {
      return size->kind != ExprKind::kInteger || as<LiteralExpr>(*size).text == "0";
    };
    const ExprList own = slot->component->subscripts;
    if (std::any_of(own.begin(), own.end(), may_be_empty) ||
        std::any_of(clause.subscripts.begin(), clause.subscripts.end(), may_be_empty))
      continue;
    (is_output ? outputs : locals).insert(slot->name);
  }
  for (std::size_t p = 0; p < function.parts.size(); ++p) {
    const ClassDef* def = instances_.tree().definition(*function.parts[p].node);
    if (def == nullptr) continue;
    const Scope scope{&function, static_cast<int>(p)};
    for (const Section& section : def->sections) {
      if (section.kind != SectionKind::kAlgorithm) continue;
      for (const Unassigned& u : unassigned_on_paths(section.statements, outputs, locals)) {
        const bool at_end = u.use.end == 0;
        const Slot* const slot = instances_.find(function, u.name);
        if (slot == nullptr) continue;
        const bool in_some = u.cases.end != 0;
        const std::string without = "; else it is 0, false or empty";
        Diagnostic d(Code::kNotOnEveryPath,
                     at_end ? "the function " + in_quotes(function.cls.node->path()) +
                                  " assigns its output " + in_quotes(u.name) +
                                  " in some cases only" + without
                     : in_some ? in_quotes(u.name) +
                                     " is used here, but assigned in some cases only" + without
                               : in_quotes(u.name) +
                                     " is used here, but not assigned before: it is 0, "
                                     "false or empty",
                     at_end ? instances_.span({&function, slot->part}, slot->component->range)
                            : instances_.span(scope, u.use));
        if (in_some) d.label(instances_.span(scope, u.cases), "not in all cases of this `if`");
        warnings.push_back(std::move(d));
      }
    }
  }
}

namespace {

void add_when_targets(const std::vector<FlatStatement>& body, bool in_when,
                      std::unordered_set<std::int32_t>& targets) {
  for (const FlatStatement& s : body) {
    if (in_when && s.kind == FlatStatement::Kind::kAssign) targets.insert(s.target.index);
    for (const auto& branch : s.branches)
      add_when_targets(branch.body, in_when || s.kind == FlatStatement::Kind::kWhen, targets);
  }
}

}  // namespace

void Flattener::check_operator_uses() {
  using Kind = decltype(FlatVariable::variability);
  std::unordered_set<std::int32_t> set_by_when, told;
  for (const FlatAlgorithm& a : model_.algorithms) add_when_targets(a.body, false, set_by_when);
  for (const OperatorUse& use : e_.operator_uses) {
    const FlatVariable& v = model_[use.variable];
    if (v.variability <= Kind::kParameter) continue;
    const bool is_discrete =
        v.variability == Kind::kDiscrete || set_by_when.contains(use.variable.index);
    if (use.of_rate != is_discrete || !told.insert(use.variable.index).second) continue;
    Diagnostic problem(
        Code::kWrongVariability,
        in_quotes(v.name) + (use.of_rate ? " changes at events only: it has no derivative"
                                         : " changes continuously: it has no left limit of its "
                                           "own outside of `when`"),
        use.where);
    diagnostics_.report(std::move(problem));
  }
}

}  // namespace arges::lang
