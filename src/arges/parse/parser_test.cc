#include "arges/parse/parser.h"

#include <gtest/gtest.h>

#include "arges/diag/text_client.h"
#include "arges/parse/dump.h"
#include "arges/parse/print.h"

namespace arges::lang {
namespace {

std::string expr(std::string text) {
  const SourceFile file("test", std::move(text));
  diag::Diagnostics diagnostics;
  const ParsedExpression e = parse_expression(file, diagnostics);
  EXPECT_EQ(to_text(diagnostics), "");
  return dump(*e.expr);
}

// The parse of a text, kept with what it refers to.
struct Parsed {
  explicit Parsed(std::string text, ParseOptions options = {}) : file("test.mo", std::move(text)) {
    tree = parse(file, diagnostics, options);
  }
  SourceFile file;
  diag::Diagnostics diagnostics;
  SyntaxTree tree;
};

TEST(Expressions, FollowThePrecedenceOfTheSpecification) {
  EXPECT_EQ(expr("a + b*c^2 - d"),
            "(chain (ref a) + (chain (ref b) * (chain (ref c) ^ 2)) - (ref d))");
  EXPECT_EQ(expr("-a*b + c"), "(chain (- (chain (ref a) * (ref b))) + (ref c))");
  EXPECT_EQ(expr("-a^2"), "(- (chain (ref a) ^ 2))");
  EXPECT_EQ(expr("not a == b and c or d"),
            "(chain (chain (not (chain (ref a) == (ref b))) and (ref c)) or (ref d))");
  EXPECT_EQ(expr("a < -b"), "(chain (ref a) < (- (ref b)))");
  EXPECT_EQ(expr("a/b*c"), "(chain (ref a) / (ref b) * (ref c))");
}

TEST(Expressions, RangesBindLooserThanOr) {
  EXPECT_EQ(expr("1:n + 1"), "(range 1 () (chain (ref n) + 1))");
  EXPECT_EQ(expr("a:b:c"), "(range (ref a) (ref b) (ref c))");
}

TEST(Expressions, TuplesKeepOmittedElements) {
  EXPECT_EQ(expr("(a, , b)"), "(tuple (ref a) () (ref b))");
  EXPECT_EQ(expr("(a)"), "(tuple (ref a))");
  EXPECT_EQ(expr("(, a)"), "(tuple () (ref a))");
}

TEST(Expressions, ALongSumIsWideNotDeep) {
  std::string text = "x";
  for (int i = 0; i < 200000; ++i) text += " + x";
  const SourceFile file("test", text);
  diag::Diagnostics diagnostics;
  const ParsedExpression e = parse_expression(file, diagnostics);
  EXPECT_FALSE(diagnostics.has_errors());
  EXPECT_EQ(as<ChainExpr>(*e.expr).operands.size(), 200001U);
  EXPECT_EQ(print(*e.expr), text);
}

TEST(Tree, NodesKnowTheirExactRanges) {
  const Parsed p("model M\n  Real x = 1 + 2 \"c\";\nequation\n  der( x ) = -x;\nend M;");
  ASSERT_EQ(to_text(p.diagnostics), "");
  const ClassDef& c = *p.tree.root->classes[0].class_def;
  EXPECT_EQ(p.file.text(c.name.range()), "M");
  EXPECT_EQ(p.file.text(c.range), p.file.text().substr(0, p.file.text().size() - 1));
  const Component& x = c.sections[0].elements[0].components->components[0];
  EXPECT_EQ(p.file.text(x.range), "x = 1 + 2 \"c\"");
  EXPECT_EQ(p.file.text(x.modification->range), "= 1 + 2");
  EXPECT_EQ(p.file.text(x.modification->value->range), "1 + 2");
  const Equation& e = *c.sections[1].equations[0];
  EXPECT_EQ(p.file.text(e.range), "der( x ) = -x");
  EXPECT_EQ(p.file.text(e.left->range), "der( x )");
  EXPECT_EQ(p.file.text(e.right->range), "-x");
}

TEST(Annotations, AreReadOnDemand) {
  const Parsed p("model M annotation(experiment(StopTime = 2)); end M;");
  ASSERT_EQ(to_text(p.diagnostics), "");
  const Annotation& a = *p.tree.root->classes[0].class_def->description.annotation;
  EXPECT_EQ(a.parsed, nullptr);
  diag::Diagnostics later;
  const Modification* m = parse_annotation(p.tree, a, later);
  EXPECT_FALSE(later.has_errors());
  const Argument& stop = m->arguments[0].modification->arguments[0];
  EXPECT_EQ(stop.name.parts[0].text, "StopTime");
  EXPECT_EQ(p.file.text(stop.range), "StopTime = 2");
}

TEST(Annotations, ErrorsInThemAppearWhenTheyAreRead) {
  const Parsed p("model M annotation(a = = 1); end M;");
  EXPECT_FALSE(p.diagnostics.has_errors());
  diag::Diagnostics later;
  parse_annotation(p.tree, *p.tree.root->classes[0].class_def->description.annotation, later);
  EXPECT_EQ(later.errors(), 1U);
}

TEST(Annotations, UnbalancedOnesAreReportedWithoutReadingThem) {
  const Parsed p("model M\n  Real x annotation(a(b = 1);\n  Real y;\nend M;");
  EXPECT_EQ(p.diagnostics.errors(), 1U);
}

// Texts that would overflow the stack or take quadratic time in a careless parser.
class Hostile : public ::testing::TestWithParam<std::pair<const char*, std::string>> {};

TEST_P(Hostile, GivesADiagnosticAndNoCrash) {
  for (const bool annotations : {false, true}) {
    const Parsed p(GetParam().second, {.annotations = annotations});
    EXPECT_TRUE(p.diagnostics.has_errors());
    EXPECT_LE(p.diagnostics.errors(), 200U);
    EXPECT_FALSE(print(p.tree).empty() && !p.tree.root->classes.empty());
  }
}

std::string repeat(std::string_view text, int times) {
  std::string out;
  for (int i = 0; i < times; ++i) out += text;
  return out;
}

INSTANTIATE_TEST_SUITE_P(
    Nesting, Hostile,
    ::testing::Values(
        std::pair{"parentheses", "model M Real x = " + repeat("(", 200000)},
        std::pair{"balanced", "model M Real x = " + repeat("(", 200000) + "1" +
                                  repeat(")", 200000) + "; end M;"},
        std::pair{"braces", "model M Real x = " + repeat("{", 200000)},
        std::pair{"subscripts", "model M Real x = " + repeat("a[", 200000)},
        std::pair{"signs", "model M Real x = " + repeat("-", 200000) + "1; end M;"},
        std::pair{"not", "model M Real x = " + repeat("not ", 200000) + "a; end M;"},
        std::pair{"if", "model M Real x = " + repeat("if a then ", 200000)},
        std::pair{"else", "model M Real x = " + repeat("if a then b else ", 200000)},
        std::pair{"ifs", "model M equation " + repeat("if a then ", 200000)},
        std::pair{"fors", "model M algorithm " + repeat("for i loop ", 200000)},
        std::pair{"classes", repeat("model M ", 200000)},
        std::pair{"modifications", "model M A a" + repeat("(a", 200000)},
        std::pair{"redeclares", "model M A a" + repeat("(redeclare model M = A", 200000)},
        std::pair{"functions", "model M A a = f(" + repeat("function f(a = ", 200000)},
        std::pair{"annotations", "model M " + repeat("annotation( ; ", 200000)},
        std::pair{"ends", repeat("end M; ", 200000)}, std::pair{"semicolons", repeat(";", 200000)},
        std::pair{"nonsense", repeat("= ) ] then loop end ", 50000)},
        std::pair{"heads", "model M equation " + repeat("if x if x ", 50000)}),
    [](const auto& test) { return std::string(test.param.first); });

TEST(Parser, AcceptsNestingUpToTheLimit) {
  const int levels = kMaxNesting - 10;
  const Parsed p("model M Real x = " + repeat("(", levels) + "1" + repeat(")", levels) +
                 "; end M;");
  EXPECT_EQ(to_text(p.diagnostics), "");
  EXPECT_GT(dump(p.tree).size(), static_cast<std::size_t>(levels));
}

TEST(Parser, AnEmptyFileIsAnEmptyTree) {
  const Parsed p("// nothing\n");
  EXPECT_EQ(to_text(p.diagnostics), "");
  EXPECT_TRUE(p.tree.root->classes.empty());
}

}  // namespace
}  // namespace arges::lang
