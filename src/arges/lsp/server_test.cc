#include "arges/lsp/server.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include <nlohmann/json.hpp>

namespace arges::lsp {
namespace {

using Json = nlohmann::json;

const std::string kUri = "file:///nowhere/a%20b/Tank.mo";
const std::string kTank = R"(type Height = Real(unit = "m", displayUnit = "mm");
connector Pin
  Real v;
  flow Real i;
end Pin;
model Part "something with a level"
  parameter Height top = 2 "how high it is";
  Pin pin;
end Part;
model Tank
  Part part(top = 3, pin(v(start = 1)));
  Real h(start = 1, fixed = true) "level";
equation
  der(h) = -part.top*h;
  part.pin.v = h;
end Tank;
)";

// An editor that has been introduced.
class Editor {
 public:
  explicit Editor(bool introduce = true) : server({}) {
    if (introduce) request("initialize", Json::object());
  }

  Json request(const std::string& method, const Json& params) {
    const auto answers = server.handle(
        Json{{"jsonrpc", "2.0"}, {"id", ++id}, {"method", method}, {"params", params}}.dump());
    EXPECT_EQ(answers.size(), 1U);
    Json answer = Json::parse(answers.at(0));
    EXPECT_EQ(answer.at("id"), id);
    return answer;
  }
  void notify(const std::string& method, const Json& params) {
    const auto answers =
        server.handle(Json{{"jsonrpc", "2.0"}, {"method", method}, {"params", params}}.dump());
    EXPECT_TRUE(answers.empty());
  }
  void open(const std::string& text, const std::string& uri = kUri) {
    notify("textDocument/didOpen",
           {{"textDocument",
             {{"uri", uri}, {"languageId", "modelica"}, {"version", 1}, {"text", text}}}});
  }
  // Of the document that was checked last.
  Json diagnostics() {
    Json last;
    while (server.has_work()) {
      for (const std::string& message : server.idle()) last = Json::parse(message);
    }
    EXPECT_EQ(last.at("method"), "textDocument/publishDiagnostics");
    return last.at("params");
  }
  // At the `ordinal`-th occurrence of a word in a text of plain ASCII, and `behind` it.
  Json at(const std::string& method, const std::string& text, const std::string& word,
          int ordinal = 1, std::size_t behind = 0) {
    std::size_t offset = text.find(word);
    for (; ordinal > 1; --ordinal) offset = text.find(word, offset + 1);
    offset += behind;
    const auto line = std::count(text.begin(), text.begin() + static_cast<long>(offset), '\n');
    const std::size_t begin = line == 0 ? 0 : text.rfind('\n', offset - 1) + 1;
    return request("textDocument/" + method,
                   {{"textDocument", {{"uri", kUri}}},
                    {"position", {{"line", line}, {"character", offset - begin}}}})
        .at("result");
  }

