#include "arges/flat/print.h"

#include <gtest/gtest.h>

#include "arges/flat/builder.h"
#include "arges/flat/differentiate_function.h"

namespace arges {
namespace {

TEST(FlatPrint, ShowsDeclarationsEquationsAndWhens) {
  ModelBuilder m("Ball");
  const Ex g = m.parameter("g", 9.81);
  const Ex h = m.state("h", 1), v = m.state("body.v[1]", 0);
  const Ex n = m.discrete("n", 0, ScalarType::kInteger);
  m.equation(der(h), v);
  m.equation(der(v), -g);
  m.initial_equation(v, 0.5);
  m.when(h <= 0, {ModelBuilder::reinit(v, -0.8 * pre(v)), ModelBuilder::assign(n, pre(n))});
  m.elsewhen(m.time() > 3, {ModelBuilder::terminate(m.text("end"))});
  EXPECT_EQ(to_text(m.model()),
            "model Ball\n"
            "  parameter Real g = 9.81;\n"
            "  Real h(start = 1.0, fixed = true);\n"
            "  Real 'body.v[1]'(start = 0.0, fixed = true);\n"
            "  Integer n(start = 0);\n"
            "initial equation\n"
            "  'body.v[1]' = 0.5;\n"
            "equation\n"
            "  der(h) = 'body.v[1]';\n"
            "  der('body.v[1]') = -g;\n"
            "  when h <= 0.0 then\n"
            "    reinit('body.v[1]', (-0.8)*pre('body.v[1]'));\n"
            "    n = pre(n);\n"
            "  elsewhen time > 3.0 then\n"
            "    terminate(\"end\");\n"
            "  end when;\n"
            "end Ball;\n");
}

TEST(FlatPrint, ShowsFunctionsAndTheirDerivatives) {
  ModelBuilder m("M");
  ExprPool& p = m.model().pool;
  FlatFunction f;
  f.name = "f";
  f.inputs = f.outputs = 1;
  f.locals = {{"x", ScalarType::kReal, {}, {}, {}, false, {}},
              {"y", ScalarType::kReal, {}, {}, {}, false, {}}};
  Statement s;
  s.local = LocalId{1};
  s.value = p.mul(p.local(LocalId{0}), p.local(LocalId{0}));
  f.body = {s};
  m.model().functions.push_back(f);
  const Ex x = m.real("x");
  const std::vector<ExprId> args{x.id};
  const ExprId y = p.result(p.call(FunctionId{0}, args), 0, ScalarType::kReal);
  Differentiator d(
      p, [&](ExprId leaf) { return leaf == x.id ? p.real(1) : ExprId{}; },
      call_derivative(m.model(), DerivativeBy::kVariable));
  const ExprNames names = names_of(m.model());
  EXPECT_EQ(to_text(p, d(y), names), "$der_f(x, 1.0)");
  const std::string text = to_text(m.model());
  EXPECT_NE(text.find("function '$der_f'\n"
                      "  input Real x;\n"
                      "  input Real $der_x;\n"
                      "  output Real $der_y;\n"
                      "protected\n"
                      "  Real y;\n"
                      "algorithm\n"
                      "  $der_y := $der_x*x + x*$der_x;\n"
                      "  y := x*x;\n"
                      "end '$der_f';\n"),
            std::string::npos)
      << text;
}

}  // namespace
}  // namespace arges
