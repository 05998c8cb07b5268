#include "arges/flatten/operator_records.h"

#include <algorithm>
#include <string>

namespace arges::lang {

using diag::Code;

namespace {

bool is_array(const Value& v) { return !v.dims.empty(); }

}  // namespace

OperatorRecords::Functions OperatorRecords::functions(Evaluator& evaluator, Instance* record,
                                                      std::string_view symbol) {
  if (record == nullptr) return {};
  Instances& instances = evaluator.instances_;
  Slot* slot = instances.find(*record, symbol);
  if (slot == nullptr || slot->kind != MemberKind::kClass) return {};
  Instance& op = instances.class_instance({Resolved::Kind::kSlot, record, slot, nullptr});
  instances.expand(op);
  const ClassKind kind = instances.kind(op);
  if (kind == ClassKind::kFunction || kind == ClassKind::kOperatorFunction) return {&op};
  Functions found;
  for (Slot& s : op.slots) {
    if (s.kind != MemberKind::kClass) continue;
    Instance& f = instances.class_instance({Resolved::Kind::kSlot, &op, &s, nullptr});
    instances.expand(f);
    found.push_back(&f);
  }
  return found;
}

OperatorRecords::Functions OperatorRecords::of(const Value& v, std::string_view symbol) {
  return functions(e_, v.is_record() ? v.record : nullptr, symbol);
}

Instance& OperatorRecords::type_of(Instance& function, Slot& input) {
  Instance& type = e_.instances_.make(
      e_.instances_.find_class(input.element->components->type, {&function, input.part}),
      World::kPackage, nullptr, {});
  e_.instances_.expand(type);
  return type;
}

// Short classes of an operator record are the same record with other attributes; plain records are
// compared by their fields.
bool OperatorRecords::same_record(Instance& a, Instance& b) {
  e_.instances_.expand(a);
  e_.instances_.expand(b);
  if (a.parts.back().node == b.parts.back().node) return true;
  const auto is_operator = [&](Instance& i) {
    return e_.instances_.kind(i) == ClassKind::kOperatorRecord;
  };
  if (is_operator(a) || is_operator(b)) return false;
  return std::ranges::equal(a.order, b.order, {}, &Slot::name, &Slot::name);
}

bool OperatorRecords::fits(Instance& function, Slot& input, const Value& v, Shapes shapes,
                           int& conversions) {
  if (v.kind != Value::Kind::kRecord && v.kind != Value::Kind::kArray) return false;
  const auto wanted = static_cast<std::size_t>(e_.formal_dims(function, input));
  const bool more = v.dims.size() > wanted && shapes == Shapes::kByElements;
  if (v.dims.size() != wanted && !more) return false;
  Instance& type = type_of(function, input);
  if (v.is_record()) return type.basic == Basic::kNone && same_record(*v.record, type);
  if (is_array(v) && v.elements.empty()) return true;  // without elements there is no type
  if (type.basic == Basic::kNone) return false;
  if (v.type == ScalarType::kInteger && type.type == ScalarType::kReal) {
    ++conversions;
    return true;
  }
  if (v.type != type.type) return false;
  return v.enumeration == nullptr || type.enumeration == nullptr ||
         e_.instances_.same_enumeration(*v.enumeration, *type.enumeration);
}

std::optional<OperatorRecords::Matched> OperatorRecords::match(Instance& function,
                                                               const Arguments& arguments,
                                                               Shapes shapes, int& conversions) {
  const std::vector<Slot*> in = e_.inputs(function);
  if (arguments.positional.size() > in.size()) return std::nullopt;
  Matched values(in.size());
  for (std::size_t i = 0; i < arguments.positional.size(); ++i) values[i] = arguments.positional[i];
  for (const auto& [name, value] : arguments.named) {
    const auto it = std::ranges::find(in, name, &Slot::name);
    if (it == in.end() || values[static_cast<std::size_t>(it - in.begin())]) return std::nullopt;
    values[static_cast<std::size_t>(it - in.begin())] = value;
  }
  for (std::size_t i = 0; i < in.size(); ++i) {
    const bool good = values[i] ? fits(function, *in[i], *values[i], shapes, conversions)
                                : in[i]->component->modification != nullptr;
    if (!good) return std::nullopt;
  }
  return values;
}

void OperatorRecords::ambiguous(const Instance& one, const Instance& other) {
  fail(Code::kAmbiguousOverload,
       in_quotes(one.cls.node->path()) + " and " + in_quotes(other.cls.node->path()) +
           " both fit these arguments",
       where_);
}

std::optional<Value> OperatorRecords::call(Instance& function, Matched arguments) {
  if (e_.outputs(function).size() != 1) {
    fail(Code::kAmbiguousOverload,
         in_quotes(function.cls.node->path()) + " must have exactly one output", where_);
  }
  std::vector<Value> results = e_.call_with(function, std::move(arguments), context_, where_);
  if (results.empty()) return std::nullopt;
  return std::move(results[0]);
}

// Of several functions that fit, the one with the fewest conversions of Integers to Reals.
std::optional<Value> OperatorRecords::call_one(const Functions& candidates,
                                               const Arguments& arguments, Shapes shapes) {
  Instance* chosen = nullptr;
  Instance* rival = nullptr;
  Matched values;
  int fewest = 0;
  for (Instance* f : candidates) {
    int conversions = 0;
    std::optional<Matched> matched = match(*f, arguments, shapes, conversions);
    if (!matched || (chosen != nullptr && conversions > fewest)) continue;
    rival = chosen != nullptr && conversions == fewest ? chosen : nullptr;
    chosen = f;
    fewest = conversions;
    values = std::move(*matched);
  }
  if (rival != nullptr) ambiguous(*rival, *chosen);
  if (chosen == nullptr) return std::nullopt;
  return call(*chosen, std::move(values));
}

bool OperatorRecords::has_constructor(Evaluator& evaluator, Instance& record) {
  return !functions(evaluator, &record, "'constructor'").empty();
}

std::optional<Value> OperatorRecords::construct(Instance& record, const Arguments& arguments) {
  const Functions candidates = functions(e_, &record, "'constructor'");
  if (auto v = call_one(candidates, arguments, Shapes::kExact)) return v;
  return call_one(candidates, arguments, Shapes::kByElements);
}

// The operand `which` of `function` made what it takes by a constructor, when it is not yet, and
// the other one is.
std::optional<Value> OperatorRecords::converted(Instance& function, const Value& a, const Value& b,
                                                std::size_t which) {
  const std::vector<Slot*> in = e_.inputs(function);
  if (in.size() < 2) return std::nullopt;
  for (std::size_t i = 2; i < in.size(); ++i) {
    if (in[i]->component->modification == nullptr) return std::nullopt;
  }
  int conversions = 0;
  const Value& kept = which == 0 ? b : a;
  const Value& other = which == 0 ? a : b;
  if (!fits(function, *in[1 - which], kept, Shapes::kExact, conversions)) return std::nullopt;
  Instance& type = type_of(function, *in[which]);
  if (type.basic != Basic::kNone) return std::nullopt;
  if (other.is_record() && same_record(*other.record, type)) return std::nullopt;
  if (static_cast<std::size_t>(e_.formal_dims(function, *in[which])) != other.dims.size())
    return std::nullopt;
  return call_one(functions(e_, &type, "'constructor'"), {{other}, {}}, Shapes::kExact);
}

std::optional<Value> OperatorRecords::unary(std::string_view symbol, const Value& v) {
  if (auto r = call_one(of(v, symbol), {{v}, {}}, Shapes::kExact)) return r;
  if (!is_array(v)) return std::nullopt;
  std::vector<Value> values;
  for (int k = 1; k <= v.dims[0]; ++k) {
    auto r = unary(symbol, element_of(v, k));
    if (!r) return std::nullopt;
    values.push_back(std::move(*r));
  }
  if (values.empty()) return v;
  return stacked(values);
}

std::optional<Value> OperatorRecords::binary(std::string_view spelled, const Value& a,
                                             const Value& b) {
  const bool by_elements = spelled.starts_with("'.");
  const std::string symbol =
      by_elements ? "'" + std::string(spelled.substr(2)) : std::string(spelled);
  if (!by_elements || (!is_array(a) && !is_array(b))) {
    const Functions left = of(a, symbol);
    Functions right = of(b, symbol);
    if (a.is_record() && b.is_record() && same_record(*a.record, *b.record)) right.clear();
    Functions both = left;
    both.insert(both.end(), right.begin(), right.end());
    if (auto r = call_one(both, {{a, b}, {}}, Shapes::kExact)) return r;
    Instance* chosen = nullptr;
    Matched values;
    for (Instance* f : both) {
      for (const std::size_t which : {std::size_t{1}, std::size_t{0}}) {
        auto made = converted(*f, a, b, which);
        if (!made) continue;
        if (chosen != nullptr) ambiguous(*chosen, *f);
        chosen = f;
        values = which == 1 ? Matched{a, std::move(made)} : Matched{std::move(made), b};
      }
    }
    if (chosen != nullptr) return call(*chosen, std::move(values));
  }
  if (!is_array(a) && !is_array(b)) return std::nullopt;
  if (symbol == "'*'" && !by_elements && is_array(a) && is_array(b)) return product(a, b);
  const bool sums = symbol == "'+'" || symbol == "'-'";
  const bool allowed = by_elements || (sums && is_array(a) == is_array(b)) || symbol == "'*'" ||
                       (symbol == "'/'" && !is_array(b));
  if (!allowed) return std::nullopt;
  return each(spelled, a, b);
}

// The operator applied to the elements; what is no array stands with each of them.
std::optional<Value> OperatorRecords::each(std::string_view symbol, const Value& a,
                                           const Value& b) {
  if (is_array(a) && is_array(b) && a.dims[0] != b.dims[0])
    fail(Code::kSizeMismatch, "the arrays of this operator have different sizes", where_);
  const int n = is_array(a) ? a.dims[0] : b.dims[0];
  std::vector<Value> values;
  for (int k = 1; k <= n; ++k) {
    auto r = binary(symbol, is_array(a) ? element_of(a, k) : a, is_array(b) ? element_of(b, k) : b);
    if (!r) return std::nullopt;
    values.push_back(std::move(*r));
  }
  if (values.empty()) return is_array(a) ? a : b;
  return stacked(values);
}

// A matrix by a vector or a matrix, from '*' and '+' of the elements. A vector on the left has no
// product but one that the record declares: whether it conjugates is not for us to say.
std::optional<Value> OperatorRecords::product(const Value& a, const Value& b) {
  if (a.dims.size() != 2 || b.dims.size() > 2) return std::nullopt;
  if (a.dims[1] != b.dims[0])
    fail(Code::kSizeMismatch, "the inner sizes of this product are different", where_);
  if (a.dims[0] == 0 || a.dims[1] == 0) return std::nullopt;
  if (b.dims.size() == 2) {
    const Value columns = transposed(b);
    std::vector<Value> products;
    for (int k = 1; k <= columns.dims[0]; ++k) {
      auto one = product(a, element_of(columns, k));
      if (!one) return std::nullopt;
      products.push_back(std::move(*one));
    }
    if (products.empty()) return std::nullopt;
    return transposed(stacked(products));
  }
  std::vector<Value> sums;
  for (int i = 1; i <= a.dims[0]; ++i) {
    const Value row = element_of(a, i);
    std::optional<Value> total;
    for (int k = 1; k <= row.dims[0]; ++k) {
      auto term = binary("'*'", element_of(row, k), element_of(b, k));
      if (term && total) term = binary("'+'", *total, *term);
      if (!term) return std::nullopt;
      total = std::move(term);
    }
    sums.push_back(std::move(*total));
  }
  return stacked(sums);
}

std::optional<Value> OperatorRecords::sum(const Value& v) {
  std::optional<Value> total;
  for (int i = 1; i <= v.dims[0]; ++i) {
    const Value element = element_of(v, i);
    std::optional<Value> term = is_array(element) ? sum(element) : element;
    if (term && total) term = binary("'+'", *total, *term);
    if (!term) return std::nullopt;
    total = std::move(term);
  }
  return total;
}

std::optional<Value> OperatorRecords::string(const Arguments& arguments) {
  return call_one(of(arguments.positional[0], "'String'"), arguments, Shapes::kExact);
}

}  // namespace arges::lang