  Server server;
  int id = 0;
};

Json range(int line, int from, int to) {
  return {{"start", {{"line", line}, {"character", from}}},
          {"end", {{"line", line}, {"character", to}}}};
}

TEST(LanguageServer, SaysWhatItCanDo) {
  Editor editor(false);
  const Json can = editor.request("initialize", Json::object()).at("result").at("capabilities");
  EXPECT_EQ(can.at("positionEncoding"), "utf-16");
  EXPECT_EQ(can.at("textDocumentSync").at("change"), 2);
  for (const char* each : {"definitionProvider", "hoverProvider", "documentSymbolProvider",
                           "documentFormattingProvider"})
    EXPECT_EQ(can.at(each), true) << each;
}

TEST(LanguageServer, RequestsBeforeInitializeAndAfterShutdownAreRefused) {
  Editor early(false);
  EXPECT_EQ(early.request("textDocument/hover", {}).at("error").at("code"), -32002);
  Editor late;
  EXPECT_TRUE(late.request("shutdown", {}).at("result").is_null());
  EXPECT_EQ(late.request("textDocument/hover", {}).at("error").at("code"), -32600);
}

TEST(LanguageServer, TheExitCodeTellsWhetherItWasShutDown) {
  Editor polite;
  polite.request("shutdown", {});
  EXPECT_FALSE(polite.server.has_ended());
  polite.notify("exit", {});
  EXPECT_TRUE(polite.server.has_ended());
  EXPECT_EQ(polite.server.exit_code(), 0);
  Editor hasty;
  hasty.notify("exit", {});
  EXPECT_EQ(hasty.server.exit_code(), 1);
}

TEST(LanguageServer, AnswersWhatIsNoRequestWithAnError) {
  Editor editor;
  const auto code = [&](const std::string& text) {
    const auto answers = editor.server.handle(text);
    return answers.size() == 1 ? Json::parse(answers[0]).at("error").at("code").get<int>() : 0;
  };
  EXPECT_EQ(code("{"), -32700);
  EXPECT_EQ(code("\xFF\xFE"), -32700);
  EXPECT_EQ(code("[]"), -32600);
  EXPECT_EQ(code("3"), -32600);
  EXPECT_EQ(code(R"({"id": 1})"), -32600);
  EXPECT_EQ(code(R"({"id": [], "method": "shutdown"})"), -32600);
  EXPECT_EQ(code(R"({"id": 1, "method": 3})"), -32600);
  EXPECT_EQ(code(R"({"id": 1, "method": "no/such"})"), -32601);
  EXPECT_EQ(code(R"({"id": 1, "method": "textDocument/hover"})"), -32602);
  EXPECT_EQ(code(R"({"id": 1, "method": "textDocument/hover", "params": [1]})"), -32602);
  EXPECT_EQ(code(R"({"id": 1, "method": "textDocument/hover", "params": {"textDocument":
      {"uri": "file:///not/open.mo"}, "position": {"line": 0, "character": 0}}})"),
            -32602);
  EXPECT_TRUE(editor.server.handle(R"({"method": "no/such"})").empty());
  EXPECT_TRUE(editor.server.handle(R"({"id": 1, "result": null})").empty());
  EXPECT_TRUE(editor.server.handle(R"({"method": "textDocument/didChange"})").empty());
  EXPECT_TRUE(editor.request("shutdown", {}).at("result").is_null());
}

TEST(LanguageServer, FindsSeveralErrorsWhileTypingAndForgetsThemWhenMended) {
  Editor editor;
  editor.open("model M\n  Real x\n  Real y;\nequation\n  x = ;\n  y = 1;\nend M;\n");
  const Json found = editor.diagnostics();
  EXPECT_EQ(found.at("uri"), kUri);
  ASSERT_EQ(found.at("diagnostics").size(), 2U);
  EXPECT_EQ(found.at("diagnostics")[0].at("severity"), 1);
  EXPECT_EQ(found.at("diagnostics")[0].at("code"), "E0104");
  editor.notify(
      "textDocument/didChange",
      {{"textDocument", {{"uri", kUri}, {"version", 2}}},
       {"contentChanges",
        {{{"range", range(1, 8, 8)}, {"text", ";"}}, {{"range", range(4, 6, 6)}, {"text", "y"}}}}});
  EXPECT_TRUE(editor.diagnostics().at("diagnostics").empty());
  editor.notify("textDocument/didClose", {{"textDocument", {{"uri", kUri}}}});
  EXPECT_TRUE(editor.diagnostics().at("diagnostics").empty());
}

TEST(LanguageServer, ChecksNamesModelsAndTheirEquations) {
  Editor editor;
  editor.open("model M\n  Rael x;\nend M;\n");
  EXPECT_EQ(editor.diagnostics().at("diagnostics").at(0).at("range"), range(1, 2, 6));
  editor.open("model M\n  Real x;\nequation\n  x = y;\nend M;\n");
  EXPECT_EQ(editor.diagnostics().at("diagnostics").at(0).at("range"), range(3, 6, 7));
  editor.open("model M\n  Real x, y;\nequation\n  x = 1;\nend M;\n");
  EXPECT_EQ(editor.diagnostics().at("diagnostics").size(), 1U);
  // A part with connectors is not complete by itself, and is no error.
  editor.open(kTank);
  EXPECT_TRUE(editor.diagnostics().at("diagnostics").empty());
}

