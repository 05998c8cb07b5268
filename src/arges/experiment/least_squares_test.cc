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
  const Residuals r = [&](std::span<const double> x, std::vector<double>& values) {
    values = {x[0] < 0.45 ? std::nan("") : x[0] - 0.2};
    if (std::isnan(values[0])) cancel = true;  // a run ends without a value at an interruption
  };
  SearchLimits limits;
  limits.cancel = &cancel;
  const SearchResult result = solve_equations(r, {{"a", 0, 1}}, limits);
  EXPECT_EQ(result.status, SearchStatus::kCancelled);
  EXPECT_EQ(result.message, "");
}

TEST(SolveEquations, SolvesTwoEquations) {
  // A circle and a line: (0.6, 0.8).
  const Residuals r = [](std::span<const double> x, std::vector<double>& values) {
    values = {x[0] * x[0] + x[1] * x[1] - 1, x[1] - x[0] - 0.2};
  };
  const SearchResult result = solve_equations(r, {{"x", 0, 2}, {"y", 0, 2}}, {});
  EXPECT_EQ(result.status, SearchStatus::kFound);
  EXPECT_NEAR(result.x[0], 0.6, 1e-12);
  EXPECT_NEAR(result.x[1], 0.8, 1e-12);
  EXPECT_LT(result.residual, 1e-12);
}

TEST(SolveEquations, OneUnknownTakesTheRootNearestToTheGuess) {
  const Residuals r = [](std::span<const double> x, std::vector<double>& values) {
    values = {std::sin(x[0])};
  };
  const SearchResult result = solve_equations(r, {{"x", 1, 20, 12}}, {});
  EXPECT_EQ(result.status, SearchStatus::kFound);
  EXPECT_NEAR(result.x[0], 4 * std::acos(-1), 1e-13);
}

TEST(SolveEquations, SaysWhenThereIsNoSolution) {
  const Residuals none = [](std::span<const double> x, std::vector<double>& values) {
    values = {x[0] * x[0] + 1};
  };
  const SearchResult result = solve_equations(none, {{"x", -1, 1, 0.3}}, {});
  EXPECT_EQ(result.status, SearchStatus::kNotFound);
  EXPECT_NE(result.message.find("residual is 1"), std::string::npos) << result.message;
  // A jump through zero is no root, either.
  const Residuals jump = [](std::span<const double> x, std::vector<double>& values) {
    values = {x[0] < 0.3 ? -1.0 : 1.0};
  };
  EXPECT_EQ(solve_equations(jump, {{"x", -1, 1}}, {}).status, SearchStatus::kNotFound);
}

}  // namespace
}  // namespace arges
