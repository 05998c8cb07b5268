// The components that a reference means, as they are (not their values).

#include "arges/flatten/evaluator.h"
#include "arges/parse/print.h"

namespace arges::lang {

using diag::Code;

Evaluator::Place Evaluator::place(const ReferenceExpr& r, const Context& c) {
  Place out;
  Resolved found = first_part(r, c);
  const std::size_t used = follow_classes(r, found, c);
  if (found.kind != Resolved::Kind::kSlot || found.slot->kind != MemberKind::kComponent) {
    fail(Code::kNoVariable, in_quotes(print(r)) + " is no component", span(c, r));
  }
  Instance* i = instances_.referenced(*found.owner, *found.slot);
  if (i == nullptr) {
    out.disabled = true;
    return out;
  }
  out.first = i;
  walk_place(*i, r, used - 1, c, out);
  return out;
}

void Evaluator::walk_place(Instance& i, const ReferenceExpr& r, std::size_t k, const Context& c,
                           Place& out) {
  const std::vector<Sub> subs = subscripts(r.parts[k].subscripts, i.dims, c, span(c, r), &i);
  std::vector<Subscript> plain;
  for (const Sub& s : subs) {
    if (s.is_dynamic()) {
      fail(Code::kNotConstant, "the subscript of " + in_quotes(print(r)) + " is not known here",
           span(c, r));
    }
    plain.push_back(s.fixed);
  }
  Dims kept;
  for (std::size_t d = 0; d < i.dims.size(); ++d) {
    if (d >= plain.size()) {
      kept.push_back(i.dims[d]);
    } else if (!plain[d].scalar) {
      kept.push_back(static_cast<int>(plain[d].positions.size()));
    }
  }
  Value positions;
  if (const std::optional<std::size_t> one = single(subs, i.dims)) {
    positions.elements.push_back(ExprId{static_cast<std::int32_t>(*one)});
  } else {
    positions.dims = i.dims;
    for (std::size_t n = 0; n < count(i.dims); ++n) {
      positions.elements.push_back(ExprId{static_cast<std::int32_t>(n)});
    }
    positions = subscripted(positions, plain);
  }
  if (i.basic != Basic::kNone) {
    if (k + 1 < r.parts.size()) {
      fail(Code::kUnknownElement, in_quotes(Instances::full_name(i)) + " has no components",
           span(c, r));
    }
    // Each chosen element is one place.
    for (const ExprId p : positions.elements) {
      out.instances.push_back(&i);
      out.offsets.push_back({static_cast<std::size_t>(p.index)});
    }
    out.dims.insert(out.dims.end(), kept.begin(), kept.end());
    return;
  }
  std::vector<Instance*> chosen;
  if (i.is_array()) {
    for (const ExprId p : positions.elements) {
      chosen.push_back(i.items[static_cast<std::size_t>(p.index)]);
    }
  } else {
    chosen = {&i};
  }
  const Dims before = out.dims;
  Dims inner;
  for (Instance* item : chosen) {
    if (k + 1 == r.parts.size()) {
      out.instances.push_back(item);
      continue;
    }
    const Identifier& id = r.parts[k + 1].name;
    Slot* slot = instances_.find(*item, id.text);
    if (slot != nullptr && slot->kind == MemberKind::kComponent &&
        instances_.component(*item, *slot) == nullptr) {
      out.disabled = true;
      return;
    }
    Place part;
    walk_place(child(*item, r, k + 1, c), r, k + 1, c, part);
    if (part.disabled) out.disabled = true;
    inner = part.dims;
    out.instances.insert(out.instances.end(), part.instances.begin(), part.instances.end());
    out.offsets.insert(out.offsets.end(), part.offsets.begin(), part.offsets.end());
  }
  out.dims = before;
  out.dims.insert(out.dims.end(), kept.begin(), kept.end());
  out.dims.insert(out.dims.end(), inner.begin(), inner.end());
}

}  // namespace arges::lang
