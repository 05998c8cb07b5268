// Rates that depend on time.

#include <cmath>

#include <gtest/gtest.h>

#include "arges/qss/integrator.h"
#include "arges/qss/test_equations.h"

namespace arges {
namespace {

using enum QuantisedMethod;

TEST(QuantisedMethods, ARateThatDependsOnTimeIsFollowed) {
  // x' = cos(t) - x, x(0) = 0: x = (cos t + sin t - exp(-t)) / 2.
  const Scalar driven([](auto t, auto x) { return cos(t) - x; }, false);
  for (const auto method : {kQss1, kQss2, kQss3, kLiqss1, kLiqss2, kLiqss3}) {
    for (const double quantum : {1e-3, 1e-4}) {
      const auto integrator = run(method, driven, {0}, quantum, 7);
      const double exact = (std::cos(7) + std::sin(7) - std::exp(-7)) / 2;
      EXPECT_NEAR(integrator->value(0, 7), exact, 3 * quantum) << static_cast<int>(method);
    }
  }
}

TEST(QuantisedMethods, WhatRatesMissDoesNotAddUp) {
  // x' = 1 / (a + cos t), which nothing forgets; 2 pi / sqrt(a^2 - 1) in a period.
  constexpr double kCentre = 1.2;
  constexpr int kPeriods = 30;
  const Scalar integral([](auto t, auto x) { return decltype(x)(1.0) / (cos(t) + kCentre); },
                        false);
  const double period = 2 * std::acos(-1);
  const double exact = kPeriods * period / std::sqrt(kCentre * kCentre - 1);
  // And one that comes to rest once in a period.
  const Scalar resting([](auto t, auto x) { return (sin(t) + 1.0) * 0.5 + x * 0.0; }, false);
  for (const auto method : {kQss1, kQss2, kQss3, kLiqss1, kLiqss2, kLiqss3}) {
    for (const double quantum : {1e-3, 1e-4}) {
      SCOPED_TRACE(static_cast<int>(method));
      const double end = kPeriods * period;
      EXPECT_NEAR(run(method, integral, {0}, quantum, end)->value(0, end), exact, 3 * quantum);
      EXPECT_NEAR(run(method, resting, {0}, quantum, end)->value(0, end), end / 2, 3 * quantum);
    }
  }
}

TEST(QuantisedMethods, AStiffStateThatTimeDrivesTakesNoMoreMovesThanItsEndNeeds) {
  // x' = k (sin t - x): x follows sin t, late by 1/k. What its rate misses is forgotten at once.
  constexpr double kFast = 1e4, kQuantum = 1e-5, kStop = 6;
  const Scalar driven([](auto t, auto x) { return (sin(t) - x) * kFast; }, false);
  for (const auto method : {kLiqss2, kLiqss3}) {
    const auto result = run(method, driven, {0}, kQuantum, kStop);
    EXPECT_LT(result->moves(), method == kLiqss2 ? 2'600 : 350);
    EXPECT_NEAR(result->value(0, kStop), std::sin(kStop) - std::cos(kStop) / kFast, kQuantum);
  }
}

TEST(QuantisedMethods, ARateThatJumpsInTimeIsFollowed) {
  // x' = s, and x' = s - x from zero: s = sign(sin t) for the polynomials, without derivative.
  const auto square = [](const auto& t) { return std::sin(t.c[0]) >= 0 ? 1.0 : -1.0; };
  const Scalar integral([&](auto t, auto x) { return decltype(x)(square(t)); }, false);
  const Scalar low_pass([&](auto t, auto x) { return decltype(x)(square(t)) - x; }, false);
  const double pi = std::acos(-1);
  double filtered = 0;  // at 6 pi, after six half periods
  for (int k = 0; k < 6; ++k) {
    const double input = k % 2 == 0 ? 1 : -1;
    filtered = input + (filtered - input) * std::exp(-pi);
  }
  const double end = 1 + (filtered - 1) * std::exp(6 * pi - 20);
  for (const auto method : {kQss1, kQss2, kQss3, kLiqss1, kLiqss2, kLiqss3}) {
    SCOPED_TRACE(static_cast<int>(method));
    for (const double quantum : {1e-3, 1e-4}) {
      const auto triangle = run(method, integral, {0}, quantum, 20);
      EXPECT_NEAR(triangle->value(0, 20), 20 - 6 * pi, 10 * quantum);
      const auto smoothed = run(method, low_pass, {0}, quantum, 20);
      EXPECT_NEAR(smoothed->value(0, 20), end, 5 * quantum);
      // Between the moves, too: the fourth jump.
      const auto top = run(method, integral, {0}, quantum, 3 * pi + 0.1);
      EXPECT_NEAR(top->value(0, 3 * pi + 0.1), pi - 0.1, 10 * quantum);
    }
  }
}

TEST(QuantisedMethods, ALimitOnTheLooksFindsAShortPulse) {
  // One second in 100.
  const Scalar pulse([](auto t, auto x) { return decltype(x)(t.c[0] > 70 && t.c[0] <= 71); },
                     false);
  for (const auto method : {kQss1, kQss2, kQss3, kLiqss1, kLiqss2, kLiqss3}) {
    QuantumOptions options{0, 1e-3, {}, false};
    options.longest_look = 0.9;
    auto integrator = make_quantised_integrator(method, pulse, options);
    const double zero = 0;
    integrator->start(0, &zero);
    integrator->run(100, 1'000'000);
    EXPECT_NEAR(integrator->value(0, 100), 1, 3e-3) << static_cast<int>(method);
  }
}

}  // namespace
}  // namespace arges
