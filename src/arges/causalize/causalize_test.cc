#include <gtest/gtest.h>

#include <algorithm>

#include "arges/causalize/passes.h"
#include "arges/causalize/solve_for.h"
#include "arges/expr/evaluate.h"
#include "arges/expr/print.h"
#include "arges/flat/builder.h"
#include "arges/flat/print.h"

namespace arges {
namespace {

TEST(EquationSolver, InvertsLinearEquationsAndRefusesOthers) {
  ModelBuilder m("M");
  const Ex x = m.real("x"), y = m.real("y"), p = m.parameter("p", 2);
  EquationSolver solver(m.model());
  const auto solved = [&](const Ex& lhs, const Ex& rhs) {
    const Solution s = solver.solve(lhs.id, rhs.id, x.var());
    if (!s.value.valid()) return std::string("none");
    return to_text(m.model().pool, s.value, names_of(m.model())) + (s.safe ? "" : " unsafe");
  };
  EXPECT_EQ(solved(y, x), "y");
  EXPECT_EQ(solved(y, p * x + 1), "(y - 1.0)/p");
  EXPECT_EQ(solved(2 - x / p, y), "(2.0 - y)*p");
  EXPECT_EQ(solved(y * x, m.number(3)), "3.0/y unsafe");
  EXPECT_EQ(solved(x * x, y), "none");
  EXPECT_EQ(solved(sin(x), y), "none");
  EXPECT_EQ(solved(y / x, m.number(2)), "none");
  // Occurs twice: the value must satisfy the equation.
  const Ex lhs = 3 * x + y, rhs = 5 - p * x;
  const Solution twice = solver.solve(lhs.id, rhs.id, x.var());
  ASSERT_TRUE(twice.value.valid());
  const double value =
      evaluate(m.model().pool, twice.value, [&](ExprId e) { return e == y.id ? 1.0 : 2.0; });
  EXPECT_NEAR(3 * value + 1, 5 - 2 * value, 1e-15);
  // Linear in each branch, but the condition depends on x.
  const Ex kinked = if_else(x > 0, 2 * x, 3 * x);
  EXPECT_EQ(solved(kinked, y), "none");
}

TEST(Causalize, NamesSurplusEquationsAndUndeterminedVariables) {
  ModelBuilder m("Singular");
  const Ex x = m.real("x"), y = m.real("y"), z = m.real("z");
  m.equation(2 * x, 1);
  m.equation(x + 1, m.time());
  m.equation(y * z, 3);
  try {
    causalize(m.take());
    FAIL() << "no error";
  } catch (const StructuralError& error) {
    EXPECT_EQ(error.surplus_equations, (std::vector<std::string>{"2.0*x = 1.0", "x + 1.0 = time"}));
    EXPECT_EQ(error.undetermined_variables, (std::vector<std::string>{"y", "z"}));
  }
}

// Both distances are wanted as states, but there is only one.
TEST(Causalize, VariablesWithTheSameRightSideAreOne) {
  ModelBuilder m("Twins");
  const Ex left = m.state("left", 0), right = m.state("right", 1);
  const Ex distance = m.real("distance"), gap = m.real("gap");
  for (const Ex& v : {distance, gap}) m.model()[v.var()].state_select = StateSelect::kPrefer;
  m.equation(distance, right - left);
  m.equation(gap, right - left);
  m.equation(der(distance), -gap);
  m.equation(der(right) + der(left), 0);
  const VarId first = distance.var(), second = gap.var();
  const CausalModel model = causalize(m.take());
  EXPECT_EQ(model.statistics.aliases, 1);
  EXPECT_EQ(model.states.size(), 2u);
  EXPECT_TRUE(model.role_of(first) == Role::kAlias || model.role_of(second) == Role::kAlias);
}

std::vector<std::string> states_of(const CausalModel& model) {
  std::vector<std::string> names;
  for (const StateLink& s : model.states) names.push_back(model.flat[s.state].name);
  std::sort(names.begin(), names.end());
  return names;
}

// A wheel that rolls: both velocities move with each other, and the text says which to keep.
TEST(Causalize, TheNameOfADerivativeSaysHowMuchItIsWantedAsAState) {
  for (const bool turn : {true, false}) {
    ModelBuilder m("Wheel");
    const Ex x = m.state("x", 0), phi = m.state("phi", 0), v = m.real("v"), w = m.real("w");
    m.model()[(turn ? w : v).var()].state_select = StateSelect::kPrefer;
    m.equation(v, der(x));
    m.equation(der(phi), w);
    m.equation(v, 0.5 * w);
    m.equation(3 * der(w) + 2 * der(v), 1);
    const CausalModel model = causalize(m.take());
    EXPECT_EQ(states_of(model), (std::vector<std::string>{"phi", turn ? "w" : "v", "x"}));
  }
}

// Two masses and what is between them; the relative velocity is not differentiated in the text.
TEST(Causalize, ADerivativeThatIsPreferredBecomesAState) {
  ModelBuilder m("Spring");
  const Ex a = m.state("a", 0), b = m.state("b", 1), va = m.state("va", 0), vb = m.state("vb", 0);
  const Ex gap = m.real("gap"), closing = m.real("closing"), force = m.real("force");
  for (const Ex& e : {gap, closing}) m.model()[e.var()].state_select = StateSelect::kPrefer;
  m.equation(va, der(a));
  m.equation(vb, der(b));
  m.equation(gap, b - a);
  m.equation(closing, der(gap));
  m.equation(force, 10 * gap + closing);
  m.equation(der(va), force);
  m.equation(der(vb), -force);
  const CausalModel model = causalize(m.take());
  const std::vector<std::string> names = states_of(model);
  EXPECT_EQ(names.size(), 4u);
  EXPECT_EQ(std::count(names.begin(), names.end(), "gap"), 1);
  EXPECT_EQ(std::count(names.begin(), names.end(), "closing"), 1);
}

// The mass of a volume is differentiated, but the pressure is preferred.
TEST(Causalize, AVariableThatIsPreferredBecomesAStateThoughItIsNotDifferentiated) {
  for (const bool prefer : {false, true}) {
    ModelBuilder m("Volume");
    const Ex mass = m.state("mass", 1), p = m.real("p");
    if (prefer) m.model()[p.var()].state_select = StateSelect::kPrefer;
    m.equation(mass, 3 * p + p * p);
    m.equation(der(mass), -p);
    const CausalModel model = causalize(m.take());
    EXPECT_EQ(states_of(model), std::vector<std::string>{prefer ? "p" : "mass"});
  }
}

// The place of a connector has no word about states; that of the body behind it says `avoid`, and
// so do the elements of the unit vector from which both follow. One place, one wish: the vector
// stays.
TEST(Causalize, AnAliasWithoutAWordDoesNotOutweighAvoid) {
  ModelBuilder m("Arm");
  const Ex q1 = m.state("q1", 1), q2 = m.state("q2", 0), w = m.state("w", 0);
  const Ex t1 = m.real("t1"), t2 = m.real("t2"), port1 = m.real("port1"), port2 = m.real("port2");
  const Ex body1 = m.real("body1"), body2 = m.real("body2"), v1 = m.real("v1"), v2 = m.real("v2");
  for (const Ex& e : {q1, q2, body1, body2}) m.model()[e.var()].state_select = StateSelect::kAvoid;
  m.equation(q1 * q1 + q2 * q2, 1);
  m.equation(t1, q1 * q1 - q2 * q2);
  m.equation(t2, 2 * q1 * q2);
  m.equation(w, 2 * (q1 * der(q2) - q2 * der(q1)));
  m.equation(port1, 0.3 + t1 + 0.1 * t2);
  m.equation(port2, t2 - 0.1 * t1);
  m.equation(body1, port1);
  m.equation(body2, port2);
  m.equation(v1, der(body1));
  m.equation(v2, der(body2));
  m.equation(der(w), -9.81 * body1);
  EXPECT_EQ(states_of(causalize(m.take())), (std::vector<std::string>{"q1", "q2", "w"}));
}

TEST(Causalize, TwoVariablesThatAreEachOthersDerivativeAreBothStates) {
  ModelBuilder m("Hyperbola");
  const Ex x = m.state("x", 1), y = m.state("y", 0);
  m.equation(y, der(x));
  m.equation(x, der(y));
  EXPECT_EQ(states_of(causalize(m.take())), (std::vector<std::string>{"x", "y"}));
}

TEST(Causalize, ReportsCyclesOfParameters) {
  ModelBuilder m("Cycle");
  const Ex a = m.parameter("a", 1), b = m.parameter("b", 2 * a);
  m.model()[a.var()].binding = (b + 1).id;
  EXPECT_THROW(causalize(m.take()), UserError);
}

TEST(Causalize, ADiscreteVariableThatDependsOnItselfAsksForPre) {
  ModelBuilder m("Self");
  const Ex b = m.discrete("b", 0, ScalarType::kBoolean);
  m.equation(b, !b);
  EXPECT_THROW(causalize(m.take()), UserError);
}

TEST(Causalize, EachRelationIsFoundOnceAndNoneInsideNoEvent) {
  ModelBuilder m("Relations");
  const Ex x = m.state("x", 1), y = m.real("y"), z = m.real("z");
  const Ex n = m.discrete("n", 0, ScalarType::kInteger);
  m.equation(der(x), if_else(x > 1, -x, x));
  m.equation(y, if_else(x > 1, m.number(1), m.number(2)) + no_event(if_else(x < 0.5, x, -x)));
  m.equation(z, if_else(n > 3, x, 2 * x));  // discrete: evaluated directly
  m.when(x > 1, {ModelBuilder::assign(n, pre(n))});
  const CausalModel model = causalize(m.take());
  EXPECT_EQ(model.relations.size(), 1U);
}

TEST(Causalize, AnAlgorithmBecomesEquationsOfItsResults) {
  ModelBuilder m("Algorithm");
  const Ex x = m.state("x", 1), a = m.real("a"), b = m.real("b");
  m.equation(der(x), a);
  const auto assign = [](const Ex& v, const Ex& value) {
    Statement s;
    s.target = v.var();
    s.value = value.id;
    return s;
  };
  Statement choice;
  choice.kind = Statement::Kind::kIf;
  choice.branches = {{{no_event(b > 1).id}, {assign(a, b + 1)}}, {{}, {assign(a, m.number(0))}}};
  FlatAlgorithm algorithm;
  algorithm.body = {assign(b, 2 * x), assign(b, b + 1), choice};
  m.model().algorithms.push_back(algorithm);
  FlatModel flat = m.take();
  expand_algorithms(flat);
  ASSERT_EQ(flat.equations.size(), 3U);
  const ExprNames names = names_of(flat);
  EXPECT_EQ(to_text(flat.pool, flat.equations[1].rhs, names),
            "if noEvent(2.0*x + 1.0 > 1.0) then 2.0*x + 1.0 + 1.0 else 0.0");
  EXPECT_EQ(to_text(flat.pool, flat.equations[2].rhs, names), "2.0*x + 1.0");
}

TEST(Causalize, StateSelectDecidesWhichStatesAConstraintLeaves) {
  // x = 2 y, both with derivatives.
  for (const bool prefer_y : {false, true}) {
    ModelBuilder m("Constraint");
    FlatVariable vx, vy;
    vx.name = "x";
    vy.name = "y";
    (prefer_y ? vy : vx).state_select = StateSelect::kPrefer;
    const Ex x = m.variable(vx), y = m.variable(vy), f = m.real("f");
    m.equation(der(x), f);
    m.equation(der(y), 1 - f);
    m.equation(x, 2 * y);
    const CausalModel model = causalize(m.take());
    ASSERT_EQ(model.states.size(), 1U);
    EXPECT_EQ(model.flat[model.states[0].state].name, prefer_y ? "y" : "x");
    EXPECT_EQ(model.statistics.differentiated, 1);
  }
}

}  // namespace
}  // namespace arges
