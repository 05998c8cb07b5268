#pragma once
// Plans to LLVM's intermediate code.

#include <string>

#include "arges/compile/native.h"
#include "arges/jit/plan.h"

namespace llvm {
class Module;
}

namespace arges::jit {

// Adds the function `name` (a NativePart) for one part of a program. No operation is reordered,
// fused or replaced: each gives the machine's bits. Libm functions are called by names of their
// own ("arges_sin"), so that LLVM knows nothing about them. Returns whether there are loops in it.
bool emit_part(llvm::Module& module, const std::string& name, const vm::NativeInput& input,
               const vm::Program& program, const Plan& plan, const Part& part);

// Adds the function `name` (a NativeFunction) for user function number `index`. False: it has
// instructions that are not known here.
bool emit_function(llvm::Module& module, const std::string& name, const vm::NativeInput& input,
                   std::uint32_t index);

}  // namespace arges::jit
