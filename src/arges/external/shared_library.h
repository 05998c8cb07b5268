#pragma once
// Functions of a user's shared library.

#include <memory>
#include <string>
#include <vector>

#include "arges/external/call.h"

namespace arges::external {

// Libraries that the user allows models to call, in the order in which they are searched. Loaded at
// once; a library that cannot be loaded is a UserError.
class SharedLibraries {
 public:
  SharedLibraries() = default;
  explicit SharedLibraries(const std::vector<std::string>& paths);
  ~SharedLibraries();
  SharedLibraries(const SharedLibraries&) = delete;
  SharedLibraries& operator=(const SharedLibraries&) = delete;

  // The address of a function, or null.
  void* find(const std::string& name) const;

 private:
  std::vector<void*> handles_;
};

// What a C function returns.
enum class ReturnType : std::uint8_t { kNothing, kReal, kInteger, kString, kObject };

// Calls a C function with the arguments converted: Real to double, Integer, Boolean and enumeration
// to int, String to const char*, an object to void*; arrays to pointers to their elements, row by
// row; outputs to pointers. What comes back is converted the other way.
//
// Integers and pointers travel in other registers than doubles, so that one call with all registers
// filled does for every signature that fits: six of the former and eight of the latter on x86-64,
// eight each on ARM. More of them is an EvaluationError.
void call_library(void* address, const Call& call, ReturnType type);

}  // namespace arges::external
