// Whole models, from flat equations to results, against closed forms and published values.

#include "arges/compile/compiled_system.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "arges/causalize/passes.h"
#include "arges/flat/builder.h"
#include "arges/hybrid/simulator.h"
#include "arges/results/memory_sink.h"

namespace arges {
namespace {

RunOptions options(double stop, double rtol = 1e-10, const std::string& solver = "auto") {
  RunOptions o;
  o.stop_time = stop;
  o.solver = solver;
  o.numerics.rtol = rtol;
  o.numerics.atol = rtol * 1e-2;
  return o;
}

double final_state(const CompiledSystem& s, const RunResult& r, const std::string& name) {
  const auto& states = s.schema().modes[0].states;
  for (std::size_t i = 0; i < states.size(); ++i) {
    if (states[i].name == name) return r.final.x[i];
  }
  for (std::size_t i = 0; i < s.schema().discretes.size(); ++i) {
    if (s.schema().discretes[i].name == name) return r.final.z[i];
  }
  for (std::size_t i = 0; i < s.schema().parameters.size(); ++i) {
    if (s.schema().parameters[i].name == name) return r.final.p[i];
  }
  std::vector<double> y(s.schema().outputs.size());
  s.outputs(point_at(r.final), Outputs(y.data()));
  for (std::size_t i = 0; i < y.size(); ++i) {
    if (s.schema().outputs[i].name == name) return y[i];
  }
  ADD_FAILURE() << "no variable " << name;
  return NAN;
}

RunResult finished(const CompiledSystem& s, const RunOptions& o) {
  RunResult r = simulate(s, o);
  EXPECT_EQ(r.status.reason, RunReason::kFinished) << r.status.message;
  return r;
}

// A row of cells, x_i' = k (x_(i-1) - x_i) + (the first two) time, with an algebraic variable
// between.
std::unique_ptr<CompiledSystem> row_of_cells(int cells, bool with_time) {
  ModelBuilder m("Row");
  const Ex k = m.parameter("k", 3);
  std::vector<Ex> x;
  for (int i = 0; i < cells; ++i) x.push_back(m.state(fmt::format("x{}", i), 1.0 / (i + 1)));
  for (int i = 0; i < cells; ++i) {
    const Ex flow = m.real(fmt::format("flow{}", i));
    m.equation(flow, k * (i > 0 ? x[i - 1] - x[i] : -x[i]));
    m.equation(der(x[i]), i < 2 && with_time ? flow + m.time() : flow * flow);
  }
  return compile_system(m.take());
}

TEST(CompiledSystem, GivesSingleRatesOfManyStates) {
  constexpr int kCells = 60;
  const auto model = row_of_cells(kCells, true);
  ASSERT_EQ(model->schema().modes[0].rows, RowAccess::kRows);
  EXPECT_FALSE(model->schema().modes[0].autonomous);
  Context context = make_context(*model);
  context.t = 0.7;
  std::vector<double> all(kCells);
  model->derivatives(point_at(context), Rates(all.data()));
  // Only what the rows read has to be there.
  const int rows[] = {1, 40, 41};
  for (int i = 2; i < 39; ++i) context.x[i] = std::nan("");
  double f[3];
  model->derivatives_of(rows, point_at(context), f);
  for (int k = 0; k < 3; ++k) EXPECT_EQ(f[k], all[rows[k]]);
  EXPECT_TRUE(row_of_cells(kCells, false)->schema().modes[0].autonomous);
  // Of a few states all rates together cost less.
  EXPECT_EQ(row_of_cells(5, false)->schema().modes[0].rows, RowAccess::kWhole);
}

TEST(CompiledSystem, DecaysWithAParameterThatDependsOnAnother) {
  ModelBuilder m("Decay");
  const Ex tau = m.parameter("tau", 0.5);
  const Ex k = m.parameter("k", 1 / tau);
  const Ex x = m.state("x", 2), y = m.real("y");
  m.equation(der(x), -k * x);
  m.equation(y, 3 * x);
  const auto s = compile_system(m.take());
  const RunResult r = finished(*s, options(1));
  EXPECT_NEAR(final_state(*s, r, "x"), 2 * std::exp(-2.0), 1e-9);
  EXPECT_NEAR(final_state(*s, r, "y"), 6 * std::exp(-2.0), 3e-9);
  Context c = make_context(*s);
  set_value(*s, c, "tau", 1);
  set_value(*s, c, "x", 5);
  const RunResult r2 = Simulator(*s, options(1)).run(c);
  EXPECT_NEAR(final_state(*s, r2, "x"), 5 * std::exp(-1.0), 1e-8);
  set_value(*s, c, "k", 3);
  const RunResult r3 = Simulator(*s, options(1)).run(c);
  EXPECT_NEAR(final_state(*s, r3, "x"), 5 * std::exp(-3.0), 1e-8);
}

TEST(CompiledSystem, AliasesAndConstantsDisappearButStayVisible) {
  ModelBuilder m("Alias");
  const Ex x = m.state("x", 1), a = m.real("a"), b = m.real("b"), c = m.real("c"), d = m.real("d");
  m.equation(a, x);
  m.equation(b, -a);
  m.equation(b + c, 0);
  m.equation(d, 4);
  m.equation(der(c), b * d);
  CausalModel model = causalize(m.take());
  EXPECT_EQ(model.aliases.size(), 4U);
  const CompiledSystem s(std::move(model));
  const RunResult r = finished(s, options(1));
  EXPECT_NEAR(final_state(s, r, "x"), std::exp(-4.0), 1e-9);
  EXPECT_NEAR(final_state(s, r, "b"), -std::exp(-4.0), 1e-9);
  EXPECT_EQ(final_state(s, r, "d"), 4);
}

TEST(CompiledSystem, LithiumClustersAgreeWithTheReference) {
  ModelBuilder m("Lithium");
  const Ex kr = m.parameter("kr", 1), kf = m.parameter("kf", 0.1), lf = m.parameter("lf", 1000),
           dr = m.parameter("dr", 0.1), dm = m.parameter("dm", 1), p = m.parameter("p", 0);
  const Ex f = m.state("f", 9.975), mm = m.state("m", 1.674), r = m.state("r", 84.99);
  m.equation(der(r), -dr * r + kr * mm * f);
  m.equation(der(mm), dr * r - dm * mm + kf * f * f - kr * mm * f);
  m.equation(der(f), dr * r + 2 * dm * mm - kr * mm * f - 2 * kf * f * f - lf * f + p);
  const auto s = compile_system(m.take());
  const RunResult run = finished(*s, options(10, 1e-11, "rodas5p"));
  EXPECT_NEAR(final_state(*s, run, "f"), 0.010100722, 1e-8);
}

TEST(CompiledSystem, ALinearLoopIsTornAndSolvedInOneStep) {
  // A bridge: two unknown potentials.
  ModelBuilder m("Bridge");
  const Ex u = m.state("u", 10), a = m.real("a"), b = m.real("b"), i = m.real("i");
  m.equation(der(u), -i);
  m.equation((u - a) / 2 + (b - a) / 3 - a / 5, 0);
  m.equation((u - b) / 7 + (a - b) / 3 - b / 11, 0);
  m.equation(i, (u - a) / 2 + (u - b) / 7);
  CausalModel model = causalize(m.take());
  EXPECT_EQ(model.statistics.loops, 1);
  EXPECT_EQ(model.statistics.largest_loop, 2);
  EXPECT_EQ(model.statistics.tears, 1);
  bool linear = false;
  for (const Block& block : model.blocks) linear = linear || (!block.tears.empty() && block.linear);
  EXPECT_TRUE(linear);
  const CompiledSystem s(std::move(model));
  const RunResult r = finished(s, options(0.5));
  // Cramer's rule for u = 1.
  const double a11 = 1 / 2.0 + 1 / 3.0 + 1 / 5.0, a12 = -1 / 3.0,
               a22 = 1 / 7.0 + 1 / 3.0 + 1 / 11.0;
  const double det = a11 * a22 - a12 * a12;
  const double av = (0.5 * a22 - a12 / 7) / det, bv = (a11 / 7 - a12 * 0.5) / det;
  const double g = (1 - av) / 2 + (1 - bv) / 7;
  EXPECT_NEAR(final_state(s, r, "u"), 10 * std::exp(-0.5 * g), 1e-8);
  EXPECT_NEAR(final_state(s, r, "a"), final_state(s, r, "u") * av, 1e-8);
}

TEST(CompiledSystem, ANonlinearLoopIsSolvedByNewton) {
  // A diode: i = 1e-6 (exp(v/0.04) - 1) in series with a resistor, charging a capacitor.
  ModelBuilder m("Diode");
  const Ex c = m.state("c", 0), v = m.real("v", 0.5), i = m.real("i");
  m.equation(i, 1e-6 * (exp(v / 0.04) - 1));
  m.equation(1 - c, v + 10 * i);
  m.equation(der(c), i);
  const auto s = compile_system(m.take());
  EXPECT_EQ(s->model().statistics.loops, 1);
  const RunResult r = finished(*s, options(1));
  const double cv = final_state(*s, r, "c"), vv = final_state(*s, r, "v");
  EXPECT_NEAR(1 - cv, vv + 10e-6 * (std::exp(vv / 0.04) - 1), 1e-12);
}

TEST(CompiledSystem, AnEquationThatCannotBeSolvedSymbolicallyIsIterated) {
  ModelBuilder m("Scalar");
  const Ex x = m.state("x", 1), y = m.real("y", 0.5);
  m.equation(der(x), -x);
  m.equation(y + sin(y), x);
  const auto s = compile_system(m.take());
  const RunResult r = finished(*s, options(1));
  const double y1 = final_state(*s, r, "y");
  EXPECT_NEAR(y1 + std::sin(y1), std::exp(-1.0), 1e-9);
}

// ARGESIM C5: two states with switching; compared with its equations solved piece by piece in the
// kernel's own model: here, the switching rule with relations and pre.
TEST(CompiledSystem, SwitchesBetweenTwoParameterSetsByHysteresis) {
  // x' = b - x, b = 1 until x > 0.8, then b = -1 until x < -0.2, and so on.
  ModelBuilder m("Hysteresis");
  const Ex x = m.state("x", 0);
  const Ex up = m.discrete("up", 1, ScalarType::kBoolean);
  const Ex n = m.discrete("n", 0, ScalarType::kInteger);
  m.equation(der(x), if_else(up, m.number(1), m.number(-1)) - x);
  m.equation(up, (pre(up) && !(x > 0.8)) || (!pre(up) && x < -0.2));
  m.when(!up,
         {ModelBuilder::assign(n, m.ex(m.model().pool.add(pre(n).id, m.model().pool.integer(1))))});
  const auto s = compile_system(m.take());
  // Up from a to 0.8: t = ln((1 - a) / 0.2); down from 0.8 to -0.2: ln(1.8 / 0.8).
  const double first = std::log(1 / 0.2), down = std::log(1.8 / 0.8),
               up_again = std::log(1.2 / 0.2);
  const double stop = first + 3 * down + 3 * up_again + 0.5 * down;
  for (const char* solver : {"dopri5", "rodas5p", "cvode-bdf"}) {
    const RunResult r = finished(*s, options(stop, 1e-10, solver));
    EXPECT_EQ(final_state(*s, r, "n"), 4) << solver;
    EXPECT_EQ(final_state(*s, r, "up"), 0);
    EXPECT_NEAR(final_state(*s, r, "x"), -1 + 1.8 * std::exp(-0.5 * down), 1e-7) << solver;
  }
}

TEST(CompiledSystem, ABallBouncesAtTheClosedFormTimes) {
  ModelBuilder m("Ball");
  const Ex g = m.parameter("g", 9.81), e = m.parameter("e", 0.8);
  const Ex h = m.state("h", 1), v = m.state("v", 0);
  const Ex bounces = m.discrete("bounces", 0, ScalarType::kInteger);
  m.equation(der(h), v);
  m.equation(der(v), -g);
  m.when(h <= 0, {ModelBuilder::reinit(v, -e * pre(v)),
                  ModelBuilder::assign(bounces, m.ex(m.model().pool.add(
                                                    pre(bounces).id, m.model().pool.integer(1))))});
  const auto s = compile_system(m.take());
  const double fall = std::sqrt(2 / 9.81), v0 = 9.81 * fall;
  // After k bounces the ball is up for 2 v0 e^k / g.
  double t = fall;
  for (int k = 1; k <= 5; ++k) t += 2 * v0 * std::pow(0.8, k) / 9.81;
  const double into = 0.05;
  const RunResult r = finished(*s, options(t + into));
  EXPECT_EQ(final_state(*s, r, "bounces"), 6);
  const double v6 = v0 * std::pow(0.8, 6);
  EXPECT_NEAR(final_state(*s, r, "h"), v6 * into - 9.81 / 2 * into * into, 1e-8);
}

TEST(CompiledSystem, APendulumInCartesianCoordinatesIsReducedFromIndexThree) {
  ModelBuilder m("Pendulum");
  const double l = 1, g = 9.81, phi0 = 0.5;
  const Ex x = m.state("x", l * std::sin(phi0)), y = m.real("y", -l * std::cos(phi0));
  const Ex vx = m.state("vx", 0), vy = m.real("vy", 0), f = m.real("f");
  m.equation(der(x), vx);
  m.equation(der(y), vy);
  m.equation(der(vx), -f * x);
  m.equation(der(vy), -f * y - g);
  m.equation(x * x + y * y, l * l);
  const auto s = compile_system(m.take());
  // All four stay states of the kernel; two of them are computed.
  EXPECT_EQ(s->model().states.size(), 4U);
  EXPECT_EQ(s->model().invariants.size(), 2U);
  EXPECT_GE(s->model().statistics.differentiated, 2);
  const RunResult r = finished(*s, options(3, 1e-10));
  // The same pendulum as phi'' = -g/l sin phi.
  ModelBuilder p("Angle");
  const Ex phi = p.state("phi", phi0), w = p.state("w", 0);
  p.equation(der(phi), w);
  p.equation(der(w), -g / l * sin(phi));
  const auto angle = compile_system(p.take());
  const RunResult ra = finished(*angle, options(3, 1e-12));
  const double phi3 = final_state(*angle, ra, "phi");
  EXPECT_NEAR(final_state(*s, r, "x"), l * std::sin(phi3), 1e-7);
  EXPECT_NEAR(final_state(*s, r, "y"), -l * std::cos(phi3), 1e-7);
  EXPECT_NEAR(final_state(*s, r, "vx"), std::cos(phi3) * final_state(*angle, ra, "w"), 1e-7);
}

TEST(CompiledSystem, RobertsonAsADaeAgreesWithTheReference) {
  ModelBuilder m("Robertson");
  const Ex a = m.state("a", 1), b = m.state("b", 0), c = m.real("c");
  m.equation(der(a), -0.04 * a + 1e4 * b * c);
  m.equation(der(b), 0.04 * a - 1e4 * b * c - 3e7 * b * b);
  m.equation(a + b + c, 1);
  const auto s = compile_system(m.take());
  const RunResult r = finished(*s, options(40, 1e-10, "rodas5p"));
  // Hairer and Wanner's test set, t = 40.
  EXPECT_NEAR(final_state(*s, r, "a"), 0.7158270687193941, 1e-8);
  EXPECT_NEAR(final_state(*s, r, "b"), 0.9185534764557338e-5, 1e-12);
}

TEST(CompiledSystem, ASampledControllerFollowsItsRecursion) {
  // x' = u, u = -0.5 x at each multiple of 0.1: x_{k+1} = x_k (1 - 0.05).
  ModelBuilder m("Sampled");
  const Ex x = m.state("x", 1), u = m.discrete("u", 0);
  m.equation(der(x), u);
  m.when(m.sample(0, 0.1), {ModelBuilder::assign(u, -0.5 * x)});
  const auto s = compile_system(m.take());
  const RunResult r = finished(*s, options(2.05));
  EXPECT_NEAR(final_state(*s, r, "x"), std::pow(0.95, 20) * (1 - 0.025), 1e-12);
}

TEST(CompiledSystem, AnRcLadderFollowsItsSlowestMode) {
  // Nodes 1..n with C = R = 1, grounded at both ends: eigenvalues -4 sin^2(k pi / (2 (n + 1))).
  const int n = 50;
  ModelBuilder m("Ladder");
  std::vector<Ex> v, i;
  const double pi = std::numbers::pi;
  for (int k = 1; k <= n; ++k)
    v.push_back(m.state(fmt::format("v[{}]", k), std::sin(k * pi / (n + 1))));
  for (int k = 0; k <= n; ++k) i.push_back(m.real(fmt::format("i[{}]", k + 1)));
  for (int k = 0; k <= n; ++k) {
    const Ex left = k > 0 ? v[static_cast<std::size_t>(k) - 1] : m.number(0);
    const Ex right = k < n ? v[static_cast<std::size_t>(k)] : m.number(0);
    m.equation(left - right, i[static_cast<std::size_t>(k)]);
  }
  for (std::size_t k = 0; k < static_cast<std::size_t>(n); ++k)
    m.equation(der(v[k]), i[k] - i[k + 1]);
  const auto s = compile_system(m.take());
  ASSERT_TRUE(s->schema().modes[0].sparsity.has_value());
  EXPECT_EQ(s->schema().modes[0].sparsity->nonzeros(), 3 * n - 2);
  const RunResult r = finished(*s, options(10, 1e-9, "rodas5p"));
  const double rate = 4 * std::pow(std::sin(pi / (2 * (n + 1))), 2);
  EXPECT_NEAR(final_state(*s, r, "v[7]"), std::sin(7 * pi / (n + 1)) * std::exp(-10 * rate), 1e-7);
}

TEST(CompiledSystem, FloorMakesEventsInBothDirections) {
  // y' = floor(4 sin t): known from the times where sin t = k/4.
  ModelBuilder m("Floor");
  const Ex y = m.state("y", 0);
  m.equation(der(y), floor(4 * sin(m.time())));
  const auto s = compile_system(m.take());
  const RunResult r = finished(*s, options(2 * std::numbers::pi - 1e-9));
  // Over one period each level k/4, k = 1..3, adds pi - 2 asin(k/4); the lower half mirrors it, one
  // lower.
  double sum = 0;
  for (int k = 1; k <= 3; ++k) sum += std::numbers::pi - 2 * std::asin(k / 4.0);
  const double lower = -std::numbers::pi - sum;
  EXPECT_NEAR(final_state(*s, r, "y"), sum + lower, 1e-6);
}

TEST(CompiledSystem, InitialEquationsDetermineStatesAndFreeParameters) {
  ModelBuilder m("Steady");
  FlatVariable free;
  free.name = "u";
  free.variability = FlatVariability::kParameter;
  free.fixed = false;
  const Ex u = m.variable(free);
  const Ex x = m.real("x", 1), y = m.real("y", 1);
  m.equation(der(x), u - x * x);
  m.equation(der(y), x - y);
  m.initial_equation(der(x), 0);
  m.initial_equation(der(y), 0);
  m.initial_equation(y, 3);
  const auto s = compile_system(m.take());
  const RunResult r = finished(*s, options(1));
  EXPECT_NEAR(final_state(*s, r, "u"), 9, 1e-10);
  EXPECT_NEAR(final_state(*s, r, "x"), 3, 1e-9);
}

TEST(CompiledSystem, AnAssertionEndsTheRunWhereItFails) {
  ModelBuilder m("Check");
  const Ex x = m.state("x", 1);
  m.equation(der(x), -1 * x);
  m.check(x > 0.5, m.text("x fell below one half"));
  const auto s = compile_system(m.take());
  const RunResult r = simulate(*s, options(5));
  EXPECT_EQ(r.status.reason, RunReason::kEvaluationFailed);
  EXPECT_NE(r.status.message.find("x fell below one half"), std::string::npos) << r.status.message;
  EXPECT_NEAR(r.status.time, std::log(2.0), 1e-8);
}

TEST(CompiledSystem, TerminateStopsSuccessfully) {
  ModelBuilder m("Stop");
  const Ex x = m.state("x", 0);
  m.equation(der(x), 1);
  m.when(x >= 2, {ModelBuilder::terminate(m.text("done"))});
  const auto s = compile_system(m.take());
  const RunResult r = simulate(*s, options(5));
  EXPECT_EQ(r.status.reason, RunReason::kStopped);
  EXPECT_NEAR(r.status.time, 2, 1e-12);
}

TEST(CompiledSystem, ElsewhenActsOnlyWhenTheFirstBranchDoesNot) {
  ModelBuilder m("Branches");
  const Ex x = m.state("x", 0), a = m.discrete("a", 0);
  m.equation(der(x), 1);
  m.when(x >= 1, {ModelBuilder::assign(a, pre(a) + 1)});
  m.elsewhen(x >= 0.5, {ModelBuilder::assign(a, pre(a) + 10)});
  m.elsewhen(2 * x >= 2, {ModelBuilder::assign(a, pre(a) + 100)});
  const auto s = compile_system(m.take());
  const RunResult r = finished(*s, options(2));
  EXPECT_EQ(final_state(*s, r, "a"), 11);
}

TEST(CompiledSystem, UserFunctionsWithLoopsArraysAndRecursionAreCompiled) {
  ModelBuilder m("Functions");
  FlatModel& flat = m.model();
  ExprPool& p = flat.pool;
  // Horner's rule on a local array: 1 + 2 x + 3 x^2.
  FlatFunction poly;
  poly.name = "poly";
  poly.inputs = poly.outputs = 1;
  poly.locals = {{"x", ScalarType::kReal, {}, {}, {}, false, {}},
                 {"y", ScalarType::kReal, {}, {}, {}, false, {}},
                 {"c", ScalarType::kReal, {3}, {}, {p.real(1), p.real(2), p.real(3)}, false, {}},
                 {"i", ScalarType::kInteger, {}, {}, {}, false, {}}};
  const ExprId x = p.local(LocalId{0}), y = p.local(LocalId{1}),
               i = p.local(LocalId{3}, ScalarType::kInteger);
  Statement loop, body;
  loop.kind = Statement::Kind::kFor;
  loop.local = LocalId{3};
  loop.first = p.integer(3);
  loop.step = p.integer(-1);
  loop.last = p.integer(1);
  body.local = LocalId{1};
  body.value = p.add(p.mul(y, x), p.element(LocalId{2}, std::vector<ExprId>{i}, ScalarType::kReal));
  loop.branches = {{{}, {body}}};
  poly.body = {loop};
  flat.functions.push_back(poly);
  // n! by recursion.
  FlatFunction fact;
  fact.name = "fact";
  fact.inputs = fact.outputs = 1;
  fact.locals = {{"n", ScalarType::kReal, {}, {}, {}, false, {}},
                 {"r", ScalarType::kReal, {}, {}, {}, false, {}}};
  const ExprId n = p.local(LocalId{0});
  const std::vector<ExprId> less{p.sub(n, p.real(1))};
  Statement s;
  s.local = LocalId{1};
  s.value = p.if_else(p.make(Op::kLess, {n, p.real(1)}), p.real(1),
                      p.mul(n, p.result(p.call(FunctionId{1}, less), 0, ScalarType::kReal)));
  fact.body = {s};
  flat.functions.push_back(fact);

  const Ex t = m.state("t", 0), a = m.real("a"), b = m.real("b"), z = m.real("z", 0.1);
  const auto call = [&](int f, const Ex& arg) {
    const std::vector<ExprId> args{arg.id};
    return m.ex(p.result(p.call(FunctionId{f}, args), 0, ScalarType::kReal));
  };
  m.equation(der(t), 1);
  m.equation(a, call(0, t));
  m.equation(b, call(1, 5 * t));
  m.equation(call(0, z), 1 + 2 * t);  // Newton with the derivative of poly
  const auto system = compile_system(m.take());
  const RunResult r = finished(*system, options(1));
  EXPECT_NEAR(final_state(*system, r, "a"), 6, 1e-12);
  EXPECT_NEAR(final_state(*system, r, "b"), 120, 1e-9);
  const double zv = final_state(*system, r, "z");
  EXPECT_NEAR(1 + 2 * zv + 3 * zv * zv, 3, 1e-12);
  bool symbolic = false;
  for (const Block& block : system->model().blocks) symbolic = symbolic || !block.jacobian.empty();
  EXPECT_TRUE(symbolic);
}

TEST(CompiledSystem, ASingularLoopNamesItsEquations) {
  ModelBuilder m("Singular");
  const Ex x = m.state("x", 1), a = m.real("a"), b = m.real("b");
  m.equation(der(x), -1);
  m.equation(a + b, x);
  m.equation(a + x * b, 2);  // singular when x = 1
  const auto s = compile_system(m.take());
  const RunResult r = simulate(*s, options(1));
  EXPECT_EQ(r.status.reason, RunReason::kInitialisationFailed);
  EXPECT_NE(r.status.message.find("a + x*b = 2.0"), std::string::npos) << r.status.message;
}

// ARGESIM C5 with relations and when. Event times from the closed form (60 digits).
TEST(CompiledSystem, TheTwoStateModelSwitchesAtTheReferenceTimesAtEveryTolerance) {
  const double times[] = {1.1083061677711312, 2.129685355154714, 3.0541529069957196,
                          4.0755320943793025, 4.999999646220307};
  ModelBuilder m("TwoState");
  const Ex c1 = m.parameter("c1", 2.7e6), c3 = m.parameter("c3", 3.5651205);
  const Ex y1 = m.state("y1", 4.2), y2 = m.state("y2", 0.3);
  const Ex c2 = m.discrete("c2", 0.4), c4 = m.discrete("c4", 5.5), n = m.discrete("n", 0);
  m.equation(der(y1), c1 * (y2 + c2 - y1));
  m.equation(der(y2), c3 * (c4 - y2));
  std::vector<WhenAction> down, up;
  down = {ModelBuilder::assign(c2, m.number(-0.3)), ModelBuilder::assign(c4, m.number(2.73)),
          ModelBuilder::assign(n, pre(n) + 1)};
  up = {ModelBuilder::assign(c2, m.number(0.4)), ModelBuilder::assign(c4, m.number(5.5)),
        ModelBuilder::assign(n, pre(n) + 1)};
  std::vector<Ex> switched;
  for (int k = 0; k < 5; ++k) {
    switched.push_back(m.discrete(fmt::format("t{}", k + 1), 0));
    (k % 2 == 0 ? down : up)
        .push_back(ModelBuilder::assign(switched.back(), if_else(pre(n) >= k && pre(n) < k + 0.5,
                                                                 m.time(), pre(switched.back()))));
  }
  m.when(y1 >= 5.8, down);
  m.elsewhen(y1 <= 2.5 && pre(c2) < 0, up);  // y1 passes 2.5 at the start, too
  const auto s = compile_system(m.take());
  for (const char* solver : {"rodas5p", "cvode-bdf"}) {
    for (const double rtol : {1e-6, 1e-8, 1e-10, 1e-12}) {
      const RunResult r = finished(*s, options(5.5, rtol, solver));
      EXPECT_EQ(final_state(*s, r, "n"), 5) << solver << " " << rtol;
      for (int k = 0; k < 5; ++k) {
        EXPECT_NEAR(final_state(*s, r, fmt::format("t{}", k + 1)), times[k], 1000 * rtol)
            << solver << " " << rtol;
      }
    }
  }
}

TEST(CompiledSystem, ALargeLinearLoopIsSolvedAsAWholeWithoutLossOfDigits) {
  // A resistive chain with shunts: v[k-1] - 3 v[k] + v[k+1] = 0, v[0] = u, v[n+1] = 0. As a
  // recursion from one end its errors grow by 2.6 for each node.
  const int n = 400;
  ModelBuilder m("Chain");
  const Ex u = m.state("u", 1);
  m.equation(der(u), 1);
  std::vector<Ex> v;
  for (int k = 1; k <= n; ++k) v.push_back(m.real(fmt::format("v[{}]", k)));
  for (std::size_t k = 0; k < v.size(); ++k) {
    const Ex left = k > 0 ? v[k - 1] : u;
    const Ex right = k + 1 < v.size() ? v[k + 1] : m.number(0);
    m.equation(left - v[k] + right - v[k], v[k]);
  }
  const auto s = compile_system(m.take());
  EXPECT_EQ(s->model().statistics.largest_loop, n);
  const RunResult r = finished(*s, options(1));
  const double q = (3 - std::sqrt(5.0)) / 2;
  EXPECT_NEAR(final_state(*s, r, "v[1]"), 2 * q, 1e-12);
  EXPECT_NEAR(final_state(*s, r, "v[20]") / (2 * std::pow(q, 20)), 1, 1e-12);
}

TEST(CompiledSystem, PreOfAnAlgebraicVariableIsItsLeftLimit) {
  ModelBuilder m("Left");
  const Ex x = m.state("x", 1), y = m.real("y"), saved = m.discrete("saved", 0);
  const Ex high = m.discrete("high", 0, ScalarType::kBoolean);
  m.equation(der(x), 1);
  m.equation(high, x > 2);
  m.equation(y, if_else(high, 10 * x, x));
  m.when(high, {ModelBuilder::assign(saved, pre(y))});
  const auto s = compile_system(m.take());
  const RunResult r = finished(*s, options(2));
  EXPECT_NEAR(final_state(*s, r, "saved"), 2, 1e-9);
  EXPECT_NEAR(final_state(*s, r, "y"), 30, 1e-9);
}

TEST(CompiledSystem, ContradictingInitialEquationsAreNamed) {
  ModelBuilder m("Contradiction");
  const Ex x = m.state("x", 1);
  m.equation(der(x), -x);
  m.initial_equation(x, 2);
  const auto s = compile_system(m.take());
  const RunResult r = simulate(*s, options(1));
  EXPECT_EQ(r.status.reason, RunReason::kInitialisationFailed);
  EXPECT_NE(r.status.message.find("contradict"), std::string::npos) << r.status.message;
}

TEST(CompiledSystem, FixedValuesOfTwoNamesOfOneVariableMustAgree) {
  for (const double second : {1.0, 3.0}) {
    ModelBuilder m("TwoNames");
    const Ex x = m.state("x", 1), y = m.state("y", second);
    m.equation(der(x), -x);
    m.equation(x, y);
    const auto s = compile_system(m.take());
    const RunResult r = simulate(*s, options(1));
    EXPECT_EQ(r.status.ok(), second == 1.0) << r.status.message;
  }
}

TEST(CompiledSystem, AStartValueThatDependsOnAParameterFollowsIt) {
  ModelBuilder m("Start");
  const Ex p = m.parameter("p", 2), x = m.state("x", 0);
  m.model()[x.var()].start = (3 * p).id;
  m.equation(der(x), 0);
  const auto s = compile_system(m.take());
  EXPECT_EQ(final_state(*s, finished(*s, options(1)), "x"), 6);
  Context c = make_context(*s);
  set_value(*s, c, "p", 5);
  EXPECT_EQ(final_state(*s, Simulator(*s, options(1)).run(c), "x"), 15);
}

TEST(CompiledSystem, WhenInitialAssignsAtTheStartOnly) {
  ModelBuilder m("Initial");
  const Ex x = m.state("x", 4), a = m.discrete("a", 0);
  m.equation(der(x), 1);
  m.when(m.initial(), {ModelBuilder::assign(a, 10 * x)});
  const auto s = compile_system(m.take());
  EXPECT_EQ(final_state(*s, finished(*s, options(1)), "a"), 40);
}

TEST(CompiledSystem, HomotopyHelpsWhereNewtonAloneFails) {
  // At the start value the actual equation is flat to rounding; the simplified one leads near.
  ModelBuilder m("Homotopy");
  ExprPool& p = m.model().pool;
  const Ex x = m.state("x", 0.1), y = m.real("y", 0);
  const Ex actual = expression::make(Op::kTanh, 50 * (y - 7));
  const Ex simple = y - 7;
  m.equation(der(x), y);
  m.equation(m.ex(p.make(Op::kHomotopy, {actual.id, simple.id})), x);
  const auto s = compile_system(m.take());
  const RunResult r = finished(*s, options(0.1));
  const double xv = final_state(*s, r, "x");
  EXPECT_NEAR(final_state(*s, r, "y"), 7 + std::atanh(xv) / 50, 1e-9);
}

TEST(CompiledSystem, AModelWithoutStatesRuns) {
  ModelBuilder m("Static");
  const Ex y = m.real("y");
  m.equation(y, 2 * m.time());
  const auto s = compile_system(m.take());
  const RunResult r = finished(*s, options(3));
  EXPECT_EQ(final_state(*s, r, "y"), 6);
}

}  // namespace
}  // namespace arges
