// Runs the text tests of the language. A file whose name begins with fail_ must give errors, any
// other must not. NAME.expected holds the diagnostics as the text client shows them and, when there
// are no errors, the tree printed back. In lookup/, lines of the form
//   //? path FOLDER          a root of libraries, relative to the file
//   //? find NAME in CLASS   //? names CLASS   //? bases CLASS   //? files
// are questions, and NAME.expected begins with the answers. In flatten/, `//? class NAME` says
// which class to flatten (else the last of the file), and NAME.expected holds the flat model. In
// rules/, each class of a file that is named Bad... must be rejected, each Good... accepted and
// each Told... accepted with a warning; the expectation holds what is said of the bad and the told
// ones; in structure/ the equations are analysed, too.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "arges/causalize/passes.h"
#include "arges/compile/switching_system.h"
#include "arges/diag/codes.h"
#include "arges/diag/text_client.h"
#include "arges/driver/structure_report.h"
#include "arges/elaborate/lookup.h"
#include "arges/flat/base_modelica.h"
#include "arges/flat/print.h"
#include "arges/flatten/load.h"
#include "arges/flatten/missing_values.h"
#include "arges/flatten/mode_report.h"
#include "arges/flatten/unit_check.h"
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

class ParseText : public ::testing::TestWithParam<fs::path> {};

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

std::string test_name(const ::testing::TestParamInfo<fs::path>& info) {
  return info.param.stem().string();
}

INSTANTIATE_TEST_SUITE_P(Files, ParseText,
                         ::testing::ValuesIn(files_with(".mo", kRoot / "tests/lang/parse")),
                         test_name);

// ---- lookup ----

std::string describe(lang::ClassTree& tree, const lang::Found& f, const std::string& name) {
  using lang::FoundKind;
  switch (f.kind) {
    case FoundKind::kNothing:
      return "nothing";
    case FoundKind::kFunction:
      return "predefined function";
    case FoundKind::kTime:
      return "time";
    case FoundKind::kLiteral:
      return "literal of " + f.owner->path();
    case FoundKind::kComponent:
      return "component " + std::string(f.member->component->name.text) + " of " + f.owner->path() +
             " (" + std::to_string(f.used) + " of " +
             std::to_string(std::count(name.begin(), name.end(), '.') + 1) + " parts)";
    case FoundKind::kClass:
      break;
  }
  const lang::ClassDef* def = tree.definition(*f.node);
  return def == nullptr ? "unusable class " + f.node->path()
                        : std::string(spelling(def->kind)) + " " + f.node->path();
}

// The answer to one question.
std::string answer(lang::ClassTree& tree, lang::Lookup& lookup, std::istream& question) {
  std::string verb;
  std::string name;
  std::string in;
  std::string scope;
  question >> verb >> name >> in >> scope;
  if (verb == "files") return std::to_string(tree.files_read() - 2) + " files of libraries read";
  if (verb == "find") {
    lang::ClassNode* node = tree.find_class(scope);
    if (node == nullptr) return "no scope " + scope;
    return name + " in " + scope + ": " + describe(tree, lookup.find(name, *node), name);
  }
  lang::ClassNode* node = tree.find_class(name);
  if (node == nullptr) return "no class " + name;
  std::string out = verb + " " + name + ":";
  if (verb == "names") {
    for (const std::string_view n : tree.member_names(*node)) out += " " + std::string(n);
  } else {
    for (const auto& [base, clause] : lookup.bases(*node)) out += " " + base->path();
  }
  return out;
}

class LookupText : public ::testing::TestWithParam<fs::path> {};

