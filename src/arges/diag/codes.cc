#include "arges/diag/codes.h"

#include <cctype>
#include <vector>

#include "arges/base/error.h"
#include "arges/base/nearest.h"

namespace arges::diag {
namespace {

constexpr Severity error = Severity::kError;
constexpr Severity warning = Severity::kWarning;

constexpr CodeInfo kCodes[] = {
#define ARGES_CODE(name, id, severity, title, explanation, mend) \
  {Code::name, id, severity, title, explanation, mend},
#include "arges/diag/codes.def"
#undef ARGES_CODE
};

// The table is sorted and each entry is complete: a mistake does not compile.
constexpr bool table_is_sound() {
  for (std::size_t i = 0; i < std::size(kCodes); ++i) {
    const CodeInfo& c = kCodes[i];
    if (c.id.size() != 5 || c.title.empty() || c.explanation.empty() || c.mend.empty()) {
      return false;
    }
    if (c.id[0] != (c.severity == Severity::kError ? 'E' : 'W')) return false;
    if (i > 0 && !(kCodes[i - 1].id < c.id)) return false;
  }
  return true;
}
static_assert(table_is_sound());

}  // namespace

std::span<const CodeInfo> all_codes() { return kCodes; }

const CodeInfo& info(Code code) { return kCodes[static_cast<std::size_t>(code)]; }

const CodeInfo* find_code(std::string_view id) {
  std::string upper(id);
  for (char& c : upper) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  for (const CodeInfo& c : kCodes) {
    if (c.id == upper) return &c;
  }
  return nullptr;
}

std::string explain(std::string_view id) {
  const CodeInfo* c = find_code(id);
  if (c == nullptr) {
    std::vector<std::string> known;
    for (const CodeInfo& k : kCodes) known.emplace_back(k.id);
    throw UserError("unknown diagnostic code '" + std::string(id) + "'" + did_you_mean(id, known));
  }
  std::string out;
  out += std::string(c->id) + ": " + std::string(c->title) + "\n\n";
  out += std::string(c->explanation) + "\n\n";
  out += "How to mend it: " + std::string(c->mend) + "\n";
  return out;
}

std::string reference_page() {
  std::string out =
      "# Diagnostics\n\n"
      "Every message about model text has a code. `arges explain E0104` prints the same text as "
      "this page,\nwhich is made from the table in `src/arges/diag/codes.def`.\n\n"
      "| code | what is wrong |\n|---|---|\n";
  for (const CodeInfo& c : kCodes) {
    out += "| [" + std::string(c.id) + "](#" + static_cast<char>(std::tolower(c.id[0])) +
           std::string(c.id.substr(1)) + ") | " + std::string(c.title) + " |\n";
  }
  for (const CodeInfo& c : kCodes) {
    out += "\n## " + std::string(c.id) + "\n\n**" + std::string(c.title) + "**";
    out += c.severity == Severity::kError ? " (error)\n\n" : " (warning)\n\n";
    out += std::string(c.explanation) + "\n\n*How to mend it:* " + std::string(c.mend) + "\n";
  }
  return out;
}

}  // namespace arges::diag
