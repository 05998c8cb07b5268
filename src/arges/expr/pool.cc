#include "arges/expr/pool.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "arges/base/error.h"

namespace arges {

namespace {

// The high bits go down before the product and after it: whole numbers as doubles differ only
// there, and the low bits of a product know nothing of the high ones.
std::uint64_t mix(std::uint64_t h, std::uint64_t v) {
  h ^= v + 0x9e3779b97f4a7c15ULL + (h << 6) + (h >> 2);
  h ^= h >> 32;
  h *= 0xff51afd7ed558ccdULL;
  return h ^ (h >> 32);
}

bool has_value(Op op) { return op == Op::kReal || op == Op::kInteger || op == Op::kBoolean; }

std::uint64_t payload(const ExprNode& node) {
  return has_value(node.op) ? std::bit_cast<std::uint64_t>(node.value)
                            : static_cast<std::uint32_t>(node.index);
}

std::uint64_t hash(const ExprNode& node, std::span<const ExprId> args) {
  std::uint64_t h =
      mix(static_cast<std::uint64_t>(node.op) * 256 + static_cast<int>(node.type), payload(node));
  for (const ExprId a : args) h = mix(h, static_cast<std::uint32_t>(a.index));
  return h;
}

}  // namespace

ExprPool::ExprPool() : table_(64, -1) {}

std::span<const ExprId> ExprPool::args(ExprId e) const {
  const ExprNode& node = (*this)[e];
  std::size_t count = node.count;
  if (node.count == ExprNode::kManyArgs)
    count = static_cast<std::size_t>(args_[node.first - 1].index);
  return {args_.data() + node.first, count};
}

ExprId ExprPool::intern_node(ExprNode node, std::span<const ExprId> args) {
  if (nodes_.size() * 2 >= table_.size()) grow();
  const std::size_t mask = table_.size() - 1;
  std::size_t slot = hash(node, args) & mask;
  while (table_[slot] >= 0) {
    const ExprId other{table_[slot]};
    const ExprNode& o = (*this)[other];
    if (o.op == node.op && o.type == node.type && payload(o) == payload(node)) {
      const auto oargs = this->args(other);
      if (oargs.size() == args.size() && std::equal(args.begin(), args.end(), oargs.begin()))
        return other;
    }
    slot = (slot + 1) & mask;
  }
  const ExprId id{size()};
  node.count = static_cast<std::uint16_t>(args.size());
  if (args.size() >= ExprNode::kManyArgs) {
    node.count = ExprNode::kManyArgs;
    args_.push_back(ExprId{static_cast<std::int32_t>(args.size())});
  }
  node.first = static_cast<std::uint32_t>(args_.size());
  args_.insert(args_.end(), args.begin(), args.end());
  nodes_.push_back(node);
  table_[slot] = id.index;
  if (!kept_.empty())
    kept_.push_back(std::ranges::any_of(args, [this](ExprId a) { return is_kept(a); }));
  return id;
}

void ExprPool::keep(ExprId e) {
  if (kept_.empty()) kept_.assign(nodes_.size(), 0);
  kept_[static_cast<std::size_t>(e.index)] = 1;
}

void ExprPool::grow() {
  table_.assign(table_.size() * 2, -1);
  const std::size_t mask = table_.size() - 1;
  for (std::int32_t i = 0; i < size(); ++i) {
    std::size_t slot = hash(nodes_[static_cast<std::size_t>(i)], args(ExprId{i})) & mask;
    while (table_[slot] >= 0) slot = (slot + 1) & mask;
    table_[slot] = i;
  }
}

ExprId ExprPool::leaf(Op op, ScalarType type, std::int32_t index) {
  ExprNode node{op, type, 0, 0, {}};
  node.index = index;
  return intern_node(node, {});
}

ExprId ExprPool::constant(Op op, ScalarType type, double value) {
  ExprNode node{op, type, 0, 0, {}};
  node.value = value;
  return intern_node(node, {});
}

ExprId ExprPool::real(double value) { return constant(Op::kReal, ScalarType::kReal, value); }
ExprId ExprPool::integer(std::int64_t value) {
  return constant(Op::kInteger, ScalarType::kInteger, static_cast<double>(value));
}
ExprId ExprPool::enumeration(std::int64_t ordinal) {
  return constant(Op::kInteger, ScalarType::kEnumeration, static_cast<double>(ordinal));
}
ExprId ExprPool::boolean(bool value) {
  return constant(Op::kBoolean, ScalarType::kBoolean, value ? 1 : 0);
}
ExprId ExprPool::string(std::string_view text) {
  return leaf(Op::kString, ScalarType::kString, intern(text).index);
}
ExprId ExprPool::variable(VarId v, ScalarType type) { return leaf(Op::kVar, type, v.index); }
ExprId ExprPool::time() { return leaf(Op::kTime, ScalarType::kReal, 0); }
ExprId ExprPool::der(VarId v) { return leaf(Op::kDer, ScalarType::kReal, v.index); }
ExprId ExprPool::pre(VarId v, ScalarType type) { return leaf(Op::kPre, type, v.index); }
ExprId ExprPool::edge(VarId v) { return leaf(Op::kEdge, ScalarType::kBoolean, v.index); }
ExprId ExprPool::change(VarId v) { return leaf(Op::kChange, ScalarType::kBoolean, v.index); }
ExprId ExprPool::initial() { return leaf(Op::kInitial, ScalarType::kBoolean, 0); }
ExprId ExprPool::terminal() { return leaf(Op::kTerminal, ScalarType::kBoolean, 0); }
ExprId ExprPool::local(LocalId v, ScalarType type) { return leaf(Op::kLocal, type, v.index); }

ExprId ExprPool::call(FunctionId f, std::span<const ExprId> args) {
  ExprNode node{Op::kCall, ScalarType::kReal, 0, 0, {}};
  node.index = f.index;
  const std::vector<ExprId> copy(args.begin(), args.end());  // `args` may be a view of args_
  return intern_node(node, copy);
}

ExprId ExprPool::result(ExprId call, int index, ScalarType type) {
  ExprNode node{Op::kResult, type, 0, 0, {}};
  node.index = index;
  return intern_node(node, std::span<const ExprId>(&call, 1));
}

ExprId ExprPool::element(LocalId array, std::span<const ExprId> subscripts, ScalarType type) {
  ExprNode node{Op::kElement, type, 0, 0, {}};
  node.index = array.index;
  const std::vector<ExprId> copy(subscripts.begin(), subscripts.end());
  return intern_node(node, copy);
}

ExprId ExprPool::index(StringId what, ExprId subscript, std::span<const ExprId> elements) {
  if (is_constant(subscript) && value(subscript) >= 1 &&
      value(subscript) <= static_cast<double>(elements.size())) {
    return elements[static_cast<std::size_t>(value(subscript)) - 1];
  }
  ExprNode node{Op::kIndex, (*this)[elements[0]].type, 0, 0, {}};
  node.index = what.index;
  std::vector<ExprId> args{subscript};
  for (const ExprId e : elements) {
    if ((*this)[e].type != node.type) node.type = ScalarType::kReal;
    args.push_back(e);
  }
  return intern_node(node, args);
}

ExprId ExprPool::rebuild(ExprId e, std::span<const ExprId> args) {
  const ExprNode node = (*this)[e];
  if (is_leaf(node.op)) return e;
  switch (node.op) {
    case Op::kCall:
      return call(FunctionId{node.index}, args);
    case Op::kResult:
      return result(args[0], node.index, node.type);
    case Op::kElement:
      return element(LocalId{node.index}, args, node.type);
    case Op::kIndex:
      return index(StringId{node.index}, args[0], args.subspan(1));
    default:
      return make(node.op, args);
  }
}

bool ExprPool::is_constant(ExprId e) const { return has_value((*this)[e].op); }
bool ExprPool::is_value(ExprId e, double value) const {
  return is_constant(e) && (*this)[e].value == value;
}

ExprId ExprPool::make(Op op, std::span<const ExprId> args) {
  for (const ExprId a : args) {
    if (!a.valid() || a.index >= size())
      throw ApiError("ExprPool::make: an argument is not an expression of this pool");
  }
  // `args` may be a view of args_, which grows while simplifying; no operation has more than six.
  ExprId copy[6];
  if (args.size() > 6) throw ApiError("ExprPool::make: too many arguments");
  std::copy(args.begin(), args.end(), copy);
  args = {copy, args.size()};
  const ExprId simple = simplify(op, args);
  if (simple.valid()) return simple;
  ExprNode node{op, type_of(op, args), 0, 0, {}};
  node.index = 0;
  return intern_node(node, args);
}

ScalarType ExprPool::type_of(Op op, std::span<const ExprId> args) const {
  const auto both = [&](std::size_t i, std::size_t j) {
    const ScalarType a = (*this)[args[i]].type, b = (*this)[args[j]].type;
    return a == b ? a : ScalarType::kReal;
  };
  switch (op) {
    case Op::kNeg:
    case Op::kAbs:
    case Op::kNoEvent:
      return (*this)[args[0]].type;
    case Op::kAdd:
    case Op::kSub:
    case Op::kMul:
    case Op::kMin:
    case Op::kMax:
    case Op::kDivInt:
    case Op::kMod:
    case Op::kRem:
    case Op::kHomotopy:
      return both(0, 1);
    case Op::kIf:
      return both(1, 2);
    case Op::kSmooth:
      return (*this)[args[1]].type;
    case Op::kLess:
    case Op::kLessEqual:
    case Op::kGreater:
    case Op::kGreaterEqual:
    case Op::kEqual:
    case Op::kNotEqual:
    case Op::kNot:
    case Op::kAnd:
    case Op::kOr:
    case Op::kSample:
      return ScalarType::kBoolean;
    case Op::kToInteger:
    case Op::kSign:
      return ScalarType::kInteger;
    case Op::kToString:
      return ScalarType::kString;
    default:
      return ScalarType::kReal;
  }
}

StringId ExprPool::intern(std::string_view text) {
  const auto [it, is_new] =
      string_ids_.try_emplace(std::string(text), static_cast<std::int32_t>(strings_.size()));
  if (is_new) strings_.emplace_back(text);
  return StringId{it->second};
}

std::size_t ExprPool::memory_bytes() const {
  return nodes_.capacity() * sizeof(ExprNode) + args_.capacity() * sizeof(ExprId) +
         table_.capacity() * sizeof(std::int32_t) + kept_.capacity();
}

}  // namespace arges