TEST_P(LookupText, GivesTheExpectedAnswers) {
  const std::string name = GetParam().filename().string();
  const std::string text = read(GetParam());
  std::vector<std::string> roots;
  std::vector<std::string> questions;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("//? path ")) {
      roots.push_back((GetParam().parent_path() / line.substr(9)).string());
    } else if (line.starts_with("//? ")) {
      questions.push_back(line.substr(4));
    }
  }
  diag::Diagnostics diagnostics;
  lang::ClassTree tree{lang::LibraryPath(roots), diagnostics};
  tree.add_text(name, text);
  lang::Lookup lookup(tree);
  std::string actual;
  for (const std::string& question : questions) {
    std::istringstream words(question);
    actual += answer(tree, lookup, words) + "\n";
  }
  EXPECT_EQ(name.starts_with("fail_"), diagnostics.has_errors());
  std::string shown = to_text(diagnostics, {.limit = 0});
  // Paths below the source folder are shown relative to it.
  const std::string here = GetParam().parent_path().string() + "/";
  for (std::size_t at; (at = shown.find(here)) != std::string::npos;) shown.erase(at, here.size());
  compare(fs::path(GetParam()).replace_extension(".expected"),
          actual + (shown.empty() ? "" : "\n") + shown);
}

std::vector<fs::path> lookup_files() {
  std::vector<fs::path> found;
  for (const auto& entry : fs::directory_iterator(kRoot / "tests/lang/lookup")) {
    if (entry.path().extension() == ".mo") found.push_back(entry.path());
  }
  std::sort(found.begin(), found.end());
  return found;
}

INSTANTIATE_TEST_SUITE_P(Files, LookupText, ::testing::ValuesIn(lookup_files()), test_name);

// ---- flattening ----

class FlattenText : public ::testing::TestWithParam<fs::path> {};

// Base Modelica is read back as the same model.
void expect_round_trip(const FlatModel& model) {
  const std::string text = to_base_modelica(model);
  diag::Diagnostics diagnostics;
  lang::ClassTree tree{lang::LibraryPath(), diagnostics};
  const FlatModel again = lang::load_model_text(tree, "flat.mo", text);
  EXPECT_FALSE(diagnostics.has_errors()) << to_text(diagnostics) << text;
  if (diagnostics.has_errors()) return;
  EXPECT_EQ(again.name, model.name);
  EXPECT_EQ(lang::balance(again).equations, lang::balance(model).equations);
  EXPECT_EQ(lang::balance(again).unknowns, lang::balance(model).unknowns);
  // Functions that are straight lines are in place afterwards.
  if (model.functions.empty()) {
    EXPECT_EQ(to_base_modelica(again), text);
  }
}

TEST_P(FlattenText, GivesTheExpectedModel) {
  const std::string name = GetParam().filename().string();
  const std::string text = read(GetParam());
  diag::Diagnostics diagnostics;
  lang::ClassTree tree{lang::LibraryPath(), diagnostics};
  const std::vector<lang::ClassNode*> added = tree.add_text(name, text);
  ASSERT_FALSE(added.empty());
  lang::ClassNode* node = added.back();
  const std::size_t question = text.find("//? class ");
  if (question != std::string::npos) {
    std::istringstream words(text.substr(question + 10));
    std::string wanted;
    words >> wanted;
    node = tree.find_class(wanted);
    ASSERT_NE(node, nullptr);
  }
  const FlatModel model = lang::flatten_class(tree, *node);
  EXPECT_EQ(name.starts_with("fail_"), diagnostics.has_errors());
  if (!diagnostics.has_errors()) {
    lang::check_units(model, tree);
    lang::check_missing_values(model, tree);
    expect_round_trip(model);
  }
  std::string actual = to_text(diagnostics, {.limit = 0});
  if (!diagnostics.has_errors()) {
    const lang::Balance b = lang::balance(model);
    actual += to_text(model) + "// " + std::to_string(b.equations) + " equations, " +
              std::to_string(b.unknowns) + " unknowns\n";
  }
  compare(fs::path(GetParam()).replace_extension(".expected"), actual);
}

INSTANTIATE_TEST_SUITE_P(Files, FlattenText,
                         ::testing::ValuesIn(files_with(".mo", kRoot / "tests/lang/flatten")),
                         test_name);

// ---- rules ----

class RulesText : public ::testing::TestWithParam<fs::path> {};