TEST(LanguageServer, TwoModelsOfOneTextAreCheckedBoth) {
  Editor editor;
  editor.open(
      "model A\n  Real x = u;\nend A;\nmodel B\n  Real x = v;\nend B;\nmodel C\n  Real x = 1;\nend "
      "C;\n");
  const Json found = editor.diagnostics().at("diagnostics");
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].at("range").at("start").at("line"), 1);
  EXPECT_EQ(found[1].at("range").at("start").at("line"), 4);
}

TEST(LanguageServer, PositionsCountUtf16) {
  Editor editor;
  // The face is two units (and four bytes), the umlaut one (and two).
  editor.open("model M \"\xF0\x9F\x98\x80 \xC3\xBC\" Real x = y; end M;\n");
  EXPECT_EQ(editor.diagnostics().at("diagnostics").at(0).at("range"), range(0, 24, 25));
  editor.notify("textDocument/didChange",
                {{"textDocument", {{"uri", kUri}, {"version", 2}}},
                 {"contentChanges", {{{"range", range(0, 24, 25)}, {"text", "1"}}}}});
  EXPECT_TRUE(editor.diagnostics().at("diagnostics").empty());
}

TEST(LanguageServer, GoesToDefinitions) {
  Editor editor;
  editor.open(kTank);
  const auto target = [&](const std::string& word, int ordinal = 1, std::size_t behind = 0) {
    return editor.at("definition", kTank, word, ordinal, behind);
  };
  EXPECT_EQ(target("Part part").at("range"), range(5, 6, 10));  // a class
  EXPECT_EQ(target("Part part").at("uri"), kUri);
  EXPECT_EQ(target("top = 3").at("range"), range(6, 19, 22));         // a modifier
  EXPECT_EQ(target("v(start").at("range"), range(2, 7, 8));           // one inside of it
  EXPECT_EQ(target("part.top").at("range"), range(10, 7, 11));        // a component
  EXPECT_EQ(target("part.top", 1, 5).at("range"), range(6, 19, 22));  // its element
  EXPECT_EQ(target("pin.v = h").at("range"), range(7, 6, 9));
  EXPECT_EQ(target("pin.v = h", 1, 4).at("range"), range(2, 7, 8));
  EXPECT_TRUE(target("Real h").is_null());  // predefined
  EXPECT_TRUE(target("equation").is_null());
}

TEST(LanguageServer, GoesToIndicesAndArgumentsOfFunctions) {
  const std::string text =
      "function f\n  input Real u;\n  output Real y = u;\nend f;\n"
      "model M\n  Real x[3];\nequation\n  for i in 1:3 loop\n    x[i] = f(u = i);\n  end for;\nend "
      "M;\n";
  Editor editor;
  editor.open(text);
  EXPECT_EQ(editor.at("definition", text, "i);").at("range"), range(7, 6, 7));
  EXPECT_EQ(editor.at("definition", text, "u = i").at("range"), range(1, 13, 14));
  EXPECT_EQ(editor.at("definition", text, "f(u").at("range"), range(0, 9, 10));
}

TEST(LanguageServer, HoverShowsTypeUnitAndDescription) {
  Editor editor;
  editor.open(kTank);
  const auto shown = [&](const std::string& word, std::size_t behind = 0) {
    return editor.at("hover", kTank, word, 1, behind).at("contents").at("value").get<std::string>();
  };
  EXPECT_EQ(shown("part.top", 5),
            "```modelica\nparameter Height top = 2\n```\n\nhow high it is\n\nunit `m`, shown in "
            "`mm`\n\nof type `Height`\n\ndeclared in `Part`");
  EXPECT_EQ(shown("Part part"), "```modelica\nmodel Part\n```\n\nsomething with a level");
  EXPECT_EQ(shown("start = 1, fixed"),
            "```modelica\nstart\n```\n\nattribute of `Real`: the initial value, or the first guess "
            "of it");
  EXPECT_NE(shown("der(h)").find("predefined"), std::string::npos);
}

TEST(LanguageServer, CompletesMembers) {
  Editor editor;
  editor.open(kTank);
  const Json items =
      editor.at("completion", kTank, "part.top", 1, std::string("part.").size()).at("items");
  ASSERT_EQ(items.size(), 2U);
  EXPECT_EQ(items[0].at("label"), "top");
  EXPECT_EQ(items[0].at("detail"), "parameter Height top");
}

