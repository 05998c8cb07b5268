#include "arges/expr/evaluate.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "arges/expr/scalar_ops.h"
#include "arges/expr/text.h"

namespace arges {

namespace {

// What a node is computed from; those whose value only the caller knows, from nothing.
std::span<const ExprId> operands(const ExprPool& pool, ExprId e) {
  switch (pool[e].op) {
    case Op::kResult:
    case Op::kElement:
    case Op::kSample:
    case Op::kCall:
    case Op::kToString:
      return {};
    default:
      return pool.args(e);
  }
}

// Arguments first. The cost is that of the nodes, however large the pool is.
std::vector<ExprId> nodes_below(const ExprPool& pool, ExprId root) {
  std::vector<ExprId> nodes, open{root};
  std::unordered_set<std::int32_t> seen{root.index};
  while (!open.empty()) {
    const ExprId e = open.back();
    open.pop_back();
    nodes.push_back(e);
    for (const ExprId a : operands(pool, e)) {
      if (seen.insert(a.index).second) open.push_back(a);
    }
  }
  // A pool has arguments before what they are arguments of.
  std::sort(nodes.begin(), nodes.end(), [](ExprId a, ExprId b) { return a.index < b.index; });
  return nodes;
}

using NodeValue = std::function<double(ExprId, const std::vector<double>&)>;

// Bottom-up: `value(e, args)` gets a node and the values of its arguments.
double fold(const ExprPool& pool, ExprId root, const NodeValue& value) {
  if (operands(pool, root).empty()) return value(root, {});
  std::unordered_map<std::int32_t, double> values;
  std::vector<double> args;
  for (const ExprId e : nodes_below(pool, root)) {
    args.clear();
    for (const ExprId a : operands(pool, e)) args.push_back(values[a.index]);
    values[e.index] = value(e, args);
  }
  return values[root.index];
}

double node_value(const ExprPool& pool, ExprId e, const std::vector<double>& args,
                  const std::function<double(ExprId)>& leaf) {
  const ExprNode& node = pool[e];
  switch (node.op) {
    case Op::kReal:
    case Op::kInteger:
    case Op::kBoolean:
      return node.value;
    case Op::kIf:
      return scalar::choose(args[0], args[1], args[2]);
    case Op::kIndex: {
      const bool there = args[0] >= 1 && args[0] < static_cast<double>(args.size());
      return there ? args[static_cast<std::size_t>(args[0])] : std::nan("");
    }
    case Op::kNoEvent:
    case Op::kHomotopy:
    case Op::kDelay:
      return args[0];
    case Op::kSmooth:
      return args[1];
    case Op::kSemiLinear:
      return args[0] >= 0 ? args[0] * args[1] : args[0] * args[2];
    case Op::kString:
    case Op::kCall:
    case Op::kToString:
      return 0;
    case Op::kResult:
    case Op::kElement:
    case Op::kSample:
      return leaf(e);
    default:
      return is_leaf(node.op)   ? leaf(e)
             : args.size() == 1 ? scalar::unary(node.op, args[0])
                                : scalar::binary(node.op, node.type, args[0], args[1]);
  }
}

double agreed(double a, double b) { return a == b ? a : std::nan(""); }

// The value of a node of which at least one argument is not known.
double value_in_part(const ExprNode& node, const std::vector<double>& args) {
  const double unknown = std::nan("");
  const auto is = [&](std::size_t i, double v) { return args[i] == v; };
  const auto holds = [&](std::size_t i) { return !std::isnan(args[i]) && args[i] != 0; };
  switch (node.op) {
    case Op::kIf:
      return std::isnan(args[0]) ? agreed(args[1], args[2]) : args[args[0] != 0 ? 1 : 2];
    case Op::kIndex:
      if (std::isnan(args[0]))
        return std::accumulate(args.begin() + 2, args.end(), args[1], agreed);
      return args[0] >= 1 && args[0] < static_cast<double>(args.size())
                 ? args[static_cast<std::size_t>(args[0])]
                 : unknown;
    case Op::kSmooth:
      return args[1];
    case Op::kHomotopy:
      return args[0];
    case Op::kMul:
      return is(0, 0) || is(1, 0) ? 0 : unknown;
    case Op::kDiv:
      return is(0, 0) ? 0 : unknown;
    case Op::kAnd:
      return is(0, 0) || is(1, 0) ? 0 : unknown;
    case Op::kOr:
      return holds(0) || holds(1) ? 1 : unknown;
    default:
      return unknown;
  }
}

}  // namespace

double evaluate(const ExprPool& pool, ExprId root, const std::function<double(ExprId)>& leaf) {
  return fold(pool, root, [&](ExprId e, const std::vector<double>& args) {
    return node_value(pool, e, args, leaf);
  });
}

double evaluate_known(const ExprPool& pool, ExprId root,
                      const std::function<double(ExprId)>& leaf) {
  return fold(pool, root, [&](ExprId e, const std::vector<double>& args) {
    const bool known = std::none_of(args.begin(), args.end(), [](double a) { return a != a; });
    const Op op = pool[e].op;
    if (op == Op::kString || op == Op::kToString) return std::nan("");
    return known ? node_value(pool, e, args, leaf) : value_in_part(pool[e], args);
  });
}

std::string evaluate_text(const ExprPool& pool, ExprId root,
                          const std::function<double(ExprId)>& leaf) {
  // Concatenations lean to the left; the stack holds what is still to be appended.
  std::string text;
  std::vector<ExprId> stack{root};
  while (!stack.empty()) {
    const ExprId e = stack.back();
    stack.pop_back();
    const ExprNode& node = pool[e];
    if (node.op == Op::kString) {
      text += pool.text(StringId{node.index});
    } else if (node.op == Op::kAdd && pool[pool.arg(e, 0)].type == ScalarType::kString) {
      stack.push_back(pool.arg(e, 1));
      stack.push_back(pool.arg(e, 0));
    } else if (node.op == Op::kIf && node.type == ScalarType::kString) {
      stack.push_back(pool.arg(e, evaluate(pool, pool.arg(e, 0), leaf) != 0 ? 1 : 2));
    } else {
      const ExprId shown = node.op == Op::kToString ? pool.arg(e, 0) : e;
      text += value_text(pool[shown].type, evaluate(pool, shown, leaf));
    }
  }
  return text;
}

}  // namespace arges