// Classes Bad... must be refused, classes Good... and Told... must not; `with_equations`: also
// their equations.
void judge(const fs::path& path, bool with_equations) {
  const std::string name = path.filename().string();
  const std::string text = read(path);
  std::vector<std::string> classes;
  {
    diag::Diagnostics diagnostics;
    lang::ClassTree tree{lang::LibraryPath(), diagnostics};
    for (lang::ClassNode* node : tree.add_text(name, text)) classes.emplace_back(node->name());
    ASSERT_FALSE(diagnostics.has_errors()) << to_text(diagnostics);
  }
  std::string actual;
  for (const std::string& wanted : classes) {
    const bool bad = wanted.starts_with("Bad"), told = wanted.starts_with("Told");
    if (!bad && !told && !wanted.starts_with("Good")) continue;
    diag::Diagnostics diagnostics;
    lang::ClassTree tree{lang::LibraryPath(), diagnostics};
    tree.add_text(name, text);
    FlatModel flat = lang::flatten_class(tree, *tree.find_class(wanted));
    const std::vector<std::string> open = open_connectors(flat);
    try {
      if (!flat.machines.empty() && !diagnostics.has_errors()) {
        SwitchingSystem{flat};
      } else if (with_equations && !diagnostics.has_errors()) {
        for (const ModelWarning& warning : causalize(std::move(flat)).findings)
          report(warning, wanted, tree);
      }
    } catch (const ModeError& error) {
      diagnostics.report(lang::mode_report(wanted, error));
    } catch (const ModelError& error) {
      report(error, wanted, tree, open);
    }
    EXPECT_EQ(bad, diagnostics.has_errors()) << wanted << "\n" << to_text(diagnostics);
    EXPECT_EQ(told, !bad && diagnostics.warnings() > 0) << wanted << "\n" << to_text(diagnostics);
    if (bad || told) actual += "---- " + wanted + "\n" + to_text(diagnostics, {.limit = 0});
  }
  compare(fs::path(path).replace_extension(".expected"), actual);
}

TEST_P(RulesText, RejectsTheBadAndAcceptsTheGood) { judge(GetParam(), false); }

INSTANTIATE_TEST_SUITE_P(Files, RulesText,
                         ::testing::ValuesIn(files_with(".mo", kRoot / "tests/lang/rules")),
                         test_name);

class StructureText : public ::testing::TestWithParam<fs::path> {};

TEST_P(StructureText, RejectsTheBadAndAcceptsTheGood) { judge(GetParam(), true); }

INSTANTIATE_TEST_SUITE_P(Files, StructureText,
                         ::testing::ValuesIn(files_with(".mo", kRoot / "tests/lang/structure")),
                         test_name);

// ---- the table of codes ----

TEST(DiagnosticCodes, EachIsShownByATextTest) {
  std::string all;
  for (const fs::path& path : files_with(".expected", kRoot / "tests/lang")) all += read(path);
  for (const diag::CodeInfo& code : diag::all_codes()) {
    EXPECT_NE(all.find("[" + std::string(code.id) + "]"), std::string::npos)
        << "no file below tests/lang gives " << code.id << " (" << code.title << ")";
  }
}

TEST(DiagnosticCodes, AreManyAndEachHasItsEntryInTheReference) {
  std::set<std::string> ids;
  const std::string page = read(kRoot / "docs/reference/diagnostics.md");
  for (const diag::CodeInfo& code : diag::all_codes()) {
    EXPECT_TRUE(ids.emplace(code.id).second) << code.id << " twice";
    EXPECT_FALSE(code.title.empty() || code.explanation.empty() || code.mend.empty()) << code.id;
    EXPECT_NE(page.find(std::string(code.id)), std::string::npos) << code.id;
  }
  EXPECT_GE(ids.size(), 60U);
}

TEST(DiagnosticCodes, ReferencePageIsUpToDate) {
  compare(kRoot / "docs/reference/diagnostics.md", diag::reference_page());
}

}  // namespace
