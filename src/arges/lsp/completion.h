#pragma once
// What could stand at a place of a text that is being written.

#include <string>
#include <vector>

#include "arges/lsp/symbol.h"
#include "arges/lsp/workspace.h"

namespace arges::lsp {

enum class CompletionKind : std::uint8_t { kSymbol, kArgument, kKeyword };

struct Completion {
  CompletionKind kind = CompletionKind::kSymbol;
  Symbol symbol;       // of kSymbol and kArgument
  std::string label;   // the name
  std::string insert;  // what to write; of kArgument "name="
  std::string detail;
};

// The text before the place, from which it follows what can come. The tokens alone decide, since a
// text that is being written seldom parses.
struct CompletionContext {
  bool nothing = false;  // in a comment or a string
  std::string prefix;    // what is there of the word
  bool after_dot = false;
  std::vector<std::string> path;  // a.b in a.b.|
  bool global = false;            // .a.b.|
  // Names of arguments can come: of the type `type`, below the modifiers `outer`; or of a call.
  bool modifier = false;
  bool call = false;
  std::vector<std::string> type, outer;
};
CompletionContext completion_context(std::string_view before);

// After a dot the elements of what stands before it; in the parentheses of a modification what can
// be modified; else all names that can be seen, and in a call the inputs of the function. Names
// that do not begin with the prefix (upper or lower case) are left out.
std::vector<Completion> complete(Project& project, std::uint32_t offset);

}  // namespace arges::lsp
