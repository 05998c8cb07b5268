#include "arges/experiment/linearise.h"

#include <cmath>

#include <gtest/gtest.h>

#include "arges/base/error.h"
#include "arges/experiment/derivative.h"
#include "arges/hybrid/simulator.h"

namespace arges {
namespace {

TEST(Derivative, OfASmoothCurveHasElevenDigits) {
  double derivative[2];
  differentiate(
      [](double s, std::span<double> value) {
        value[0] = std::sin(s);
        value[1] = std::exp(-3 * s);
      },
      0.7, 0.25, derivative);
  EXPECT_NEAR(derivative[0], std::cos(0.7), 1e-11);
  EXPECT_NEAR(derivative[1], -3 * std::exp(-2.1), 1e-11);
}

TEST(Derivative, OfALinearFunctionIsExact) {
  double derivative[1];
  differentiate([](double s, std::span<double> value) { value[0] = 3 * s - 8; }, 5, 1, derivative);
  EXPECT_EQ(derivative[0], 3);
}

TEST(Derivative, OfALinearFunctionIsExactAlsoAgainstLargeTerms) {
  double derivative[4];
  differentiate(
      [](double s, std::span<double> value) {
        value[0] = 0.9 - 1.3 * 20 + 0.1 * s;
        value[1] = 3.3 * -7e3 + 1e-7 * s;
        value[2] = s - 273.15;
        value[3] = 17.3;
      },
      293.15, 70, derivative);
  EXPECT_EQ(derivative[0], 0.1);
  EXPECT_EQ(derivative[1], 1e-7);
  EXPECT_EQ(derivative[2], 1);
  EXPECT_EQ(derivative[3], 0);
}

// Long steps must not be taken where the function is curved, bounded or has a corner further off.
TEST(Derivative, OfAFunctionThatIsStraightOnlyNearbyIsTheOneNearby) {
  double derivative[4];
  differentiate(
      [](double s, std::span<double> value) {
        value[0] = 1e5 + std::tanh(s);
        value[1] = std::min(0.1 * s, 5.0) + 1e3;
        value[2] = std::floor(s / 100 + 0.5);
        value[3] = 1e4 + 0.3 * s + 1e-9 * s * s * s;
      },
      0, 0.0025, derivative);
  EXPECT_NEAR(derivative[0], 1, 1e-7);
  EXPECT_NEAR(derivative[1], 0.1, 1e-12);
  EXPECT_EQ(derivative[2], 0);
  EXPECT_NEAR(derivative[3], 0.3, 1e-9);
}

// The central differences of a parabola are all alike: it is not a straight line for that.
TEST(Derivative, OfAParabolaIsItsSlopeHere) {
  double derivative[4];
  differentiate(
      [](double s, std::span<double> value) {
        value[0] = s * s;
        value[1] = 1e6 + 0.5 * s * s - 3 * s;
        value[2] = std::abs(s) * s;
        value[3] = 1e-3 * (s - 2) * (s + 3);
      },
      2, 0.5, derivative);
  EXPECT_NEAR(derivative[0], 4, 1e-13);
  EXPECT_NEAR(derivative[1], -1, 1e-8);
  EXPECT_NEAR(derivative[2], 4, 1e-13);
  EXPECT_NEAR(derivative[3], 5e-3, 1e-15);
}

TEST(Derivative, StaysWhereTheFunctionHasValues) {
  double derivative[1];
  differentiate([](double s, std::span<double> value) { value[0] = std::sqrt(s); }, 0.01, 4,
                derivative);
  EXPECT_NEAR(derivative[0], 5, 1e-8);
  EXPECT_THROW(differentiate([](double, std::span<double> value) { value[0] = std::nan(""); }, 1, 1,
                             derivative),
               EvaluationError);
}

// m x'' = -k x - d x' + u; the output is the force of spring and damper.
class Oscillator : public HybridSystem {
 public:
  Oscillator() : HybridSystem("Oscillator") {
    x_ = declare_state("x", 1);
    v_ = declare_state("v", 0);
    u_ = declare_input("u", 0);
    force_ = declare_output("force");
  }
  void derivatives(const Point& at, Rates rates) const override {
    rates[x_] = at[v_];
    rates[v_] = (at[u_] - 8 * at[x_] - 0.5 * at[v_]) / 2;
  }
  void outputs(const Point& at, Outputs y) const override {
    y[force_] = -8 * at[x_] - 0.5 * at[v_] + 0.25 * at[u_];
  }

