#pragma once
// What is known, in the JSON of the Language Server Protocol. Only for the .cc files of this
// folder: the header of nlohmann::json is heavy.

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "arges/lsp/completion.h"
#include "arges/lsp/outline.h"

namespace arges::lsp {

using Json = nlohmann::json;

// Invalid UTF-8 of a document becomes U+FFFD.
std::string dump(const Json& message);

// Throws Json::exception for what is no position.
diag::Utf16Position position_from(const Json& position);
std::vector<TextChange> changes_from(const Json& changes);

Json range(const diag::Span& span);
Json location(const diag::Span& span);
// With notes and help behind the message, which is what editors show.
Json diagnostic(const diag::Diagnostic& d);
Json diagnostic_without_place(const std::string& message);
Json code_action(const diag::Diagnostic& d, const std::string& path);
Json completion_item(const Completion& completion, lang::ClassTree& tree);
Json symbols_json(const std::vector<OutlineItem>& items, const diag::SourceFile& file);

}  // namespace arges::lsp
