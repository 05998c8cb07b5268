#include "arges/experiment/least_squares.h"

#include <cmath>

#include <gtest/gtest.h>

#include "arges/base/error.h"

namespace arges {
namespace {

TEST(LeastSquares, FindsTheBottomOfRosenbrocksValley) {
  const Residuals valley = [](std::span<const double> x, std::vector<double>& r) {
    r = {10 * (x[1] - x[0] * x[0]), 1 - x[0]};
  };
  const LeastSquaresResult result =
      least_squares(valley, {{"a", -2, 2, -1.2}, {"b", -2, 2, 1}}, {});
  EXPECT_EQ(result.status, SearchStatus::kFound);
  EXPECT_NEAR(result.x[0], 1, 1e-11);
  EXPECT_NEAR(result.x[1], 1, 1e-11);
  EXPECT_LT(result.evaluations, 250);
}

TEST(LeastSquares, FitsAnExponentialAndKnowsItsSlopes) {
  // The data lie on the curve: a = 2, b = 0.7.
  const Residuals fit = [](std::span<const double> x, std::vector<double>& r) {
    r.clear();
    for (int i = 0; i <= 10; ++i)
      r.push_back(x[0] * std::exp(-x[1] * 0.3 * i) - 2 * std::exp(-0.7 * 0.3 * i));
  };
  const LeastSquaresResult result = least_squares(
      fit, {{"a", 0, 10}, {"b", 0.01, 100, 5, SearchVariable::Scale::kLogarithmic}}, {});
  EXPECT_NEAR(result.x[0], 2, 1e-10);
  EXPECT_NEAR(result.x[1], 0.7, 1e-10);
  ASSERT_EQ(result.jacobian.size(), 22u);
  EXPECT_NEAR(result.jacobian[3], std::exp(-0.63), 1e-8);
  EXPECT_NEAR(result.jacobian[11 + 3], -2 * 0.9 * std::exp(-0.63), 1e-8);
}

TEST(LeastSquares, StaysWithinTheBounds) {
  const Residuals r = [](std::span<const double> x, std::vector<double>& values) {
    EXPECT_GE(x[0], 0);
    EXPECT_LE(x[0], 1);
    values = {x[0] - 3, x[1] - 0.25 * x[0]};
  };
  const LeastSquaresResult result = least_squares(r, {{"a", 0, 1}, {"b", 0, 1}}, {});
  EXPECT_EQ(result.x[0], 1);
  EXPECT_NEAR(result.x[1], 0.25, 1e-7);  // the sum is 4: it knows b to the root of its rounding
}

TEST(LeastSquares, TheLimitAndCancellationKeepTheBestPoint) {
  const Residuals r = [](std::span<const double> x, std::vector<double>& values) {
    values = {std::exp(x[0]) - 2, x[1] - 1};
  };
  SearchLimits limits;
  limits.max_evaluations = 7;
  EXPECT_EQ(least_squares(r, {{"a", 0, 5}, {"b", 0, 5}}, limits).status, SearchStatus::kLimit);
  const std::atomic<bool> cancel = true;
  limits.cancel = &cancel;
  EXPECT_EQ(least_squares(r, {{"a", 0, 5}, {"b", 0, 5}}, limits).status, SearchStatus::kCancelled);
  EXPECT_THROW(least_squares(r, {{"a", 0, 5, 1, SearchVariable::Scale::kInteger}}, {}), ApiError);
}

TEST(SolveEquations, WhatIsCutOffIsCancelledNotWithoutSolution) {
  std::atomic<bool> cancel = false;
  const SidesFunction r = [&](std::span<const double> x) {
    if (x[0] < 0.45) cancel = true;  // a run ends without a value at an interruption
    return Sides{{x[0] < 0.45 ? std::nan("") : x[0]}, {0.2}};
  };
  SearchLimits limits;
  limits.cancel = &cancel;
  const SearchResult result = solve_equations(r, {{"a", 0, 1}}, limits);
  EXPECT_EQ(result.status, SearchStatus::kCancelled);
  EXPECT_EQ(result.message, "");
}

TEST(SolveEquations, SolvesTwoEquations) {
  // A circle and a line: (0.6, 0.8).
  const SidesFunction r = [](std::span<const double> x) {
    return Sides{{x[0] * x[0] + x[1] * x[1], x[1]}, {1, x[0] + 0.2}};
  };
  const SearchResult result = solve_equations(r, {{"x", 0, 2}, {"y", 0, 2}}, {});
  EXPECT_EQ(result.status, SearchStatus::kFound);
  EXPECT_NEAR(result.x[0], 0.6, 1e-12);
  EXPECT_NEAR(result.x[1], 0.8, 1e-12);
  EXPECT_LT(result.residual, 1e-12);
}

TEST(SolveEquations, OneUnknownTakesTheRootNearestToTheGuess) {
  const SidesFunction r = [](std::span<const double> x) { return Sides{{std::sin(x[0])}, {0}}; };
  const SearchResult result = solve_equations(r, {{"x", 1, 20, 12}}, {});
  EXPECT_EQ(result.status, SearchStatus::kFound);
  EXPECT_NEAR(result.x[0], 4 * std::acos(-1), 1e-13);
}

TEST(SolveEquations, SaysWhenThereIsNoSolution) {
  const SidesFunction none = [](std::span<const double> x) {
    return Sides{{x[0] * x[0] + 1}, {0}};
  };
  const SearchResult result = solve_equations(none, {{"x", -1, 1, 0.3}}, {});
  EXPECT_EQ(result.status, SearchStatus::kNotFound);
  EXPECT_NE(result.message.find("residual is 1"), std::string::npos) << result.message;
  // A jump through zero is no root, either.
  const SidesFunction jump = [](std::span<const double> x) {
    return Sides{{x[0] < 0.3 ? -1.0 : 1.0}, {0}};
  };
  EXPECT_EQ(solve_equations(jump, {{"x", -1, 1}}, {}).status, SearchStatus::kNotFound);
}

// However large the residuals are elsewhere.
TEST(SolveEquations, TakesNoPointWhereTheSidesAreFarApart) {
  struct Case {
    const char* what;
    double low, high;
    double (*left)(double);
    double right;
  };
  for (const Case& each :
       {Case{"grows", -1, 2, [](double k) { return std::exp(20 * k); }, -1},
        Case{"pole", 0, 1, [](double a) { return 1 / (a - 0.3); }, 0},
        Case{"flat", -30, 30, [](double a) { return std::exp(a) + 1; }, 0},
        Case{"steep", 0, 3000, [](double a) { return std::exp(std::min(a, 700.0)) + 1; }, 0},
        Case{"large sides", -1, 1, [](double a) { return 1e6 + 1 + a * a; }, 1e6},
        Case{"small jump", -1, 1, [](double a) { return a < 0.3 ? -1 : 5e-4; }, 0}}) {
    const SidesFunction sides = [&](std::span<const double> x) {
      return Sides{{each.left(x[0])}, {each.right}};
    };
    const SearchResult result = solve_equations(sides, {{"a", each.low, each.high}}, {});
    EXPECT_EQ(result.status, SearchStatus::kNotFound) << each.what << ": " << result.residual;
  }
}

TEST(SolveEquations, TakesRootsOfAllKinds) {
  struct Case {
    const char* what;
    double low, high;
    double (*left)(double);
    double right, root, error;
  };
  for (const Case& each :
       {Case{"double", -1, 1, [](double a) { return (a - 0.2) * (a - 0.2); }, 0, 0.2, 1e-6},
        Case{"triple", -1, 1, [](double a) { return std::pow(a - 0.2, 3); }, 0, 0.2, 1e-6},
        Case{"large", 0, 1, [](double a) { return 1e9 * (1 + a); }, 1.25e9 + 7, 0.250000007, 1e-14},
        Case{"small", 0, 1, [](double a) { return 1e-12 * a * a; }, 0.49e-12, 0.7, 1e-14},
        Case{"at a bound", 0, 1, [](double a) { return std::exp(a); }, 1, 0, 1e-14},
        Case{"growing", 0, 2, [](double a) { return std::expm1(300 * (a - 0.9)); }, 0, 0.9, 1e-12},
        // As runs of this accuracy are: in steps.
        Case{"noise", 0, 2, [](double a) { return std::round((a - 0.7) * 1e9 + 0.3) / 1e9; }, 2e-10,
             0.7, 1e-8}}) {
    const SidesFunction sides = [&](std::span<const double> x) {
      return Sides{{each.left(x[0])}, {each.right}};
    };
    const SearchResult result = solve_equations(sides, {{"a", each.low, each.high}}, {});
    EXPECT_EQ(result.status, SearchStatus::kFound) << each.what << ": " << result.residual;
    EXPECT_NEAR(result.x[0], each.root, each.error) << each.what;
  }
}

TEST(SolveEquations, DoesNotSeeTheUnitsOfTheEquations) {
  for (const double large : {1.0, 1e5}) {
    for (const double small : {1.0, 1e-6, 1e-9}) {
      const SearchResult result = solve_equations(
          [&](std::span<const double> x) {
            return Sides{{large * (x[0] + x[1] * x[1]), small * (x[0] - x[1])}, {large, 0}};
          },
          {{"a", -2, 3}, {"b", -3, 3}}, {});
      EXPECT_EQ(result.status, SearchStatus::kFound) << large << ' ' << small << result.message;
      EXPECT_NEAR(result.x[0], (std::sqrt(5.0) - 1) / 2, 1e-9);
      EXPECT_NEAR(result.x[1], (std::sqrt(5.0) - 1) / 2, 1e-9);
      EXPECT_LE(result.residual, 1e-9 * large);
    }
  }
}

}  // namespace
}  // namespace arges