TEST(LanguageServer, ListsClassesAndComponents) {
  Editor editor;
  editor.open(kTank);
  const Json all =
      editor.request("textDocument/documentSymbol", {{"textDocument", {{"uri", kUri}}}})
          .at("result");
  ASSERT_EQ(all.size(), 4U);
  EXPECT_EQ(all[3].at("name"), "Tank");
  EXPECT_EQ(all[3].at("selectionRange"), range(9, 6, 10));
  EXPECT_EQ(all[3].at("children").size(), 2U);
  EXPECT_EQ(all[3].at("children")[1].at("name"), "h");
}

TEST(LanguageServer, FormatsWhatParses) {
  Editor editor;
  const Json document = {{"textDocument", {{"uri", kUri}}}};
  editor.open("model M\nReal x=1 ;\nend M;\n");
  const Json edits = editor.request("textDocument/formatting", document).at("result");
  ASSERT_EQ(edits.size(), 1U);
  EXPECT_EQ(edits[0].at("newText"), "model M\n  Real x = 1;\nend M;\n");
  EXPECT_EQ(edits[0].at("range").at("end"), (Json{{"line", 3}, {"character", 0}}));
  editor.open(edits[0].at("newText").get<std::string>());
  EXPECT_TRUE(editor.request("textDocument/formatting", document).at("result").empty());
  editor.open("model M");
  EXPECT_EQ(editor.request("textDocument/formatting", document).at("error").at("code"), -32803);
}

TEST(LanguageServer, OffersTheMendsOfDiagnostics) {
  Editor editor;
  editor.open("model M\n  Real x = 1\nend M;\n");
  const Json actions =
      editor
          .request("textDocument/codeAction", {{"textDocument", {{"uri", kUri}}},
                                               {"range", range(1, 0, 12)},
                                               {"context", {{"diagnostics", Json::array()}}}})
          .at("result");
  ASSERT_EQ(actions.size(), 1U);
  EXPECT_EQ(actions[0].at("edit").at("changes").at(kUri).at(0).at("newText"), ";");
}

TEST(LanguageServer, ADocumentOfAPackageIsReadAsAPartOfIt) {
  namespace fs = std::filesystem;
  const fs::path folder = fs::path(::testing::TempDir()) / "arges_lsp_test" / "Lib";
  fs::create_directories(folder);
  std::ofstream(folder / "package.mo") << "package Lib\n  constant Real k = 2;\nend Lib;\n";
  std::ofstream(folder / "Used.mo") << "within Lib;\nmodel Used\n  Real x = k;\nend Used;\n";
  const std::string text = "within Lib;\nmodel M\n  Used u;\n  Real y = u.z;\nend M;\n";
  std::ofstream(folder / "M.mo") << text;
  Editor editor;
  editor.open(text, "file://" + (folder / "M.mo").string());
  EXPECT_EQ(editor.diagnostics().at("diagnostics").size(), 1U);
  // The text that the editor holds counts, not the one on disk.
  editor.open("within Lib;\nmodel Used\n  Real z = k;\nend Used;\n",
              "file://" + (folder / "Used.mo").string());
  while (editor.server.has_work()) {
    for (const std::string& message : editor.server.idle())
      EXPECT_TRUE(Json::parse(message).at("params").at("diagnostics").empty()) << message;
  }
  fs::remove_all(folder.parent_path());
}

TEST(LanguageServer, LibrariesComeFromTheEditor) {
  namespace fs = std::filesystem;
  const fs::path folder = fs::path(::testing::TempDir()) / "arges_lsp_libraries";
  fs::create_directories(folder);
  std::ofstream(folder / "Lib.mo") << "package Lib\n  constant Real k = 2;\nend Lib;\n";
  Editor editor(false);
  editor.request("initialize", {{"initializationOptions", {{"modelicaPath", {folder.string()}}}}});
  editor.open("model M\n  Real x = Lib.k;\nend M;\n");
  EXPECT_TRUE(editor.diagnostics().at("diagnostics").empty());
  fs::remove_all(folder);
}

}  // namespace
}  // namespace arges::lsp
