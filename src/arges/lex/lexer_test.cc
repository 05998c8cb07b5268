#include "arges/lex/lexer.h"

#include <gtest/gtest.h>

#include "arges/diag/text_client.h"

namespace arges::lang {
namespace {

std::string kinds(std::string text) {
  const SourceFile file("test.mo", std::move(text));
  diag::Diagnostics diagnostics;
  const TokenList list = lex(file, diagnostics);
  EXPECT_EQ(to_text(diagnostics), "");
  std::string out;
  for (const Token& t : list.tokens) {
    out += std::string(spelling(t.kind)) + "<" + std::string(file.text(t.range())) + "> ";
  }
  return out;
}

TEST(Lexer, TakesTheLongestUnit) {
  EXPECT_EQ(kinds("a:=b==c<>d<=e"),
            "identifier<a> :=<:=> identifier<b> ==<==> identifier<c> <><<>> identifier<d> "
            "<=<<=> identifier<e> end of file<> ");
}

TEST(Lexer, TellsNumbersFromDotOperators) {
  EXPECT_EQ(kinds("1.*x"), "number<1.> *<*> identifier<x> end of file<> ");
  EXPECT_EQ(kinds("x.*.5e-3"), "identifier<x> .*<.*> number<.5e-3> end of file<> ");
  EXPECT_EQ(kinds("a.b"), "identifier<a> .<.> identifier<b> end of file<> ");
}

TEST(Lexer, KeepsQuotesOfIdentifiersAndStrings) {
  EXPECT_EQ(kinds("'a \\' b' \"x \\\" // y\""),
            "identifier<'a \\' b'> string<\"x \\\" // y\"> end of file<> ");
}

TEST(Lexer, KnowsKeywordsButNotTheClockedOperators) {
  EXPECT_EQ(kinds("elsewhen constrainedby"),
            "elsewhen<elsewhen> constrainedby<constrainedby> end of file<> ");
  EXPECT_EQ(kinds("sample hold time Clock ends"),
            "identifier<sample> identifier<hold> identifier<time> identifier<Clock> "
            "identifier<ends> end of file<> ");
}

TEST(Lexer, LeavesOutComments) {
  EXPECT_EQ(kinds("a // b\n/* c ** / \n*/ d /**/"), "identifier<a> identifier<d> end of file<> ");
}

TEST(Lexer, JoinedTokensAndWhiteSpaceAreTheText) {
  const std::string text = "\xEF\xBB\xBF model  M // c\r\n # \xFF é \0 \"open";
  const SourceFile file("test.mo", text);
  diag::Diagnostics diagnostics;
  EXPECT_EQ(join(lex(file, diagnostics)), text);
  EXPECT_TRUE(diagnostics.has_errors());
}

TEST(Lexer, DecodesEscapes) {
  EXPECT_EQ(decode_string(R"("a\"b\\c\n\t\?")"), "a\"b\\c\n\t?");
  EXPECT_EQ(decode_string("\"\""), "");
}

TEST(Lexer, LexesAPartOfAFileWithPositionsOfTheWhole) {
  const SourceFile file("test.mo", "abc (d) \"e");
  diag::Diagnostics diagnostics;
  const TokenList list = lex(file, {4, 7}, diagnostics);
  ASSERT_EQ(list.tokens.size(), 4U);
  EXPECT_EQ(list.tokens[1].begin, 5U);
  EXPECT_FALSE(diagnostics.has_errors());
}

}  // namespace
}  // namespace arges::lang
