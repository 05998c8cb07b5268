// Runs the text tests of the language. A file whose name begins with fail_ must give errors, any
// other must not. NAME.expected holds the diagnostics as the text client shows them and, when there
// are no errors, the tree printed back.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "arges/diag/codes.h"
#include "arges/diag/text_client.h"
#include "arges/parse/dump.h"
#include "arges/parse/parser.h"
#include "arges/parse/print.h"

namespace {

namespace fs = std::filesystem;
using namespace arges;

const fs::path kRoot = ARGES_SOURCE_DIR;

bool updating() { return std::getenv("ARGES_UPDATE_GOLDENS") != nullptr; }

std::string read(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

void compare(const fs::path& golden, const std::string& actual) {
  if (updating()) {
    std::ofstream(golden, std::ios::binary) << actual;
    return;
  }
  EXPECT_EQ(read(golden), actual) << "in " << golden
                                  << "; if it is right, build the target update_goldens";
}

std::vector<fs::path> files_with(const std::string& extension, const fs::path& folder) {
  std::vector<fs::path> found;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.path().extension() == extension) found.push_back(entry.path());
  }
  std::sort(found.begin(), found.end());
  return found;
}

class ParseText : public testing::TestWithParam<fs::path> {};

TEST_P(ParseText, GivesTheExpectedDiagnosticsAndTree) {
  const std::string name = GetParam().filename().string();
  const diag::SourceFile file(name, read(GetParam()));
  diag::Diagnostics diagnostics;
  const lang::SyntaxTree tree = lang::parse(file, diagnostics, {.annotations = true});
  EXPECT_EQ(name.starts_with("fail_"), diagnostics.has_errors());
  std::string actual = to_text(diagnostics, {.limit = 0});
  if (!diagnostics.has_errors()) {
    if (!actual.empty()) actual += "\n";
    const diag::SourceFile printed("printed", print(tree));
    actual += printed.text();
    diag::Diagnostics again;
    EXPECT_EQ(dump(tree), dump(lang::parse(printed, again, {.annotations = true})));
  }
  compare(fs::path(GetParam()).replace_extension(".expected"), actual);
}

std::string test_name(const testing::TestParamInfo<fs::path>& info) {
  return info.param.stem().string();
}

INSTANTIATE_TEST_SUITE_P(Files, ParseText,
                         testing::ValuesIn(files_with(".mo", kRoot / "tests/lang/parse")),
                         test_name);

TEST(DiagnosticCodes, EachIsShownByATextTest) {
  std::string all;
  for (const fs::path& path : files_with(".expected", kRoot / "tests/lang")) all += read(path);
  for (const diag::CodeInfo& code : diag::all_codes()) {
    EXPECT_NE(all.find("[" + std::string(code.id) + "]"), std::string::npos)
        << "no file below tests/lang gives " << code.id << " (" << code.title << ")";
  }
}

TEST(DiagnosticCodes, ReferencePageIsUpToDate) {
  compare(kRoot / "docs/reference/diagnostics.md", diag::reference_page());
}

}  // namespace
