#include "arges/flatten/function_maker.h"

#include <algorithm>

#include "arges/flatten/assigned_names.h"
#include "arges/flatten/statement_maker.h"
#include "arges/parse/print.h"

namespace arges::lang {

using diag::Code;

namespace {

void mark_assigned(Instances& instances, Instance& function) {
  std::unordered_set<std::string_view> names;
  for (const Part& part : function.parts) {
    const ClassDef* def = instances.tree().definition(*part.node);
    if (def == nullptr) continue;
    for (const Section& section : def->sections) {
      if (section.kind == SectionKind::kAlgorithm) add_assigned_names(section.statements, names);
    }
  }
  for (Slot* slot : function.order) slot->is_assigned = names.contains(slot->name);
}

}  // namespace

void append_arguments(Instances& instances, Instance& i, const Value& v, std::vector<ExprId>& out) {
  if (i.basic != Basic::kNone) {
    out.insert(out.end(), v.elements.begin(), v.elements.end());
    return;
  }
  if (i.is_array()) {  // field by field, each of all elements
    if (!i.items.empty()) append_arguments(instances, *i.items[0], v, out);
    return;
  }
  instances.expand(i);
  for (Slot* slot : i.order) {
    Instance* field = instances.component(i, *slot);
    const Value* f = v.field(slot->name);
    if (field == nullptr) continue;
    if (f == nullptr) {
      fail(Code::kTypeMismatch, "the record lacks the field " + in_quotes(slot->name), {});
    }
    append_arguments(instances, *field, *f, out);
  }
}

void set_sizes(Instances& instances, Instance& i, const Value& v) {
  if (i.basic != Basic::kNone) {
    i.dims = v.dims;
    return;
  }
  if (i.is_array() || !v.dims.empty()) {
    if (i.dims != v.dims) instances.set_dims(i, v.dims);
    for (Instance* item : i.items) {
      Value one = v;
      for (const int p : item->index) one = element_of(one, p);
      set_sizes(instances, *item, one);
    }
    return;
  }
  instances.expand(i);
  for (Slot* slot : i.order) {
    if (slot->kind != MemberKind::kComponent) continue;
    Instance* field = instances.component(i, *slot);
    const Value* f = v.field(slot->name);
    if (field != nullptr && f != nullptr) set_sizes(instances, *field, *f);
  }
}

void FunctionMaker::add_locals(FlatFunction& out, Instance& i) { add_locals(out, {{&i, {}}}, {}); }

// `same`: one component of each element of an array of records, or of arrays of them in each other,
// of the sizes `outer`. They lie in one local.
void FunctionMaker::add_locals(FlatFunction& out, const std::vector<Place>& same,
                               const Dims& outer) {
  Instances& instances = e_.instances();
  for (const Place& place : same) instances.expand(*place.instance);
  const Instance& first = *same[0].instance;
  for (const Place& place : same) {
    if (place.instance->dims != first.dims) {
      fail(Code::kNotSupported,
           "the elements of an array of records have fields of different sizes: " +
               in_quotes(Instances::full_name(*place.instance)),
           {});
    }
  }
  Dims dims = outer;
  dims.insert(dims.end(), first.dims.begin(), first.dims.end());
  if (first.basic != Basic::kNone) {
    FlatLocal local;
    local.name = Instances::full_name(first);
    for (std::size_t open = 0;
         !outer.empty() && (open = local.name.find('[')) != std::string::npos;)
      local.name.erase(open, local.name.find(']', open) + 1 - open);
    if (e_.base_modelica) local.name = plain_name(local.name);
    local.type = first.basic == Basic::kExternalObject ? ScalarType::kInteger : first.type;
    local.dims.assign(dims.begin(), dims.end());
    local.is_object = first.basic == Basic::kExternalObject;
    const LocalId id{static_cast<std::int32_t>(out.locals.size())};
    for (const Place& place : same) {
      place.instance->local = id;
      place.instance->local_at = place.at;
    }
    out.locals.push_back(std::move(local));
    return;
  }
  if (first.is_array()) {
    std::vector<Place> items;
    for (const Place& place : same) {
      for (Instance* item : place.instance->items) {
        items.push_back({item, place.at});
        items.back().at.insert(items.back().at.end(), item->index.begin(), item->index.end());
      }
    }
    if (!items.empty()) add_locals(out, items, dims);
    return;
  }
  for (const Slot* slot : first.order) {
    if (slot->kind != MemberKind::kComponent) continue;
    std::vector<Place> fields;
    for (const Place& place : same) {
      Instance* field =
          instances.component(*place.instance, *instances.find(*place.instance, slot->name));
      if (field != nullptr) fields.push_back({field, place.at});
    }
    if (!fields.empty()) add_locals(out, fields, outer);
  }
}

void FunctionMaker::captured(FlatFunction& out, std::string_view name, Value& v) {
  for (ExprId& e : v.elements) {
    FlatLocal local;
    local.type = e_.pool()[e].type;
    local.name = std::string(name) + "$" + std::to_string(out.locals.size());
    e = e_.pool().local(LocalId{static_cast<std::int32_t>(out.locals.size())}, local.type);
    out.locals.push_back(std::move(local));
  }
  for (auto& [field, value] : v.fields) captured(out, name, value);
}

void FunctionMaker::set_initial(FlatFunction& out, Instance& i) {
  const Binding b = e_.instances().binding(i);
  if (b.expr == nullptr) return;
  Context c;
  c.in_function = true;
  const Value v = e_.fitted(e_.bound_value(b, c), i.dims, b.each, i.type,
                            e_.instances().span(b.scope, b.expr->range), i.enumeration);
  FlatLocal& local = out.locals[static_cast<std::size_t>(i.local.index)];
  if (local.dims.empty()) {
    local.initial = v.scalar();
    return;
  }
  if (local.initial_elements.empty()) {
    ExprPool& pool = e_.pool();
    const ExprId none = i.type == ScalarType::kReal      ? pool.real(0)
                        : i.type == ScalarType::kBoolean ? pool.boolean(false)
                        : i.type == ScalarType::kString  ? pool.string("")
                        : i.type == ScalarType::kInteger ? pool.integer(0)
                                                         : pool.enumeration(1);
    local.initial_elements.assign(static_cast<std::size_t>(local.size()), none);
  }
  std::size_t at = 0;
  for (std::size_t d = 0; d < i.local_at.size(); ++d)
    at = at * static_cast<std::size_t>(local.dims[d]) + static_cast<std::size_t>(i.local_at[d] - 1);
  std::copy(v.elements.begin(), v.elements.end(),
            local.initial_elements.begin() + static_cast<std::ptrdiff_t>(at * v.elements.size()));
}

// external "C" y = f(a, size(a, 1)). Without a call: all inputs, each array followed by its sizes,
// then the outputs; a single scalar output is what the function returns.
void FunctionMaker::external_clause(FlatFunction& out, Instance& f, const External& external,
                                    const Context& c) {
  Instances& instances = e_.instances();
  const auto local_of = [&](const Expr& e) -> LocalId {
    if (e.kind != ExprKind::kReference) return {};
    const auto& r = as<ReferenceExpr>(e);
    if (r.parts.size() != 1 || !r.parts[0].subscripts.empty()) return {};
    Slot* slot = instances.find(f, r.parts[0].name.text);
    if (slot == nullptr || slot->kind != MemberKind::kComponent) return {};
    Instance* i = instances.component(f, *slot);
    if (i != nullptr && i->basic == Basic::kNone) {
      fail(Code::kNotSupported, "records as arguments of external functions are not supported yet",
           e_.span(c, e));
    }
    return i == nullptr || i->given ? LocalId{} : i->local;
  };
  out.external = std::string(external.function.text.empty() ? function_.cls.node->name()
                                                            : external.function.text);
  if (external.result != nullptr) {
    out.external_result = local_of(*external.result);
    if (!out.external_result.valid()) {
      fail(Code::kNotSupported, "the result of an external function must be an output",
           e_.span(c, *external.result));
    }
  }
  for (const Expr* e : external.arguments) {
    ExternalArgument a;
    a.local = local_of(*e);
    if (!a.local.valid()) a.value = e_.eval_scalar(*e, c);
    out.external_arguments.push_back(a);
  }
  if (!external.function.text.empty()) return;
  const bool returns =
      out.outputs == 1 && out.locals[static_cast<std::size_t>(out.inputs)].dims.empty();
  if (returns) out.external_result = LocalId{out.inputs};
  for (std::int32_t i = 0; i < out.inputs + (returns ? 0 : out.outputs); ++i) {
    out.external_arguments.push_back({LocalId{i}, {}});
    for (const std::int32_t d : out.locals[static_cast<std::size_t>(i)].dims)
      out.external_arguments.push_back({{}, e_.pool().integer(d)});
  }
}

void FunctionMaker::make(FlatFunction& out, const std::vector<Value>& arguments,
                         const std::vector<bool>& constants) {
  for (;;) {
    try {
      return make_once(out, arguments, constants);
    } catch (const OpenSize& open) {
      out = {};
      sizes_[open.name] = open.dims;
    }
  }
}

Instance* FunctionMaker::sized(Instance& f, Slot& slot) {
  Instance* const i = e_.instances().component(f, slot);
  if (const auto it = sizes_.find(std::string(slot.name)); it != sizes_.end())
    e_.instances().set_dims(*i, it->second);
  return i;
}

void FunctionMaker::make_once(FlatFunction& out, const std::vector<Value>& arguments,
                              const std::vector<bool>& constants) {
  Instances& instances = e_.instances();
  Instance& f = instances.make(function_.cls, World::kFunction, nullptr, {});
  instances.expand(f);
  mark_assigned(instances, f);
  out.name = e_.base_modelica ? plain_name(function_.cls.node->name()) : function_.cls.node->path();
  const std::vector<Slot*> inputs = e_.inputs(f);
  std::vector<Instance*> fresh;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    Instance* input = instances.component(f, *inputs[i]);
    if (input == nullptr) continue;
    if (constants[i]) {
      Value v = arguments[i];
      if (v.kind == Value::Kind::kFunction) {
        for (auto& [name, field] : v.fields) {
          if (is_constant(e_.pool(), field)) continue;
          captured(out, input->name, field);
        }
      }
      e_.give(*input, v);
      continue;
    }
    set_sizes(instances, *input, arguments[i]);
    add_locals(out, *input);
  }
  out.inputs = static_cast<std::int32_t>(out.locals.size());
  for (Slot* slot : e_.outputs(f)) {
    Instance* output = sized(f, *slot);
    if (output != nullptr) {
      add_locals(out, *output);
      fresh.push_back(output);
    }
  }
  if (static_cast<std::int32_t>(out.locals.size()) == out.inputs) {
    FlatLocal done;  // a function that is called for its effect
    done.name = "$done";
    done.type = ScalarType::kInteger;
    out.locals.push_back(std::move(done));
  }
  out.outputs = static_cast<std::int32_t>(out.locals.size()) - out.inputs;
  for (Slot* slot : f.order) {
    if (slot->kind != MemberKind::kComponent) continue;
    if (slot->element->components->prefix.causality != Causality::kNone) continue;
    Instance* local = sized(f, *slot);
    if (local == nullptr || local->prefix.variability == Variability::kConstant) continue;
    add_locals(out, *local);
    fresh.push_back(local);
  }
  const auto initials = [&](auto&& self, Instance& i) -> void {
    if (i.basic != Basic::kNone) {
      set_initial(out, i);
    } else if (i.is_array()) {
      for (Instance* item : i.items) self(self, *item);
    } else {
      for (Slot* slot : i.order) {
        Instance* field = instances.component(i, *slot);
        if (field != nullptr) self(self, *field);
      }
    }
  };
  for (Instance* i : fresh) initials(initials, *i);
  order_initials(out);
  StatementMaker statements(e_, out);
  for (std::size_t p = 0; p < f.parts.size(); ++p) {
    const ClassDef* def = instances.tree().definition(*f.parts[p].node);
    if (def == nullptr) continue;
    if (def->purity == Purity::kImpure) out.impure = true;
    Context c;
    c.scope = {&f, static_cast<int>(p)};
    c.in_function = true;
    if (out.origin.line == 0) out.origin = e_.origin(c, def->name.range());
    if (def->external != nullptr) external_clause(out, f, *def->external, c);
    for (const Section& section : def->sections) {
      if (section.kind == SectionKind::kAlgorithm) {
        statements.make(section.statements, c, out.body);
      }
    }
    declare_inverses(out, *def, *f.parts[p].node, c);
  }
}

