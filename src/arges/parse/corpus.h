#pragma once
// Parses whole libraries: the measure of the parser.

#include <string>
#include <vector>

namespace arges::lang {

// Takes files and folders (all .mo files below them). For each file it parses (annotations
// included), prints the tree, parses the text again and compares the two trees; joins tokens and
// white space and compares with the text; formats twice and compares. Prints the diagnostics of
// files that fail and at the end the number of files, bytes, failures and the speed of lexing and
// parsing alone (processor time). Returns 0 when nothing failed, else 1.
int parse_corpus(const std::vector<std::string>& paths);

}  // namespace arges::lang
