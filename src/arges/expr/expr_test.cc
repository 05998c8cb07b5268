#include <gtest/gtest.h>

#include <cmath>

#include "arges/expr/differentiate.h"
#include "arges/expr/evaluate.h"
#include "arges/expr/print.h"
#include "arges/expr/walk.h"

namespace arges {
namespace {

struct ExprTest : ::testing::Test {
  ExprPool p;
  ExprId x = p.variable(VarId{0}), y = p.variable(VarId{1}), z = p.variable(VarId{2});
  ExprId b = p.variable(VarId{3}, ScalarType::kBoolean);
  ExprNames names{[](VarId v) { return std::string(1, "xyzb"[v.index]); },
                  [](LocalId v) { return "l" + std::to_string(v.index); },
                  [](FunctionId f) { return "f" + std::to_string(f.index); }};
  std::string text(ExprId e) { return to_text(p, e, names); }
  double at(ExprId e, double xv, double yv = 0, double zv = 0) {
    return evaluate(p, e, [&](ExprId leaf) {
      const double v[] = {xv, yv, zv, 1};
      return v[p[leaf].index];
    });
  }
  ExprId d(ExprId e) {
    Differentiator derive(p, [&](ExprId leaf) { return leaf == x ? p.real(1) : ExprId{}; });
    return derive(e);
  }
};

TEST_F(ExprTest, EqualExpressionsAreOneNode) {
  const ExprId a = p.mul(p.add(x, y), z);
  const auto size = p.size();
  EXPECT_EQ(a, p.mul(p.add(x, y), z));
  EXPECT_EQ(p.size(), size);
  EXPECT_NE(p.integer(1), p.real(1));
  EXPECT_NE(p.real(0.0), p.real(-0.0));
}

TEST_F(ExprTest, SimplifiesLocally) {
  EXPECT_EQ(p.add(x, p.real(0)), x);
  EXPECT_EQ(p.mul(p.real(1), x), x);
  EXPECT_EQ(p.mul(p.real(0), x), p.real(0));
  EXPECT_EQ(p.neg(p.neg(x)), x);
  EXPECT_EQ(p.sub(x, p.neg(y)), p.add(x, y));
  EXPECT_EQ(p.add(p.real(2), p.real(3)), p.real(5));
  EXPECT_EQ(p.div(p.integer(1), p.integer(2)), p.real(0.5));
  EXPECT_EQ(p.if_else(p.boolean(true), x, y), x);
  EXPECT_EQ(p.make(Op::kAnd, {b, p.boolean(false)}), p.boolean(false));
  EXPECT_EQ(text(p.div(p.real(1), p.real(0))), "1.0/0.0");
  EXPECT_EQ(text(p.sub(x, x)), "x - x");
}

TEST_F(ExprTest, WhatFollowsFromSomeValuesIsKnownWhateverTheOthersAre) {
  const auto known = [&](ExprId e) {
    return evaluate_known(p, e, [&](ExprId leaf) { return leaf == x ? 0 : std::nan(""); });
  };
  EXPECT_EQ(known(p.mul(y, x)), 0);
  EXPECT_EQ(known(p.div(x, p.sub(z, y))), 0);
  EXPECT_TRUE(std::isnan(known(p.div(y, x))));
  EXPECT_TRUE(std::isnan(known(p.make(Op::kMax, {x, y}))));
  const ExprId less = p.make(Op::kLess, {y, x});
  EXPECT_TRUE(std::isnan(known(less)));
  EXPECT_EQ(known(p.if_else(less, p.mul(x, y), x)), 0);
  EXPECT_TRUE(std::isnan(known(p.if_else(less, p.add(x, p.real(1)), x))));
  EXPECT_EQ(known(p.make(Op::kAnd, {less, p.make(Op::kLess, {x, p.mul(x, z)})})), 0);
  EXPECT_EQ(known(p.make(Op::kOr, {less, p.make(Op::kLessEqual, {x, p.mul(x, z)})})), 1);
}

TEST(IntegerArithmetic, WhatNoDoubleHoldsIsInfiniteAndIsNotFolded) {
  ExprPool p;
  const ExprId n = p.variable(VarId{0}, ScalarType::kInteger), x = p.variable(VarId{1});
  const auto at = [&](ExprId e, double v) { return evaluate(p, e, [&](ExprId) { return v; }); };
  const std::int64_t root = 3037000501;  // its square has 63 bits, the last of them set
  const double odd = 3037000501, largest = 9007199254740992;
  EXPECT_EQ(at(p.mul(n, n), odd), INFINITY);
  EXPECT_EQ(at(p.mul(n, p.neg(n)), odd), -INFINITY);
  EXPECT_EQ(at(p.mul(x, x), odd), odd * odd);
  EXPECT_FALSE(p.is_constant(p.mul(p.integer(root), p.integer(root))));
  EXPECT_EQ(at(p.mul(n, p.integer(4096)), largest - 1), (largest - 1) * 4096);
  EXPECT_EQ(at(p.add(n, p.integer(1)), largest), INFINITY);
  EXPECT_EQ(at(p.sub(p.neg(n), p.integer(1)), largest), -INFINITY);
  EXPECT_EQ(at(p.sub(n, p.integer(1)), largest), largest - 1);
  EXPECT_TRUE(std::isnan(at(p.make(Op::kMod, {p.mul(n, n), p.integer(7)}), odd)));
}

TEST_F(ExprTest, PrintsTheParenthesesThatTheGrammarNeeds) {
  EXPECT_EQ(text(p.sub(x, p.sub(y, z))), "x - (y - z)");
  EXPECT_EQ(text(p.sub(p.sub(x, y), z)), "x - y - z");
  EXPECT_EQ(text(p.mul(p.add(x, y), p.neg(z))), "(x + y)*(-z)");
  EXPECT_EQ(text(p.neg(p.mul(x, y))), "-x*y");
  EXPECT_EQ(text(p.pow(p.pow(x, y), z)), "(x^y)^z");
  EXPECT_EQ(text(p.pow(x, p.real(-2))), "x^(-2.0)");
  EXPECT_EQ(text(p.div(x, p.mul(y, z))), "x/(y*z)");
  EXPECT_EQ(text(p.add(x, p.if_else(p.make(Op::kLess, {x, y}), y, z))),
            "x + (if x < y then y else z)");
  EXPECT_EQ(text(p.make(Op::kAtan2, {x, p.add(y, z)})), "atan2(x, y + z)");
  EXPECT_EQ(text(p.make(Op::kNot, {p.make(Op::kOr, {b, p.make(Op::kLess, {x, y})})})),
            "not (b or x < y)");
}

TEST_F(ExprTest, DerivativesAgreeWithDifferences) {
  const ExprId two = p.real(2);
  const std::vector<ExprId> functions = {
      p.mul(x, y),
      p.div(y, x),
      p.div(x, p.add(x, y)),
      p.pow(x, p.real(3)),
      p.pow(x, y),
      p.pow(y, x),
      p.make(Op::kSin, {p.mul(two, x)}),
      p.make(Op::kCos, {x}),
      p.make(Op::kTan, {x}),
      p.make(Op::kAsin, {p.div(x, two)}),
      p.make(Op::kAcos, {p.div(x, two)}),
      p.make(Op::kAtan, {x}),
      p.make(Op::kSinh, {x}),
      p.make(Op::kCosh, {x}),
      p.make(Op::kTanh, {x}),
      p.make(Op::kExp, {p.neg(x)}),
      p.make(Op::kLog, {x}),
      p.make(Op::kLog10, {x}),
      p.make(Op::kSqrt, {x}),
      p.make(Op::kAbs, {p.sub(x, two)}),
      p.make(Op::kAtan2, {x, y}),
      p.make(Op::kAtan2, {y, x}),
      p.make(Op::kMin, {p.mul(x, x), y}),
      p.make(Op::kMax, {p.mul(x, x), y}),
      p.make(Op::kMod, {p.mul(x, x), y}),
      p.make(Op::kRem, {p.mul(x, x), y}),
      p.make(Op::kSemiLinear, {p.sub(x, two), two, x}),
      p.if_else(p.make(Op::kLess, {x, y}), p.mul(x, x), x),
      p.make(Op::kSmooth, {p.integer(1), p.mul(x, x)}),
  };
  for (const ExprId f : functions) {
    const double xv = 0.7, yv = 1.3, h = 1e-5;
    const double difference = (at(f, xv + h, yv) - at(f, xv - h, yv)) / (2 * h);
    EXPECT_NEAR(at(d(f), xv, yv), difference, 1e-8 * (1 + std::abs(difference))) << text(f);
  }
}

TEST_F(ExprTest, DeepExpressionsNeedNoStack) {
  ExprId e = x;
  for (int i = 0; i < 100'000; ++i) e = p.make(Op::kSin, {p.add(e, y)});
  EXPECT_TRUE(std::isfinite(at(e, 0.1, 0.2)));
  EXPECT_TRUE(std::isfinite(at(d(e), 0.1, 0.2)));
  EXPECT_GT(text(e).size(), 500'000U);
  ExprRewriter swap(p, [&](ExprId n, std::span<const ExprId>) { return n == y ? z : ExprId{}; });
  EXPECT_EQ(at(swap(e), 0.1, 7, 0.2), at(e, 0.1, 0.2));
}

TEST_F(ExprTest, SharedPartsAreDifferentiatedOnce) {
  ExprId e = x;
  for (int i = 0; i < 200; ++i) e = p.mul(e, e);  // x^(2^200) as a tree has 2^200 leaves
  d(e);
  EXPECT_LT(p.size(), 2000);
}

TEST_F(ExprTest, TextForMessagesEnds) {
  ExprId e = x;
  for (int i = 0; i < 200; ++i) e = p.make(Op::kSin, {p.mul(e, e)});
  names.enough = 1000;
  const std::string shown = text(e);
  EXPECT_LT(shown.size(), 1100u);
  EXPECT_TRUE(shown.ends_with("..."));
  EXPECT_EQ(text(p.add(x, y)), "x + y");
}

TEST_F(ExprTest, MessagesAreConcatenated) {
  const ExprId message = p.add(p.string("x is "), p.make(Op::kToString, {p.mul(x, p.real(2))}));
  EXPECT_EQ(evaluate_text(p, message, [](ExprId) { return 1.5; }), "x is 3");
}

TEST_F(ExprTest, WhatIsKeptIsNotTakenOutByAFactorZero) {
  const ExprId zero = p.real(0), kept = p.make(Op::kSin, {x});
  p.keep(kept);
  EXPECT_EQ(text(p.mul(zero, kept)), "0.0*sin(x)");
  EXPECT_EQ(text(p.mul(p.add(kept, y), zero)), "(sin(x) + y)*0.0");
  EXPECT_EQ(text(p.div(zero, kept)), "0.0/sin(x)");
  EXPECT_EQ(p.mul(zero, p.make(Op::kSin, {y})), zero);
  EXPECT_EQ(text(p.add(kept, zero)), "sin(x)");
}

}  // namespace
}  // namespace arges
