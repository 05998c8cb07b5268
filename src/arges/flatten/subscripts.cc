// Subscripts: their types, and the elements that they choose.

#include "arges/base/saturated.h"
#include "arges/flatten/evaluator.h"

namespace arges::lang {

using diag::Code;

namespace {

std::string shortened(std::string_view text) {
  constexpr std::size_t kLongest = 60;
  return text.size() <= kLongest ? std::string(text)
                                 : std::string(text.substr(0, kLongest - 3)) + "...";
}

}  // namespace

std::optional<IndexType> Evaluator::index_type(const Instance& i, std::size_t dimension) {
  if (i.text == nullptr) return std::nullopt;
  // As they stand in Instances::dimensions(): those of the name, then those of the type.
  const ExprList own = i.text->subscripts;
  const bool declared = i.slot != nullptr && i.slot->element != nullptr &&
                        i.slot->element->components != nullptr && i.slot->component == i.text;
  const ExprList clause = declared ? i.slot->element->components->subscripts : ExprList{};
  const Expr* const size = dimension < own.size()                   ? own[dimension]
                           : dimension - own.size() < clause.size() ? clause[dimension - own.size()]
                                                                    : nullptr;
  if (size == nullptr || size->kind == ExprKind::kColon) return std::nullopt;
  if (size->kind != ExprKind::kReference || integer_sizes_.contains(size)) return IndexType{};
  Context here;
  here.scope = i.text_scope;
  try {
    const auto& r = as<ReferenceExpr>(*size);
    Resolved found = first_part(r, here);
    const std::size_t used = follow_classes(r, found, here);
    const bool is_class =
        found.kind == Resolved::Kind::kClass ||
        (found.kind == Resolved::Kind::kSlot && found.slot->kind == MemberKind::kClass);
    if (is_class && used == r.parts.size()) {
      Instance& type = instances_.class_instance(found);
      instances_.expand(type);
      if (type.enumeration != nullptr) return IndexType{ScalarType::kEnumeration, type.enumeration};
      if (type.type == ScalarType::kBoolean) return IndexType{ScalarType::kBoolean, nullptr};
    }
  } catch (const Failure&) {
    return std::nullopt;
  }
  integer_sizes_.insert(size);
  return IndexType{};
}

Value Evaluator::position_value(int position, const IndexType& type) {
  Value v =
      scalar_value(pool(), type.type == ScalarType::kEnumeration ? pool().enumeration(position)
                           : type.type == ScalarType::kBoolean   ? pool().boolean(position == 2)
                                                                 : pool().integer(position));
  v.enumeration = type.enumeration;
  return v;
}

void Evaluator::check_subscript(const Instance& i, const std::optional<IndexType>& wanted,
                                const Value& v, diag::Span where) {
  if (!wanted || base_modelica || v.elements.empty()) return;
  if (v.type == wanted->type &&
      (v.type != ScalarType::kEnumeration || v.enumeration == nullptr ||
       wanted->enumeration == nullptr ||
       instances_.same_enumeration(*wanted->enumeration, *v.enumeration))) {
    return;
  }
  const std::string text = wanted->enumeration == nullptr ? std::string(to_string(wanted->type))
                                                          : in_quotes(wanted->enumeration->path());
  fail(Code::kTypeMismatch,
       "this dimension of " + in_quotes(i.name) + " is subscripted by " + text + ", not by " +
           type_text(v),
       where);
}

std::vector<Evaluator::Sub> Evaluator::subscripts(ExprList list, const Dims& dims, const Context& c,
                                                  diag::Span where, const Instance* of) {
  std::vector<Sub> subs;
  if (list.size() > dims.size()) {
    fail(Code::kBadSubscript,
         std::to_string(list.size()) + " subscripts for " + std::to_string(dims.size()) +
             (dims.size() == 1 ? " dimension" : " dimensions"),
         where);
  }
  for (std::size_t d = 0; d < list.size(); ++d) {
    Sub s;
    const Expr& e = *list[d];
    if (e.kind == ExprKind::kColon) {
      for (int p = 1; p <= dims[d]; ++p) s.fixed.positions.push_back(p);
      subs.push_back(std::move(s));
      continue;
    }
    Context inner = c;
    inner.end = dims[d];
    inner.end_size = {};
    const std::optional<IndexType> type = of == nullptr ? std::nullopt : index_type(*of, d);
    inner.end_type = type.value_or(IndexType{});
    Value v;
    if (e.kind == ExprKind::kReference || e.kind == ExprKind::kInteger) {
      v = eval(e, inner);
      if (v.kind == Value::Kind::kFunction) {
        // A subscript can be an enumeration type: all its literals.
        for (int p = 1; p <= dims[d]; ++p) s.fixed.positions.push_back(p);
        subs.push_back(std::move(s));
        continue;
      }
    } else {
      v = eval(e, inner);
    }
    if (!is_constant(pool(), v)) {
      if (std::optional<Value> known = try_constant(e, inner)) v = *known;
    }
    if (v.kind != Value::Kind::kArray || v.dims.size() > 1 ||
        (v.type == ScalarType::kReal && !v.elements.empty()) || v.type == ScalarType::kString) {
      fail(Code::kBadSubscript, "a subscript must be an Integer, a Boolean or an enumeration",
           span(c, e));
    }
    if (of != nullptr) check_subscript(*of, type, v, span(c, e));
    s.fixed.scalar = v.dims.empty();
    const bool known = is_constant(pool(), v);
    for (const ExprId x : v.elements) {
      if (!known) {
        s.chosen.push_back(v.type == ScalarType::kBoolean
                               ? pool().if_else(x, pool().integer(2), pool().integer(1))
                               : x);
      }
      if (!pool().is_constant(x)) continue;
      int p = saturated<int>(pool().value(x));
      if (v.type == ScalarType::kBoolean) ++p;
      if (p < 1 || p > dims[d]) {
        fail(Code::kBadSubscript,
             "subscript " + std::to_string(p) + " is outside of 1 to " + std::to_string(dims[d]),
             span(c, e));
      }
      if (known) s.fixed.positions.push_back(p);
    }
    if (!known) {
      allow(s.chosen.size() * static_cast<std::size_t>(dims[d]), span(c, e));
      const Origin at = origin(c, where.range);
      const std::string& component = pool().text(at.component);
      s.what =
          pool().intern((component.empty() ? "" : component + ": ") +
                        (where.file == nullptr ? "" : shortened(where.file->text(where.range))) +
                        place_text(pool(), at));
    }
    subs.push_back(std::move(s));
  }
  return subs;
}

}  // namespace arges::lang
