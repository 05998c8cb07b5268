#pragma once
// Index reduction of differential-algebraic systems: which equations to differentiate, and which
// derivatives then become algebraic.

#include <functional>
#include <optional>
#include <vector>

#include "arges/structure/matching.h"

namespace arges::structure {

// A system of equations over variables, some of which are time derivatives of others. Indices
// beyond the given ones are variables and equations that Pantelides' algorithm adds, in ascending
// order.
struct DerivativeChains {
  std::vector<int> variable_derivative;  // variable -> its derivative, or -1
  std::vector<int> variable_primitive;   // and back
  std::vector<int> equation_derivative;  // equation -> the equation differentiated once, or -1
  std::vector<int> equation_primitive;
  // Incidence of all equations, the added ones too: differentiating an equation adds the
  // derivatives of all its variables that have one.
  std::vector<std::vector<int>> added_rows;
};

// A given variable, differentiated `times` times more.
struct Rate {
  int variable;
  int times;
};
// What a given equation contains after it is differentiated `order` times (1 and more), for the
// equations where that is not what they contain and its derivatives; nothing for all others.
using DerivedRow = std::function<std::optional<std::vector<Rate>>(int equation, int order)>;

// Pantelides' algorithm. The system must not be singular when a variable and its derivative are
// taken as one (merged_incidence has a perfect matching); else it would not end. `derivative` maps
// a variable to its derivative variable or -1. Parameters and time are no variables.
//
//   match all equations with highest derivatives as far as possible
//   for each equation that could not be matched:
//     repeat
//       look for an augmenting path over highest derivatives; none:
//         differentiate all variables and equations seen on the way; go on with the derivative
//     until found
//
// An equation that were differentiated more often than there are equations is left unmatched.
DerivativeChains pantelides(const Incidence& a, std::span<const int> derivative,
                            const DerivedRow& derived = {});

// The factor of a given variable in a given equation, where that is always the same; else a number
// that is related to no other (unrelated_number).
using Factor = std::function<double(int equation, int variable)>;

// The incidence with each derivative replaced by the variable at the root of its chain; columns
// keep their numbers, those of derivatives are empty.
Incidence merged_incidence(const Incidence& a, std::span<const int> derivative);

// Dummy derivatives (Mattsson and Söderlind), chosen by structure: which derivatives are no longer
// derivatives but unknowns of their own. `preference` (one for each variable of the chains) says
// how much one wants it as a state; derivatives of less wanted ones become dummies first, ties by
// lower index. `left_out` (empty, or one for each given equation) marks equations that take no
// dummies, because they are kept in another way. Returns the dummies, ascending.
//
// Structure alone may choose dummies that the equations do not determine: in -3 z = a + b + c,
// a + b + c = 0, the variable z is no state, whatever is chosen of a, b, c. With `factor`, the
// choice is one whose matrix of factors is not singular; where there is none, that of the
// structure.
std::vector<int> dummy_derivatives(const Incidence& a, const DerivativeChains& chains,
                                   std::span<const double> preference,
                                   std::span<const char> left_out = {}, const Factor& factor = {});

}  // namespace arges::structure
