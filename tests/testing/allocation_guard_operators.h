#pragma once
// Replaces the global operator new of the program by one that counts: to be included by exactly one
// .cc file of a test program. Allocations with extended alignment are not counted.

#include <cstdlib>
#include <new>

#include "testing/allocation_guard.h"

namespace arges::testing {

inline void* counted_allocation_or_null(std::size_t size) {
  ++allocation_count;
  return std::malloc(size == 0 ? 1 : size);
}

inline void* counted_allocation(std::size_t size) {
  if (void* memory = counted_allocation_or_null(size)) return memory;
  throw std::bad_alloc();
}

}  // namespace arges::testing

// Not inlined: the compiler would take a free() in place of delete for a mistake.
[[gnu::noinline]] void* operator new(std::size_t size) {
  return arges::testing::counted_allocation(size);
}
[[gnu::noinline]] void* operator new[](std::size_t size) {
  return arges::testing::counted_allocation(size);
}
// The sanitizers' own forms for nothrow would not match the operator delete below.
[[gnu::noinline]] void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  return arges::testing::counted_allocation_or_null(size);
}
[[gnu::noinline]] void* operator new[](std::size_t size, const std::nothrow_t&) noexcept {
  return arges::testing::counted_allocation_or_null(size);
}
[[gnu::noinline]] void operator delete(void* memory) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete[](void* memory) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete[](void* memory, std::size_t) noexcept { std::free(memory); }
