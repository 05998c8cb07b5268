#include "arges/experiment/optimise.h"

#include <cmath>

#include <gtest/gtest.h>

#include "arges/base/error.h"

namespace arges {
namespace {

using Scale = SearchVariable::Scale;

// Rosenbrock's valley: smallest at (1, 1).
Appraisal valley(std::span<const double> x) {
  return {100 * std::pow(x[1] - x[0] * x[0], 2) + std::pow(1 - x[0], 2), {}, {}};
}

Appraisal valley_of_one(std::span<const double> x) { return {x[0] * x[0], {}, {}}; }

OptimiseRequest in_the_valley(const std::string& method, std::int64_t evaluations) {
  OptimiseRequest request;
  request.variables = {{"x", -2, 2, -1.2}, {"y", -2, 2, 1}};
  request.method = method;
  request.limits.max_evaluations = evaluations;
  return request;
}

class EveryOptimiser : public ::testing::TestWithParam<std::string> {};

TEST_P(EveryOptimiser, FindsTheBottomOfAValley) {
  const SearchResult result = optimise(valley, in_the_valley(GetParam(), 8000));
  // Linear models (cobyla) creep along a bent valley; the others come much closer.
  const double accuracy = GetParam() == "cobyla" ? 2e-3 : 2e-4;
  EXPECT_NEAR(result.x[0], 1, accuracy) << result.message;
  EXPECT_NEAR(result.x[1], 1, 2 * accuracy);
  EXPECT_LE(result.evaluations, 8000);
}

TEST_P(EveryOptimiser, KeepsAConstraint) {
  // x + 2 y smallest on the disk of radius 1 around 0, with x >= 0: at (0, -1).
  OptimiseRequest request;
  request.variables = {{"x", -2, 2, 0.5}, {"y", -2, 2, 0.5}};
  request.inequalities = 2;
  request.method = GetParam();
  request.limits.max_evaluations = 8000;
  const SearchResult result = optimise(
      [](std::span<const double> x) {
        return Appraisal{x[0] + 2 * x[1], {x[0] * x[0] + x[1] * x[1] - 1, -x[0]}, {}};
      },
      request);
  EXPECT_NE(result.status, SearchStatus::kNotFound) << result.message;
  EXPECT_NEAR(result.value, -2, 1e-3);
  EXPECT_LE(result.residual, request.constraint_tolerance);
}

TEST_P(EveryOptimiser, EndsWhenItHasNothingNewToTry) {
  // Two constraints, and many more evaluations than a population needs to become one point.
  OptimiseRequest request;
  request.variables = {{"p", 0.5, 10}, {"q", 0.5, 10}};
  request.inequalities = 2;
  request.method = GetParam();
  request.limits.max_evaluations = 3000;
  const SearchResult result = optimise(
      [](std::span<const double> x) {
        return Appraisal{x[0] + x[1], {4 - x[0] * x[1], x[0] * x[0] + x[1] * x[1] - 20}, {}};
      },
      request);
  EXPECT_NE(result.status, SearchStatus::kNotFound) << result.message;
  EXPECT_NEAR(result.value, 4, 1e-3);
  EXPECT_LE(result.evaluations, 3000);
}

std::vector<std::string> all_names() {
  std::vector<std::string> names;
  for (const OptimiserInfo& each : optimisers()) names.push_back(each.name);
  return names;
}
INSTANTIATE_TEST_SUITE_P(Methods, EveryOptimiser, ::testing::ValuesIn(all_names()),
                         [](const auto& each) { return each.param; });

TEST(Optimise, TheAutomaticChoiceIsExactWhereTheObjectiveIsSmooth) {
  const SearchResult result = optimise(valley, in_the_valley("auto", 1000));
  EXPECT_EQ(result.status, SearchStatus::kFound);
  EXPECT_NEAR(result.x[0], 1, 1e-7);
  EXPECT_LT(result.evaluations, 400);
}

TEST(Optimise, OneVariableWithAKinkComesOutToAllDigits) {
  OptimiseRequest request;
  request.variables = {{"x", 0, 10}};
  request.tolerance = 1e-14;
  const SearchResult result = optimise(
      [](std::span<const double> x) {
        return Appraisal{std::abs(x[0] - M_PI), {}, {}};
      },
      request);
  EXPECT_NEAR(result.x[0], M_PI, 1e-12);
}

TEST(Optimise, BeginsWhereTheObjectiveHasAValue) {
  // Only the lowest quarter of the range has one; the first guess is in the middle.
  OptimiseRequest request;
  request.variables = {{"x", 0, 1}, {"y", 0, 1}};
  const SearchResult result = optimise(
      [](std::span<const double> x) {
        return Appraisal{
            x[0] < 0.25 ? std::pow(x[0] - 0.1, 2) + std::pow(x[1] - 0.3, 2) : NAN, {}, {}};
      },
      request);
  EXPECT_EQ(result.status, SearchStatus::kFound) << result.message;
  EXPECT_NEAR(result.x[0], 0.1, 1e-4);
  EXPECT_NEAR(result.x[1], 0.3, 1e-4);
}

TEST(Optimise, ConstrainedMinimaComeOutToNineDigits) {
  OptimiseRequest request;
  request.variables = {{"x", -2, 2, 0.5}, {"y", -2, 2, 0.5}};
  request.inequalities = 1;
  for (const char* method :
       {"auto", "cobyla", "isres", "praxis", "bobyqa", "sbplx", "neldermead"}) {
    request.method = method;
    const bool is_fast = request.method == "auto" || request.method == "cobyla";
    request.limits.max_evaluations = is_fast ? 1000 : 4000;
    // x + 2 y on the disk.
    const SearchResult disk = optimise(
        [](std::span<const double> x) {
          return Appraisal{x[0] + 2 * x[1], {x[0] * x[0] + x[1] * x[1] - 1}, {}};
        },
        request);
    EXPECT_EQ(disk.status, SearchStatus::kFound) << method << ": " << disk.message;
    EXPECT_NEAR(disk.value, -std::sqrt(5.0), 1e-9) << method;
    EXPECT_NEAR(disk.x[0], -1 / std::sqrt(5.0), 1e-9) << method;
    EXPECT_LE(disk.residual, request.constraint_tolerance);
    // A curved objective, whose minimum lies inside of the range along the constraint x + y >= 1.
    const SearchResult hill = optimise(
        [](std::span<const double> x) {
          return Appraisal{std::exp(x[0]) + x[1] * x[1], {1 - x[0] - x[1]}, {}};
        },
        request);
    // exp(x) = 2 (1 - x).
    const double best = 0.3149230578454061;
    EXPECT_NEAR(hill.x[0], best, 1e-9) << method;
    EXPECT_NEAR(hill.value, std::exp(best) + (1 - best) * (1 - best), 1e-9) << method;
  }
  // A kink: slopes do not help.
  request.method = "auto";
  request.limits.max_evaluations = 1000;
  const SearchResult kink = optimise(
      [](std::span<const double> x) {
        return Appraisal{
            std::max(std::abs(x[0] - 0.3), std::abs(x[1] + 0.2)), {0.5 - x[0] - x[1]}, {}};
      },
      request);
  EXPECT_NEAR(kink.value, 0.2, 1e-8);
}

TEST_P(EveryOptimiser, DoesNotSeeTheUnitsOfAConstraint) {
  OptimiseRequest request;
  request.variables = {{"a", -3, 3, 0}, {"b", -3, 3, 0}};
  request.inequalities = 1;
  request.method = GetParam();
  request.limits.max_evaluations = 4000;
  for (const double size : {1e-12, 1e-6, 1.0, 1e6, 1e12}) {
    // The point of the disk that is nearest to (2, 1).
    const SearchResult result = optimise(
        [size](std::span<const double> x) {
          Appraisal appraisal;
          appraisal.value = std::pow(x[0] - 2, 2) + std::pow(x[1] - 1, 2);
          appraisal.constrain(size * (x[0] * x[0] + x[1] * x[1]), size, false);
          return appraisal;
        },
        request);
    EXPECT_EQ(result.status, SearchStatus::kFound) << size << ": " << result.message;
    EXPECT_NEAR(result.x[0], 2 / std::sqrt(5.0), 1e-9) << size;
    EXPECT_NEAR(result.x[1], 1 / std::sqrt(5.0), 1e-9) << size;
    EXPECT_LE(result.residual, request.constraint_tolerance * size);
    // The nearest point to 0 of the hyperbola a b = 2, as an equality.
    OptimiseRequest equal = request;
    equal.variables = {{"a", 0.1, 5}, {"b", 0.1, 5}};
    equal.inequalities = 0;
    equal.equalities = 1;
    const SearchResult hyperbola = optimise(
        [size](std::span<const double> x) {
          Appraisal appraisal;
          appraisal.value = x[0] * x[0] + x[1] * x[1];
          appraisal.constrain(size * x[0] * x[1], 2 * size, true);
          return appraisal;
        },
        equal);
    EXPECT_EQ(hyperbola.status, SearchStatus::kFound) << size << ": " << hyperbola.message;
    EXPECT_NEAR(hyperbola.x[0], std::sqrt(2.0), 1e-9) << size;
  }
}

TEST(Optimise, WholeNumbersAreTriedWithConstraintsInSmallUnits) {
  OptimiseRequest request;
  request.variables = {{"n", 0, 30, NAN, Scale::kInteger}};
  request.inequalities = 1;
  const SearchResult result = optimise(
      [](std::span<const double> x) {
        return Appraisal{-x[0], {1e-12 * x[0] - 3e-12}, {}};
      },
      request);
  EXPECT_EQ(result.status, SearchStatus::kFound) << result.message;
  EXPECT_EQ(result.x[0], 3);
}

TEST(Optimise, APopulationThatBecomesOnePointBeginsAgain) {
  // Rastrigin's function: a hundred valleys, the lowest at 0.
  OptimiseRequest request;
  request.variables = {{"x", -5, 5.3}, {"y", -5.2, 5}};
  request.method = "sga";
  for (const std::uint64_t seed : {1, 2, 3}) {
    request.seed = seed;
    const SearchResult result = optimise(
        [](std::span<const double> x) {
          double sum = 20;
          for (const double each : x) sum += each * each - 10 * std::cos(2 * M_PI * each);
          return Appraisal{sum, {}, {}};
        },
        request);
    EXPECT_NEAR(result.value, 0, 1e-12) << seed;
    EXPECT_LE(result.evaluations, 1000);
  }
}

TEST(Optimise, WhatLooksEverywhereDoesNotClaimTheLowestValley) {
  for (const char* method : {"crs", "cmaes", "gaco"}) {
    const SearchResult result = optimise(valley, in_the_valley(method, 8000));
    EXPECT_EQ(result.status, SearchStatus::kFound) << method;
    EXPECT_NE(result.message.find("a local minimum"), std::string::npos) << method;
  }
  EXPECT_EQ(optimise(valley, in_the_valley("bobyqa", 1000)).message, "");
}

TEST(Optimise, EqualitiesAreSatisfied) {
  // The point of x y = 1 that is nearest to 0: (1, 1).
  OptimiseRequest request;
  request.variables = {{"x", 0.1, 3, 2}, {"y", 0.1, 3, 2}};
  request.equalities = 1;
  request.method = "slsqp";
  const SearchResult result = optimise(
      [](std::span<const double> x) {
        return Appraisal{x[0] * x[0] + x[1] * x[1], {}, {x[0] * x[1] - 1}};
      },
      request);
  EXPECT_EQ(result.status, SearchStatus::kFound);
  EXPECT_NEAR(result.x[0], 1, 1e-9);
  EXPECT_LE(result.residual, request.constraint_tolerance);
}

TEST(Optimise, WholeNumbersStayWhole) {
  for (const char* method : {"auto", "sga", "ihs", "crs", "esch"}) {
    OptimiseRequest request;
    request.variables = {{"n", 1, 20, NAN, Scale::kInteger},
                         {"x", 0.1, 1000, NAN, Scale::kLogarithmic}};
    request.method = method;
    request.limits.max_evaluations = 3000;
    const SearchResult result = optimise(
        [](std::span<const double> x) {
          EXPECT_EQ(x[0], std::floor(x[0]));
          return Appraisal{std::pow(x[0] - 7.3, 2) + std::pow(std::log10(x[1]) - 1, 2), {}, {}};
        },
        request);
    EXPECT_EQ(result.x[0], 7) << method;
    EXPECT_NEAR(std::log10(result.x[1]), 1, 0.05) << method;
  }
  OptimiseRequest local;
  local.variables = {{"n", 1, 20, NAN, Scale::kInteger}};
  local.method = "bobyqa";
  EXPECT_THROW(optimise(valley, local), UserError);
}

TEST(Optimise, BesideWholeNumbersTheOthersAreExact) {
  OptimiseRequest request;
  request.variables = {{"n", 1, 13, NAN, Scale::kInteger}, {"x", 4, 20}};
  request.limits.max_evaluations = 1000;
  for (const std::string method : {"gaco", "sga", "direct"}) {
    request.method = method;
    // A kink at x = 10 for n = 7.
    const SearchResult result = optimise(
        [](std::span<const double> x) {
          return Appraisal{std::abs(x[0] - 7) + std::abs(x[1] - 3 - x[0]), {}, {}};
        },
        request);
    EXPECT_EQ(result.x[0], 7) << method;
    EXPECT_NEAR(result.x[1], 10, 1e-8) << method;
    EXPECT_LE(result.evaluations, 1000);
  }
}

TEST(Optimise, FewWholeNumbersAreAllTried) {
  OptimiseRequest request;
  request.variables = {{"n", 1, 20, NAN, Scale::kInteger}, {"m", -3, 3, NAN, Scale::kInteger}};
  const auto needle = [](std::span<const double> x) {
    return Appraisal{x[0] == 13 && x[1] == -2 ? -1.0 : x[0] * x[0] + x[1] * x[1], {}, {}};
  };
  SearchResult result = optimise(needle, request);
  EXPECT_EQ(result.status, SearchStatus::kFound);
  EXPECT_EQ(result.evaluations, 140);
  EXPECT_EQ(result.x, (std::vector<double>{13, -2}));
  // Where m does not matter for odd n there are fewer.
  request.structure = [](std::span<const double> x) {
    if (x[0] == 4) return std::string();
    return std::to_string(x[0]) + (static_cast<int>(x[0]) % 2 == 1 ? "" : std::to_string(x[1]));
  };
  result = optimise(needle, request);
  EXPECT_EQ(result.evaluations, 9 * 7 + 10);
  // Another method has found all of them, too, when it has tried all.
  request.structure = nullptr;
  request.variables = {{"n", 1, 3, NAN, Scale::kInteger}};
  request.method = "sga";
  request.limits.max_evaluations = 200;
  EXPECT_EQ(optimise(valley_of_one, request).status, SearchStatus::kFound);
}

TEST(Optimise, FewStructuresAreAllImproved) {
  // With n = 1 values below 2 are everywhere, with n = 2 in a cleft of 0.001 only.
  OptimiseRequest request;
  request.variables = {{"n", 1, 2, NAN, Scale::kInteger}, {"x", 0, 10}};
  for (const char* method : {"auto", "sga", "direct"}) {
    request.method = method;
    const SearchResult result = optimise(
        [](std::span<const double> x) {
          const double cleft = 60 * std::sqrt(std::abs(x[1] - 7.3));
          return Appraisal{x[0] == 2 ? cleft : 1 + 0.01 * std::abs(x[1] - 5), {}, {}};
        },
        request);
    EXPECT_EQ(result.x[0], 2) << method;
    EXPECT_NEAR(result.x[1], 7.3, 1e-6) << method;
    EXPECT_LE(result.evaluations, 1000);
  }
}

TEST(Optimise, PointsWithoutValueAreNoSolution) {
  OptimiseRequest request;
  request.variables = {{"x", -1, 2, 1.5}};
  const auto root = [](std::span<const double> x) {
    return Appraisal{std::sqrt(x[0] - 0.5), {}, {}};
  };
  const SearchResult edge = optimise(root, request);
  EXPECT_NEAR(edge.x[0], 0.5, 1e-8);
  request.variables = {{"x", -1, 0}};
  EXPECT_EQ(optimise(root, request).status, SearchStatus::kNotFound);
}

TEST(Optimise, TheSameSeedGivesTheSameResult) {
  for (const char* method : {"crs", "de", "gaco"}) {
    const SearchResult a = optimise(valley, in_the_valley(method, 300));
    const SearchResult b = optimise(valley, in_the_valley(method, 300));
    EXPECT_EQ(a.x, b.x) << method;
    EXPECT_EQ(a.status, SearchStatus::kLimit) << method;
  }
}

TEST(Optimise, UnknownMethodsAndConstraintsThatNothingSatisfies) {
  EXPECT_THROW(optimise(valley, in_the_valley("bobyka", 10)), UserError);
  OptimiseRequest request;
  request.variables = {{"x", 0, 1}};
  request.inequalities = 1;
  const SearchResult result = optimise(
      [](std::span<const double> x) {
        return Appraisal{x[0], {x[0] + 1}, {}};
      },
      request);
  EXPECT_EQ(result.status, SearchStatus::kNotFound);
  EXPECT_NEAR(result.residual, 1, 1e-6);
}

}  // namespace
}  // namespace arges
