#pragma once
// What an expression of the text stands for when arrays and records are taken apart.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "arges/expr/pool.h"

namespace arges::lang {

class ClassNode;
struct Instance;

using Dims = std::vector<int>;
// Number of elements of an array of these sizes.
std::size_t count(const Dims& dims);
// "a scalar" or "size [2, 3]".
std::string size_text(const Dims& dims);

// A scalar, an array (elements row by row), or a record. A record array is a record whose fields
// begin with the dimensions of the array, so that taking an element is taking it of every field.
// kRunTime: an array whose sizes are known only when its function runs, as an argument; its element
// is the local.
struct Value {
  enum class Kind : std::uint8_t { kArray, kRecord, kOmitted, kFunction, kRunTime };
  struct Field;
  Kind kind = Kind::kArray;
  ScalarType type = ScalarType::kReal;
  ClassNode* enumeration = nullptr;
  Dims dims;
  std::vector<ExprId> elements;  // kArray
  std::vector<ExprId> sizes;     // kRunTime
  Instance* record = nullptr;    // kRecord: its class; kFunction
  std::vector<Field> fields;     // kRecord

  bool is_scalar() const { return kind == Kind::kArray && dims.empty(); }
  bool is_record() const { return kind == Kind::kRecord; }
  ExprId scalar() const { return elements[0]; }
  const Value* field(std::string_view name) const;
};

struct Value::Field {
  std::string_view name;
  Value value;
};

Value scalar_value(const ExprPool& pool, ExprId e);
// The type follows from the elements; `type` is for arrays without any.
Value array_value(const ExprPool& pool, Dims dims, std::vector<ExprId> elements,
                  ScalarType type = ScalarType::kReal);

// One subscript: positions from 1, and whether the dimension goes away.
struct Subscript {
  std::vector<int> positions;
  bool scalar = false;
};

// value[subscripts]; dimensions without a subscript stay whole. The positions must be in range.
Value subscripted(const Value& value, const std::vector<Subscript>& subscripts);
// The elements of the first dimension.
Value element_of(const Value& value, int position);
// Values of equal shape, as elements of a new first dimension. At least one.
Value stacked(const std::vector<Value>& values);
// The same in an array of dimensions `dims`, row by row; as many as those have elements.
Value arranged(const std::vector<Value>& values, const Dims& dims);
// Joined along dimension `dim` (from 0); the other dimensions agree.
Value joined(const std::vector<Value>& values, std::size_t dim);
Value transposed(const Value& value);
// The same elements in other dimensions.
Value reshaped(Value value, Dims dims);

// All scalars of a value, fields in order.
void append_scalars(const Value& value, std::vector<ExprId>& out);
std::size_t scalar_count(const Value& value);
// All elements are literals.
bool is_constant(const ExprPool& pool, const Value& value);
bool is_literal(const ExprPool& pool, ExprId e);

}  // namespace arges::lang
