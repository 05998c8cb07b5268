// What is called found is a minimum, whatever the method and the units.

#include <cmath>
#include <functional>

#include <gtest/gtest.h>

#include "arges/experiment/optimise.h"

namespace arges {
namespace {

using Scale = SearchVariable::Scale;
using Formula = std::function<double(double a, double b)>;

struct Problem {
  std::vector<SearchVariable> variables;
  Formula objective;
  std::vector<Formula> at_most_zero{}, zero{};
};

SearchResult solve(const Problem& problem, const std::string& method, std::int64_t evaluations) {
  OptimiseRequest request;
  request.variables = problem.variables;
  request.inequalities = problem.at_most_zero.size();
  request.equalities = problem.zero.size();
  request.method = method;
  request.limits.max_evaluations = evaluations;
  return optimise(
      [&](std::span<const double> x) {
        Appraisal appraisal;
        appraisal.value = problem.objective(x[0], x[1]);
        for (const Formula& each : problem.at_most_zero)
          appraisal.constrain(each(x[0], x[1]), 0, false);
        for (const Formula& each : problem.zero) appraisal.constrain(each(x[0], x[1]), 0, true);
        return appraisal;
      },
      request);
}

void expect_found(const Problem& problem, const std::string& method, double value,
                  double accuracy = 1e-8, std::int64_t evaluations = 1000) {
  const SearchResult result = solve(problem, method, evaluations);
  EXPECT_EQ(result.status, SearchStatus::kFound) << method << ": " << result.message;
  EXPECT_NEAR(result.value, value, accuracy) << method;
  EXPECT_LE(result.evaluations, evaluations) << method;
}

TEST(Found, DoesNotDependOnTheUnitsOfTheObjective) {
  for (const double size : {1e-6, 1.0, 1e3, 1e6}) {
    // Problem 12 of Hock and Schittkowski.
    expect_found(
        {{{"a", -10, 10, 0}, {"b", -10, 10, 0}},
         [=](double a, double b) { return size * (0.5 * a * a + b * b - a * b - 7 * a - 7 * b); },
         {[](double a, double b) { return 4 * a * a + b * b - 25; }}},
        "slsqp", -30 * size, 1e-8 * size);
    // A bent valley.
    expect_found({{{"a", -2, 2, -1.2}, {"b", -1, 3, 1}},
                  [=](double a, double b) {
                    return size * (std::pow(1 - a, 2) + 10 * std::pow(b - a * a, 2));
                  }},
                 "slsqp", 0, 1e-8 * size);
    // Problem 14.
    for (const char* method : {"sade", "direct", "pso"}) {
      expect_found(
          {{{"a", -5, 5, 2}, {"b", -5, 5, 2}},
           [=](double a, double b) { return size * (std::pow(a - 2, 2) + std::pow(b - 1, 2)); },
           {[](double a, double b) { return a * a / 4 + b * b - 1; }},
           {[](double a, double b) { return a - 2 * b + 1; }}},
          method, size * (9 - 2.875 * std::sqrt(7.0)), 1e-7 * size, 3000);
    }
  }
}

TEST(Found, IsNoMaximumAlongAConstraint) {
  const Problem saddle{{{"a", -2, 2}, {"b", -2, 2}},
                       [](double a, double b) { return a * b; },
                       {},
                       {[](double a, double b) { return a + b; }}};
  for (const char* method : {"auto", "slsqp", "bobyqa", "de", "gaco", "isres", "esch"})
    expect_found(saddle, method, -4);
  const Problem circle{{{"a", -2, 2, 1}, {"b", -2, 2, 0}},
                       [](double a, double b) { return -a * a - 2 * b * b; },
                       {},
                       {[](double a, double b) { return a * a + b * b - 1; }}};
  for (const char* method : {"auto", "bobyqa", "sbplx", "praxis", "neldermead"})
    expect_found(circle, method, -2);
}

TEST(Found, IsNoSaddle) {
  // Curved downwards only across both variables.
  expect_found({{{"a", -1, 1, 0}, {"b", -1, 1, 0}},
                [](double a, double b) { return a * a + b * b - 3 * a * b; }},
               "slsqp", -1);
  expect_found(
      {{{"a", -1, 2, 0}, {"b", -1, 2, 0}}, [](double a, double b) { return -a * a - b * b; }},
      "slsqp", -8);
  // Flat to the second order.
  expect_found({{{"a", -1, 1, 0}, {"b", -1, 1, 0}},
                [](double a, double b) { return a * a * a + b * b; },
                {[](double a, double b) { return a + b - 3; }}},
               "auto", -1);
}

TEST(Found, IsTheBottomOfAKink) {
  const auto kink = [](double a, double b) { return std::abs(a - 1) + 3 * std::abs(b - 2); };
  const std::vector<SearchVariable> variables{{"a", -3, 7}, {"b", -3, 7}};
  expect_found({variables, kink}, "cobyla", 0);
  expect_found({variables, kink, {[](double a, double b) { return a + b - 2; }}}, "auto", 1, 1e-6,
               2000);
}

TEST(Found, IsTheMinimumAtABound) {
  expect_found({{{"a", 1, 5, 3}, {"b", -5, 5, 3}},
                [](double a, double b) { return a * a + std::pow(b - a, 2); }},
               "praxis", 1);
}

TEST(Found, OrThereIsNoPointThatSatisfiesTheConstraints) {
  // Problem 19 of Hock and Schittkowski: a crescent.
  expect_found(
      {{{"a", 13, 100, 20.1}, {"b", 0, 100, 5.84}},
       [](double a, double b) { return std::pow(a - 10, 3) + std::pow(b - 20, 3); },
       {[](double a, double b) { return 100 - std::pow(a - 5, 2) - std::pow(b - 5, 2); },
        [](double a, double b) { return std::pow(b - 5, 2) + std::pow(a - 6, 2) - 82.81; }}},
      "slsqp", -6961.8138755801, 1e-4);
  // The same constraint twice.
  expect_found({{{"a", -2, 2}, {"b", -2, 2}},
                [](double a, double b) { return a * a + 2 * b * b; },
                {},
                {[](double a, double b) { return a + b - 1; },
                 [](double a, double b) { return 2 * a + 2 * b - 2; }}},
               "slsqp", 2.0 / 3);
  const SearchResult none = solve({{{"a", 0, 1}, {"b", 0, 1}},
                                   [](double a, double b) { return a + b; },
                                   {[](double a, double b) { return 3 - a - b; }}},
                                  "auto", 1000);
  EXPECT_EQ(none.status, SearchStatus::kNotFound);
  EXPECT_NE(none.message.find("no point was found"), std::string::npos);
  EXPECT_NEAR(none.residual, 1, 1e-9);
}

TEST(Found, WholeNumbersSatisfyConstraints) {
  const Problem problem{{{"a", 0, 100, NAN, Scale::kInteger}, {"b", 0, 100, NAN, Scale::kInteger}},
                        [](double a, double b) { return -5 * a - 4 * b; },
                        {[](double a, double b) { return 6 * a + 4 * b - 24; },
                         [](double a, double b) { return a + 2 * b - 6; }}};
  for (const char* method : {"direct", "sga", "gaco"})
    EXPECT_NEAR(solve(problem, method, 1000).value, -20, 1e-12) << method;
}

TEST(Found, AsManyWholeNumbersAsEvaluationsAreAllTried) {
  OptimiseRequest request;
  for (const char* name : {"a", "b", "c"})
    request.variables.push_back({name, 1, 10, NAN, Scale::kInteger});
  request.inequalities = 1;
  const SearchResult result = optimise(
      [](std::span<const double> x) {
        return Appraisal{std::pow(x[0] - 3, 2) + x[1] - x[2], {x[0] + x[1] + x[2] - 12}, {}};
      },
      request);
  EXPECT_EQ(result.status, SearchStatus::kFound) << result.message;
  EXPECT_EQ(result.evaluations, 1000);
  EXPECT_EQ(result.value, -7);
}

TEST(Found, WhatIsUsedUpIsALimit) {
  // A bent valley needs more than this.
  const SearchResult result =
      solve({{{"a", -2, 2, -1.2}, {"b", -2, 2, 1}},
             [](double a, double b) { return 100 * std::pow(b - a * a, 2) + std::pow(1 - a, 2); },
             {[](double a, double b) { return a * a + b * b - 2; }}},
            "auto", 100);
  EXPECT_EQ(result.status, SearchStatus::kLimit);
  expect_found(
      {{{"a", -1.5, 1.5, -1.2}, {"b", -1.5, 1.5, 1}},
       [](double a, double b) { return 100 * std::pow(b - a * a, 2) + std::pow(1 - a, 2); },
       {[](double a, double b) { return a * a + b * b - 2; }}},
      "auto", 0);
}

}  // namespace
}  // namespace arges
