#include "arges/jit/plan.h"

#include <gtest/gtest.h>

namespace arges::jit {
namespace {

using vm::Code;
using vm::Program;

// 1000 states, parameters and rates; then temporaries.
struct Rod {
  vm::Tables tables;
  vm::NativeInput input;
  Program program;

  Rod() {
    vm::Segments& s = input.segments;
    s.input_at = s.discrete_at = s.state_at = 1001;
    s.rate_at = 2001;
    s.other_at = s.constant_at = s.constant_end = s.variable_end = 3001;
    tables.registers.assign(3101, 0.0);
    input.tables = &tables;
  }
  Plan plan() {
    program.push_back({Code::kEnd, 0, 0, 0});
    vm::NativeProgramInput p{&program, {}, false};
    for (std::uint32_t i = 2001; i < 3001; ++i) p.live_out.push_back(i);
    return make_plan(input, p, 800);
  }
  // rate[i] = p[i] * (x[i + 1] - x[i])
  void row(std::uint32_t i) {
    program.push_back({Code::kSub, 3001, 1001 + i + 1, 1001 + i});
    program.push_back({Code::kMul, 2001 + i, 3001, 1 + i});
  }
};

TEST(Plan, EquationsOfAnArrayBecomeOneLoop) {
  Rod rod;
  for (std::uint32_t i = 0; i < 999; ++i) rod.row(i);
  const Plan plan = rod.plan();
  ASSERT_EQ(plan.parts.size(), 1U);
  ASSERT_EQ(plan.parts[0].pieces.size(), 1U);
  EXPECT_EQ(plan.parts[0].pieces[0].kind, Piece::Kind::kLoop);
  EXPECT_EQ(plan.parts[0].pieces[0].count, 999U);
  EXPECT_EQ(plan.emitted, 2U);
  EXPECT_FALSE(plan.stored[0]) << "the difference is used where it is made only";
  EXPECT_TRUE(plan.stored[1]);
  EXPECT_FALSE(needs_of(rod.input, rod.program, plan, plan.parts[0]).work);
}

TEST(Plan, RowsOfAGridBecomeALoopOfLoops) {
  Rod rod;
  for (std::uint32_t i = 0; i < 900; ++i) {
    rod.row(i);
    if (i % 90 == 89) rod.program.push_back({Code::kNeg, 2001 + i, 2001 + i, 2001 + i});
  }
  const Plan plan = rod.plan();
  EXPECT_LE(plan.emitted, 12U);
}

TEST(Plan, ALoopDoesNotRunOverTheEndOfASegment) {
  Rod rod;
  for (std::uint32_t i = 0; i < 100; ++i)
    rod.program.push_back({Code::kNeg, 2001 + i, 1001 - 50 + i, 1001 - 50 + i});
  const Plan plan = rod.plan();
  for (const Part& part : plan.parts) {
    for (const Piece& piece : part.pieces) {
      const std::uint32_t first = rod.program[piece.begin].a, last = rod.program[piece.end() - 1].a;
      EXPECT_EQ(segment_of(rod.input.segments, first), segment_of(rod.input.segments, last));
    }
  }
}

TEST(Plan, IrregularCodeIsCutIntoPartsOfBoundedSize) {
  Rod rod;
  std::uint32_t r = 1;
  for (std::uint32_t i = 0; i < 900; ++i) {
    r = (r * 7919 + 13) % 1000;
    rod.program.push_back(
        {i % 3 == 0 ? Code::kMul : Code::kAdd, 2001 + i, 1001 + r, 1 + r * r % 997});
  }
  const Plan plan = rod.plan();
  EXPECT_EQ(plan.parts.size(), 2U);
  EXPECT_EQ(plan.emitted, 900U);
}

}  // namespace
}  // namespace arges::jit