 private:
  StateId x_, v_;
  InputId u_;
  OutputId force_;
};

TEST(Linearise, GivesALinearSystemBackExactly) {
  const Oscillator model;
  const LinearModel linear = linearise(model, make_context(model));
  EXPECT_EQ(linear.states, (std::vector<std::string>{"x", "v"}));
  EXPECT_EQ(linear.A.values, (std::vector<double>{0, 1, -4, -0.25}));
  EXPECT_EQ(linear.B.values, (std::vector<double>{0, 0.5}));
  EXPECT_EQ(linear.C.values, (std::vector<double>{-8, -0.5}));
  EXPECT_EQ(linear.D.values, (std::vector<double>{0.25}));
  const double damped = std::sqrt(4 - 0.125 * 0.125);
  EXPECT_NEAR(linear.eigenvalues[0].real(), -0.125, 1e-14);
  EXPECT_NEAR(std::abs(linear.eigenvalues[0].imag()), damped, 1e-14);
  EXPECT_TRUE(linear.stable());
}

// Away from rest, with terms of very different sizes.
class Offset : public HybridSystem {
 public:
  Offset() : HybridSystem("Offset") {
    a_ = declare_state("a", 1);
    b_ = declare_state("b", -7e3);
    u_ = declare_input("u", 0);
    y_ = declare_output("y");
  }
  void derivatives(const Point& at, Rates rates) const override {
    rates[a_] = -0.7 * at[a_] + 0.11 * at[b_] + 1e-7 * at[u_];
    rates[b_] = 0.9 * at[a_] - 12345.678 * at[b_] + 2.5e6 * at[u_];
  }
  void outputs(const Point& at, Outputs y) const override {
    y[y_] = 0.3 * at[a_] + 0.7 * at[b_] + 0.001 * at[u_] - 273.15;
  }

 private:
  StateId a_, b_;
  InputId u_;
  OutputId y_;
};

TEST(Linearise, GivesALinearSystemBackExactlyAlsoAwayFromRest) {
  const Offset model;
  const LinearModel linear = linearise(model, make_context(model));
  EXPECT_EQ(linear.A.values, (std::vector<double>{-0.7, 0.11, 0.9, -12345.678}));
  EXPECT_EQ(linear.B.values, (std::vector<double>{1e-7, 2.5e6}));
  EXPECT_EQ(linear.C.values, (std::vector<double>{0.3, 0.7}));
  EXPECT_EQ(linear.D.values, (std::vector<double>{0.001}));
}

TEST(Linearise, TakesVariablesAndRatesAsOutputs) {
  const Oscillator model;
  const LinearModel linear =
      linearise(model, make_context(model), {.inputs = {{}}, .outputs = {{"v", "der(v)"}}});
  EXPECT_EQ(linear.inputs.size(), 0u);
  EXPECT_EQ(linear.C.values, (std::vector<double>{0, 1, -4, -0.25}));
}

TEST(Linearise, RefusesUnknownNames) {
  const Oscillator model;
  const Context at = make_context(model);
  EXPECT_THROW(linearise(model, at, {.inputs = {{"w"}}}), UserError);
  EXPECT_THROW(linearise(model, at, {.outputs = {{"forse"}}}), UserError);
}

// x' = -a x + y, 0 = y^3 + y - u x: y' by x is u / (3 y^2 + 1).
class WithLoop : public HybridSystem {
 public:
  explicit WithLoop(bool implicit) : HybridSystem("WithLoop") {
    declare_mode("only", implicit ? EquationForm::kImplicit : EquationForm::kExplicit);
    x_ = declare_state("x", 1);
    y_ = declare_algebraic("y", 1);
    u_ = declare_input("u", 2);
  }
  void derivatives(const Point& at, Rates rates) const override {
    rates[x_] = -3 * at[x_] + at[y_];
    rates[y_] = std::pow(at[y_], 3) + at[y_] - at[u_] * at[x_];
  }
  void residual(const Point& at, const double* xdot, double* r) const override {
    r[0] = 2 * (xdot[x_.index] + 3 * at[x_] - at[y_]);
    r[1] = std::pow(at[y_], 3) + at[y_] - at[u_] * at[x_];
  }

 private:
  StateId x_, y_;
  InputId u_;
};

TEST(Linearise, EliminatesAlgebraicVariables) {
  for (const bool implicit : {false, true}) {
    const WithLoop model(implicit);
    const LinearModel linear = linearise(model, make_context(model), {.outputs = {{"y"}}});
    ASSERT_EQ(linear.A.rows, 1);
    EXPECT_NEAR(linear.A(0, 0), -3 + 2.0 / 4, 1e-11) << implicit;
    EXPECT_NEAR(linear.B(0, 0), 1.0 / 4, 1e-11) << implicit;
    EXPECT_NEAR(linear.C(0, 0), 2.0 / 4, 1e-11) << implicit;
    EXPECT_NEAR(linear.D(0, 0), 1.0 / 4, 1e-11) << implicit;
  }
}

}  // namespace
}  // namespace arges
