// Calls of functions that are compiled: which FlatFunction it is, and its arguments and results.

#include <algorithm>

#include "arges/flatten/function_maker.h"
#include "arges/flatten/nested.h"

namespace arges::lang {

using diag::Code;

std::string shape_key(const Value& v) {
  std::string key = v.is_record() ? "r" : std::to_string(static_cast<int>(v.type));
  if (v.kind == Value::Kind::kRunTime) key += "~" + std::to_string(v.sizes.size());
  for (const int d : v.dims) key += "x" + std::to_string(d);
  for (const auto& [name, field] : v.fields) key += "(" + shape_key(field) + ")";
  return key;
}

namespace {

// What the statements of the function have made of an output y[:], of so many dimensions. That of
// records is the outer part of their fields.
Dims dims_of(const FlatFunction& f, std::string_view output, std::ptrdiff_t dimensions) {
  const std::string field = std::string(output) + ".";
  for (std::int32_t i = f.inputs; i < f.inputs + f.outputs; ++i) {
    const FlatLocal& local = f.locals[static_cast<std::size_t>(i)];
    if (local.name == output || local.name == plain_name(output) || local.name.starts_with(field))
      return {local.dims.begin(), local.dims.begin() + dimensions};
  }
  return {};
}

}  // namespace

std::vector<Value> Evaluator::flat_call(Instance& function, const std::vector<Value>& values,
                                        diag::Span where) {
  std::vector<Value> arguments = values;
  // A function that calls itself with ever larger arrays would be made for each size.
  constexpr std::size_t kLargest = 1'000'000;
  constexpr int kMostNested = 60;
  const Nested nested(making_);
  std::size_t size = 0;
  for (const Value& v : values) size += scalar_count(v);
  if (making_ > kMostNested || size > kLargest) {
    fail(Code::kTooLarge,
         "the calls in " + in_quotes(function.cls.node->path()) +
             (size > kLargest ? " have too large arguments" : " are nested too deeply") +
             ": is there a recursion without end?",
         where);
  }
  // First without knowing values; when sizes depend on values, for these values; when they are not
  // known either, with loops over vectors (RunTimeVectors).
  enum class Attempt : std::uint8_t { kAnyValues, kTheseValues, kRunTimeVectors };
  std::optional<Failure> failure;
  for (const Attempt attempt :
       {Attempt::kAnyValues, Attempt::kTheseValues, Attempt::kRunTimeVectors}) {
    const bool specialise = attempt == Attempt::kTheseValues;
    const bool vectors = attempt == Attempt::kRunTimeVectors;
    if (vectors) arguments = values;
    std::vector<bool> constants(arguments.size(), false);
    std::string key =
        std::to_string(reinterpret_cast<std::uintptr_t>(function.cls.node)) + "/" +
        std::to_string(reinterpret_cast<std::uintptr_t>(
            function.cls.environment.empty() ? function.cls.enclosing.instance : &function)) +
        (specialise ? "!"
         : vectors  ? "~"
                    : ":");
    bool external = false;
    for (const Part& part : function.parts) {
      const ClassDef* def = instances_.tree().definition(*part.node);
      external = external || (def != nullptr && def->external != nullptr);
    }
    for (std::size_t i = 0; i < arguments.size(); ++i) {
      Value& v = arguments[i];
      if (external) {
        if (const auto path = resource(v, where)) v = string_value(*path);
      }
      if (specialise && v.is_scalar() && v.type != ScalarType::kReal) {
        if (const std::optional<ExprId> known = known_value(v.scalar())) v.elements[0] = *known;
      }
      if (v.kind == Value::Kind::kFunction) {  // a function of its own for each function given
        constants[i] = true;
        key += "f" + std::to_string(reinterpret_cast<std::uintptr_t>(v.record->cls.node));
        for (const auto& bound : v.fields) {
          if (!is_constant(pool(), bound.value)) {  // an input more
            key += "," + shape_key(bound.value);
            continue;
          }
          std::vector<ExprId> literals;
          append_scalars(bound.value, literals);
          for (const ExprId e : literals) key += "," + std::to_string(e.index);
        }
        key += ";";
        continue;
      }
      const bool text = v.type == ScalarType::kString && !v.is_record() && !external;
      if ((specialise || text) && v.is_scalar() && is_constant(pool(), v) &&
          v.type != ScalarType::kReal) {
        constants[i] = true;
        key += "=" + std::to_string(v.scalar().index) + ";";
      } else {
        key += shape_key(v) + ";";
      }
    }
    auto it = functions_.find(key);
    if (it != functions_.end() && !it->second.valid()) {  // it has failed before
      if (!failure) failure = Failure{failed_functions_.at(key)};
      continue;
    }
    if (it == functions_.end()) {
      const FunctionId id{static_cast<std::int32_t>(model_.functions.size())};
      model_.functions.emplace_back();
      model_.functions.back().name = function.cls.node->path();
      functions_[key] = id;
      try {
        FlatFunction made;
        const FunctionAround around(*this, vectors ? &made : nullptr);
        {
          const FunctionMade inside(*this, &made);
          FunctionMaker(*this, function).make(made, arguments, constants);
        }
        model_.functions[static_cast<std::size_t>(id.index)] = std::move(made);
        if (external ? !specialise : follows_declaration(function))
          declare_derivatives(id, function, arguments, where);
      } catch (Failure& f) {
        functions_[key] = FunctionId{};
        failed_functions_.insert_or_assign(key, f.diagnostic);
        if (f.diagnostic.code == Code::kTooLarge) throw;  // nor would it be smaller
        // What is wrong with the values known says more, when any are.
        const bool more = std::find(constants.begin(), constants.end(), true) != constants.end();
        const bool further = vectors && failure && failure->diagnostic.code == Code::kNotConstant &&
                             f.diagnostic.code != Code::kNotConstant;
        if (!failure || (more && !vectors) || further) failure = std::move(f);
        continue;
      }
      it = functions_.find(key);
    }
    const FunctionId id = it->second;
    // The components of a function as they are there: for the order of scalars.
    const SizesAtRunTime sizes(instances_, vectors);
    Instance& f = instances_.make(function.cls, World::kFunction, nullptr, {});
    instances_.expand(f);
    const std::vector<Slot*> in = inputs(f);
    std::vector<ExprId> scalars;
    for (std::size_t i = 0; i < in.size(); ++i) {
      Instance* input = instances_.component(f, *in[i]);
      if (input == nullptr) continue;
      if (constants[i]) {
        give(*input, arguments[i]);
        if (arguments[i].kind == Value::Kind::kFunction) {
          for (const auto& [name, field] : arguments[i].fields) {
            if (!is_constant(pool(), field)) append_scalars(field, scalars);
          }
        }
        continue;
      }
      set_sizes(instances_, *input, arguments[i]);
      if (arguments[i].kind == Value::Kind::kRunTime) {
        scalars.insert(scalars.end(), arguments[i].sizes.begin(), arguments[i].sizes.end());
        scalars.push_back(arguments[i].scalar());
      } else if (input->basic != Basic::kNone) {
        const Value fit =
            fitted(arguments[i], arguments[i].dims, false,
                   input->basic == Basic::kExternalObject ? ScalarType::kInteger : input->type,
                   where, input->enumeration);
        append_arguments(instances_, *input, fit, scalars);
      } else {
        append_arguments(instances_, *input, arguments[i], scalars);
      }
    }
    const ExprId node = pool().call(id, scalars);
    std::vector<Value> results;
    int at = 0;
    const FlatFunction& made = model_.functions[static_cast<std::size_t>(id.index)];
    for (Slot* slot : outputs(f)) {
      Instance* output = instances_.component(f, *slot);
      if (output == nullptr) continue;
      if (Instances::is_open(*output))
        instances_.set_dims(*output, dims_of(made, slot->name, formal_dims(f, *slot)));
      results.push_back(result_value(*output, node, at, {}));
    }
    if (results.empty()) {
      results.push_back(scalar_value(pool(), pool().result(node, 0, ScalarType::kInteger)));
    }
    return results;
  }
  if (failure) {
    throw Failure{
        failure->diagnostic.note("in the call of " + in_quotes(function.cls.node->path()))};
  }
  fail(Code::kNotSupported,
       "this call of " + in_quotes(function.cls.node->path()) + " cannot be compiled", where);
}

// `outer`: of the arrays of records around it.
Value Evaluator::result_value(Instance& i, ExprId call, int& at, const Dims& outer) {
  instances_.expand(i);
  Dims dims = outer;
  dims.insert(dims.end(), i.dims.begin(), i.dims.end());
  if (i.basic != Basic::kNone) {
    Value v;
    v.type = i.basic == Basic::kExternalObject ? ScalarType::kInteger : i.type;
    v.enumeration = i.enumeration;
    v.dims = dims;
    for (std::size_t n = 0; n < count(dims); ++n) {
      v.elements.push_back(pool().result(call, at++, v.type));
    }
    return v;
  }
  if (i.is_array()) {
    if (i.items.empty()) return array_value(pool(), dims, {});
    return result_value(*i.items[0], call, at, dims);
  }
  Value v;
  v.kind = Value::Kind::kRecord;
  v.record = &i;
  v.dims = outer;
  for (Slot* slot : i.order) {
    Instance* field = instances_.component(i, *slot);
    if (field != nullptr) v.fields.push_back({slot->name, result_value(*field, call, at, outer)});
  }
  return v;
}

}  // namespace arges::lang
