#pragma once
// The syntax tree as nested lists, (kind part part ...): every node and flag, no positions. Two
// trees are equal exactly when their dumps are.

#include <string>

#include "arges/parse/tree.h"

namespace arges::lang {

std::string dump(const SyntaxTree& tree);
std::string dump(const Expr& e);

}  // namespace arges::lang
