#include "arges/compile/row_slices.h"

#include <algorithm>
#include <array>
#include <unordered_map>

namespace arges::vm {

namespace {

constexpr std::int32_t kNone = -1;

// What an instruction reads; false: it is not one that only computes r[dst].
bool operands_of(const Instruction& of, std::array<std::uint32_t, 3>& operands, int& count) {
  count = 0;
  if (of.code < Code::kAdd) {
    operands[count++] = of.a;
  } else if (of.code < Code::kMoveIf) {
    operands[count++] = of.a;
    operands[count++] = of.b;
  } else if (of.code == Code::kMoveIf) {
    operands = {of.a, of.b, of.dst};
    count = 3;
  } else {
    return of.code == Code::kConst;
  }
  return true;
}

}  // namespace

RowSlices::RowSlices(const Program& program, std::uint32_t first, int rows,
                     std::uint32_t constants_begin, std::uint32_t constants_end) {
  constexpr std::size_t kMostCopies = 16;
  const std::size_t size = program.empty() ? 0 : program.size() - 1;  // without kEnd
  // Who has written what each instruction reads.
  std::unordered_map<std::uint32_t, std::int32_t> writer;
  std::vector<std::array<std::int32_t, 3>> sources(size);
  std::vector<std::array<std::uint32_t, 3>> operands(size);
  std::vector<int> counts(size);
  for (std::size_t at = 0; at < size; ++at) {
    if (!operands_of(program[at], operands[at], counts[at])) return;
    for (int k = 0; k < counts[at]; ++k) {
      const std::uint32_t read = operands[at][k];
      const auto found = writer.find(read);
      sources[at][k] = found == writer.end() ? kNone : found->second;
      const bool is_known = read < first || (read >= constants_begin && read < constants_end);
      if (sources[at][k] == kNone && !is_known) return;
    }
    writer[program[at].dst] = static_cast<std::int32_t>(at);
  }
  std::vector<Slice> slices(static_cast<std::size_t>(rows));
  std::vector<std::int32_t> needed;
  std::vector<int> seen(size, kNone);  // in which row
  std::size_t total = 0;
  for (int row = 0; row < rows; ++row) {
    const auto result = writer.find(first + static_cast<std::uint32_t>(row));
    if (result == writer.end()) return;
    Slice& slice = slices[static_cast<std::size_t>(row)];
    needed.assign(1, result->second);
    seen[static_cast<std::size_t>(result->second)] = row;
    for (std::size_t next = 0; next < needed.size(); ++next) {
      const auto at = static_cast<std::size_t>(needed[next]);
      for (int k = 0; k < counts[at]; ++k) {
        const std::int32_t source = sources[at][k];
        if (source == kNone) {
          if (operands[at][k] < first) slice.inputs.push_back(operands[at][k]);
        } else if (seen[static_cast<std::size_t>(source)] != row) {
          seen[static_cast<std::size_t>(source)] = row;
          needed.push_back(source);
        }
      }
    }
    total += needed.size();
    if (total > kMostCopies * size) return;
    std::sort(needed.begin(), needed.end());
    for (const std::int32_t at : needed)
      slice.program.push_back(program[static_cast<std::size_t>(at)]);
    slice.program.push_back(program.back());
    std::sort(slice.inputs.begin(), slice.inputs.end());
    slice.inputs.erase(std::unique(slice.inputs.begin(), slice.inputs.end()), slice.inputs.end());
  }
  slices_ = std::move(slices);
}

}  // namespace arges::vm
