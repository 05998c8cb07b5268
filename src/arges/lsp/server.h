#pragma once
// A language server: messages in, messages out.

#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "arges/lsp/workspace.h"

namespace arges::lsp {

// Speaks JSON-RPC 2.0 and the Language Server Protocol 3.17 as far as the methods below go. A
// message is its JSON, without header. What it cannot do it answers with an error; no message ends
// it.
//
//   initialize (initializationOptions.modelicaPath: folders), shutdown, exit
//   textDocument/didOpen, didChange (whole or parts), didClose, didSave
//   textDocument/publishDiagnostics, from idle()
//   textDocument/definition, hover, completion, documentSymbol, formatting, codeAction
class Server {
 public:
  // Folders with libraries, used unless the editor gives others.
  explicit Server(std::vector<std::string> libraries);
  ~Server();

  // The answers to a message, in order.
  std::vector<std::string> handle(std::string_view message);
  // True: there are documents whose text has changed since they were last checked.
  bool has_work() const { return !unchecked_.empty(); }
  // Checks one of them. To be called when no message is waiting, so that the checks of a text that
  // is being typed do not queue up.
  std::vector<std::string> idle();

  bool has_ended() const { return ended_; }  // after `exit`
  // 0 when `shutdown` came before, else 1.
  int exit_code() const { return shut_down_ ? 0 : 1; }

 private:
  class Methods;
  friend class Methods;

  Workspace workspace_;
  std::set<std::string> unchecked_;
  bool initialised_ = false;
  bool shut_down_ = false;
  bool ended_ = false;
};

}  // namespace arges::lsp
