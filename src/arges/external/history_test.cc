#include "arges/external/history.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

namespace arges::external {
namespace {

constexpr double kNever = -std::numeric_limits<double>::infinity();

template <class Function>
void add(History& h, double from, double to, Function f, int n = SmoothPieces::kLowest) {
  std::vector<double> values;
  for (int j = 0; j <= n; ++j) values.push_back(f(SmoothPieces::place(from, to, n, j)));
  h.add_piece(from, to, values);
}

TEST(History, PolynomialsOfTheDegreeAreReadExactlyAndTheBeginHolds) {
  History h;
  const auto f = [](double t) { return 1 + t - 2 * t * t + 0.5 * t * t * t * t; };
  h.begin(0, f(0));
  for (int i = 0; i < 20; ++i) add(h, 0.005 * i * i, 0.005 * (i + 1) * (i + 1), f);
  for (const double t : {0.0, 0.003, 0.5, 0.777, 1.39, 2.0})
    EXPECT_NEAR(h.at(t, 0), f(t), 1e-14 * (1 + std::abs(f(t)))) << t;
  EXPECT_EQ(h.at(-3, kNever), f(0));
  EXPECT_EQ(h.at(3, kNever), f(0));  // the beginning is not passed
}

TEST(History, HigherDegreesAreMoreExact) {
  History coarse, fine;
  const auto f = [](double t) { return std::sin(3 * t); };
  for (History* h : {&coarse, &fine}) h->begin(0, 0);
  add(coarse, 0, 1, f, 8);
  add(fine, 0, 1, f, 16);
  double worst = 0, worst_fine = 0;
  for (int i = 0; i <= 100; ++i) {
    worst = std::max(worst, std::abs(coarse.at(0.01 * i, 0) - f(0.01 * i)));
    worst_fine = std::max(worst_fine, std::abs(fine.at(0.01 * i, 0) - f(0.01 * i)));
  }
  EXPECT_LT(worst, 1e-6);
  EXPECT_LT(worst_fine, 1e-14);
}

TEST(History, WhatRestsIsTheSameToTheLastBit) {
  History h;
  const double value = 0.1 + 0.2;
  h.begin(0, value);
  for (int i = 0; i < 7; ++i)
    add(
        h, 0.3 * i, 0.3 * (i + 1), [&](double) { return value; }, 16);
  for (int i = 0; i < 100; ++i) EXPECT_EQ(h.at(0.025 * i, 0), value);
}

TEST(History, AJumpIsSeenWhenItIsPassed) {
  History h;
  h.begin(0, 0);
  add(h, 0, 1, [](double t) { return t; });
  h.add_event(1, 6, false);
  add(h, 1, 2, [](double t) { return 5 + t; });
  EXPECT_DOUBLE_EQ(h.next_break(0), 1);
  EXPECT_EQ(h.next_break(1), std::numeric_limits<double>::infinity());
  EXPECT_NEAR(h.at(1, 0), 1, 1e-12);  // from the left
  EXPECT_NEAR(h.at(1 + 1e-9, 0), 1 + 1e-9, 1e-14);
  EXPECT_NEAR(h.at(1, 1), 6, 1e-12);
  EXPECT_NEAR(h.at(1.55, 1), 6.55, 1e-12);
  EXPECT_NEAR(h.at(0.95, 0), 0.95, 1e-12);
}

TEST(History, AnEventThatChangesNothingIsNoBreak) {
  History h;
  h.begin(0, 0);
  add(h, 0, 1, [](double t) { return t; });
  h.add_event(1, 1, false);
  add(h, 1, 2, [](double t) { return t; });
  EXPECT_EQ(h.next_break(0), std::numeric_limits<double>::infinity());
  EXPECT_NEAR(h.at(1.5, 0), 1.5, 1e-14);
}

TEST(History, ABreakSeparatesCurvesOfDifferentSlope) {
  History h;
  h.begin(0, 0);
  add(h, 0, 1, [](double t) { return t; });
  h.add_event(1, 1, true);
  add(h, 1, 2, [](double t) { return 2 - t; });
  EXPECT_EQ(h.next_break(0), 1);
  EXPECT_EQ(h.last_break(1.5, 0.5), 1);
  EXPECT_EQ(h.last_break(1.4, 0.5), 0);
  EXPECT_NEAR(h.at(0.97, 0), 0.97, 1e-14);
  EXPECT_NEAR(h.at(1.03, 1), 0.97, 1e-14);
  h.add_break(3, true);  // it rests from 2 to 3, then goes on
  add(h, 3, 4, [](double t) { return t - 3; });
  EXPECT_NEAR(h.at(1.97, 1), 0.03, 1e-14);
  EXPECT_NEAR(h.at(2.5, 2), 0, 1e-14);
  EXPECT_EQ(h.next_break(2), 3);
  EXPECT_NEAR(h.at(3.05, 3), 0.05, 1e-14);
}

}  // namespace
}  // namespace arges::external
