#include "arges/flatten/outlined_fold.h"

#include "arges/expr/walk.h"
#include "arges/flatten/run_time_vectors.h"

namespace arges::lang {

using diag::Code;
using FlatStatement = ::arges::Statement;

OutlinedFold::OutlinedFold(Evaluator& evaluator, std::string_view name, ExprId at,
                           const Origin& origin)
    : e_(evaluator), name_(name), at_(at) {
  function_.origin = origin;
  function_.name = (e_.function_around == nullptr ? e_.model().name : e_.function_around->name) +
                   ".$" + std::string(name) + std::to_string(e_.model().functions.size());
}

LocalId OutlinedFold::add_local(std::string name, ScalarType type, std::vector<std::int32_t> dims) {
  FlatLocal local;
  local.name = std::move(name);
  local.type = type;
  local.dims = std::move(dims);
  function_.locals.push_back(std::move(local));
  return LocalId{static_cast<std::int32_t>(function_.locals.size()) - 1};
}

// An array whose sizes are known only when the function around runs: these, and its local.
bool OutlinedFold::add_open_array(const ExprNode& node) {
  const auto& locals = e_.function_around->locals;
  const auto index = static_cast<std::size_t>(node.index);
  if (index >= locals.size() || locals[index].sizes.empty()) return false;
  const FlatLocal local = locals[index];
  for (const ExprId size : local.sizes) add_inputs(size);
  std::vector<ExprId> sizes;
  for (const ExprId size : local.sizes) sizes.push_back(mapped(size));
  arrays_[node.index] = add_local(local.name, local.type, local.dims);
  function_.locals.back().sizes = sizes;
  arguments_.push_back(e_.pool().local(LocalId{node.index}, local.type));
  return true;
}

void OutlinedFold::add_inputs(ExprId root) {
  ExprPool& pool = e_.pool();
  ExprWalker walker(pool);
  const auto nodes = walker.nodes(root);
  for (const ExprId e : std::vector<ExprId>(nodes.begin(), nodes.end())) {
    const ExprNode node = pool[e];
    const bool is_local = node.op == Op::kElement || (node.op == Op::kLocal && e != at_);
    if (is_local && !arrays_.contains(node.index) && add_open_array(node)) continue;
    if (node.op == Op::kElement && !arrays_.contains(node.index)) {
      const FlatLocal& local = e_.function_around->locals[static_cast<std::size_t>(node.index)];
      const std::vector<std::int32_t> dims = local.dims;
      arrays_[node.index] = add_local(local.name, local.type, dims);
      for (std::int32_t k = 0; k < local.size(); ++k) {
        std::vector<ExprId> subscripts(dims.size());
        std::int32_t rest = k;
        for (std::size_t d = dims.size(); d-- > 0;) {
          subscripts[d] = pool.integer(rest % dims[d] + 1);
          rest /= dims[d];
        }
        arguments_.push_back(pool.element(LocalId{node.index}, subscripts, node.type));
      }
    }
    if (!is_leaf(node.op) || is_literal(pool, e) || e == at_ || inputs_.contains(e.index) ||
        (is_local && arrays_.contains(node.index)))
      continue;
    inputs_[e.index] = add_local("$" + std::to_string(inputs_.size()), node.type, {});
    arguments_.push_back(e);
  }
}

ExprId OutlinedFold::mapped(ExprId root) {
  ExprPool& pool = e_.pool();
  ExprRewriter rewrite(pool, [&](ExprId e, std::span<const ExprId> args) -> ExprId {
    const ExprNode node = pool[e];
    if (e == at_) return pool.local(at_local_, ScalarType::kInteger);
    if (node.op == Op::kElement) return pool.element(arrays_.at(node.index), args, node.type);
    if (node.op == Op::kLocal && arrays_.contains(node.index))
      return pool.local(arrays_.at(node.index), node.type);
    if (const auto it = inputs_.find(e.index); it != inputs_.end() && is_leaf(node.op))
      return pool.local(it->second, node.type);
    return {};
  });
  return rewrite(root);
}

Value OutlinedFold::close(ExprId length, const Value& element, diag::Span where) {
  ExprPool& pool = e_.pool();
  const ScalarType type = element.type;
  if (type != ScalarType::kReal && type != ScalarType::kInteger)
    fail(Code::kTypeMismatch, in_quotes(name_) + " needs numbers", where);
  add_inputs(length);
  add_inputs(element.scalar());
  for (const auto& [a, b] : checks_) {
    add_inputs(a);
    add_inputs(b);
  }
  function_.inputs = static_cast<std::int32_t>(function_.locals.size());
  function_.outputs = 1;
  const LocalId result = add_local("result", type, {});
  const auto number = [&](double v) {
    return type == ScalarType::kReal ? pool.real(v) : pool.integer(static_cast<std::int64_t>(v));
  };
  const double most = type == ScalarType::kReal ? 1e300 : 2147483647;
  function_.locals.back().initial = number(name_ == "sum"       ? 0
                                           : name_ == "product" ? 1
                                           : name_ == "min"     ? most
                                                                : -most);
  at_local_ = add_local("$at", ScalarType::kInteger, {});
  for (const auto& [a, b] : checks_)
    function_.body.push_back(RunTimeVectors::check(e_, mapped(a), mapped(b), function_.origin));
  FlatStatement loop;
  loop.kind = FlatStatement::Kind::kFor;
  loop.origin = function_.origin;
  loop.local = at_local_;
  loop.first = loop.step = pool.integer(1);
  loop.last = mapped(length);
  FlatStatement& step = loop.branches.emplace_back().body.emplace_back();
  step.origin = function_.origin;
  step.local = result;
  const ExprId so_far = pool.local(result, type);
  const Op op = name_ == "sum"       ? Op::kAdd
                : name_ == "product" ? Op::kMul
                : name_ == "min"     ? Op::kMin
                                     : Op::kMax;
  step.value = pool.make(op, {so_far, mapped(element.scalar())});
  function_.body.push_back(std::move(loop));
  const FunctionId id{static_cast<std::int32_t>(e_.model().functions.size())};
  e_.model().functions.push_back(std::move(function_));
  return scalar_value(pool, pool.result(pool.call(id, arguments_), 0, type));
}

}  // namespace arges::lang
