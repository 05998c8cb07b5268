#include <gtest/gtest.h>

#include "arges/base/error.h"
#include "arges/diag/json_client.h"
#include "arges/diag/text_client.h"
#include "arges/diag/utf8.h"

namespace arges::diag {
namespace {

TEST(SourceFile, FindsLinesAndColumns) {
  const SourceFile file("a.mo", "one\r\ntwo\n\nlast");
  EXPECT_EQ(file.line_count(), 4U);
  EXPECT_EQ(file.line(1), "one");
  EXPECT_EQ(file.line(3), "");
  EXPECT_EQ(file.line(4), "last");
  EXPECT_EQ(file.line_column(5).line, 2U);
  EXPECT_EQ(file.line_column(14).column, 5U);
}

TEST(SourceFile, MissingFileIsAnIoError) {
  EXPECT_THROW(SourceFile::load("/nonexistent/file.mo"), IoError);
  EXPECT_THROW(SourceFile::load("/"), IoError);
}

TEST(Utf8, RejectsOverlongSurrogatesAndCutSequences) {
  EXPECT_EQ(find_invalid_utf8("plain ascii, é, 日本, 😀"), std::string_view::npos);
  EXPECT_EQ(find_invalid_utf8("ab\xC0\xAF"), 2U);
  EXPECT_EQ(find_invalid_utf8("ab\xED\xA0\x80"), 2U);
  EXPECT_EQ(find_invalid_utf8("12345678ab\xE6\x97"), 10U);
}

TEST(TextClient, CaretsCountWhatATerminalShows) {
  const SourceFile file("a.mo", "\té日 x = 1;\n");
  const Diagnostic d(Code::kUnexpectedToken, "message", {&file, {7, 8}}, "here");
  EXPECT_EQ(to_text(d),
            "error[E0101]: message\n"
            " --> a.mo:1:5\n"
            "  |\n"
            "1 |     é日 x = 1;\n"
            "  |         ^ here\n");
}

TEST(TextClient, ShowsLabelsInOtherFilesAndRemarks) {
  const SourceFile a("a.mo", "x\n");
  const SourceFile b("b.mo", "yy\nmodel\nend\n");
  const Diagnostic d = Diagnostic(Code::kUnexpectedToken, "message", {&a, {0, 1}})
                           .label({&b, {3, 12}}, "there")
                           .note("a fact")
                           .suggest("do this\nor that");
  EXPECT_EQ(to_text(d, {.more = true}),
            "error[E0101]: message\n"
            " --> a.mo:1:1\n"
            "  |\n"
            "1 | x\n"
            "  | ^\n"
            " ::: b.mo:2:1\n"
            "  |\n"
            "2 | model\n"
            "  | -----... there\n"
            "  = note: a fact\n"
            "  = help: do this\n"
            "          or that\n"
            "  = more: arges explain E0101\n");
}

TEST(TextClient, SendsNoEscapeSequencesOfTheSource) {
  const SourceFile file("a.mo", "\x1b[31m x\n");
  const Diagnostic d(Code::kUnexpectedToken, "m", {&file, {6, 7}});
  EXPECT_EQ(to_text(d).find('\x1b'), std::string::npos);
  EXPECT_NE(to_text(d, {.colour = true}).find("\x1b[1;31merror"), std::string::npos);
}

TEST(TextClient, ShowsAWindowOfAVeryLongLine) {
  std::string text(10'000'000, 'a');
  text[5'000'000] = '#';
  const SourceFile file("a.mo", text);
  const std::string shown =
      to_text(Diagnostic(Code::kStrayCharacter, "m", {&file, {5'000'000, 5'000'001}}));
  EXPECT_LT(shown.size(), 600U);
  EXPECT_NE(shown.find("a#a"), std::string::npos);
}

TEST(TextClient, CountsWhatItDoesNotShow) {
  Diagnostics all;
  for (int i = 0; i < 25; ++i)
    all.report(Diagnostic(Code::kUnexpectedToken, "m" + std::to_string(i), {}));
  all.report(Diagnostic(Code::kUnexpectedToken, "m7", {}));  // once is enough
  all.report(Diagnostic(Code::kByteOrderMark, "m", {}));
  EXPECT_TRUE(to_text(all).ends_with("25 errors, 1 warning (the first 20 are shown)\n"));
}

TEST(JsonClient, CountsLinesFromZeroAndCharactersInUtf16) {
  const SourceFile file("a.mo", "\n😀 x;\n");
  Diagnostics all;
  all.report(Diagnostic(Code::kMissingSemicolon, "m \xFF", {&file, {6, 7}}, "l")
                 .fix({&file, {7, 7}}, ";"));
  EXPECT_EQ(
      to_json(all),
      R"([{"file":"a.mo","range":{"start":{"line":1,"character":3},"end":{"line":1,"character":4}},)"
      R"("severity":1,"code":"E0104","source":"arges","message":"m )"
      "\uFFFD"
      R"(","label":"l","relatedInformation":[],"notes":[],"help":[],"fixes":[{"location":{"file":"a.mo",)"
      R"("range":{"start":{"line":1,"character":4},"end":{"line":1,"character":4}}},"newText":";"}]}])");
}

TEST(Codes, ExplainNamesNearCodesWhenUnknown) {
  EXPECT_NE(explain("e0104").find("E0104: a `;` is missing"), std::string::npos);
  EXPECT_THROW(explain("E9999"), UserError);
}

}  // namespace
}  // namespace arges::diag
