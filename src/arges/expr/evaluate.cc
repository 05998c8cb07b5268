#include "arges/expr/evaluate.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "arges/expr/scalar_ops.h"
#include "arges/expr/text.h"

namespace arges {

namespace {

// Arguments first. The cost is that of the nodes, however large the pool is.
std::vector<ExprId> nodes_below(const ExprPool& pool, ExprId root) {
  std::vector<ExprId> nodes, open{root};
  std::unordered_set<std::int32_t> seen{root.index};
  while (!open.empty()) {
    const ExprId e = open.back();
    open.pop_back();
    nodes.push_back(e);
    for (const ExprId a : pool.args(e)) {
      if (seen.insert(a.index).second) open.push_back(a);
    }
  }
  // A pool has arguments before what they are arguments of.
  std::sort(nodes.begin(), nodes.end(), [](ExprId a, ExprId b) { return a.index < b.index; });
  return nodes;
}

}  // namespace

double evaluate(const ExprPool& pool, ExprId root, const std::function<double(ExprId)>& leaf) {
  std::unordered_map<std::int32_t, double> value;
  for (const ExprId e : nodes_below(pool, root)) {
    const ExprNode& node = pool[e];
    const auto args = pool.args(e);
    const auto arg = [&](std::size_t i) { return value[args[i].index]; };
    double v = 0;
    switch (node.op) {
      case Op::kReal:
      case Op::kInteger:
      case Op::kBoolean:
        v = node.value;
        break;
      case Op::kIf:
        v = scalar::choose(arg(0), arg(1), arg(2));
        break;
      case Op::kIndex: {
        const double i = arg(0);
        const bool there = i >= 1 && i < static_cast<double>(args.size());
        v = there ? arg(static_cast<std::size_t>(i)) : std::nan("");
        break;
      }
      case Op::kNoEvent:
      case Op::kHomotopy:
      case Op::kDelay:
        v = arg(0);
        break;
      case Op::kSmooth:
        v = arg(1);
        break;
      case Op::kSemiLinear:
        v = arg(0) >= 0 ? arg(0) * arg(1) : arg(0) * arg(2);
        break;
      case Op::kString:
      case Op::kCall:
      case Op::kToString:
        break;
      case Op::kResult:
      case Op::kElement:
      case Op::kSample:
        v = leaf(e);
        break;
      default:
        v = is_leaf(node.op)   ? leaf(e)
            : args.size() == 1 ? scalar::unary(node.op, arg(0))
                               : scalar::binary(node.op, node.type, arg(0), arg(1));
    }
    value[e.index] = v;
  }
  return value[root.index];
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
