#pragma once
// Which variables of a function its statements may leave without a value.

#include <string_view>
#include <unordered_set>
#include <vector>

#include "arges/parse/tree.h"

namespace arges::lang {

// A variable that is used where some path from the first statement has not assigned it.
struct Unassigned {
  std::string_view name;
  TextRange use;    // where it is read; empty: at the end, or `return`, of an output
  TextRange cases;  // the `if` that assigns it in some cases only; empty when there is none
};

// Of the variables in `outputs` and `locals`, none of which has a value at first: each once.
//
// An assignment to an element or a field counts for the whole, each loop as gone through at least
// once, and a `while` as gone through until each of its assignments was reached. A condition that
// is written twice is taken to have the same value both times.
std::vector<Unassigned> unassigned_on_paths(StatementList statements,
                                            const std::unordered_set<std::string_view>& outputs,
                                            const std::unordered_set<std::string_view>& locals);

}  // namespace arges::lang
