#include "arges/lsp/server.h"

#include <filesystem>

#include <fmt/format.h>

#include "arges/base/error.h"
#include "arges/base/version.h"
#include "arges/lex/lexer.h"
#include "arges/lsp/check.h"
#include "arges/lsp/completion.h"
#include "arges/lsp/protocol.h"
#include "arges/lsp/uri.h"
#include "arges/parse/format.h"
#include "arges/parse/parser.h"

namespace arges::lsp {

namespace {

// An answer that is an error.
struct Refusal {
  int code;
  std::string message;
};
constexpr int kParseError = -32700;
constexpr int kInvalidRequest = -32600;
constexpr int kMethodNotFound = -32601;
constexpr int kInvalidParams = -32602;
constexpr int kInternalError = -32603;
constexpr int kNotInitialised = -32002;
constexpr int kRequestFailed = -32803;

Json error_answer(const Json& id, const Refusal& refusal) {
  return {{"jsonrpc", "2.0"},
          {"id", id},
          {"error", {{"code", refusal.code}, {"message", refusal.message}}}};
}

}  // namespace

// One message.
class Server::Methods {
 public:
  Methods(Server& server, const Json& params) : server_(server), params_(params) {}

  // Requests. Throws Refusal.
  Json answer(const std::string& method) {
    if (method == "initialize") return initialize();
    if (!server_.initialised_) throw Refusal{kNotInitialised, "'initialize' has to come first"};
    if (server_.shut_down_) throw Refusal{kInvalidRequest, "the server was shut down"};
    if (method == "shutdown") {
      server_.shut_down_ = true;
      return nullptr;
    }
    if (method == "textDocument/definition") return definition();
    if (method == "textDocument/hover") return hover();
    if (method == "textDocument/completion") return completion();
    if (method == "textDocument/documentSymbol") return document_symbols();
    if (method == "textDocument/formatting") return formatting();
    if (method == "textDocument/codeAction") return code_actions();
    throw Refusal{kMethodNotFound, fmt::format("the method '{}' is not there", method)};
  }

  // Notifications; unknown ones are left alone, as the protocol asks.
  void notice(const std::string& method) {
    if (method == "exit") {
      server_.ended_ = true;
      return;
    }
    if (!server_.initialised_ || server_.shut_down_) return;
    if (method == "textDocument/didOpen") {
      const Json& document = params_.at("textDocument");
      server_.workspace_.open(path(), document.at("text").get<std::string>());
      changed();
    } else if (method == "textDocument/didChange") {
      server_.workspace_.change(path(), changes_from(params_.at("contentChanges")));
      changed();
    } else if (method == "textDocument/didSave") {
      server_.workspace_.forget_files();
      changed();
    } else if (method == "textDocument/didClose") {
      server_.workspace_.close(path());
      server_.unchecked_.insert(path());  // its diagnostics go
      changed();
    }
  }

 private:
  std::string path() const {
    const std::string given = path_of(params_.at("textDocument").at("uri").get<std::string>());
    return given.starts_with('/') ? std::filesystem::path(given).lexically_normal().string()
                                  : given;
  }
  Project& project() { return server_.workspace_.project(path()); }
  std::uint32_t offset() {
    return diag::offset_at(project().file(), position_from(params_.at("position")));
  }
  // A text can change what is wrong in the others.
  void changed() {
    for (std::string& each : server_.workspace_.open_paths())
      server_.unchecked_.insert(std::move(each));
  }

  Json initialize() {
    if (server_.initialised_) throw Refusal{kInvalidRequest, "'initialize' has come before"};
    if (const auto options = params_.find("initializationOptions");
        options != params_.end() && options->is_object() && options->contains("modelicaPath")) {
      server_.workspace_.set_libraries(options->at("modelicaPath").get<std::vector<std::string>>());
    }
    server_.initialised_ = true;
    return {{"capabilities",
             {{"positionEncoding", "utf-16"},
              {"textDocumentSync", {{"openClose", true}, {"change", 2}, {"save", true}}},
              {"definitionProvider", true},
              {"hoverProvider", true},
              {"completionProvider", {{"triggerCharacters", {"."}}}},
              {"documentSymbolProvider", true},
              {"documentFormattingProvider", true},
              {"codeActionProvider", {{"codeActionKinds", {"quickfix"}}}}}},
            {"serverInfo", {{"name", "arges"}, {"version", kVersion}}}};
  }

  std::optional<Symbol> symbol(Symbols& symbols, Place& place) {
    const std::uint32_t at = offset();
    Project& here = project();
    if (here.outermost().empty()) return std::nullopt;
    place = find_place(*here.tree().syntax(*here.outermost().front()), at);
    return symbols.at(place, here.scope_at(at));
  }

  Json definition() {
    Symbols symbols(project().tree());
    Place place;
    const std::optional<Symbol> found = symbol(symbols, place);
    if (!found) return nullptr;
    const diag::Span where = symbols.declaration(*found);
    if (where.file == nullptr) return nullptr;
    return location(where);
  }

