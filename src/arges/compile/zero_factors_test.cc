#include "arges/compile/zero_factors.h"

#include <gtest/gtest.h>

#include "arges/flat/builder.h"

namespace arges {
namespace {

const FlatVariable& variable(const CausalModel& model, std::string_view name) {
  for (const FlatVariable& v : model.flat.variables) {
    if (v.name == name) return v;
  }
  throw std::out_of_range(std::string(name));
}

// c = a - b is final, and zero.
struct Difference {
  ModelBuilder m{"Difference"};
  Ex a = m.parameter("a", 1), b = m.parameter("b", 1), c = m.parameter("c", a - b);
  Difference() {
    for (FlatVariable& v : m.model().variables) v.evaluate = v.name == "c";
  }
};

TEST(ZeroFactors, AFactorOfTheUnknownIsSettledWithAllThatItDependsOn) {
  Difference d;
  const Ex x = d.m.state("x", 1), y = d.m.real("y", 1), flow = d.m.real("flow");
  d.m.equation(der(x), -flow);
  d.m.equation(der(y), flow - y);
  d.m.equation(d.c * flow, x - y);
  const CausalModel model = causalize_without_zero_factors(d.m.take());
  EXPECT_EQ(model.states.size(), 1U);
  EXPECT_TRUE(variable(model, "a").evaluate);
  EXPECT_TRUE(variable(model, "b").evaluate);
}

TEST(ZeroFactors, AFactorOfWhatIsKnownLeavesParametersFree) {
  Difference d;
  const Ex x = d.m.state("x", 1), y = d.m.real("y");
  d.m.equation(der(x), -x);
  d.m.equation(y, d.c * x);
  const CausalModel model = causalize_without_zero_factors(d.m.take());
  EXPECT_FALSE(variable(model, "a").evaluate);
}

TEST(ZeroFactors, WhatIsNotZeroStaysAParameter) {
  Difference d;
  d.m.model().variables[0].binding = d.m.model().pool.real(3);
  const Ex x = d.m.state("x", 1), y = d.m.real("y", 1), flow = d.m.real("flow");
  d.m.equation(der(x), -flow);
  d.m.equation(der(y), flow - y);
  d.m.equation(d.c * flow, x - y);
  const CausalModel model = causalize_without_zero_factors(d.m.take());
  EXPECT_EQ(model.states.size(), 2U);
  EXPECT_FALSE(variable(model, "a").evaluate);
}

}  // namespace
}  // namespace arges
