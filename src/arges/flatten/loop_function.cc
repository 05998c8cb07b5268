#include "arges/flatten/loop_function.h"

#include <algorithm>
#include <set>

namespace arges::lang {

using diag::Code;
using FlatStatement = ::arges::Statement;

namespace {

template <class Visit>
void for_expressions(const FlatStatement& s, Visit visit) {
  for (const ExprId e : {s.value, s.message, s.first, s.step, s.last}) {
    if (e.valid()) visit(e);
  }
  for (const ExprId e : s.subscripts) visit(e);
  for (const FlatStatement::Branch& b : s.branches) {
    for (const ExprId e : b.conditions) visit(e);
  }
}

bool is_chosen(const FlatStatement& s) {
  return s.kind == FlatStatement::Kind::kAssign && !s.target.valid() && !s.local.valid();
}

// All nodes of an expression, arguments first.
std::vector<ExprId> nodes_of(const ExprPool& pool, ExprId root) {
  std::vector<ExprId> nodes, stack{root};
  std::set<std::int32_t> seen;
  while (!stack.empty()) {
    const ExprId e = stack.back();
    stack.pop_back();
    if (!seen.insert(e.index).second) continue;
    nodes.push_back(e);
    for (const ExprId a : pool.args(e)) stack.push_back(a);
  }
  std::sort(nodes.begin(), nodes.end(), [](ExprId a, ExprId b) { return a.index < b.index; });
  return nodes;
}

// The subscripts of element number `at` (from 0).
std::vector<ExprId> subscripts_of(ExprPool& pool, const Dims& dims, std::int32_t at) {
  std::vector<ExprId> list(dims.size());
  for (std::size_t d = dims.size(); d-- > 0;) {
    list[d] = pool.integer(at % dims[d] + 1);
    at /= dims[d];
  }
  return list;
}

}  // namespace

LoopFunction::LoopFunction(Evaluator& evaluator, FlatFunction function)
    : e_(evaluator), function_(std::move(function)) {}

std::vector<LoopFunction::Result> LoopFunction::close(diag::Span where) {
  where_ = where;
  ExprPool& pool = e_.pool();
  FlatModel& model = e_.model();
  collect(function_.body);
  add_locals();
  map(function_.body);
  const FunctionId id{static_cast<std::int32_t>(model.functions.size())};
  std::vector<ExprId> arguments;
  const auto add = [&](std::int32_t v) { arguments.push_back(model.ref(VarId{v})); };
  for (const auto& [first, array] : arrays_) {
    for (std::int32_t k = 0; k < static_cast<std::int32_t>(count(array->dims)); ++k) add(first + k);
  }
  for (const auto& [v, assigned] : variables_) {
    if (before_.at(v).subscripts.empty()) add(v);
  }
  for (const auto& [e, local] : outside_) arguments.push_back(ExprId{e});
  const ExprId call = pool.call(id, arguments);
  std::vector<Result> results;
  std::int32_t at = 0;
  const auto take = [&](std::int32_t v) {
    const int index = at++;
    const auto it = variables_.find(v);
    if (it == variables_.end() || !it->second) return;  // another element of its array is assigned
    const ExprId variable = model.ref(VarId{v});
    results.push_back({variable, pool.result(call, index, model[VarId{v}].type)});
  };
  for (const auto& [first, array] : arrays_) {
    if (!now_.contains(first)) continue;
    for (std::int32_t k = 0; k < static_cast<std::int32_t>(count(array->dims)); ++k)
      take(first + k);
  }
  for (const auto& [v, place] : now_) {
    if (place.subscripts.empty()) take(v);
  }
  model.functions.push_back(std::move(function_));
  return results;
}

Instance* LoopFunction::array_of(VarId v) {
  Instance* owner = e_.owner(v);
  return owner == nullptr || owner->dims.empty() ? nullptr : owner;
}

bool LoopFunction::is_outside(ExprId e) {
  const Op op = e_.pool()[e].op;
  if (op == Op::kCall) {
    return e_.model().functions[static_cast<std::size_t>(e_.pool()[e].index)].is_model_operator();
  }
  return op == Op::kDelay || op == Op::kSample ||
         (is_leaf(op) && !is_literal(e_.pool(), e) && op != Op::kVar && op != Op::kLocal);
}

void LoopFunction::collect(ExprId root) {
  const ExprPool& pool = e_.pool();
  for (const ExprId e : nodes_of(pool, root)) {
    if (!seen_.emplace(e.index, true).second) continue;
    if (pool[e].op == Op::kVar) variables_.try_emplace(pool[e].index, false);
    if (is_outside(e)) outside_[e.index] = {};
    if (pool[e].op != Op::kIndex) continue;
    const ExprId chosen = pool.arg(e, 1);
    Instance* array = pool[chosen].op == Op::kVar ? array_of(pool.var(chosen)) : nullptr;
    if (array != nullptr) arrays_[array->variable.index] = array;
  }
}

void LoopFunction::collect_target(ExprId target) {
  const ExprPool& pool = e_.pool();
  if (pool[target].op == Op::kVar) {
    e_.check_assignable(pool.var(target), where_);
    variables_[pool[target].index] = true;
  } else if (pool[target].op == Op::kIndex) {
    const std::vector<ExprId> args(pool.args(target).begin(), pool.args(target).end());
    for (std::size_t k = 1; k < args.size(); ++k) collect_target(args[k]);
  } else {
    fail(Code::kBadTarget, "this cannot be assigned", where_);
  }
}

void LoopFunction::collect(const Statements& body) {
  for (const FlatStatement& s : body) {
    for_expressions(s, [&](ExprId e) { collect(e); });
    if (is_chosen(s)) collect_target(s.subscripts[0]);
    if (s.kind == FlatStatement::Kind::kAssign && s.target.valid())
      variables_[s.target.index] = true;
    for (const FlatStatement::Branch& b : s.branches) collect(b.body);
  }
}

void LoopFunction::add_local(std::string name, ScalarType type, const Dims& dims) {
  FlatLocal local;
  local.name = std::move(name);
  local.type = type;
  local.dims.assign(dims.begin(), dims.end());
  function_.locals.push_back(std::move(local));
}

// Inputs: arrays, scalars, what only the model can compute. Then outputs, then the loop's own.
void LoopFunction::add_locals() {
  ExprPool& pool = e_.pool();
  FlatModel& model = e_.model();
  std::vector<FlatLocal> own;
  own.swap(function_.locals);
  const auto next = [&] { return LocalId{static_cast<std::int32_t>(function_.locals.size())}; };
  std::set<std::int32_t> assigned;  // arrays
  for (const auto& [v, is_assigned] : variables_) {
    const Instance* array = array_of(VarId{v});
    if (is_assigned && array != nullptr) assigned.insert(array->variable.index);
  }
  const auto place_elements = [&](std::map<std::int32_t, Place>& places, const Instance& array) {
    for (std::int32_t k = 0; k < static_cast<std::int32_t>(count(array.dims)); ++k) {
      places[array.variable.index + k] = {next(), subscripts_of(pool, array.dims, k)};
    }
  };
  const auto name_of = [&](const Instance& array) { return Instances::full_name(array); };
  for (const auto& [first, array] : arrays_) {
    place_elements(before_, *array);
    add_local(name_of(*array) + (assigned.contains(first) ? "$before" : ""), array->type,
              array->dims);
  }
  for (const auto& [v, is_assigned] : variables_) {
    if (before_.contains(v)) continue;
    before_[v] = {next(), {}};
    add_local(model[VarId{v}].name + (is_assigned ? "$before" : ""), model[VarId{v}].type, {});
  }
  for (auto& [e, local] : outside_) {
    for (const ExprId part : nodes_of(pool, ExprId{e})) {
      const auto it =
          pool[part].op == Op::kVar ? variables_.find(pool[part].index) : variables_.end();
      if (pool[part].op == Op::kLocal || pool[part].op == Op::kElement ||
          (it != variables_.end() && it->second)) {
        fail(Code::kLoopInAlgorithm, "this loop assigns what an operator of the model depends on",
             where_);
      }
    }
    local = next();
    add_local("$input" + std::to_string(local.index), pool[ExprId{e}].type, {});
  }
  function_.inputs = next().index;
  const auto outputs_begin = function_.locals.size();
  for (const auto& [first, array] : arrays_) {
    if (!assigned.contains(first)) continue;
    place_elements(now_, *array);
    add_local(name_of(*array), array->type, array->dims);
    for (std::int32_t k = 0; k < static_cast<std::int32_t>(count(array->dims)); ++k) {
      function_.locals.back().initial_elements.push_back(
          local_value(before_.at(first + k), array->type));
    }
  }
  for (const auto& [v, is_assigned] : variables_) {
    if (!is_assigned || now_.contains(v)) continue;
    now_[v] = {next(), {}};
    add_local(model[VarId{v}].name, model[VarId{v}].type, {});
    function_.locals.back().initial = local_value(before_.at(v), model[VarId{v}].type);
  }
  function_.outputs = static_cast<std::int32_t>(function_.locals.size() - outputs_begin);
  own_locals_ = next().index;
  for (FlatLocal& local : own) function_.locals.push_back(std::move(local));
}

ExprId LoopFunction::local_value(const Place& place, ScalarType type) {
  return place.subscripts.empty() ? e_.pool().local(place.local, type)
                                  : e_.pool().element(place.local, place.subscripts, type);
}

ExprId LoopFunction::map_leaf(ExprId e) {
  ExprPool& pool = e_.pool();
  const ExprNode node = pool[e];
  if (node.op == Op::kLocal) return pool.local(LocalId{node.index + own_locals_}, node.type);
  if (node.op != Op::kVar) return e;
  const auto now = now_.find(node.index);
  return local_value(now != now_.end() ? now->second : before_.at(node.index), node.type);
}

// Elements 1, 2, ... of one dimension of an array, in order and all of them: its element.
ExprId LoopFunction::map_choice(ExprId choice, const std::vector<ExprId>& args) {
  ExprPool& pool = e_.pool();
  const ExprNode first = pool[args[1]];
  const ExprId as_it_is = pool.rebuild(choice, args);
  if (first.op != Op::kElement) return as_it_is;
  std::vector<ExprId> subscripts(pool.args(args[1]).begin(), pool.args(args[1]).end());
  std::optional<std::size_t> dimension;
  const auto& dims = function_.locals[static_cast<std::size_t>(first.index)].dims;
  for (std::size_t k = 1; k < args.size(); ++k) {
    if (pool[args[k]].op != Op::kElement || pool[args[k]].index != first.index) return as_it_is;
    const auto others = pool.args(args[k]);
    for (std::size_t d = 0; d < dims.size(); ++d) {
      if (others[d] != subscripts[d] && !dimension) dimension = d;
      if (others[d] != subscripts[d] && dimension != d) return as_it_is;
    }
    if (k == 1) continue;
    if (!dimension || !pool.is_value(others[*dimension], static_cast<double>(k))) return as_it_is;
  }
  if (!dimension) {  // one element
    for (std::size_t d = 0; d < dims.size() && !dimension; ++d) {
      if (dims[d] == 1 && pool.is_constant(subscripts[d])) dimension = d;
    }
  }
  if (!dimension || !pool.is_value(subscripts[*dimension], 1) ||
      dims[*dimension] != static_cast<std::int32_t>(args.size()) - 1) {
    return as_it_is;
  }
  subscripts[*dimension] = args[0];
  return pool.element(LocalId{first.index}, subscripts, first.type);
}

ExprId LoopFunction::mapped(ExprId root) {
  ExprPool& pool = e_.pool();
  for (const ExprId e : nodes_of(pool, root)) {
    if (mapped_.contains(e.index)) continue;
    ExprId result = e;
    const ExprNode node = pool[e];
    if (const auto it = outside_.find(e.index); it != outside_.end()) {
      result = pool.local(it->second, node.type);
    } else if (is_leaf(node.op)) {
      result = map_leaf(e);
    } else {
      std::vector<ExprId> args;
      for (const ExprId a : pool.args(e)) args.push_back(mapped_.at(a.index));
      result = node.op == Op::kElement
                   ? pool.element(LocalId{node.index + own_locals_}, args, node.type)
               : node.op == Op::kIndex ? map_choice(e, args)
                                       : pool.rebuild(e, args);
    }
    mapped_[e.index] = result;
  }
  return mapped_.at(root.index);
}

void LoopFunction::map_target(FlatStatement& s) {
  ExprPool& pool = e_.pool();
  const auto assign = [&](FlatStatement& to, ExprId target) {
    to.target = {};
    to.local = LocalId{pool[target].index};
    to.subscripts.assign(pool.args(target).begin(), pool.args(target).end());
  };
  if (s.target.valid()) return assign(s, mapped(e_.model().ref(s.target)));
  if (!is_chosen(s)) {
    s.local.index += own_locals_;
    for (ExprId& e : s.subscripts) e = mapped(e);
    return;
  }
  const ExprId target = mapped(s.subscripts[0]);
  if (pool[target].op != Op::kIndex) return assign(s, target);
  // Of components that do not lie together: one branch for each.
  const auto branches = [&](auto&& self, FlatStatement& to, ExprId chosen) -> void {
    if (pool[chosen].op != Op::kIndex) return assign(to, chosen);
    const std::vector<ExprId> args(pool.args(chosen).begin(), pool.args(chosen).end());
    FlatStatement one = to;
    to.kind = FlatStatement::Kind::kIf;
    to.subscripts.clear();
    to.value = {};
    for (std::size_t k = 1; k < args.size(); ++k) {
      const ExprId is_k =
          pool.make(Op::kEqual, {args[0], pool.integer(static_cast<std::int64_t>(k))});
      to.branches.push_back({{is_k}, {one}});
      self(self, to.branches.back().body[0], args[k]);
    }
    FlatStatement& check = to.branches.emplace_back().body.emplace_back();
    check.kind = FlatStatement::Kind::kAssert;
    check.origin = to.origin;
    check.value = pool.boolean(false);
    check.message =
        pool.add(pool.add(pool.string("subscript "), pool.make(Op::kToString, {args[0]})),
                 pool.string(" of the array that is assigned is not in 1 .. " +
                             std::to_string(args.size() - 1)));
  };
  branches(branches, s, target);
}

void LoopFunction::map(Statements& body) {
  for (FlatStatement& s : body) {
    for (ExprId* e : {&s.value, &s.message, &s.first, &s.step, &s.last}) {
      if (e->valid()) *e = mapped(*e);
    }
    for (FlatStatement::Branch& b : s.branches) {
      for (ExprId& e : b.conditions) e = mapped(e);
      map(b.body);
    }
    if (s.kind == FlatStatement::Kind::kAssign) {
      map_target(s);
    } else if (s.local.valid()) {
      s.local.index += own_locals_;
    }
  }
}

}  // namespace arges::lang
