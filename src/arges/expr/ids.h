#pragma once
// Typed indices of the equation world: expressions, variables, functions, strings.

#include "arges/base/ids.h"

namespace arges {

using ExprId = Id<struct ExprTag>;          // a node of an ExprPool
using VarId = Id<struct VarTag>;            // a variable of a FlatModel
using FunctionId = Id<struct FunctionTag>;  // a function of a FlatModel
using LocalId = Id<struct LocalTag>;        // a variable of a function body
using StringId = Id<struct StringTag>;      // an interned string of an ExprPool

}  // namespace arges
