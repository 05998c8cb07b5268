#include "arges/experiment/formula.h"

#include <cmath>

#include <gtest/gtest.h>

#include "arges/base/error.h"

namespace arges {
namespace {

using Leaves = Formula::Leaves;

double value(const std::string& text) { return Formula::parse(text, Leaves::kRow).value({}); }

TEST(Formula, FollowsTheRulesOfArithmetic) {
  EXPECT_EQ(value("1 + 2*3 - 4/8"), 6.5);
  EXPECT_EQ(value("-2^2"), -4);
  EXPECT_EQ(value("2^3^2"), 512);
  EXPECT_EQ(value("2^-1"), 0.5);
  EXPECT_EQ(value("(1 + 2)*-3"), -9);
  EXPECT_EQ(value("8 - 4 - 2"), 2);
  EXPECT_EQ(value("1e-3*2.5E3"), 2.5);
  EXPECT_DOUBLE_EQ(value("cos(pi/3)"), 0.5);
  EXPECT_EQ(value("max(1, min(5, 3))"), 3);
  EXPECT_EQ(value("sign(-3) + abs(-2) + floor(1.5)"), 2);
  EXPECT_DOUBLE_EQ(value("atan2(1, 1)"), std::atan(1.0));
}

TEST(Formula, NamesAreLeavesEachOnce) {
  const Formula row = Formula::parse("a[1,2].v*x - der(x) + x", Leaves::kRow);
  EXPECT_EQ(row.leaves(), (std::vector<std::string>{"a[1,2].v", "x", "der(x)"}));
  EXPECT_EQ(row.value(std::vector<double>{2, 3, 5}), 4);
  const Formula run =
      Formula::parse("max(x - y)/events + max(final(a), x @ 2.5)*integral((x-1)^2)", Leaves::kRun);
  EXPECT_EQ(run.leaves(), (std::vector<std::string>{"max(x - y)", "events", "final(a)", "x@2.5",
                                                    "integral((x-1)^2)"}));
}

TEST(Formula, MistakesAreShownInTheirPlace) {
  const auto refusal = [](const std::string& text) -> std::string {
    try {
      Formula::parse(text, Leaves::kRow);
    } catch (const UserError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(refusal("1 + * 2"), "a number or a name belongs here\n  1 + * 2\n      ^");
  EXPECT_EQ(refusal("(1 + 2"), "a parenthesis is not closed\n  (1 + 2\n  ^");
  EXPECT_NE(refusal("sinn(1)").find("did you mean 'sin'"), std::string::npos);
  for (const char* text : {"", "1 2", "x@2", "sin(1, 2)", "a[1", "'a", "a.", "1 +", ")", "x..y"})
    EXPECT_NE(refusal(text), "") << text;
  EXPECT_NE(refusal(std::string(5000, '(')), "");
  EXPECT_NE(refusal(std::string(5000, '-') + "1"), "");
  std::string deep = "1";
  for (int i = 0; i < 200; ++i) deep.insert(0, "2^(1+").append(")");
  EXPECT_NE(refusal(deep), "");
}

TEST(Condition, HasTwoSidesAndARelation) {
  const Condition equal = parse_condition("x@2 = 1 + 2", Leaves::kRun);
  EXPECT_EQ(equal.kind, Condition::Kind::kEqual);
  EXPECT_EQ(equal.right.value({}), 3);
  const Condition at_event = parse_condition("v@'h <= 0' <= 3", Leaves::kRun);
  EXPECT_EQ(at_event.kind, Condition::Kind::kAtMost);
  EXPECT_EQ(at_event.left.leaves(), (std::vector<std::string>{"v@'h <= 0'"}));
  const Condition least = parse_condition("2 >= 5", Leaves::kRun);
  EXPECT_EQ(least.kind, Condition::Kind::kAtMost);
  EXPECT_EQ(least.left.value({}), 5);
  for (const char* text : {"x", "x = ", "= 1", "1 <= x <= 2", "x = = 2"})
    EXPECT_THROW(parse_condition(text, Leaves::kRun), UserError) << text;
}

}  // namespace
}  // namespace arges
