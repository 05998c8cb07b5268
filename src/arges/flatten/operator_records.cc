// Operators and constructors of operator records.

#include <algorithm>

#include "arges/flatten/evaluator.h"

namespace arges::lang {

using diag::Code;

// Operator records: 'constructor' when fields alone do not fit.
std::optional<Value> Evaluator::constructor(Instance& record,
                                            const std::vector<std::optional<Value>>& args,
                                            const Context& c, diag::Span where) {
  if (std::all_of(args.begin(), args.end(), [](const auto& a) { return a.has_value(); })) {
    return std::nullopt;
  }
  std::vector<Value> given;
  for (const auto& a : args) {
    if (a) given.push_back(*a);
  }
  Value self;
  self.kind = Value::Kind::kRecord;
  self.record = &record;
  std::vector<Value> all{self};
  all.insert(all.end(), given.begin(), given.end());
  return operator_record("'constructor'", all, c, where);
}

// By '+', of all elements.
Value Evaluator::operator_record_sum(const Value& v, const Context& c, diag::Span where) {
  if (v.dims.empty()) return v;
  Value total = operator_record_sum(element_of(v, 1), c, where);
  for (int i = 2; i <= v.dims[0]; ++i) {
    const Value term = operator_record_sum(element_of(v, i), c, where);
    const std::optional<Value> sum = operator_record("'+'", {total, term}, c, where);
    if (!sum) fail(Code::kTypeMismatch, "these records cannot be added", where);
    total = *sum;
  }
  return total;
}

// A matrix by a vector or a matrix, from '*' and '+' of the elements. A vector on the left has no
// product but one that the record declares: whether it conjugates is not for us to say.
std::optional<Value> Evaluator::operator_record_product(const Value& a, const Value& b,
                                                        const Context& c, diag::Span where) {
  if (a.dims.size() != 2 || b.dims.size() > 2) return std::nullopt;
  if (a.dims[1] != b.dims[0])
    fail(Code::kSizeMismatch, "the inner sizes of this product are different", where);
  if (a.dims[0] == 0 || a.dims[1] == 0) return std::nullopt;
  if (b.dims.size() == 2) {
    const Value columns = transposed(b);
    std::vector<Value> products;
    for (int k = 1; k <= columns.dims[0]; ++k) {
      auto product = operator_record_product(a, element_of(columns, k), c, where);
      if (!product) return std::nullopt;
      products.push_back(*product);
    }
    if (products.empty()) return std::nullopt;
    return transposed(stacked(products));
  }
  std::vector<Value> sums;
  for (int i = 1; i <= a.dims[0]; ++i) {
    const Value row = element_of(a, i);
    std::optional<Value> sum;
    for (int k = 1; k <= row.dims[0]; ++k) {
      auto term = operator_record("'*'", {element_of(row, k), element_of(b, k)}, c, where);
      if (term && sum) term = operator_record("'+'", {*sum, *term}, c, where);
      if (!term) return std::nullopt;
      sum = term;
    }
    sums.push_back(*sum);
  }
  return stacked(sums);
}

// For 'constructor' the first value only names the record. '.*' is '*' of the elements.
std::optional<Value> Evaluator::operator_record(std::string_view spelled,
                                                const std::vector<Value>& args, const Context& c,
                                                diag::Span where) {
  Instance* record = nullptr;
  for (const Value& v : args) {
    if (v.is_record() && record == nullptr) record = v.record;
  }
  if (record == nullptr) return std::nullopt;
  const bool by_elements = spelled.starts_with("'.");
  const std::string symbol =
      by_elements ? "'" + std::string(spelled.substr(2)) : std::string(spelled);
  Slot* slot = instances_.find(*record, symbol);
  if (slot == nullptr || slot->kind != MemberKind::kClass) return std::nullopt;
  Instance& op = instances_.class_instance({Resolved::Kind::kSlot, record, slot, nullptr});
  instances_.expand(op);
  std::vector<Instance*> candidates;
  const ClassKind kind = instances_.kind(op);
  if (kind == ClassKind::kFunction || kind == ClassKind::kOperatorFunction) {
    candidates.push_back(&op);
  } else {
    for (Slot& s : op.slots) {
      if (s.kind != MemberKind::kClass) continue;
      Instance& f = instances_.class_instance({Resolved::Kind::kSlot, &op, &s, nullptr});
      instances_.expand(f);
      candidates.push_back(&f);
    }
  }
  const std::vector<Value> given(args.begin() + (symbol == "'constructor'" ? 1 : 0), args.end());
  // Arrays of records: element by element, unless an operator takes them as a whole. One that takes
  // two vectors (a scalar product) says nothing about a scalar and a vector.
  const auto is_array = [](const Value& v) { return !v.dims.empty(); };
  const auto arrays = std::count_if(given.begin(), given.end(), is_array);
  bool as_a_whole = symbol == "'constructor'" || arrays == 0;
  if (!as_a_whole && !by_elements && static_cast<std::size_t>(arrays) == given.size()) {
    for (Instance* f : candidates) {
      for (Slot* in : inputs(*f)) as_a_whole = as_a_whole || formal_dims(*f, *in) > 0;
    }
  }
  const bool is_product = symbol == "'*'" && !by_elements && arrays == 2;
  if (!as_a_whole && !is_product) {
    const Value& longest = *std::find_if(given.begin(), given.end(), is_array);
    std::vector<Value> values;
    for (int k = 1; k <= longest.dims[0]; ++k) {
      std::vector<Value> one = given;
      for (Value& v : one) {
        if (is_array(v) && v.dims[0] != longest.dims[0])
          fail(Code::kSizeMismatch, "the arrays of this operator have different sizes", where);
        if (is_array(v)) v = element_of(v, k);
      }
      auto r = operator_record(spelled, one, c, where);
      if (!r) return std::nullopt;
      values.push_back(*r);
    }
    if (values.empty()) return std::nullopt;
    return stacked(values);
  }
  for (const bool converting : {false, true}) {
    Instance* chosen = nullptr;
    std::vector<std::optional<Value>> arguments;
    int fewest = 0;  // conversions of Integer to Real
    for (Instance* f : candidates) {
      const std::vector<Slot*> in = inputs(*f);
      if (in.size() < given.size()) continue;
      bool fits = true;
      int conversions = 0;
      std::vector<std::optional<Value>> values(in.size());
      for (std::size_t i = 0; i < in.size() && fits; ++i) {
        Instance& type = instances_.make(
            instances_.find_class(in[i]->element->components->type, {f, in[i]->part}),
            World::kPackage, nullptr, {});
        instances_.expand(type);
        if (i >= given.size()) {
          fits = in[i]->component->modification != nullptr;
          continue;
        }
        const bool wants_record = type.basic == Basic::kNone;
        if (symbol != "'constructor'") {
          fits = formal_dims(*f, *in[i]) == static_cast<int>(given[i].dims.size());
        }
        if (wants_record == given[i].is_record()) {
          if (!wants_record && given[i].type != type.type) {
            ++conversions;
            fits = fits && type.type == ScalarType::kReal && given[i].type == ScalarType::kInteger;
          }
          values[i] = given[i];
        } else if (wants_record && converting) {
          Value self;
          self.kind = Value::Kind::kRecord;
          self.record = record;
          auto r = operator_record("'constructor'", {self, given[i]}, c, where);
          fits = fits && r.has_value();
          if (r) values[i] = *r;
        } else {
          fits = false;
        }
      }
      if (!fits) continue;
      if (chosen != nullptr && conversions == fewest) {
        fail(Code::kAmbiguousOverload,
             in_quotes(chosen->cls.node->path()) + " and " + in_quotes(f->cls.node->path()) +
                 " both fit these arguments",
             where);
      }
      if (chosen != nullptr && conversions > fewest) continue;
      chosen = f;
      fewest = conversions;
      arguments = std::move(values);
    }
    if (chosen == nullptr) continue;
    if (outputs(*chosen).size() != 1) {
      fail(Code::kAmbiguousOverload,
           in_quotes(chosen->cls.node->path()) + " must have exactly one output", where);
    }
    std::vector<Value> results = call_with(*chosen, std::move(arguments), c, where);
    if (!results.empty()) return results[0];
  }
  if (is_product) return operator_record_product(given[0], given[1], c, where);
  return std::nullopt;
}

}  // namespace arges::lang
