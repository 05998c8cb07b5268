#pragma once
// Counts heap allocations: proof that a step allocates nothing.
//
// This header replaces the global operator new of the program, so exactly one .cc file of a test
// program may include it. Every form of new that is not replaced here calls one that is.

#include <cstdlib>
#include <new>

namespace arges::testing {

inline thread_local long allocation_count = 0;

// Counts the allocations of this thread since its construction.
class AllocationGuard {
 public:
  long count() const { return allocation_count - start_; }

 private:
  long start_ = allocation_count;
};

inline void* counted_allocation(std::size_t size) {
  ++allocation_count;
  if (void* memory = std::malloc(size == 0 ? 1 : size)) return memory;
  throw std::bad_alloc();
}

}  // namespace arges::testing

void* operator new(std::size_t size) { return arges::testing::counted_allocation(size); }
void* operator new[](std::size_t size) { return arges::testing::counted_allocation(size); }
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete[](void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t) noexcept { std::free(memory); }
