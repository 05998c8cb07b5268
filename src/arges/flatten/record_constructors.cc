// Constructors of records: calls, and what of them is known before the run.

#include "arges/flatten/evaluator.h"
#include "arges/flatten/operator_records.h"
#include "arges/parse/print.h"

namespace arges::lang {

using diag::Code;
using diag::Diagnostic;

// Q(...): what the constructor of the operator record makes of these arguments.
Value Evaluator::operator_record(Instance& record, const CallExpr& e, const Context& c) {
  OperatorRecords::Arguments given;
  for (const Expr* x : e.positional) given.positional.push_back(eval(*x, c));
  for (const NamedArgument& a : e.named) given.named.emplace_back(a.name.text, eval(*a.value, c));
  if (auto v = OperatorRecords(*this, c, span(c, e)).construct(record, given)) return *v;
  throw Failure{Diagnostic(
      Code::kWrongArguments,
      "no constructor of " + in_quotes(record.cls.node->path()) + " takes these arguments",
      span(c, e))};
}

std::vector<Slot*> Evaluator::arguments_of(const Instance& record) {
  std::vector<Slot*> list;
  for (Slot* slot : record.order) {
    const bool fixed = slot->element->final && slot->component->modification != nullptr;
    if (!slot->is_protected && !fixed) list.push_back(slot);
  }
  return list;
}

Value Evaluator::construct_record(Instance& record, const Arguments& arguments, diag::Span where) {
  Dims applied;
  const std::vector<Arguments> elements =
      by_elements(record, arguments_of(record), arguments, where, applied);
  if (!applied.empty()) {
    std::vector<Value> values;
    for (const Arguments& one : elements) values.push_back(construct_record(record, one, where));
    return values.empty() ? array_value(pool(), applied, {}) : stacked(values);
  }
  Instance& frame = instances_.make(record.cls, World::kValue, nullptr, {});
  instances_.expand(frame);
  Context c;
  std::size_t at = 0;
  for (Slot* slot : arguments_of(frame)) {
    const std::optional<Value>& v = arguments[at++];
    if (!v) continue;
    Instance* field = instances_.component(frame, *slot);
    if (field == nullptr) continue;
    Value given = *v;
    if (field->basic != Basic::kNone) {
      // A size `[:]` is that of the argument, whatever the value of the declaration.
      if (Instances::fits_open_sizes(*field, given.dims)) instances_.set_dims(*field, given.dims);
      given = fitted(given, field->dims.empty() ? given.dims : field->dims, false, field->type,
                     where, field->enumeration);
    }
    give(*field, given);
  }
  Value v;
  v.kind = Value::Kind::kRecord;
  v.record = &record;
  for (Slot* slot : frame.order) {
    Instance* field = instances_.component(frame, *slot);
    if (field == nullptr) continue;
    if (!field->given && field->basic != Basic::kNone &&
        instances_.binding(*field).expr == nullptr) {
      const Binding start = instances_.attribute(*field, "start");
      if (start.expr == nullptr) {
        fail(Code::kWrongArguments,
             "the field " + in_quotes(slot->name) + " of " + in_quotes(record.cls.node->path()) +
                 " has no value",
             where);
      }
      v.fields.push_back(
          {slot->name, fitted(bound_value(start, c), field->dims, true, field->type, where)});
      continue;
    }
    v.fields.push_back({slot->name, instance_value(*field, c)});
  }
  return v;
}

// Of R(m = 7, x = time) m is known before the run, whatever x is: who asks for x fails then.
Value Evaluator::record_of_constants(const Expr& e, const Context& c) {
  try {
    return eval(e, c);
  } catch (const Failure& why) {
    if (why.diagnostic.code != Code::kNotConstant || e.kind != ExprKind::kCall) throw;
    Context running = c;
    running.structural = false;
    std::optional<Value> all;
    try {
      all = eval(e, running);
    } catch (const Failure&) {
      throw why;
    }
    if (!all->is_record()) throw;
    return std::move(*all);
  }
}

void Evaluator::refuse_running(const Value& v, diag::Span where) {
  if (is_constant(pool(), v)) return;
  fail(Code::kNotConstant, "this value changes during the run, a constant is needed", where);
}

}  // namespace arges::lang
