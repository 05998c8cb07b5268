#include "arges/compile/term_sizes.h"

#include <algorithm>

namespace arges {

TermSizes::TermSizes(ExprPool& pool)
    : pool_(pool),
      size_(
          pool,
          [&pool](ExprId e, std::span<const ExprId> args) {
            switch (pool[e].op) {
              case Op::kAdd:
              case Op::kSub:
                return pool.add(args[0], args[1]);
              case Op::kMul:
                return pool.mul(args[0], args[1]);
              case Op::kDiv:
                return pool.div(args[0], pool.make(Op::kAbs, {pool.arg(e, 1)}));
              case Op::kNeg:
                return args[0];
              default:  // kIf, whose condition enter() has left as it is
                return ExprId{};
            }
          },
          [&pool](ExprId e) {
            switch (pool[e].op) {
              case Op::kAdd:
              case Op::kSub:
              case Op::kMul:
              case Op::kDiv:
              case Op::kNeg:
              case Op::kIf:
                return ExprId{};
              default:
                return pool[e].type == ScalarType::kBoolean ? e : pool.make(Op::kAbs, {e});
            }
          }) {}

bool TermSizes::may_cancel(ExprId e) {
  ExprWalker walker(pool_);
  return std::ranges::any_of(walker.nodes(e), [&](ExprId node) {
    return pool_[node].op == Op::kAdd || pool_[node].op == Op::kSub;
  });
}

}  // namespace arges
