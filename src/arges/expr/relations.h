#pragma once
// Relations in other words.

#include "arges/expr/op.h"

namespace arges {

// a op b is b mirrored(op) a.
inline Op mirrored(Op op) {
  switch (op) {
    case Op::kLess:
      return Op::kGreater;
    case Op::kLessEqual:
      return Op::kGreaterEqual;
    case Op::kGreater:
      return Op::kLess;
    default:
      return Op::kLessEqual;
  }
}

// not a op b is a negated(op) b.
inline Op negated(Op op) {
  switch (op) {
    case Op::kLess:
      return Op::kGreaterEqual;
    case Op::kLessEqual:
      return Op::kGreater;
    case Op::kGreater:
      return Op::kLessEqual;
    default:
      return Op::kLess;
  }
}

}  // namespace arges
