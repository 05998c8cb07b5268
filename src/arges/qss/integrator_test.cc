#include "arges/qss/integrator.h"

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "arges/qss/cell_row.h"
#include "arges/qss/first_exit.h"
#include "arges/qss/test_equations.h"

namespace arges {
namespace {

using enum QuantisedMethod;

TEST(Qss1, DecayTakesOneMoveForEachQuantumAndEndsInTheHarmonicNumber) {
  const Linear decay({-1}, {0});
  const auto integrator = run(kQss1, decay, {1}, 1.0 / 128, 1e9);
  EXPECT_EQ(integrator->moves(), 128);
  EXPECT_EQ(integrator->next_time(), kNever);
  EXPECT_EQ(integrator->value(0, 100), 0);
  EXPECT_NEAR(integrator->last_move(), 5.433147092589174, 1e-12);
  EXPECT_NEAR(integrator->activity_of(0, 100), 1, 1e-12);
}

TEST(Qss1, LevelsAreMultiplesOfTheQuantumAlsoWhenItIsNoPowerOfTwo) {
  const Linear decay({-1}, {0});
  const auto integrator = run(kQss1, decay, {1}, 0.01, 1e9);
  EXPECT_EQ(integrator->moves(), 100);
  EXPECT_EQ(integrator->value(0, 1e6), 0);
}

TEST(Qss1, LogisticGrowthTakesThePublishedStepsAndTime) {
  const Scalar logistic([](auto, auto x) { return x * (1 - x); }, true);
  const auto integrator = run(kQss1, logistic, {1.0 / 8}, 1.0 / 64, 1e9);
  EXPECT_EQ(integrator->moves(), 56);
  EXPECT_NEAR(integrator->last_move(), 6.7468781156, 1e-9);
}

TEST(Qss1, AStiffPairTakesThousandsOfMovesAndTheLinearlyImplicitOneDozens) {
  const Linear pair({0, 0.01, -100, -100}, {0, 2020});
  const auto explicit_run = run(kQss1, pair, {0, 20}, 1, 500);
  EXPECT_EQ(explicit_run->moves_of(0), 20);
  EXPECT_NEAR(explicit_run->moves_of(1), 15994, 200);
  for (const auto method : {kLiqss1, kLiqss2, kLiqss3}) {
    const auto implicit_run = run(method, pair, {0, 20}, 1, 500);
    EXPECT_LT(implicit_run->moves(), 100) << static_cast<int>(method);
    EXPECT_NEAR(implicit_run->value(0, 500), 20.2 * (1 - std::exp(-0.01 * 500)), 3);
  }
}

// The sum of both decays with 2e6, their difference with 1: alone, each would be stiff with the
// other's companion for its end, and they would drive each other in circles.
TEST(QuantisedMethods, WhatIsStiffThroughTwoStatesTogetherMovesInPairs) {
  constexpr double kFast = 1e6, kQuantum = 1e-3, kStop = 5;
  const Linear pair({-kFast - 1, -kFast, -kFast, -kFast - 1}, {1, 0});
  for (const auto method : {kLiqss1, kLiqss2, kLiqss3}) {
    const auto result = run(method, pair, {0, 0}, kQuantum, kStop);
    EXPECT_LT(result->moves(), method == kLiqss1 ? 10'000 : 300) << static_cast<int>(method);
    const double difference = 1 - std::exp(-kStop), sum = 1 / (2 * kFast + 1);
    EXPECT_NEAR(result->value(0, kStop), 0.5 * (sum + difference), kQuantum);
    EXPECT_NEAR(result->value(1, kStop), 0.5 * (sum - difference), kQuantum);
    // What conditions may multiply is right to many digits.
    EXPECT_NEAR(result->value(0, kStop) + result->value(1, kStop), sum, 1e-4 * kQuantum);
  }
}

// At rest both equations agree to what can be seen in a quantum; their slopes do not.
TEST(QuantisedMethods, AnEventThatChangesTheSlopeAloneIsNoticed) {
  constexpr double kFast = 1e8, kSource = 0.01, kQuantum = 1e-3, kEvent = 1, kStop = 11;
  for (const auto method : {kLiqss1, kLiqss2, kLiqss3}) {
    double slope = kFast;
    const Scalar relaxation([&](auto, auto x) { return kSource - slope * x; }, true);
    const auto result = run(method, relaxation, {0}, kQuantum, kEvent);
    slope = 1;
    const double x = result->value(0, kEvent);
    result->resume(kEvent, &x, false);
    EXPECT_EQ(result->run(kStop, 1000), QuantisedIntegrator::Outcome::kLimit);
    EXPECT_NEAR(result->value(0, kStop), kSource * (1 - std::exp(kEvent - kStop)), kQuantum)
        << static_cast<int>(method);
  }
}

TEST(Qss2, DecayTakesAsManyStepsAsTheorySays) {
  const Linear decay({-1}, {0});
  constexpr double kQuantum = 1e-6, kEnd = 5;
  const auto integrator = run(kQss2, decay, {1}, kQuantum, kEnd);
  const double expected = 2 * (1 - std::exp(-kEnd / 2)) / std::sqrt(2 * kQuantum);
  EXPECT_NEAR(static_cast<double>(integrator->moves()), expected, 0.02 * expected);
}

TEST(Qss1, DiffusionTakesActivityOverQuantumTransitionsWithAnErrorOfAQuantum) {
  const CellRow cells(99, 100);
  std::vector<double> start(99, 0.0);
  start[49] = 1;
  for (const double quantum : {1e-4, 1e-5}) {
    const auto integrator = run(kQss1, cells, start, quantum, 8);
    double activity = 0, worst = 0;
    for (int i = 0; i < 99; ++i) {
      activity += integrator->activity_of(i, 8);
      double exact = 0;
      for (int p = 1; p < 100; ++p) {
        const double s = std::sin(M_PI * p / 200.0);
        exact += 0.02 * std::sin(M_PI * p / 2) * std::sin(M_PI * p * (i + 1) / 100.0) *
                 std::exp(-400 * s * s * 8);
      }
      worst = std::max(worst, std::abs(integrator->value(i, 8) - exact));
    }
    EXPECT_LE(worst, quantum);
    if (quantum == 1e-5) {
      EXPECT_NEAR(static_cast<double>(integrator->moves()) * quantum, 4.4529, 0.05);
    }
    // What moves back and forth counts, too.
    EXPECT_NEAR(activity, 4.4529, quantum == 1e-5 ? 0.1 : 4);
  }
}

// Between two moves as well: what has one direction has gone as far as it is from its start.
TEST(QuantisedMethods, ActivityIsThatUntilTheTimeAskedFor) {
  const Linear decay({-1}, {0});
  for (const auto method : {kQss1, kQss2, kQss3, kLiqss1, kLiqss2, kLiqss3}) {
    auto integrator = make_quantised_integrator(method, decay, {0, 0.05, {}, true});
    const double start[1] = {1};
    integrator->start(0, start);
    for (const double t : {0.3, 0.71, 1.9}) {
      integrator->run(t, 1000);
      EXPECT_NEAR(integrator->activity_of(0, t), 1 - integrator->value(0, t), 1e-12)
          << static_cast<int>(method) << ' ' << t;
    }
  }
}

TEST(QuantisedMethods, CellsAtRestCostNothingAndChangeNothing) {
  std::int64_t moves[2];
  double middle[2];
  for (int big = 0; big < 2; ++big) {
    const int n = big != 0 ? 100'001 : 401;
    const CellRow cells(n, 100);
    auto integrator = make_quantised_integrator(kQss1, cells, {0, 1e-4, {}, false});
    const int pulse[1] = {n / 2};
    const double one[1] = {1};
    integrator->start_sparse(0, pulse, one);
    EXPECT_EQ(integrator->run(1, 100'000'000), QuantisedIntegrator::Outcome::kLimit);
    moves[big] = integrator->moves();
    middle[big] = integrator->value(n / 2, 1);
  }
  EXPECT_EQ(moves[0], moves[1]);
  EXPECT_EQ(middle[0], middle[1]);
}

TEST(QuantisedMethods, ANotANumberIsReportedWithItsVariable) {
  const Scalar broken([](auto, auto x) { return sqrt(x) * -1.0; }, true);
  auto integrator = make_quantised_integrator(kQss1, broken, {0, 0.3, {}, false});
  const double start[1] = {1};
  integrator->start(0, start);
  EXPECT_EQ(integrator->run(100, 1000), QuantisedIntegrator::Outcome::kNonFinite);
  EXPECT_EQ(integrator->culprit(), 0);
}

}  // namespace
}  // namespace arges
