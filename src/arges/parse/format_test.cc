#include "arges/parse/format.h"

#include <gtest/gtest.h>

#include "arges/lex/lexer.h"

namespace arges::lang {
namespace {

std::string formatted(std::string text) {
  const SourceFile file("test.mo", std::move(text));
  diag::Diagnostics diagnostics;
  return format(lex(file, diagnostics));
}

TEST(Format, IndentsAndSpaces) {
  const std::string once = formatted(
      "model   M \"text\"\n"
      "parameter Real  k=2*(  -3 )^2   \"gain\" ;\n"
      "      Real x[ 3 ]( each start=0 ) ;\n"
      "equation\n"
      "if k>1  then\n"
      "x={ i+1 for i in 1 : 3 };\n"
      "else\n"
      "(a, ,b)=f( -x ,y=2 );\n"
      "end if ;\n"
      "end  M ;");
  EXPECT_EQ(once,
            "model M \"text\"\n"
            "  parameter Real k = 2*(-3)^2 \"gain\";\n"
            "  Real x[3](each start=0);\n"
            "equation\n"
            "  if k > 1 then\n"
            "    x = {i + 1 for i in 1:3};\n"
            "  else\n"
            "    (a, , b) = f(-x, y=2);\n"
            "  end if;\n"
            "end M;\n");
  EXPECT_EQ(formatted(once), once);
}

TEST(Format, KeepsCommentsAndSingleEmptyLines) {
  const std::string once = formatted(
      "// head\n\n\n\nmodel M   // why   \n"
      "Real x;/* a\n   b */ Real y;\n"
      "   // before equation\n\n"
      "equation\n"
      "x=1 // tail\n+2;\n"
      "end M;\n\n\n");
  EXPECT_EQ(once,
            "// head\n\nmodel M // why\n"
            "  Real x; /* a\n   b */ Real y;\n"
            "  // before equation\n\n"
            "equation\n"
            "  x = 1 // tail\n    + 2;\n"
            "end M;\n");
  EXPECT_EQ(formatted(once), once);
}

TEST(Format, CommentsBehindTheHeaderStandWithTheElements) {
  const std::string once = formatted(
      "model M \"text\" // why\n"
      "/* a */ parameter Real p=1;\n"
      "function f // of\n// before\ninput Real u;\nend f;\n"
      "model N\n// nothing\nend N;\n"
      "end M;");
  EXPECT_EQ(once,
            "model M \"text\" // why\n"
            "  /* a */ parameter Real p = 1;\n"
            "  function f // of\n    // before\n    input Real u;\n  end f;\n"
            "  model N\n    // nothing\n  end N;\n"
            "end M;\n");
  EXPECT_EQ(formatted(once), once);
}

TEST(Format, ShortClassesOpenNoBlock) {
  EXPECT_EQ(formatted("package P\ntype T=Real( unit=\"m\" );\n"
                      "replaceable model A=B constrainedby C;\n"
                      "operator record R\nReal x;\nend R;\nend P;"),
            "package P\n  type T = Real(unit=\"m\");\n"
            "  replaceable model A = B constrainedby C;\n"
            "  operator record R\n    Real x;\n  end R;\nend P;\n");
}

}  // namespace
}  // namespace arges::lang
