#pragma once
// Expressions as a hash-consed graph.

#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "arges/expr/ids.h"
#include "arges/expr/op.h"

namespace arges {

// One node: 16 bytes. Its arguments lie together in the pool.
struct ExprNode {
  Op op;
  ScalarType type;
  std::uint16_t count;  // of arguments; kManyArgs: the count stands before the first argument
  std::uint32_t first;  // of the arguments
  static constexpr std::uint16_t kManyArgs = 0xFFFF;
  union {
    double value;        // kReal, kInteger, kBoolean
    std::int32_t index;  // variable, local, string, function, or index of a result
  };
};

// Owns expressions. Equal expressions are one node, so equality is equality of ids, and what an
// equation system uses twice is stored (and evaluated) once. Nodes are never changed or removed;
// an argument always has a smaller id than the node that uses it, so that a loop over ascending
// ids meets arguments first: no function over the graph needs recursion.
//
// Construction simplifies where this changes no value of a finite computation:
//   constants are folded (unless the result is not finite); x + 0, x - 0, x * 1, x / 1, x ^ 1, x ^
//   0, 0 * x (also for x = NaN), -(-x), not not b, and/or with a constant, if with a constant
//   condition or equal branches, x + (-y), x - (-y), noEvent(constant), ...
// (0 * x and the like only where x is not to be kept.)
// It does not reorder sums or products: the order of operations is the user's.
class ExprPool {
 public:
  ExprPool();

  // Leaves.
  ExprId real(double value);
  ExprId integer(std::int64_t value);
  ExprId boolean(bool value);
  ExprId string(std::string_view text);
  ExprId enumeration(std::int64_t ordinal);
  ExprId variable(VarId v, ScalarType type = ScalarType::kReal);
  ExprId time();
  ExprId der(VarId v);
  ExprId pre(VarId v, ScalarType type);
  ExprId edge(VarId v);
  ExprId change(VarId v);
  ExprId initial();
  ExprId terminal();
  ExprId local(LocalId v, ScalarType type = ScalarType::kReal);

  // Everything with arguments but calls and elements. The type follows from the arguments.
  ExprId make(Op op, std::span<const ExprId> args);
  ExprId make(Op op, std::initializer_list<ExprId> args) {
    return make(op, std::span<const ExprId>(args.begin(), args.size()));
  }
  ExprId add(ExprId a, ExprId b) { return make(Op::kAdd, {a, b}); }
  ExprId sub(ExprId a, ExprId b) { return make(Op::kSub, {a, b}); }
  ExprId mul(ExprId a, ExprId b) { return make(Op::kMul, {a, b}); }
  ExprId div(ExprId a, ExprId b) { return make(Op::kDiv, {a, b}); }
  ExprId pow(ExprId a, ExprId b) { return make(Op::kPow, {a, b}); }
  ExprId neg(ExprId a) { return make(Op::kNeg, {a}); }
  ExprId if_else(ExprId c, ExprId a, ExprId b) { return make(Op::kIf, {c, a, b}); }

  // The call itself; its scalar results are taken with result(). One call used by several results
  // is evaluated once.
  ExprId call(FunctionId f, std::span<const ExprId> args);
  ExprId result(ExprId call, int index, ScalarType type);
  ExprId element(LocalId array, std::span<const ExprId> subscripts, ScalarType type);
  // The element that the subscript chooses, from 1. One that is not there ends the evaluation with
  // an error that begins with `what`.
  ExprId index(StringId what, ExprId subscript, std::span<const ExprId> elements);

  // The same node over other arguments (and, for leaves, itself).
  ExprId rebuild(ExprId e, std::span<const ExprId> args);

  const ExprNode& operator[](ExprId e) const { return nodes_[static_cast<std::size_t>(e.index)]; }
  std::span<const ExprId> args(ExprId e) const;
  ExprId arg(ExprId e, int i) const { return args(e)[static_cast<std::size_t>(i)]; }
  VarId var(ExprId e) const { return VarId{(*this)[e].index}; }

  bool is_constant(ExprId e) const;  // a Real, Integer or Boolean literal
  bool is_value(ExprId e, double value) const;
  double value(ExprId e) const { return (*this)[e].value; }

  StringId intern(std::string_view text);
  const std::string& text(StringId id) const {
    return strings_[static_cast<std::size_t>(id.index)];
  }

  // Simplification takes neither this node nor what contains it out of an expression that is made
  // from here on (0 * x stays). It says more than a value: what ticks with it.
  void keep(ExprId e);
  bool is_kept(ExprId e) const {
    return !kept_.empty() && kept_[static_cast<std::size_t>(e.index)] != 0;
  }

  // Number of nodes; ids are 0 .. size() - 1.
  std::int32_t size() const { return static_cast<std::int32_t>(nodes_.size()); }
  std::size_t memory_bytes() const;

 private:
  ExprId intern_node(ExprNode node, std::span<const ExprId> args);
  ExprId leaf(Op op, ScalarType type, std::int32_t index);
  ExprId constant(Op op, ScalarType type, double value);
  ExprId simplify(Op op, std::span<const ExprId> args);
  ExprId fold(Op op, std::span<const ExprId> args);
  ScalarType type_of(Op op, std::span<const ExprId> args) const;
  void grow();

  std::vector<ExprNode> nodes_;
  std::vector<ExprId> args_;
  std::vector<char> kept_;           // by node; empty: none is
  std::vector<std::int32_t> table_;  // open addressing: node ids, -1 empty
  std::vector<std::string> strings_;
  std::unordered_map<std::string, std::int32_t> string_ids_;
};

}  // namespace arges
