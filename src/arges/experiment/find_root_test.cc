#include "arges/experiment/find_root.h"

#include <cmath>

#include <gtest/gtest.h>

#include "arges/base/error.h"

namespace arges {
namespace {

TEST(FindRoot, FindsTheRootOfASmoothFunctionInFewEvaluations) {
  int count = 0;
  const auto f = [&](double x) {
    ++count;
    return std::cos(x) - x;
  };
  EXPECT_NEAR(find_root(f, 0, 1, 1e-14), 0.73908513321516064, 2e-14);
  EXPECT_LT(count, 14);
}

TEST(FindRoot, FindsASteepRootAndATripleRoot) {
  EXPECT_NEAR(find_root([](double x) { return std::exp(50 * x) - 7; }, -1, 1, 1e-14),
              std::log(7.0) / 50, 2e-14);
  EXPECT_NEAR(find_root([](double x) { return std::pow(x - 0.3, 3); }, -1, 1, 1e-12), 0.3, 2e-12);
}

TEST(FindRoot, TakesARootAtAnEndOfTheBracket) {
  EXPECT_NEAR(find_root([](double x) { return x - 2; }, 0, 2, 1e-14), 2, 2e-14);
}

TEST(FindRoot, RefusesABracketWithoutChangeOfSign) {
  EXPECT_THROW(find_root([](double x) { return x * x + 1; }, -1, 1, 1e-12), ApiError);
}

}  // namespace
}  // namespace arges
