#include "argesim/supervisor/identify.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "arges/base/error.h"
#include "argesim/embedded.h"
#include "argesim/supervisor/reference.h"

namespace arges::argesim::supervisor {
namespace {

std::vector<Point> grid() {
  std::vector<Point> all;
  for (int i = 0; i < 81; ++i) {
    const int k[4] = {i % 3, i / 3 % 3, i / 9 % 3, i / 27};
    Point y;
    for (std::size_t j = 0; j < 4; ++j) y[j] = kLow[j] + k[j] * (kHigh[j] - kLow[j]) / 2;
    all.push_back(y);
  }
  return all;
}

TEST(Identification, FindsTheCoefficientsOfExactData) {
  std::vector<double> z;
  for (const Point& y : grid()) z.push_back(concentration(kRepaired, y));
  const Identification found(grid(), z);
  for (std::size_t i = 0; i < 6; ++i) {
    EXPECT_NEAR(found.by_qr()[i] / kRepaired[i], 1, 1e-8);
    EXPECT_NEAR(found.by_normal_equations()[i] / kRepaired[i], 1, 1e-3);
  }
}

TEST(Identification, DrawsHaveTheDeviationThatItTells) {
  const std::vector<Point> at = grid();
  const Identification found(at, std::vector<double>(at.size(), 0));
  random::Stream stream(1, 0, "test");
  double squares = 0;
  constexpr int kDraws = 20000;
  for (int i = 0; i < kDraws; ++i)
    squares += std::pow(concentration(found.draw(stream, 2), kNominal), 2) / kDraws;
  // Of a variance, relative: sqrt(2/n) is one deviation.
  EXPECT_NEAR(squares / std::pow(2 * found.deviation(kNominal), 2), 1, 4 * std::sqrt(2.0 / kDraws));
}

TEST(Identification, TheAssumedSetHasTheProductionsOfThePaper) {
  EXPECT_NEAR(kNominal[0] * concentration(kRepaired, kNominal), kMeanProduction, 1e-9);
  EXPECT_NEAR(kOptimum[0] * concentration(kRepaired, kOptimum), kBestProduction, 1e-9);
}

TEST(Reactor, StandsInItsLesson) {
  const std::string lesson(embedded_text("argesim/supervisor/lesson.md"));
  const std::string text(embedded_text("argesim/supervisor/PyrolysisReactor.mo"));
  EXPECT_NE(lesson.find("```modelica file=PyrolysisReactor.mo\n" + text + "```\n"),
            std::string::npos);
}

TEST(Identification, NeedsSixSamples) { EXPECT_THROW(Identification({kNominal}, {1.0}), ApiError); }

}  // namespace
}  // namespace arges::argesim::supervisor
