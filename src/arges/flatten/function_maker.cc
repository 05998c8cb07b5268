#include "arges/flatten/function_maker.h"

#include <algorithm>
#include <utility>

#include "arges/expr/walk.h"
#include "arges/flatten/assigned_names.h"
#include "arges/flatten/run_time_vectors.h"
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
  if (v.kind == Value::Kind::kRunTime) return;  // locals of the function hold them
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
    if (!first.sizes.empty()) {
      local.sizes = first.sizes;
      local.dims.assign(first.sizes.size(), 0);
    }
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

// Locals for the sizes of an array whose sizes are known only when the function runs.
void FunctionMaker::add_sizes(FlatFunction& out, Instance& i, std::size_t dimensions) {
  for (std::size_t d = 1; d <= dimensions; ++d) {
    FlatLocal local;
    local.name = "$size" + std::to_string(d) + "_" + std::string(plain_name(i.name));
    while (e_.instances().find(*i.parent, local.name) != nullptr ||
           e_.instances().find(*i.parent, "'" + local.name + "'") != nullptr)
      local.name += "_";  // the text is a flat model
    local.type = ScalarType::kInteger;
    const LocalId id{static_cast<std::int32_t>(out.locals.size())};
    i.sizes.push_back(e_.pool().local(id, local.type));
    out.locals.push_back(std::move(local));
  }
}

// They are what inputs and values of declarations make of them, whatever statements assign later.
void FunctionMaker::compute_sizes(FlatFunction& out, const Instance& i) {
  const ExprPool& pool = e_.pool();
  ExprWalker walker(pool);
  for (std::size_t d = 0; d < i.run_time_dims.size(); ++d) {
    const auto& [e, scope] = i.run_time_dims[d];
    Context c;
    c.scope = scope;
    c.in_function = true;
    const diag::Span where = e_.instances().span(scope, e->range);
    const ExprId size = e->kind == ExprKind::kColon ? ExprId{} : e_.eval_scalar(*e, c);
    if (!size.valid() || pool[size].type != ScalarType::kInteger)
      fail(Code::kNotSupported, "this size is known only when the function runs", where);
    for (const ExprId x : walker.nodes(size)) {
      const ExprNode& node = pool[x];
      if (node.op != Op::kLocal && node.op != Op::kElement) continue;
      const FlatLocal& read = out.locals[static_cast<std::size_t>(node.index)];
      const bool has_value =
          node.index < out.inputs || read.initial.valid() || !read.initial_elements.empty();
      if (has_value) continue;
      fail(Code::kNotConstant,
           in_quotes(read.name) + " has no value when " + in_quotes(i.name) + " gets its size",
           where);
    }
    out.locals[static_cast<std::size_t>(pool[i.sizes[d]].index)].initial = size;
  }
}

void FunctionMaker::check_sizes(FlatFunction& out, const Instance& input,
                                const std::vector<std::pair<const Expr*, Scope>>& declared) {
  for (std::size_t d = 0; d < declared.size() && d < input.dims.size(); ++d) {
    const auto& [e, scope] = declared[d];
    if (e->kind == ExprKind::kColon) continue;
    Context c;
    c.scope = scope;
    c.in_function = true;
    const ExprId size = e_.eval_scalar(*e, c), is = e_.pool().integer(input.dims[d]);
    if (size != is) out.body.push_back(RunTimeVectors::check(e_, size, is, e_.origin(c, e->range)));
  }
}

// external "C" y = f(a, size(a, 1)). Without a call: all inputs, each array followed by its sizes,
// then the outputs; a single scalar output is what the function returns.
void FunctionMaker::external_clause(FlatFunction& out, Instance& f, const External& external,
                                    const Context& c) {
  Instances& instances = e_.instances();
  const auto local_of = [&](const Expr& e) -> LocalId {
    if (e.kind != ExprKind::kReference) return {};
    Instance* i = &f;
    for (const ReferencePart& part : as<ReferenceExpr>(e).parts) {  // r.x, too
      if (!part.subscripts.empty() || i->is_array()) return {};
      instances.expand(*i);
      Slot* slot = instances.find(*i, part.name.text);
      if (slot == nullptr || slot->kind != MemberKind::kComponent) return {};
      i = instances.component(*i, *slot);
      if (i == nullptr || i->given) return {};
    }
    if (i->basic == Basic::kNone) {
      fail(Code::kNotSupported, "records as arguments of external functions are not supported yet",
           e_.span(c, e));
    }
    return i->local;
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
  const SizesAtRunTime sizes(instances, e_.function_around != nullptr);
  out.name = e_.base_modelica ? plain_name(function_.cls.node->name()) : function_.cls.node->path();
  const std::vector<Slot*> inputs = e_.inputs(f);
  std::vector<Instance*> fresh;
  // Inputs whose declared sizes depend on other inputs: those of the arguments, which is checked.
  std::vector<std::pair<const Instance*, std::vector<std::pair<const Expr*, Scope>>>>
      sized_by_argument;
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
    if (!input->run_time_dims.empty())
      sized_by_argument.emplace_back(input, std::exchange(input->run_time_dims, {}));
    add_sizes(out, *input, arguments[i].sizes.size());
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
    done.initial = e_.pool().integer(0);
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
  for (Instance* i : fresh) {
    if (i->run_time_dims.empty()) continue;
    add_sizes(out, *i, i->run_time_dims.size());  // behind all that they may need
    FlatLocal& local = out.locals[static_cast<std::size_t>(i->local.index)];
    local.sizes = i->sizes;
    local.dims.assign(i->sizes.size(), 0);
  }
  const auto initials = [&](auto&& self, Instance& i) -> void {
    if (!i.run_time_dims.empty()) return;
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
  for (const Instance* i : fresh) compute_sizes(out, *i);
  order_initials(out);
  StatementMaker statements(e_, out);
  for (const auto& [input, declared] : sized_by_argument) check_sizes(out, *input, declared);
  for (const Instance* i : fresh) {
    if (!i->run_time_dims.empty()) statements.make_value(*i, out.body);
  }
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

}  // namespace arges::lang
