#pragma once
// Where the index of a loop without a range is used as a subscript.

#include <string_view>

#include "arges/parse/tree.h"

namespace arges::lang {

// reference.parts[part].subscripts[dimension] is the index; null: there is no such place.
struct IndexUse {
  const ReferenceExpr* reference = nullptr;
  std::size_t part = 0;
  std::size_t dimension = 0;
};

IndexUse find_use(std::string_view name, const Expr* e);
IndexUse find_use(std::string_view name, EquationList list);
IndexUse find_use(std::string_view name, StatementList list);

}  // namespace arges::lang
