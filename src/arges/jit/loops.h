#pragma once
// Loops in straight code.

#include <vector>

#include "arges/jit/plan.h"

namespace arges::jit {

// Cuts the simple instructions [begin, end) into leaves and loops. An array equation of the user
// was unrolled by flattening; here the repetition is found again, whatever it came from: the same
// instructions, with each operand moving on by the same number of registers every time.
//
// Costs O(n) where there is repetition, O(n * largest period) where there is none.
std::vector<Piece> find_loops(const vm::Segments& segments, const vm::Program& code,
                              std::uint32_t begin, std::uint32_t end, std::uint32_t leaf_size);

}  // namespace arges::jit
