// Types of values: which go together.

#include "arges/flatten/evaluator.h"

namespace arges::lang {

using diag::Code;

namespace {

bool is_number(ScalarType type) {
  return type == ScalarType::kReal || type == ScalarType::kInteger;
}

// An array without elements fits everything: nothing has given it a type.
bool has_elements(const Value& v) { return v.kind == Value::Kind::kArray && !v.elements.empty(); }

}  // namespace

std::string Evaluator::type_text(const Value& v) {
  if (v.is_record())
    return v.record == nullptr ? "a record" : in_quotes(v.record->cls.node->path());
  if (v.kind != Value::Kind::kArray) return "a function";
  if (v.type == ScalarType::kEnumeration && v.enumeration != nullptr)
    return in_quotes(v.enumeration->path());
  return std::string(to_string(v.type));
}

bool Evaluator::have_common_type(const Value& a, const Value& b) {
  if (a.is_record() && b.is_record()) {
    if (a.fields.size() != b.fields.size()) return false;
    for (const auto& [name, field] : a.fields) {
      const Value* const other = b.field(name);
      if (other == nullptr || !have_common_type(field, *other)) return false;
    }
    return true;
  }
  if (a.kind != b.kind) return false;
  if (!has_elements(a) || !has_elements(b)) return true;
  if (is_number(a.type) && is_number(b.type)) return true;
  if (a.type != b.type) return false;
  return a.type != ScalarType::kEnumeration || a.enumeration == nullptr ||
         b.enumeration == nullptr || instances_.same_enumeration(*a.enumeration, *b.enumeration);
}

void Evaluator::check_common_type(const Value& a, const Value& b, const std::string& what,
                                  diag::Span where) {
  if (have_common_type(a, b)) return;
  fail(Code::kTypeMismatch,
       what + " have no type in common: " + type_text(a) + " and " + type_text(b), where);
}

void Evaluator::check_number(const Value& v, diag::Span where) {
  if (v.kind == Value::Kind::kArray && (v.elements.empty() || is_number(v.type))) return;
  fail(Code::kTypeMismatch, "a number is needed, this is " + type_text(v), where);
}

void Evaluator::check_operands(Op op, const Value& a, const Value& b, diag::Span where) {
  if (op == Op::kAnd || op == Op::kOr) return;  // checked by those who have them
  const bool is_order = op == Op::kMin || op == Op::kMax;
  const bool strings = a.type == ScalarType::kString && b.type == ScalarType::kString;
  if (op == Op::kAdd && strings) return;
  if (is_order && !strings) {
    check_common_type(a, b, in_quotes(op == Op::kMin ? "min" : "max") + " of values that", where);
    return;
  }
  check_number(a, where);
  check_number(b, where);
}

void Evaluator::check_enumeration(ClassNode* wanted, const Value& v, diag::Span where) {
  if (wanted == nullptr || v.enumeration == nullptr || v.type != ScalarType::kEnumeration) return;
  if (instances_.same_enumeration(*wanted, *v.enumeration)) return;
  fail(Code::kTypeMismatch,
       in_quotes(wanted->path()) + " is needed, this is " + in_quotes(v.enumeration->path()),
       where);
}

}  // namespace arges::lang
