#include "arges/flatten/value.h"

#include <algorithm>

namespace arges::lang {

namespace {

constexpr std::size_t kManyElements = std::size_t{1} << 32U;

}  // namespace

std::size_t count(const Dims& dims) {
  std::size_t n = 1;
  for (const int d : dims) {
    // Sizes are below 2^31, so that products stay below 2^63; what is larger is too large anyway.
    n = std::min(n, kManyElements) * static_cast<std::size_t>(d);
  }
  return n;
}

std::string size_text(const Dims& dims) {
  if (dims.empty()) return "a scalar";
  std::string s = "size [";
  for (std::size_t i = 0; i < dims.size(); ++i) s += (i > 0 ? ", " : "") + std::to_string(dims[i]);
  return s + "]";
}

const Value* Value::field(std::string_view name) const {
  for (const auto& [n, v] : fields) {
    if (n == name) return &v;
  }
  return nullptr;
}

Value scalar_value(const ExprPool& pool, ExprId e) {
  Value v;
  v.type = pool[e].type;
  v.elements = {e};
  return v;
}

Value array_value(const ExprPool& pool, Dims dims, std::vector<ExprId> elements, ScalarType type) {
  Value v;
  v.dims = std::move(dims);
  v.elements = std::move(elements);
  v.type = v.elements.empty() ? type : pool[v.elements[0]].type;
  for (const ExprId e : v.elements) {
    if (pool[e].type == ScalarType::kReal) v.type = ScalarType::kReal;
  }
  return v;
}

Value subscripted(const Value& value, const std::vector<Subscript>& subscripts) {
  if (subscripts.empty()) return value;
  Value out;
  out.kind = value.kind;
  out.type = value.type;
  out.enumeration = value.enumeration;
  out.record = value.record;
  for (std::size_t d = 0; d < value.dims.size(); ++d) {
    if (d >= subscripts.size()) {
      out.dims.push_back(value.dims[d]);
    } else if (!subscripts[d].scalar) {
      out.dims.push_back(static_cast<int>(subscripts[d].positions.size()));
    }
  }
  if (value.is_record()) {
    for (const auto& [name, field] : value.fields) {
      out.fields.push_back({name, subscripted(field, subscripts)});
    }
    return out;
  }
  // Offsets of the chosen elements, one dimension after the other.
  std::vector<std::size_t> offsets{0};
  for (std::size_t d = 0; d < value.dims.size(); ++d) {
    std::vector<std::size_t> next;
    const auto n = static_cast<std::size_t>(value.dims[d]);
    for (const std::size_t o : offsets) {
      if (d < subscripts.size()) {
        for (const int p : subscripts[d].positions)
          next.push_back(o * n + static_cast<std::size_t>(p - 1));
      } else {
        for (std::size_t p = 0; p < n; ++p) next.push_back(o * n + p);
      }
    }
    offsets = std::move(next);
  }
  out.elements.reserve(offsets.size());
  for (const std::size_t o : offsets) out.elements.push_back(value.elements[o]);
  return out;
}

Value element_of(const Value& value, int position) {
  return subscripted(value, {Subscript{{position}, true}});
}

Value stacked(const std::vector<Value>& values) {
  Value out = values[0];
  out.dims.insert(out.dims.begin(), static_cast<int>(values.size()));
  if (out.is_record()) {
    for (std::size_t f = 0; f < out.fields.size(); ++f) {
      std::vector<Value> parts;
      for (const Value& v : values) parts.push_back(v.fields[f].value);
      out.fields[f].value = stacked(parts);
    }
    return out;
  }
  out.elements.reserve(out.elements.size() * values.size());
  for (std::size_t i = 1; i < values.size(); ++i) {
    out.elements.insert(out.elements.end(), values[i].elements.begin(), values[i].elements.end());
    if (values[i].type == ScalarType::kReal) out.type = ScalarType::kReal;
  }
  return out;
}

namespace {

void replace_first_dimension(Value& v, const Dims& by) {
  Dims dims = by;
  dims.insert(dims.end(), v.dims.begin() + 1, v.dims.end());
  v.dims = std::move(dims);
  for (auto& [name, field] : v.fields) replace_first_dimension(field, by);
}

}  // namespace

Value arranged(const std::vector<Value>& values, const Dims& dims) {
  Value v = stacked(values);
  replace_first_dimension(v, dims);
  return v;
}

Value joined(const std::vector<Value>& values, std::size_t dim) {
  Value out = values[0];
  std::size_t outer = 1;
  for (std::size_t d = 0; d < dim; ++d) outer *= static_cast<std::size_t>(out.dims[d]);
  for (std::size_t i = 1; i < values.size(); ++i) {
    out.dims[dim] += values[i].dims[dim];
    if (values[i].type == ScalarType::kReal) out.type = ScalarType::kReal;
  }
  if (out.is_record()) {
    for (std::size_t f = 0; f < out.fields.size(); ++f) {
      std::vector<Value> parts;
      for (const Value& v : values) parts.push_back(v.fields[f].value);
      out.fields[f].value = joined(parts, dim);
    }
    return out;
  }
  out.elements.clear();
  for (std::size_t o = 0; o < outer; ++o) {
    for (const Value& v : values) {
      const std::size_t block = outer == 0 ? 0 : v.elements.size() / outer;
      const auto from = v.elements.begin() + static_cast<std::ptrdiff_t>(o * block);
      out.elements.insert(out.elements.end(), from, from + static_cast<std::ptrdiff_t>(block));
    }
  }
  return out;
}

Value transposed(const Value& value) {
  Value out = value;
  std::swap(out.dims[0], out.dims[1]);
  for (Value::Field& field : out.fields) field.value = transposed(field.value);
  const auto rows = static_cast<std::size_t>(value.dims[0]);
  const auto columns = static_cast<std::size_t>(value.dims[1]);
  const std::size_t inner = rows * columns == 0 ? 0 : value.elements.size() / (rows * columns);
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t j = 0; j < columns; ++j) {
      for (std::size_t k = 0; k < inner; ++k) {
        out.elements[(j * rows + i) * inner + k] = value.elements[(i * columns + j) * inner + k];
      }
    }
  }
  return out;
}

Value reshaped(Value value, Dims dims) {
  for (Value::Field& field : value.fields) {
    Dims whole = dims;  // and those of the field itself
    const Dims& old = field.value.dims;
    whole.insert(whole.end(), old.begin() + static_cast<std::ptrdiff_t>(value.dims.size()),
                 old.end());
    field.value = reshaped(std::move(field.value), std::move(whole));
  }
  value.dims = std::move(dims);
  return value;
}

void append_scalars(const Value& value, std::vector<ExprId>& out) {
  if (value.is_record()) {
    for (const auto& [name, field] : value.fields) append_scalars(field, out);
    return;
  }
  out.insert(out.end(), value.elements.begin(), value.elements.end());
}

std::size_t scalar_count(const Value& value) {
  if (!value.is_record()) return value.elements.size();
  std::size_t n = 0;
  for (const auto& [name, field] : value.fields) n += scalar_count(field);
  return n;
}

bool is_literal(const ExprPool& pool, ExprId e) {
  return pool.is_constant(e) || pool[e].op == Op::kString;
}

bool is_constant(const ExprPool& pool, const Value& value) {
  if (value.is_record() || value.kind == Value::Kind::kFunction) {
    return std::all_of(value.fields.begin(), value.fields.end(),
                       [&](const auto& f) { return is_constant(pool, f.value); });
  }
  return std::all_of(value.elements.begin(), value.elements.end(),
                     [&](ExprId e) { return is_literal(pool, e); });
}

}  // namespace arges::lang
