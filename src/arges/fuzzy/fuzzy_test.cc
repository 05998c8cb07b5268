#include <algorithm>
#include <array>
#include <cmath>

#include <gtest/gtest.h>

#include "arges/base/error.h"
#include "arges/fuzzy/rule_base.h"

namespace arges::fuzzy {
namespace {

double at(const auto& system, double x) { return system(std::array{x}); }
double at(const auto& system, double x, double y) { return system(std::array{x, y}); }

TEST(FuzzySet, IsLinearBetweenItsPointsAndConstantBeyond) {
  const FuzzySet set = trapezoid(1, 2, 4, 8);
  EXPECT_EQ(set.grade(0), 0);
  EXPECT_EQ(set.grade(1.25), 0.25);
  EXPECT_EQ(set.grade(3), 1);
  EXPECT_EQ(set.grade(7), 0.25);
  EXPECT_EQ(set.grade(9), 0);
  EXPECT_EQ(falling(1, 3).grade(-7), 1);
  EXPECT_EQ(rising(1, 3).grade(2), 0.5);
}

TEST(FuzzySet, HasTheLargerGradeAtAStep) {
  const FuzzySet box = trapezoid(1, 1, 2, 2);
  EXPECT_EQ(box.grade(1), 1);
  EXPECT_EQ(box.grade(2), 1);
  EXPECT_EQ(box.grade(std::nextafter(1, 0)), 0);
  EXPECT_EQ(box.grade(std::nextafter(2, 3)), 0);
}

TEST(FuzzySet, RefusesPointsThatDescendAndGradesOutsideOfZeroToOne) {
  EXPECT_THROW(FuzzySet({{1, 0}, {0, 1}}), ApiError);
  EXPECT_THROW(FuzzySet({{0, 1.5}}), ApiError);
  EXPECT_THROW(FuzzySet({}), ApiError);
}

TEST(FuzzySet, OfAPartitionAddsUpToOne) {
  for (double x = -2; x <= 6; x += 0.37) {
    double sum = 0;
    for (const FuzzySet& set : partition({-1, 0, 2, 5})) sum += set.grade(x);
    EXPECT_NEAR(sum, 1, 1e-15) << x;
  }
}

// Grades that add up to one, multiplied: the output interpolates the table linearly in both inputs.
TEST(Sugeno, WithProductAndPartitionsIsBilinearInterpolation) {
  Sugeno system(And::kProduct);
  const std::vector<double> xs = {0, 1, 3}, ys = {-1, 1};
  system.add_input(partition(xs));
  system.add_input(partition(ys));
  const auto table = [](double x, double y) { return 2 + 3 * x - y + 0.5 * x * y; };
  system.add_table([&](std::size_t i, std::size_t j) { return table(xs[i], ys[j]); });
  for (double x = 0; x <= 3; x += 0.21) {
    for (double y = -1; y <= 1; y += 0.23)
      EXPECT_NEAR(at(system, x, y), table(x, y), 1e-13) << x << ' ' << y;
  }
}

TEST(Sugeno, MixesLinearConclusions) {
  Sugeno system(And::kMinimum);
  system.add_input({falling(0, 1), rising(0, 1)});
  system.add_rule({.sets = {0}}, 1, {2});
  system.add_rule({.sets = {1}}, 5, {-1});
  for (const double x : {-1.0, 0.0, 0.3, 0.8, 2.0}) {
    const double share = std::clamp(x, 0.0, 1.0);
    EXPECT_NEAR(at(system, x), (1 - share) * (1 + 2 * x) + share * (5 - x), 1e-14) << x;
  }
}

TEST(Sugeno, TakesTheLeastGradeForAnd) {
  Sugeno system(And::kMinimum, -1);
  system.add_input({rising(0, 1)});
  system.add_input({rising(0, 1), falling(0, 1)});
  system.add_rule({.sets = {0, 0}}, 10);
  system.add_rule({.sets = {0, 1}}, 0);
  // Strengths min(0.5, 0.2) and min(0.5, 0.8).
  EXPECT_NEAR(at(system, 0.5, 0.2), 10 * 0.2 / (0.2 + 0.5), 1e-15);
  EXPECT_EQ(at(system, 0, 0.2), -1) << "no rule applies";
}

TEST(Sugeno, WeightsItsRulesAndLeavesConditionsOut) {
  Sugeno system(And::kProduct);
  system.add_input({rising(0, 1)});
  system.add_input({rising(0, 1)});
  system.add_rule({.sets = {0, std::nullopt}}, 1);
  system.add_rule({.sets = {std::nullopt, 0}, .weight = 0.5}, 0);
  EXPECT_NEAR(at(system, 0.6, 0.4), 0.6 / (0.6 + 0.2), 1e-15);
}

// min(h, 1 - y) on [0, 1]: area h - h^2/2, moment h (1 - h)^2/2 + 1/6 - ((1-h)^2/2 - (1-h)^3/3).
TEST(Mamdani, CentroidOfACutTriangleIsExact) {
  Mamdani system(And::kMinimum, 0, 1);
  system.add_input({rising(0, 1)});
  system.add_rule({.sets = {0}}, falling(0, 1));
  for (const double h : {0.1, 0.5, 0.9, 1.0}) {
    const double rest = 1 - h;
    const double moment =
        h * rest * rest / 2 + 1.0 / 6 - (rest * rest / 2 - rest * rest * rest / 3);
    EXPECT_NEAR(at(system, h), moment / (h - h * h / 2), 1e-15) << h;
  }
}

TEST(Mamdani, CentroidOfAScaledSetIsThatOfTheSet) {
  Mamdani system(And::kMinimum, 0, 10, Implication::kScale);
  system.add_input({rising(0, 1)});
  system.add_rule({.sets = {0}}, triangle(1, 2, 6));
  for (const double h : {0.1, 0.7}) EXPECT_NEAR(at(system, h), 3, 1e-14) << h;
}

// Two overlapping triangles, cut at a and b: symmetric for a = b, and by hand otherwise.
TEST(Mamdani, TakesTheUnionOfItsConclusions) {
  Mamdani system(And::kProduct, 0, 3);
  system.add_input({rising(0, 1)});
  system.add_input({rising(0, 1)});
  system.add_rule({.sets = {0, std::nullopt}}, triangle(0, 1, 2));
  system.add_rule({.sets = {std::nullopt, 0}}, triangle(1, 2, 3));
  EXPECT_NEAR(at(system, 1, 1), 1.5, 1e-15);
  EXPECT_NEAR(at(system, 0.3, 0.3), 1.5, 1e-15);
  // Uncut and half: corners (0,0) (1,1) (1.5,1/2) (2.5,1/2) (3,0).
  const double area = 0.5 + 0.375 + 0.5 + 0.125;
  const double moment = 0.5 * (2.0 / 3) + (1.0 / 12) * (1 * (2 + 1.5) + 0.5 * (1 + 3)) + 0.5 * 2 +
                        0.125 * (2.5 + 0.5 / 3);
  EXPECT_NEAR(at(system, 1, 0.5), moment / area, 1e-14);
  const std::vector<SetPoint> points = system.conclusion(std::array{1.0, 0.5});
  EXPECT_TRUE(std::ranges::any_of(points, [](const SetPoint& each) {
    return std::abs(each.x - 1.5) < 1e-15 && std::abs(each.grade - 0.5) < 1e-15;
  })) << "where the two cross";
}

TEST(Mamdani, MeanOfMaximaIsTheMiddleOfTheHighestPiece) {
  Mamdani system(And::kProduct, 0, 10, Implication::kCut, Defuzzification::kMeanOfMaxima);
  system.add_input({falling(0, 1), rising(0, 1)});
  system.add_rule({.sets = {0}}, triangle(0, 2, 4));
  system.add_rule({.sets = {1}}, trapezoid(5, 6, 8, 10));
  // Cut at 3/4: from 5.75 to 8.5.
  EXPECT_NEAR(at(system, 0.75), (5.75 + 8.5) / 2, 1e-14);
  EXPECT_NEAR(at(system, 0), 2, 1e-15);
}

TEST(Mamdani, GivesTheMiddleOfTheRangeWhenNoRuleApplies) {
  Mamdani system(And::kProduct, 2, 8);
  system.add_input({rising(0, 1)});
  system.add_rule({.sets = {0}}, triangle(2, 3, 4));
  EXPECT_EQ(at(system, -1), 5);
}

TEST(RuleBase, RefusesRulesThatDoNotFit) {
  Sugeno system(And::kProduct);
  system.add_input({rising(0, 1)});
  EXPECT_THROW(system.add_rule({.sets = {1}}, 0), ApiError);
  EXPECT_THROW(system.add_rule({.sets = {0, 0}}, 0), ApiError);
  EXPECT_THROW(system.add_rule({.sets = {0}, .weight = 2}, 0), ApiError);
  EXPECT_THROW(system.add_rule({.sets = {0}}, 0, {1, 2}), ApiError);
  Mamdani boxes(And::kProduct, 0, 1);
  boxes.add_input({rising(0, 1)});
  EXPECT_THROW(boxes.add_rule({.sets = {0}}, trapezoid(0, 0, 1, 1)), ApiError);
}

}  // namespace
}  // namespace arges::fuzzy
