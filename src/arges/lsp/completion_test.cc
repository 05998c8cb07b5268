#include "arges/lsp/completion.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace arges::lsp {
namespace {

using Words = std::vector<std::string>;

TEST(CompletionContext, AfterADotThePathCounts) {
  const CompletionContext c = completion_context("model M\nequation\n  x = a.b[i + 1].c.de");
  EXPECT_TRUE(c.after_dot);
  EXPECT_EQ(c.path, (Words{"a", "b", "c"}));
  EXPECT_EQ(c.prefix, "de");
  EXPECT_FALSE(c.global);
  EXPECT_TRUE(completion_context("x = .A.").global);
}

TEST(CompletionContext, InADeclarationTheTypeIsModified) {
  for (const char* text : {"model M A.B x(", "model M A.B x(p = 1, ", "model M A.B x[3](each ",
                           "model M A.B[3] x(final ", "model M extends A.B(", "model M = A.B(",
                           "model M replaceable T x constrainedby A.B("}) {
    const CompletionContext c = completion_context(text);
    EXPECT_TRUE(c.modifier) << text;
    EXPECT_EQ(c.type, (Words{"A", "B"})) << text;
    EXPECT_TRUE(c.outer.empty()) << text;
  }
}

TEST(CompletionContext, ModifiersNest) {
  const CompletionContext c = completion_context("model M A x(q = {1, 2}, p(r(st");
  EXPECT_TRUE(c.modifier);
  EXPECT_EQ(c.type, (Words{"A"}));
  EXPECT_EQ(c.outer, (Words{"p", "r"}));
  EXPECT_EQ(c.prefix, "st");
}

TEST(CompletionContext, InACallTheFunctionCounts) {
  const CompletionContext c = completion_context("equation x = A.f(1, ");
  EXPECT_TRUE(c.call);
  EXPECT_FALSE(c.modifier);
  EXPECT_EQ(c.type, (Words{"A", "f"}));
}

TEST(CompletionContext, AValueIsAnExpression) {
  const CompletionContext c = completion_context("model M A x(p = ");
  EXPECT_FALSE(c.modifier);
  EXPECT_FALSE(c.call);
}

TEST(CompletionContext, CommentsAndStringsHaveNone) {
  EXPECT_TRUE(completion_context("model M // a.").nothing);
  EXPECT_TRUE(completion_context("model M /* a.").nothing);
  EXPECT_TRUE(completion_context("model M \"a.").nothing);
  EXPECT_FALSE(completion_context("model M // a\n ").nothing);
}

// `|` is the place.
Words labels(std::string text) {
  const std::size_t at = text.find('|');
  text.erase(at, 1);
  Workspace workspace({});
  workspace.open("/nowhere/M.mo", text);
  Words names;
  for (const Completion& c :
       complete(workspace.project("/nowhere/M.mo"), static_cast<std::uint32_t>(at)))
    names.push_back(c.insert);
  return names;
}

bool has(const Words& words, const std::string& word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

TEST(Completion, ElementsOfComponentsInATextThatDoesNotParse) {
  const Words words = labels(
      "model A Real x; Real y; protected Real z; end A;\n"
      "model B extends A; Real own; end B;\n"
      "model M B b; equation b.| end M;");
  EXPECT_EQ(words, (Words{"own", "x", "y"}));
}

TEST(Completion, ModifiersAndAttributes) {
  EXPECT_EQ(labels("model A Real x; end A; model M A a(|); end M;"), (Words{"x="}));
  const Words attributes = labels("model A Real x; end A; model M A a(x(st|)); end M;");
  EXPECT_EQ(attributes, (Words{"start=", "stateSelect="}));
}

TEST(Completion, NamesThatCanBeSeen) {
  const Words words =
      labels("package P constant Real around = 1; model M Real alpha; equation a| end M; end P;");
  EXPECT_TRUE(has(words, "alpha"));
  EXPECT_TRUE(has(words, "around"));
  EXPECT_TRUE(has(words, "abs"));
  EXPECT_TRUE(has(words, "algorithm"));
  EXPECT_FALSE(has(words, "M"));
}

TEST(Completion, InputsOfFunctions) {
  const Words words = labels(
      "function f input Real u; output Real y; algorithm y := u; end f;\n"
      "model M Real x; equation x = f(| end M;");
  EXPECT_TRUE(has(words, "u="));
  EXPECT_FALSE(has(words, "y="));
  EXPECT_TRUE(has(words, "x"));
}

TEST(Completion, EveryPlaceOfATextThatIsCutOffHasAnAnswer) {
  const std::string text =
      "package P\n  model A Real x[3](each start=1); end A;\n  model M extends A(x(fixed=true));\n"
      "    A a(x=fill(1, 3)); equation for i in 1:3 loop a.x[i] = sin(time); end for; end M;\n"
      "end P;\n";
  for (std::size_t end = 0; end <= text.size(); ++end) {
    Workspace workspace({});
    workspace.open("/nowhere/P.mo", text.substr(0, end));
    Project& project = workspace.project("/nowhere/P.mo");
    complete(project, static_cast<std::uint32_t>(end));
    if (project.outermost().empty()) continue;
    Symbols symbols(project.tree());
    const auto* tree = project.tree().syntax(*project.outermost().front());
    for (std::uint32_t at = 0; at <= end; at += 7)
      symbols.at(find_place(*tree, at), project.scope_at(at));
  }
}

}  // namespace
}  // namespace arges::lsp