  Json hover() {
    Symbols symbols(project().tree());
    Place place;
    const std::optional<Symbol> found = symbol(symbols, place);
    if (!found) return nullptr;
    return {{"contents", {{"kind", "markdown"}, {"value", symbols.describe(*found)}}},
            {"range", range({&project().file(), place.range})}};
  }

  Json completion() {
    Json items = Json::array();
    for (const Completion& c : complete(project(), offset()))
      items.push_back(completion_item(c, project().tree()));
    return {{"isIncomplete", false}, {"items", std::move(items)}};
  }

  Json document_symbols() {
    const diag::SourceFile& file = project().file();
    diag::Diagnostics ignored;
    return symbols_json(outline(lang::parse(file, ignored)), file);
  }

  Json formatting() {
    const diag::SourceFile& file = project().file();
    diag::Diagnostics diagnostics;
    lang::parse(file, diagnostics);
    if (diagnostics.has_errors())
      throw Refusal{kRequestFailed, "the text has errors: it is formatted when they are mended"};
    const std::string tidy = lang::format(lang::lex(file, diagnostics));
    if (tidy == file.text()) return Json::array();
    const diag::TextRange all{0, static_cast<std::uint32_t>(file.text().size())};
    return Json::array({{{"range", range({&file, all})}, {"newText", tidy}}});
  }

  // The mends of the diagnostics that lie in the range.
  Json code_actions() {
    const Json& wanted = params_.at("range");
    const std::uint32_t begin =
        diag::offset_at(project().file(), position_from(wanted.at("start")));
    const std::uint32_t end = diag::offset_at(project().file(), position_from(wanted.at("end")));
    Json actions = Json::array();
    // A project of its own: checking uses up what reading has reported.
    const std::unique_ptr<Project> fresh = server_.workspace_.make_project(path());
    for (const diag::Diagnostic& d : check(*fresh)) {
      const diag::TextRange at = d.primary.span.range;
      if (d.fixes.empty() || at.end < begin || at.begin > end) continue;
      actions.push_back(code_action(d, path()));
    }
    return actions;
  }

  Server& server_;
  const Json& params_;
};

Server::Server(std::vector<std::string> libraries) : workspace_(std::move(libraries)) {}
Server::~Server() = default;

std::vector<std::string> Server::handle(std::string_view text) {
  const Json message = Json::parse(text, nullptr, false);
  if (message.is_discarded())
    return {dump(error_answer(nullptr, {kParseError, "the message is no JSON"}))};
  const auto method = message.is_object() ? message.find("method") : message.end();
  const bool has_method = message.is_object() && method != message.end() && method->is_string();
  const bool has_id = message.is_object() && message.contains("id");
  // An answer to a request: this server sends none.
  if (!has_method && has_id && (message.contains("result") || message.contains("error"))) return {};
  const Json id = has_id ? message.at("id") : Json();
  if (!id.is_null() && !id.is_string() && !id.is_number())
    return {dump(error_answer(nullptr, {kInvalidRequest, "an id is a number or a string"}))};
  if (!has_method) return {dump(error_answer(id, {kInvalidRequest, "the message has no method"}))};
  const Json params = message.value("params", Json::object());
  const auto refuse = [&](const Refusal& refusal) -> std::vector<std::string> {
    if (!has_id) return {};
    return {dump(error_answer(id, refusal))};
  };
  try {
    Methods methods(*this, params);
    if (has_id)
      return {dump({{"jsonrpc", "2.0"}, {"id", id}, {"result", methods.answer(*method)}})};
    methods.notice(*method);
    return {};
  } catch (const Refusal& refusal) {
    return refuse(refusal);
  } catch (const Json::exception& error) {
    return refuse({kInvalidParams, fmt::format("the parameters do not fit: {}", error.what())});
  } catch (const UserError& error) {
    return refuse({kInvalidParams, error.what()});
  } catch (const std::exception& error) {
    return refuse({kInternalError, error.what()});
  }
}

std::vector<std::string> Server::idle() {
  if (unchecked_.empty()) return {};
  const std::string path = *unchecked_.begin();
  unchecked_.erase(unchecked_.begin());
  Json list = Json::array();
  if (workspace_.is_open(path)) {
    try {
      const std::unique_ptr<Project> project = workspace_.make_project(path);
      for (const diag::Diagnostic& d : check(*project)) list.push_back(diagnostic(d));
    } catch (const std::exception& error) {
      list.push_back(diagnostic_without_place(error.what()));
    }
  }
  return {dump({{"jsonrpc", "2.0"},
                {"method", "textDocument/publishDiagnostics"},
                {"params", {{"uri", uri_of(path)}, {"diagnostics", std::move(list)}}}})};
}

}  // namespace arges::lsp
