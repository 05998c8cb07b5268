#include <cmath>
#include <span>

#include <gtest/gtest.h>

#include "argesim/c01_lithium/model.h"
#include "argesim/c01_lithium/reference.h"
#include "argesim/common/experiment.h"

namespace arges::argesim {
namespace {

// Expects f, m and r at t = 0.01, 0.1, 1, 10 within 100 rtol of the references.
void expect_accuracy(const std::string& solver, double rtol, std::span<const c1::Values> references,
                     const Settings& settings = {}) {
  const LithiumClusters model;
  for (const c1::Values& ref : references) {
    if (ref.t != 0.01 && ref.t != 0.1 && ref.t != 1 && ref.t != 10) continue;
    const auto x = final_state(model, options(solver, rtol, ref.t), settings).final.x;
    const double expected[] = {ref.f, ref.m, ref.r};
    for (int i = 0; i < 3; ++i) {
      EXPECT_NEAR(x[i] / expected[i], 1, 100 * rtol)
          << "fmr"[i] << '(' << ref.t << "), " << solver << ", rtol " << rtol;
    }
  }
}

// For rtol from 1e-4 to 1e-12.
void expect_accuracy_of_implicit_solvers(std::span<const c1::Values> references,
                                         const Settings& settings) {
  for (const std::string& solver : implicit_solvers()) {
    for (int digits = 4; digits <= 12; ++digits)
      expect_accuracy(solver, std::pow(10, -digits), references, settings);
  }
}

TEST(Lithium, EveryImplicitSolverIsWithinHundredTolerancesOfTheReferencesForAllLosses) {
  for (const c1::Sweep& sweep : c1::kSweep) {
    SCOPED_TRACE(sweep.lf);
    expect_accuracy_of_implicit_solvers(sweep.points, {{"lf", sweep.lf}});
  }
}

TEST(Lithium, EveryImplicitSolverIsWithinHundredTolerancesOfTheReferencesForOtherRates) {
  for (const c1::Variant& variant : c1::kVariants) {
    const Settings settings = {{"kr", variant.kr}, {"kf", variant.kf}, {"lf", variant.lf},
                               {"dr", variant.dr}, {"dm", variant.dm}, {"p", variant.p}};
    SCOPED_TRACE(&variant - c1::kVariants.data());
    expect_accuracy_of_implicit_solvers(variant.points, settings);
  }
}

TEST(Lithium, ExplicitSolversGetThereToo) {
  for (const std::string& solver : explicit_adaptive_solvers()) {
    for (const double rtol : {1e-4, 1e-6, 1e-8})
      expect_accuracy(solver, rtol, c1::kSweep[c1::kStandard].points);
  }
}

TEST(Lithium, ExplicitRungeKuttaMethodsSayThatTheProblemIsStiff) {
  const LithiumClusters model;
  for (const char* solver : {"dopri5", "tsit5", "dop853"}) {
    const RunResult result = final_state(model, options(solver, 1e-6, 10));
    ASSERT_FALSE(result.notes.empty()) << solver;
    EXPECT_NE(result.notes[0].find("stiff"), std::string::npos) << result.notes[0];
    EXPECT_NE(result.notes[0].find("rodas5p"), std::string::npos) << result.notes[0];
  }
}

TEST(Lithium, ValuesBetweenTheStepsAreAsGoodAsTheSteps) {
  const LithiumClusters model;
  RunOptions every_hundredth = options("rodas5p", 1e-8, 10);
  every_hundredth.interval = 0.01;
  const Recording result = run(model, every_hundredth);
  for (const c1::Values& ref : c1::kSweep[c1::kStandard].points) {
    if (ref.t < 0.01 || ref.t > 10) continue;
    EXPECT_NEAR(result.value_at(ref.t - 1e-9, "f") / ref.f, 1, 1e-6) << ref.t;
    EXPECT_NEAR(result.value_at(ref.t - 1e-9, "r") / ref.r, 1, 1e-6) << ref.t;
  }
}

TEST(Lithium, RestsAtTheClosedForm) {
  const LithiumClusters model;
  const auto x = final_state(model, options("rodas5p", 1e-12, 1e4),
                             {{"p", 5000}, {"lf", 500}, {"kf", 0.2}, {"dm", 2}})
                     .final.x;
  EXPECT_NEAR(x[0], 10, 1e-8);
  EXPECT_NEAR(x[1], 10, 1e-8);
  EXPECT_NEAR(x[2], 1000, 1e-6);
}

}  // namespace
}  // namespace arges::argesim
