#pragma once
// Single results of a program.

#include <cstdint>
#include <span>
#include <vector>

#include "arges/compile/program.h"

namespace arges::vm {

// For each of the results r[first], r[first + 1], ... of a program the instructions that it needs,
// in their order, and the registers below `first` that they read. Only of straight programs: a
// jump, an algebraic loop, a function, a check or a text leave this empty, as do results that have
// so much in common that all of them together would be many times the program.
class RowSlices {
 public:
  RowSlices() = default;
  // Registers from constants_begin to constants_end hold constants.
  RowSlices(const Program& program, std::uint32_t first, int rows, std::uint32_t constants_begin,
            std::uint32_t constants_end);

  bool empty() const { return slices_.empty(); }
  const Program& program(int row) const { return slices_[static_cast<std::size_t>(row)].program; }
  std::span<const std::uint32_t> inputs(int row) const {
    return slices_[static_cast<std::size_t>(row)].inputs;
  }

 private:
  struct Slice {
    Program program;
    std::vector<std::uint32_t> inputs;
  };
  std::vector<Slice> slices_;
};

}  // namespace arges::vm
