#pragma once
// Diagnostics for people, in the manner of rustc:
//
//   error[E0104]: expected `;` after this equation
//     --> tank.mo:14:19
//      |
//   14 |   q1 = k*(h1 - h2)
//      |                   ^ insert `;` here
//      = help: every equation ends with `;`

#include <span>
#include <string>

#include "arges/diag/diagnostic.h"

namespace arges::diag {

struct TextOptions {
  bool colour = false;
  // Source lines are cut to about this many columns around the place that matters.
  int width = 110;
  // After so many diagnostics only the rest is counted. 0: no limit.
  int limit = 20;
  // "more: arges explain E0104" after each.
  bool more = false;
};

// Tabs stop at every fourth column; carets count what a terminal shows (wide and combining
// characters included); control characters and invalid bytes show as U+FFFD, so that a source file
// cannot send escape sequences to the terminal.
std::string to_text(const Diagnostic& d, const TextOptions& options = {});

// All of them, followed by a line that counts them ("2 errors, 1 warning").
std::string to_text(const Diagnostics& all, const TextOptions& options = {});

}  // namespace arges::diag
