#include "arges/elaborate/predefined.h"

#include <algorithm>

namespace arges::lang {
namespace {

// Sorted.
constexpr std::string_view kFunctions[] = {
    "Boolean",      "Clock",
    "Integer",      "Real",
    "String",       "abs",
    "acos",         "activeState",
    "actualStream", "array",
    "asin",         "assert",
    "atan",         "atan2",
    "backSample",   "cardinality",
    "cat",          "ceil",
    "change",       "cos",
    "cosh",         "cross",
    "delay",        "der",
    "diagonal",     "div",
    "edge",         "exp",
    "fill",         "firstTick",
    "floor",        "getInstanceName",
    "hold",         "homotopy",
    "identity",     "inStream",
    "initial",      "initialState",
    "integer",      "interval",
    "linspace",     "log",
    "log10",        "matrix",
    "max",          "min",
    "mod",          "ndims",
    "noClock",      "noEvent",
    "ones",         "outerProduct",
    "pre",          "previous",
    "product",      "pure",
    "reinit",       "rem",
    "rooted",       "sample",
    "scalar",       "semiLinear",
    "shiftSample",  "sign",
    "sin",          "sinh",
    "size",         "skew",
    "smooth",       "spatialDistribution",
    "sqrt",         "subSample",
    "sum",          "superSample",
    "symmetric",    "tan",
    "tanh",         "terminal",
    "terminate",    "ticksInState",
    "timeInState",  "transition",
    "transpose",    "vector",
    "zeros",
};
static_assert(std::is_sorted(std::begin(kFunctions), std::end(kFunctions)));

}  // namespace

bool is_predefined_function(std::string_view name) {
  return std::binary_search(std::begin(kFunctions), std::end(kFunctions), name);
}

std::span<const std::string_view> predefined_functions() { return kFunctions; }

}  // namespace arges::lang
