#pragma once
// Counts heap allocations: proof that a step allocates nothing. Works in a test program one of
// whose .cc files includes allocation_guard_operators.h; elsewhere the count stays 0.

namespace arges::testing {

inline thread_local long allocation_count = 0;

// Counts the allocations of this thread since its construction.
class AllocationGuard {
 public:
  long count() const { return allocation_count - start_; }

 private:
  long start_ = allocation_count;
};

}  // namespace arges::testing
