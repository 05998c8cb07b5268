#pragma once
// The Jacobian of the rates, as expressions.

#include <optional>
#include <vector>

#include "arges/causalize/causal_model.h"

namespace arges {

// d rate[row] / d state[column], with what the rates are computed from taken into account; column =
// number of states: the partial derivative with respect to time. Zero entries are left out.
struct RateDerivative {
  int row, column;
  ExprId value;
};

// How the unknowns v of a loop r(v) = 0 of three and more vary: with M = dr/dv the linear systems
// M (dv/dj) + dr/dj = 0, one for each column j. What is computed on the way is kept in variables
// that the model does not have: their ids begin where those of the model end.
struct LoopDerivative {
  struct Entry {  // of M
    std::int32_t row, column;
    ExprId value;
    VarId kept;
  };
  struct Column {
    std::vector<ExprId> values;  // dr/dj
    std::vector<VarId> kept, unknowns;
  };
  std::vector<Entry> matrix;
  std::vector<Column> columns;
};

struct RateDerivatives {
  std::vector<RateDerivative> entries;
  std::vector<LoopDerivative> loops;  // to be solved in this order, before the entries
  std::int32_t variables = 0;         // so many that the model does not have
};

// Forward accumulation through the sorted blocks, for all states at once, with sparse rows:
//
//   for each block v := e in order:
//     the columns of v are those of the variables of e
//     for each column j:  dv/dj = sum over variables w of e:  (de/dw) (dw/dj)
//   for each loop r(v) = 0 with unknowns v that the others are computed from:
//     for each column j:  dv/dj = -(dr/dv)^-1 dr/dj    as an expression for one or two, else
//                                                      as a linear system
//
// Common parts are made once, since expressions are. Adds expressions (and derivatives of
// functions) to the model. Nothing when a larger loop without a Jacobian depends on a state, when a
// function has no derivative, or when the entries become more than a sparse Jacobian is good for:
// then differences are used.
std::optional<RateDerivatives> differentiate_rates(CausalModel& model,
                                                   const std::vector<char>& needed);

}  // namespace arges
