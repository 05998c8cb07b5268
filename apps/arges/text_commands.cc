// Commands on model text.

#include <fmt/format.h>

#include "arges/base/atomic_file.h"
#include "arges/diag/text_client.h"
#include "arges/lex/lexer.h"
#include "arges/parse/format.h"
#include "arges/parse/parser.h"
#include "commands.h"
#include "console.h"

namespace arges::app {

int format(const FormatCommand& command) {
  int worst = 0;
  for (const std::string& path : command.files) {
    const auto file = diag::SourceFile::load(path);
    diag::Diagnostics diagnostics;
    lang::parse(*file, diagnostics);
    if (diagnostics.has_errors()) {
      fmt::print(stderr, "{}", diag::to_text(diagnostics, {.colour = colours(), .more = true}));
      worst = 3;
      continue;
    }
    diag::Diagnostics again;  // the same text, so nothing new
    const std::string tidy = lang::format(lang::lex(*file, again));
    const bool changed = tidy != file->text();
    if (command.check) {
      if (changed) {
        fmt::print(stderr, "{}: not in the house format ('arges format -i {}' mends it)\n", path,
                   path);
        worst = std::max(worst, 1);
      }
    } else if (!command.in_place) {
      fmt::print("{}", tidy);
    } else if (changed) {
      AtomicFile out(path);
      out.write(tidy);
      out.commit();
    }
  }
  return worst;
}

int explain(const std::string& code) {
  fmt::print("{}", diag::explain(code));
  return 0;
}

}  // namespace arges::app
