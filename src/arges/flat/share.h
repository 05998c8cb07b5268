#pragma once
// Large expressions that share parts, as functions.

#include "arges/flat/flat_model.h"

namespace arges {

// The same model in a form whose text is not much larger than its graph. An expression whose tree
// is large and much larger than its graph becomes the call of a new function:
//
//   function '$shared1'
//     input ...           the variables that it uses
//     output Real '$y'
//   protected             what it uses more than once
//   algorithm
//     '$s1' := ...        each once, arguments first
//     '$y' := ...
//
// Read back, such a function is a straight line and is executed symbolically: the same graph comes
// out again. A function makes no events: what does (a relation outside of noEvent) stays where it
// is, and only its parts can be moved.
FlatModel with_shared_functions(FlatModel model);

}  // namespace arges
