#pragma once
// Equations as sums of terms.

#include <vector>

#include "arges/flat/flat_model.h"

namespace arges {

// factor * of, as if all terms stood on the left.
struct SumTerm {
  ExprId of;
  double factor;
  bool on_left;
};

using Sum = std::vector<SumTerm>;  // by `of`, each once

// Empty for an equation that may not be changed: not of Reals, one that defines a variable, or with
// a term that is there twice.
Sum sum_of(const ExprPool& pool, const FlatEquation& equation);

// Gives both sides of the equation the terms that stand there.
void write_sum(ExprPool& pool, const Sum& sum, FlatEquation& equation);

}  // namespace arges