// Of functions with one Real output, for Real inputs. One that cannot be compiled is not used.
void FunctionMaker::declare_inverses(FlatFunction& out, const ClassDef& def, ClassNode& node,
                                     const Context& c) {
  if (def.description.annotation == nullptr || out.outputs != 1) return;
  const auto is_real_scalar = [&](std::size_t local) {
    return out.locals[local].dims.empty() && out.locals[local].type == ScalarType::kReal;
  };
  if (!is_real_scalar(static_cast<std::size_t>(out.inputs))) return;
  const Modification* all = e_.instances().annotation(*def.description.annotation, node);
  if (all == nullptr) return;
  for (const Argument& a : all->arguments) {
    const bool is_inverse = a.name.parts.size() == 1 && a.name.parts[0].text == "inverse";
    if (!is_inverse || a.modification == nullptr) continue;
    for (const Argument& given : a.modification->arguments) {
      if (given.name.parts.size() != 1 || given.modification == nullptr ||
          given.modification->value == nullptr)
        continue;
      for (std::int32_t i = 0; i < out.inputs; ++i) {
        const auto local = static_cast<std::size_t>(i);
        const std::string_view name = given.name.parts[0].text;
        const bool same =
            out.locals[local].name == name || out.locals[local].name == plain_name(name);
        if (!same || !is_real_scalar(local)) continue;
        try {
          const ExprId value = e_.eval_scalar(*given.modification->value, c);
          out.inverses.push_back({LocalId{i}, value});
        } catch (const Failure&) {
          continue;
        }
      }
    }
  }
}

std::string shape_key(const Value& v) {
  std::string key = v.is_record() ? "r" : std::to_string(static_cast<int>(v.type));
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
        if (!failure || (more && !vectors)) failure = std::move(f);
        continue;
      }
      it = functions_.find(key);
    }
    const FunctionId id = it->second;
    // The components of a function as they are there: for the order of scalars.
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
      if (input->basic != Basic::kNone) {
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
