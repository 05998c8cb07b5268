// Predefined functions of arrays (specification, chapter 10.3).

#include "arges/flatten/evaluator.h"
#include "arges/flatten/operator_records.h"
#include "arges/flatten/run_time_vectors.h"
#include "arges/parse/print.h"

namespace arges::lang {

using diag::Code;

std::optional<Value> Evaluator::array_builtin(std::string_view name, const CallExpr& e,
                                              const Context& c) {
  const diag::Span where = span(c, e);
  const auto arg = [&](std::size_t i) -> const Expr& { return argument(e, i, "", c); };
  const auto integer = [&](int n) { return scalar_value(pool(), pool().integer(n)); };
  const auto sizes_from = [&](std::size_t first) {
    Dims dims;
    for (std::size_t i = first; i < e.positional.size(); ++i) {
      dims.push_back(integer_argument(*e.positional[i], c));
      if (dims.back() < 0) fail(Code::kBadSubscript, "a size is negative", where);
    }
    allow(count(dims), where);
    return dims;
  };
  const auto vector3 = [&](std::size_t i) {
    Value v = eval(arg(i), c);
    if (v.dims != Dims{3})
      fail(Code::kSizeMismatch, in_quotes(name) + " needs vectors of 3", where);
    check_number(v, span(c, arg(i)));
    return v;
  };
  const auto matrix_of = [&](std::size_t i) {
    Value v = eval(arg(i), c);
    if (v.dims.size() != 2) fail(Code::kSizeMismatch, in_quotes(name) + " needs a matrix", where);
    return v;
  };

  if (name == "size") {
    std::vector<ExprId> sizes;
    if (arg(0).kind == ExprKind::kReference) sizes = run_time_sizes(as<ReferenceExpr>(arg(0)), c);
    if (!sizes.empty() && c.structural)
      fail(Code::kNotConstant, "this size is known only when the function runs", where);
    if (sizes.empty()) {
      for (const int d : shape(arg(0), c)) sizes.push_back(pool().integer(d));
    }
    if (e.positional.size() < 2) {
      return array_value(pool(), {static_cast<int>(sizes.size())}, sizes, ScalarType::kInteger);
    }
    if (e.positional.size() > 2)
      fail(Code::kWrongArguments, "`size` has too many arguments", where);
    const int i = integer_argument(arg(1), c);
    if (i < 1 || i > static_cast<int>(sizes.size())) {
      fail(Code::kBadSubscript,
           "there is no dimension " + std::to_string(i) + ", the array has " +
               std::to_string(sizes.size()),
           where);
    }
    return scalar_value(pool(), sizes[static_cast<std::size_t>(i - 1)]);
  }
  if (name == "ndims") return integer(static_cast<int>(shape(arg(0), c).size()));
  if (name == "zeros" || name == "ones") {
    const Dims dims = sizes_from(0);
    const ExprId x = pool().integer(name == "ones" ? 1 : 0);
    return array_value(pool(), dims, std::vector<ExprId>(count(dims), x), ScalarType::kInteger);
  }
  if (name == "fill") {
    Value v = eval(arg(0), c);
    const Dims dims = sizes_from(1);
    for (std::size_t d = dims.size(); d-- > 0;) {
      if (dims[d] == 0) return array_value(pool(), dims, {}, v.type);
      v = stacked(std::vector<Value>(static_cast<std::size_t>(dims[d]), v));
    }
    return v;
  }
  if (name == "identity") {
    if (e.positional.size() > 1)
      fail(Code::kWrongArguments, "`identity` has too many arguments", where);
    const int size = integer_argument(arg(0), c);
    if (size < 0) fail(Code::kBadSubscript, "a size is negative", where);
    const auto n = static_cast<std::size_t>(size);
    allow(n * n, where);
    std::vector<ExprId> list;
    for (std::size_t i = 0; i < n * n; ++i) list.push_back(pool().integer(i % (n + 1) == 0));
    return array_value(pool(), {static_cast<int>(n), static_cast<int>(n)}, list,
                       ScalarType::kInteger);
  }
  if (name == "diagonal") {
    const Value v = eval(arg(0), c);
    if (v.dims.size() != 1) fail(Code::kSizeMismatch, "`diagonal` needs a vector", where);
    check_number(v, span(c, arg(0)));
    const std::size_t n = v.elements.size();
    allow(n * n, where);
    const ExprId zero = v.type == ScalarType::kInteger ? pool().integer(0) : pool().real(0);
    std::vector<ExprId> list(n * n, zero);
    for (std::size_t i = 0; i < n; ++i) list[i * (n + 1)] = v.elements[i];
    return array_value(pool(), {static_cast<int>(n), static_cast<int>(n)}, list);
  }
  if (name == "linspace") {
    const ExprId a = number_argument(arg(0), c);
    const ExprId b = number_argument(arg(1), c);
    const int n = integer_argument(arg(2), c);
    if (n < 2) fail(Code::kWrongArguments, "`linspace` needs at least 2 points", where);
    allow(static_cast<std::size_t>(n), where);
    std::vector<ExprId> list;
    for (int i = 0; i < n; ++i) {
      const ExprId step =
          pool().div(pool().mul(pool().sub(b, a), pool().real(i)), pool().real(n - 1));
      list.push_back(convert(pool().add(a, step), ScalarType::kReal));
    }
    return array_value(pool(), {n}, list);
  }
  if (name == "sum" || name == "product" || ((name == "min" || name == "max"))) {
    Value v;
    try {
      v = eval(arg(0), c);
    } catch (const Failure& why) {
      if (e.positional.size() != 1 || !RunTimeVectors::may_be(*this, why, c)) throw;
      if (auto reduced = RunTimeVectors::reduced(*this, name, arg(0), c, why)) return reduced;
      throw;
    }
    if (e.positional.size() > 2 || (e.positional.size() == 2 && name[0] != 'm')) {
      fail(Code::kWrongArguments, in_quotes(name) + " has too many arguments", where);
    }
    if (e.positional.size() == 2) {
      return elementwise(name == "min" ? Op::kMin : Op::kMax, v, eval(arg(1), c), where);
    }
    if (v.is_record() && name == "sum") {
      auto total = OperatorRecords(*this, c, where).sum(v);
      if (!total) fail(Code::kTypeMismatch, "these records cannot be added", where);
      return *total;
    }
    if (v.kind != Value::Kind::kArray || v.type == ScalarType::kString || name == "sum" ||
        name == "product") {
      check_number(v, span(c, arg(0)));
    }
    if (v.elements.empty()) return empty_reduction(name, v.type, v.enumeration);
    if (name == "sum") return scalar_value(pool(), sum(v.elements, v.type));
    ExprId x = v.elements[0];
    const Op op = name == "product" ? Op::kMul : name == "min" ? Op::kMin : Op::kMax;
    for (std::size_t i = 1; i < v.elements.size(); ++i) x = pool().make(op, {x, v.elements[i]});
    Value result = scalar_value(pool(), x);
    result.enumeration = v.enumeration;
    return result;
  }
  if (name == "transpose") {
    const Value v = eval(arg(0), c);
    if (v.dims.size() < 2) fail(Code::kSizeMismatch, "`transpose` needs a matrix", where);
    return transposed(v);
  }
  if (name == "symmetric") {
    Value v = matrix_of(0);
    const auto n = static_cast<std::size_t>(v.dims[0]);
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < i; ++j) v.elements[i * n + j] = v.elements[j * n + i];
    }
    return v;
  }
  if (name == "outerProduct") {
    const Value a = eval(arg(0), c);
    const Value b = eval(arg(1), c);
    if (a.dims.size() != 1 || b.dims.size() != 1) {
      fail(Code::kSizeMismatch, "`outerProduct` needs vectors", where);
    }
    return multiply(reshaped(a, {a.dims[0], 1}), reshaped(b, {1, b.dims[0]}), where);
  }
  if (name == "cross") {
    const Value a = vector3(0);
    const Value b = vector3(1);
    std::vector<ExprId> list;
    for (std::size_t i = 0; i < 3; ++i) {
      const std::size_t j = (i + 1) % 3;
      const std::size_t k = (i + 2) % 3;
      const ExprId first = pool().mul(a.elements[j], b.elements[k]);
      list.push_back(pool().sub(first, pool().mul(a.elements[k], b.elements[j])));
    }
    return array_value(pool(), {3}, list);
  }
  if (name == "skew") {
    const Value a = vector3(0);
    const ExprId zero = pool().real(0);
    const auto n = [&](std::size_t i) { return pool().neg(a.elements[i]); };
    return array_value(
        pool(), {3, 3},
        {zero, n(2), a.elements[1], a.elements[2], zero, n(0), n(1), a.elements[0], zero});
  }
  if (name == "cat") {
    const int dim = integer_argument(arg(0), c);
    std::vector<Value> values;
    for (std::size_t i = 1; i < e.positional.size(); ++i) {
      values.push_back(eval(*e.positional[i], c));
      const Dims& d = values.back().dims;
      bool fits = dim >= 1 && static_cast<std::size_t>(dim) <= d.size() &&
                  d.size() == values[0].dims.size();
      for (std::size_t k = 0; fits && k < d.size(); ++k) {
        fits = static_cast<int>(k) == dim - 1 || d[k] == values[0].dims[k];
      }
      if (!fits)
        fail(Code::kSizeMismatch, "the arrays cannot be joined", span(c, *e.positional[i]));
      check_common_type(values[0], values.back(), "the arrays", span(c, *e.positional[i]));
    }
    if (values.empty()) fail(Code::kWrongArguments, "`cat` needs arrays", where);
    return joined(values, static_cast<std::size_t>(dim - 1));
  }
  if (name == "array") {
    std::vector<Value> values;
    for (const Expr* x : e.positional) {
      values.push_back(eval(*x, c));
      check_element(values[0], values.back(), span(c, *x));
    }
    if (values.empty()) fail(Code::kWrongArguments, "`array` needs elements", where);
    return stacked(values);
  }
  if (name == "scalar") {
    const Value v = eval(arg(0), c);
    if (count(v.dims) != 1) fail(Code::kSizeMismatch, "`scalar` needs one element", where);
    return reshaped(v, {});
  }
  if (name == "vector") {
    Value v = eval(arg(0), c);
    return reshaped(v, {static_cast<int>(count(v.dims))});
  }
  if (name == "matrix") {
    Value v = eval(arg(0), c);
    Dims dims = v.dims;
    while (dims.size() < 2) dims.push_back(1);
    for (std::size_t d = 2; d < dims.size(); ++d) {
      if (dims[d] == 1) continue;
      fail(Code::kSizeMismatch, "`matrix` needs size 1 in dimension " + std::to_string(d + 1),
           where);
    }
    dims.resize(2);
    return reshaped(v, dims);
  }
  return std::nullopt;
}

}  // namespace arges::lang
