#pragma once
// What a stage of the compiler has to say about the model text: data, not text on a terminal.
// text_client.h and json_client.h show it.

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "arges/diag/codes.h"
#include "arges/diag/source_file.h"

namespace arges::diag {

struct Label {
  Span span;
  std::string text;
};

// One finding. The message is one sentence in lower case without a full stop, names stand in back
// quotes; notes are facts, help says what to do. Built in one expression:
//   diagnostics.report(Diagnostic(Code::kExpectedThen, "...", span).label(opener, "opened here"));
struct Diagnostic {
  Diagnostic(Code what, std::string text, Span where, std::string label_text = {})
      : code(what), message(std::move(text)), primary{where, std::move(label_text)} {}

  Diagnostic& label(Span span, std::string text) & {
    secondary.push_back({span, std::move(text)});
    return *this;
  }
  Diagnostic& note(std::string text) & {
    notes.push_back(std::move(text));
    return *this;
  }
  Diagnostic& suggest(std::string text) & {
    help.push_back(std::move(text));
    return *this;
  }
  // The replacement of a range that mends the text, for editors.
  Diagnostic& fix(Span span, std::string replacement) & {
    fixes.push_back({span, std::move(replacement)});
    return *this;
  }
  Diagnostic&& label(Span span, std::string text) && {
    return std::move(label(span, std::move(text)));
  }
  Diagnostic&& note(std::string text) && { return std::move(note(std::move(text))); }
  Diagnostic&& suggest(std::string text) && { return std::move(suggest(std::move(text))); }
  Diagnostic&& fix(Span span, std::string text) && { return std::move(fix(span, std::move(text))); }

  Severity severity() const { return info(code).severity; }

  Code code;
  std::string message;
  Label primary;
  std::vector<Label> secondary;
  std::vector<std::string> notes;
  std::vector<std::string> help;
  std::vector<Label> fixes;  // text is the replacement
};

// Collects the findings of a run in the order of their report, each once. It keeps at most `kept`
// of them (a hostile file could cause millions) and counts all.
class Diagnostics {
 public:
  explicit Diagnostics(std::size_t kept = 1000) : kept_(kept) {}

  void report(Diagnostic d);

  // As if nothing had been reported: for a further run on the same text.
  void clear() { *this = Diagnostics(kept_); }

  const std::vector<Diagnostic>& list() const { return list_; }
  std::size_t errors() const { return errors_; }
  std::size_t warnings() const { return warnings_; }
  bool has_errors() const { return errors_ > 0; }

 private:
  std::size_t kept_;
  std::size_t errors_ = 0;
  std::size_t warnings_ = 0;
  std::vector<Diagnostic> list_;
};

}  // namespace arges::diag
