// Ranges, and what runs over them: loops and comprehensions.

#include <cmath>

#include "arges/base/saturated.h"
#include "arges/expr/text.h"
#include "arges/flatten/evaluator.h"

namespace arges::lang {

using diag::Code;

Value Evaluator::range(const RangeExpr& e, const Context& c) {
  // The number of elements must be known.
  const auto end_point = [&](const Expr& x) {
    Value v = eval(x, c);
    if (!v.is_scalar()) fail(Code::kSizeMismatch, "the ends of a range are scalars", span(c, x));
    if (!pool().is_constant(v.scalar())) {
      ClassNode* enumeration = v.enumeration;
      v = eval_constant(x, c);
      if (enumeration != nullptr) v.enumeration = enumeration;
    }
    return v;
  };
  const Value from = end_point(*e.start);
  const Value to = end_point(*e.stop);
  const Value step = e.step == nullptr ? Value{} : end_point(*e.step);
  check_common_type(from, to, "the ends of this range", span(c, *e.stop));
  if (from.type == ScalarType::kString)
    fail(Code::kTypeMismatch, "a range cannot be of Strings", span(c, e));
  if (e.step != nullptr) {
    check_number(from, span(c, *e.start));
    check_number(step, span(c, *e.step));
  }
  const double a = pool().value(from.scalar());
  const double b = pool().value(to.scalar());
  const double s = e.step == nullptr ? 1 : pool().value(step.scalar());
  if (s == 0) fail(Code::kBadSubscript, "the step of a range is zero", span(c, e));
  const bool real = from.type == ScalarType::kReal || to.type == ScalarType::kReal ||
                    (e.step != nullptr && step.type == ScalarType::kReal);
  const double exact = (b - a) / s;
  const double n = std::floor(real ? exact + 1e-10 * std::abs(exact) : exact) + 1;
  if (!(n <= static_cast<double>(instances_.limits().elements))) {
    fail(Code::kTooLarge,
         "a range of " + value_text(ScalarType::kReal, n, 15) + " elements is too long",
         span(c, e));
  }
  Value v;
  v.type = real ? ScalarType::kReal : from.type;
  v.enumeration = from.enumeration;
  for (int i = 0; i < n; ++i) {
    const double x = a + i * s;
    v.elements.push_back(
        real                                 ? pool().real(x)
        : v.type == ScalarType::kEnumeration ? pool().enumeration(saturated<int>(x))
        : v.type == ScalarType::kBoolean     ? pool().boolean(x != 0)
                                             : pool().integer(saturated<std::int64_t>(x)));
  }
  v.dims = {static_cast<int>(v.elements.size())};
  return v;
}

std::vector<Value> Evaluator::range_values(const ForIndex& index, const Context& c,
                                           const IndexUse* use) {
  if (index.range == nullptr && use != nullptr && use->reference != nullptr) {
    return implied_range(index, *use, c);
  }
  if (index.range == nullptr) {
    fail(Code::kNotSupported, "a `for` without a range is not supported yet",
         instances_.span(c.scope, index.name.range()));
  }
  Value v = eval(*index.range, c);
  if (v.kind == Value::Kind::kFunction) {
    instances_.expand(*v.record);
    std::vector<Value> out;
    if (v.record->enumeration != nullptr) {
      const std::size_t n = instances_.tree().definition(*v.record->enumeration)->literals.size();
      for (std::size_t i = 1; i <= n; ++i) {
        out.push_back(scalar_value(pool(), pool().enumeration(static_cast<std::int64_t>(i))));
        out.back().enumeration = v.record->enumeration;
      }
      return out;
    }
    if (v.record->type == ScalarType::kBoolean) {
      return {scalar_value(pool(), pool().boolean(false)),
              scalar_value(pool(), pool().boolean(true))};
    }
  }
  if (v.dims.size() != 1) {
    fail(Code::kSizeMismatch, "the range of `for` is a vector", span(c, *index.range));
  }
  std::vector<Value> out;
  for (int i = 1; i <= v.dims[0]; ++i) out.push_back(element_of(v, i));
  return out;
}

// `for i loop` over x[i]: all positions of that dimension of x.
std::vector<Value> Evaluator::implied_range(const ForIndex& index, const IndexUse& use,
                                            const Context& c) {
  ReferenceExpr r = *use.reference;
  std::vector<ReferencePart> parts(r.parts.begin(),
                                   r.parts.begin() + static_cast<std::ptrdiff_t>(use.part) + 1);
  parts.back().subscripts = {};
  r.parts = parts;
  const Dims dims = shape(r, c);
  if (use.dimension >= dims.size()) {
    fail(Code::kBadSubscript, "the range of " + in_quotes(index.name.text) + " cannot be found",
         instances_.span(c.scope, index.name.range()));
  }
  // A dimension by an enumeration or Boolean is run through in its own type.
  IndexType type;
  const Place p = place(r, c);
  if (!p.instances.empty()) type = index_type(*p.instances[0], use.dimension).value_or(IndexType{});
  std::vector<Value> out;
  for (int k = 1; k <= dims[use.dimension]; ++k) {
    out.push_back(position_value(k, type));
  }
  return out;
}

void Evaluator::iterate(std::span<const ForIndex> indices, std::size_t at, const Context& c,
                        const std::function<void(const Context&)>& body,
                        const std::function<IndexUse(std::string_view)>& use) {
  if (at == indices.size()) {
    body(c);
    return;
  }
  IndexUse found;
  if (indices[at].range == nullptr && use) found = use(indices[at].name.text);
  for (Value& v : range_values(indices[at], c, &found)) {
    const Frame frame{c.frame, indices[at].name.text, std::move(v)};
    Context inner = c;
    inner.frame = &frame;
    iterate(indices, at + 1, inner, body, use);
  }
}

// {e for i in a, j in b}: the last index is the first dimension.
Value Evaluator::comprehension(const Expr& body, std::span<const ForIndex> indices, std::size_t at,
                               const Context& c) {
  if (at == 0) return eval(body, c);
  std::vector<Value> values;
  Frame frame{c.frame, indices[at - 1].name.text, {}};
  const IndexUse use = find_use(indices[at - 1].name.text, &body);
  std::vector<Value> range = range_values(indices[at - 1], c, &use);
  for (Value& v : range) {
    frame.value = std::move(v);
    Context inner = c;
    inner.frame = &frame;
    values.push_back(comprehension(body, indices, at - 1, inner));
    // All elements have the size of the first.
    if (values.size() == 1) allow(range.size() * values[0].elements.size(), span(c, body));
    check_element(values[0], values.back(), span(c, body));
  }
  if (values.empty()) return array_value(pool(), {0}, {});
  return stacked(values);
}

}  // namespace arges::lang
