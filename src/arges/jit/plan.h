#pragma once
// How a program is cut for native code: straight parts, loops, and what must go through memory.
// Knows nothing of LLVM.

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "arges/compile/native.h"

namespace arges::jit {

// What an instruction does with its operands.
struct Operands {
  bool reads_a = false, reads_b = false, reads_dst = false, writes_dst = false;
  bool simple = false;  // no jump, no call back, no computed address
};
Operands operands_of(vm::Code code);
// Programs with other codes stay on the machine.
bool is_known(vm::Code code);
// The machine itself does these, one at a time.
bool is_step(vm::Code code);

// A piece of a program: the instructions [begin, begin + length), `count` times.
//
// count > 1: a loop that was found in the straight code. Iteration k stands at begin + k * length
// in the program; each operand of it is that of the first iteration plus k times a stride, which is
// the difference between the first two iterations. `body` covers one iteration: leaves, or loops
// with strides of their own.
struct Piece {
  enum class Kind { kLeaf, kLoop, kControl };  // kControl: jumps and calls back, as they stand
  Kind kind = Kind::kLeaf;
  std::uint32_t begin = 0, length = 0, count = 1;
  std::vector<Piece> body;  // of loops

  std::uint32_t end() const { return begin + length * count; }
};

// A function of native code: pieces that follow each other.
struct Part {
  std::vector<Piece> pieces;
};

struct Plan {
  std::vector<Part> parts;
  // For each instruction of the program (of loops: of the first iteration), whether its result must
  // be stored; else it is used only where it is made.
  std::vector<char> stored;
  std::uint64_t emitted = 0;  // instructions that code will be made for
};

// Cuts straight code, finds loops (in two levels: a row, and rows), and tells apart what is live in
// memory.
//
//   pieces:   greedy from the front: the period and count that cover most, if that is worth a loop;
//             the rest is leaves. Then the same over the sequence of pieces.
//   stored:   backwards over the pieces, with the set of registers whose value in memory is read
//             later: by another piece, by a call back, after the program.
//
// `part_size`: instructions in one function, about.
Plan make_plan(const vm::NativeInput& input, const vm::NativeProgramInput& program,
               std::uint32_t part_size);

// What the code of a part uses: the register file; calls back.
struct PartNeeds {
  bool work = false, host = false;
};
PartNeeds needs_of(const vm::NativeInput& input, const vm::Program& program, const Plan& plan,
                   const Part& part);

// Everything that the code of a part depends on, as bytes: equal bytes, equal code.
std::string content_of(const vm::NativeInput& input, const vm::Program& program, const Plan& plan,
                       const Part& part);

// Registers first .. last that an operand of a leaf's instruction takes in all iterations of the
// loops around it.
struct Range {
  std::int64_t first, last;
  bool meets(const Range& other) const { return first <= other.last && other.first <= last; }
};
// The loops around a leaf, from the outside in: length and count of each.
struct LoopLevel {
  std::uint32_t length, count;
};
enum class Operand { kDst, kA, kB };
std::uint32_t operand(const vm::Instruction& i, Operand which);

// An operand of a leaf: its register in the first iteration, and the stride of each level.
struct Reference {
  std::int64_t base = 0;
  std::int64_t stride[2] = {0, 0};
  // clang-tidy 14 takes the hidden 0 of the comparison for a null pointer.
  friend auto operator<=>(const Reference&,
                          const Reference&) = default;  // NOLINT(modernize-use-nullptr)
  bool same_strides(const Reference& o) const {
    return stride[0] == o.stride[0] && stride[1] == o.stride[1];
  }
};
Reference reference(const vm::Program& program, std::uint32_t i, Operand which,
                    const std::vector<LoopLevel>& around);
Range range_of(const Reference& r, const std::vector<LoopLevel>& around);

// Values that a leaf has at hand while its instructions are gone through in order. Decides the same
// way for the planner and for the emitter whether a read needs memory.
template <class Value>
class Forwarding {
 public:
  explicit Forwarding(const std::vector<LoopLevel>& around) : around_(around) {}
  // The value at hand, or null: it must be loaded.
  const Value* find(const Reference& r) const {
    const auto it = values_.find(r);
    return it != values_.end() ? &it->second : nullptr;
  }
  void loaded(const Reference& r, Value v) { values_[r] = v; }
  // A write to r: what may be the same register in some iteration is no longer known.
  void written(const Reference& r, Value v) {
    if (!around_.empty()) {
      const Range range = range_of(r, around_);
      std::erase_if(values_, [&](const auto& entry) {
        return !entry.first.same_strides(r) && range_of(entry.first, around_).meets(range);
      });
    }
    values_[r] = v;
  }

 private:
  const std::vector<LoopLevel>& around_;
  std::map<Reference, Value> values_;
};

// Which of the pointers of NativePart a register is reached by.
enum class Segment { kTime, kParameters, kInputs, kDiscretes, kStates, kRates, kWork };
Segment segment_of(const vm::Segments& segments, std::int64_t reg);

}  // namespace arges::jit
