#include "arges/flat/share.h"

#include <gtest/gtest.h>

#include "arges/expr/walk.h"
#include "arges/flat/builder.h"
#include "arges/flat/print.h"

namespace arges {
namespace {

// x, x*x + 1, (x*x + 1)*(x*x + 1) + 1, ...: a tree of 2^n leaves.
Ex doubled(Ex x, int n) {
  for (int i = 0; i < n; ++i) x = x * x + 1;
  return x;
}

TEST(SharedFunctions, TextGrowsWithTheGraphNotWithTheTree) {
  ModelBuilder m("M");
  const Ex x = m.real("x"), y = m.real("y"), z = m.real("z");
  m.equation(y, doubled(x, 100));
  m.equation(z, no_event(if_else(doubled(x, 100) < 0, x, doubled(y, 50))));
  const FlatModel shared = with_shared_functions(m.take());
  ASSERT_EQ(shared.functions.size(), 2U);
  EXPECT_EQ(shared.functions[0].inputs, 1);
  EXPECT_EQ(shared.functions[1].inputs, 2);
  EXPECT_EQ(shared.functions[0].body.size(), 100U);
  EXPECT_LT(to_text(shared).size(), 20000U);
}

TEST(SharedFunctions, WhatMakesEventsStaysInTheModel) {
  ModelBuilder m("M");
  const Ex x = m.real("x"), y = m.real("y");
  m.equation(y, if_else(doubled(x, 20) < 3, x, doubled(x, 30)));
  const FlatModel shared = with_shared_functions(m.take());
  EXPECT_EQ(shared.functions.size(), 2U);
  const ExprId rhs = shared.equations[0].rhs;
  ASSERT_EQ(shared.pool[rhs].op, Op::kIf);
  EXPECT_EQ(shared.pool[shared.pool.arg(rhs, 0)].op, Op::kLess);
  for (const FlatFunction& f : shared.functions) {
    for (const Statement& s : f.body) {
      ExprWalker walker(shared.pool);
      for (const ExprId e : walker.nodes(s.value)) EXPECT_FALSE(is_relation(shared.pool[e].op));
    }
  }
}

TEST(SharedFunctions, LeaveAloneWhatIsLargeWithoutSharing) {
  ModelBuilder m("M");
  Ex sum = m.real("x0");
  for (int i = 1; i < 1000; ++i) sum = sum + m.real("x" + std::to_string(i));
  m.equation(sum, 0);
  EXPECT_TRUE(with_shared_functions(m.take()).functions.empty());
}

}  // namespace
}  // namespace arges
