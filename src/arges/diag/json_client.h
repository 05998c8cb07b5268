#pragma once
// Diagnostics for programs: a JSON array with the fields of the Language Server Protocol.
//
//   [{"file": "tank.mo", "range": {"start": {"line": 13, "character": 18}, "end": {...}},
//     "severity": 1, "code": "E0104", "source": "arges", "message": "...",
//     "relatedInformation": [{"location": {"file": "...", "range": {...}}, "message": "..."}],
//     "notes": [...], "help": [...], "fixes": [{"location": {...}, "newText": ";"}]}]
//
// Lines and characters count from 0, characters in UTF-16 units, as LSP asks.

#include <string>

#include "arges/diag/diagnostic.h"

namespace arges::diag {

std::string to_json(const Diagnostics& all, int indent = -1);

}  // namespace arges::diag
