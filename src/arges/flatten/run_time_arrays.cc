// Arrays of functions whose sizes are known only when the function runs: Real w[n].

#include "arges/flatten/evaluator.h"

namespace arges::lang {

using diag::Code;

// Such an array has no scalars that could be listed. Its elements are taken one at a time
// (run_time_element), vectors of them by RunTimeVectors, and as an argument of a function it is one
// local (Value::Kind::kRunTime).

// Nothing when it is none.
std::vector<ExprId> Evaluator::run_time_sizes(const ReferenceExpr& r, const Context& c) {
  const ReferencePart& only = r.parts[0];
  if (r.global || r.parts.size() != 1 || !only.subscripts.empty()) return {};
  for (const Frame* f = c.frame; f != nullptr; f = f->outer) {
    if (f->name == only.name.text) return {};
  }
  if (c.scope.instance == nullptr) return {};
  const Resolved found = instances_.resolve(only.name.text, c.scope);
  if (found.kind != Resolved::Kind::kSlot || found.slot->kind != MemberKind::kComponent) return {};
  const Instance* const i = instances_.referenced(*found.owner, *found.slot);
  if (i == nullptr) return {};
  return i->given ? i->given->sizes : i->sizes;
}

std::optional<Value> Evaluator::run_time_array(const Expr& e, const Context& c) {
  if (e.kind != ExprKind::kReference || c.structural) return std::nullopt;
  const auto& r = as<ReferenceExpr>(e);
  const std::vector<ExprId> sizes = run_time_sizes(r, c);
  if (sizes.empty()) return std::nullopt;
  const Resolved found = instances_.resolve(r.parts[0].name.text, c.scope);
  const Instance& i = *instances_.referenced(*found.owner, *found.slot);
  if (i.given) return i.given;
  Value v;
  v.kind = Value::Kind::kRunTime;
  v.type = i.type;
  v.enumeration = i.enumeration;
  v.sizes = sizes;
  v.elements = {pool().local(i.local, i.type)};
  return v;
}

Value Evaluator::run_time_element(Instance& i, const ReferenceExpr& r, std::size_t k,
                                  const Context& c) {
  const diag::Span where = span(c, r);
  const ExprList list = r.parts[k].subscripts;
  if (c.structural) {
    fail(Code::kNotConstant, in_quotes(i.name) + " is known only when the function runs", where);
  }
  if (list.size() > i.sizes.size()) {
    fail(Code::kBadSubscript,
         std::to_string(list.size()) + " subscripts for " + std::to_string(i.sizes.size()) +
             (i.sizes.size() == 1 ? " dimension" : " dimensions"),
         where);
  }
  std::vector<ExprId> positions;
  for (std::size_t d = 0; d < list.size(); ++d) {
    Context inner = c;
    inner.end_size = i.sizes[d];
    const Value v = list[d]->kind == ExprKind::kColon ? Value{} : eval(*list[d], inner);
    if (!v.is_scalar() || v.elements.empty()) break;  // a vector
    if (v.type != ScalarType::kInteger)
      fail(Code::kBadSubscript, "this dimension is subscripted by an Integer", span(c, *list[d]));
    positions.push_back(v.scalar());
  }
  if (positions.size() < i.sizes.size()) {
    fail(Code::kNotSupported,
         "the size of " + in_quotes(i.name) +
             " is known only when the function runs: a part of the array cannot stand here",
         where);
  }
  Value v = scalar_value(pool(), pool().element(i.local, positions, i.type));
  v.enumeration = i.enumeration;
  return v;
}

// Such an array fits an input with open sizes alone.
void Evaluator::check_run_time_argument(Instance& function, Slot& input, const Value& v,
                                        diag::Span where) {
  const std::string what =
      "the input " + in_quotes(input.name) + " of " + in_quotes(function.cls.node->path());
  const int dimensions = formal_dims(function, input);
  if (dimensions != static_cast<int>(v.sizes.size())) {
    fail(Code::kSizeMismatch,
         what + " has " + std::to_string(dimensions) +
             (dimensions == 1 ? " dimension" : " dimensions") + ", this array " +
             std::to_string(v.sizes.size()),
         where);
  }
  bool open = true;
  for (const ExprList list : {input.component->subscripts, input.element->components->subscripts}) {
    for (const Expr* e : list) open = open && e->kind == ExprKind::kColon;
  }
  for (const Part& part : function.parts) {
    const ClassDef* def = instances_.tree().definition(*part.node);
    open = open && (def == nullptr || def->external == nullptr);
  }
  Instance& type = instances_.make(
      instances_.find_class(input.element->components->type, {&function, input.part}),
      World::kPackage, nullptr, {});
  instances_.expand(type);
  const bool same = type.basic == Basic::kScalar && type.type == v.type && type.cls.dims.empty();
  if (open && same) return;
  const std::string reason = !same ? " has another type than this array"
                                   : " is external, or declared with sizes other than `:`";
  fail(Code::kNotSupported,
       what + reason + ", and the size of the array is known only when the function around runs",
       where);
}

}  // namespace arges::lang
