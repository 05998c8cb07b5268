#pragma once
// The table of all diagnostic codes. codes.def is the only place to add one; `arges explain` and
// docs/reference/diagnostics.md are made from it.

#include <span>
#include <string>
#include <string_view>

namespace arges::diag {

enum class Severity { kError, kWarning };

enum class Code {
#define ARGES_CODE(name, id, severity, title, explanation, mend) name,
#include "arges/diag/codes.def"
#undef ARGES_CODE
};

struct CodeInfo {
  Code code;
  std::string_view id;  // "E0104": stable for ever, never used again for another thing
  Severity severity;
  std::string_view title;        // what is wrong, in half a line
  std::string_view explanation;  // what it means
  std::string_view mend;         // how to mend it
};

// All codes, by rising id within errors, then warnings.
std::span<const CodeInfo> all_codes();
const CodeInfo& info(Code code);
// nullptr for an unknown id; lower case is accepted.
const CodeInfo* find_code(std::string_view id);

// The text of `arges explain ID`. Throws UserError for an unknown id.
std::string explain(std::string_view id);
// The page docs/reference/diagnostics.md (Markdown).
std::string reference_page();

}  // namespace arges::diag
