// Native code against the register machine, bit for bit.

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <random>

#include <fmt/format.h>

#include "arges/compile/native_tier.h"

namespace arges::vm {
namespace {

// NaN is NaN: which one, the order of operands decides, and compilers may change that.
bool same_bits(double a, double b) {
  return (std::isnan(a) && std::isnan(b)) ||
         std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
}

// A register file with segments of the same size, and programs over it.
struct Machine {
  static constexpr std::uint32_t kSize = 64;  // of each segment
  Tables tables;
  Segments segments;
  std::vector<Program> programs;

  Machine() {
    std::uint32_t at = 1;
    for (std::uint32_t* s :
         {&segments.parameter_at, &segments.input_at, &segments.discrete_at, &segments.state_at,
          &segments.rate_at, &segments.other_at, &segments.constant_at, &segments.constant_end}) {
      *s = at;
      at += kSize;
    }
    segments.variable_end = segments.constant_at;
    tables.registers.assign(segments.constant_end + kSize, 0.0);
    for (std::uint32_t i = segments.constant_at; i < segments.constant_end; ++i)
      tables.registers[i] = 0.25 * (i - segments.constant_at) - 3;
  }
  std::uint32_t temporary_at() const { return segments.constant_end; }

  std::unique_ptr<NativeTier> compile(NativeLevel level,
                                      const std::vector<std::uint32_t>& live_out = {}) {
    NativeInput input;
    input.tables = &tables;
    input.segments = segments;
    input.host = Workspace::native_host();
    input.math = native_math();
    for (Program& p : programs) {
      p.native = static_cast<std::int32_t>(input.programs.size());
      input.programs.push_back({&p, live_out, live_out.empty()});
    }
    auto tier = std::make_unique<NativeTier>(Tier::kAuto, std::move(input));
    EXPECT_TRUE(tier->compile_now(level)) << tier->problem();
    return tier;
  }
};

const double kSpecial[] = {0.0,
                           -0.0,
                           1.0,
                           -1.0,
                           0.5,
                           -2.5,
                           2.0,
                           3.0,
                           1e-310,
                           -1e300,
                           1e300,
                           709.9,
                           std::numeric_limits<double>::infinity(),
                           -std::numeric_limits<double>::infinity(),
                           std::numeric_limits<double>::quiet_NaN(),
                           std::nextafter(1.0, 2.0),
                           -7.0000000001,
                           0.1};

class Levels : public ::testing::TestWithParam<NativeLevel> {};

// Not the user's cache.
const int kNoCache = setenv("ARGES_CACHE_DIR", "", 1);

TEST_P(Levels, EveryOperationGivesTheMachinesBitsForAllPairsOfSpecialValues) {
  for (std::uint32_t c = 0; c <= static_cast<std::uint32_t>(Code::kMoveIf); ++c) {
    Machine m;
    const std::uint32_t x = m.segments.state_at, out = m.segments.other_at;
    m.programs.resize(1);
    m.programs[0].push_back({static_cast<Code>(c), out, x, x + 1});
    m.programs[0].push_back({Code::kEnd, 0, 0, 0});
    const auto tier = m.compile(GetParam());
    Workspace machine(m.tables), native(m.tables, tier.get());
    for (const double a : kSpecial) {
      for (const double b : kSpecial) {
        for (Workspace* w : {&machine, &native}) {
          (*w)[x] = a;
          (*w)[x + 1] = b;
          (*w)[out] = 42;
          w->run(m.programs[0]);
        }
        EXPECT_TRUE(same_bits(machine[out], native[out]))
            << "operation " << c << " of " << a << ", " << b << ": " << machine[out] << " and "
            << native[out];
      }
    }
  }
}

// Blocks of random instructions, repeated with operands that move: loops, loops of loops, and what
// only looks like one.
Program random_program(std::mt19937& random, const Machine& m) {
  const auto below = [&](std::uint32_t n) {
    return std::uniform_int_distribution<std::uint32_t>(0, n - 1)(random);
  };
  struct Moving {
    std::uint32_t base, inner, outer;
  };
  const auto source = [&]() -> Moving {
    const std::uint32_t starts[] = {m.segments.parameter_at, m.segments.discrete_at,
                                    m.segments.state_at, m.segments.rate_at, m.segments.other_at};
    switch (below(4)) {
      case 0:
        return {m.segments.constant_at + below(Machine::kSize), 0, 0};
      case 1:
        return {m.temporary_at() + below(6), 0, 0};
      default:
        return {starts[below(5)] + below(8), below(3), below(3) * 4};
    }
  };
  const auto target = [&]() -> Moving {
    const std::uint32_t starts[] = {m.segments.rate_at, m.segments.other_at};
    if (below(2) == 0) return {m.temporary_at() + below(6), 0, 0};
    return {starts[below(2)] + below(8), below(3), below(3) * 4};
  };
  const Code codes[] = {Code::kAdd,      Code::kSub,      Code::kMul,      Code::kNeg,
                        Code::kWholeAdd, Code::kWholeSub, Code::kWholeMul, Code::kMin,
                        Code::kLess,     Code::kSin,      Code::kMoveIf};
  Program program;
  const std::uint32_t blocks = 1 + below(4);
  for (std::uint32_t block = 0; block < blocks; ++block) {
    struct Shape {
      Code code;
      Moving dst, a, b;
    };
    std::vector<Shape> body(1 + below(6)), between(below(3));
    for (auto* list : {&body, &between})
      for (Shape& s : *list) s = {codes[below(std::size(codes))], target(), source(), source()};
    const std::uint32_t inner = 1 + below(18), outer = 1 + below(5);
    const auto add = [&](const Shape& s, std::uint32_t i, std::uint32_t o) {
      const auto at = [&](const Moving& v) { return v.base + i * v.inner + o * v.outer; };
      program.push_back({s.code, at(s.dst), at(s.a), at(s.b)});
    };
    for (std::uint32_t o = 0; o < outer; ++o) {
      for (const Shape& s : between) add(s, 0, o);
      for (std::uint32_t i = 0; i < inner; ++i) {
        for (const Shape& s : body) add(s, i, o);
      }
    }
  }
  program.push_back({Code::kEnd, 0, 0, 0});
  return program;
}

TEST_P(Levels, RandomProgramsWithLoopsGiveTheMachinesBits) {
  std::mt19937 random(20261115);
  for (int batch = 0; batch < 6; ++batch) {
    Machine m;
    for (int k = 0; k < 25; ++k) m.programs.push_back(random_program(random, m));
    std::vector<std::uint32_t> live_out;  // empty: all
    if (batch % 2 == 1) {
      for (std::uint32_t i = m.segments.rate_at; i < m.segments.other_at; i += 2)
        live_out.push_back(i);
    }
    const auto tier = m.compile(GetParam(), live_out);
    std::uniform_real_distribution<double> uniform(-2, 2);
    for (const Program& program : m.programs) {
      Workspace machine(m.tables), native(m.tables, tier.get());
      for (std::uint32_t i = 0; i < m.segments.constant_at; ++i)
        machine[i] = native[i] = uniform(random);
      machine.run(program);
      native.run(program);
      for (std::uint32_t i = 0; i < m.segments.constant_at; ++i) {
        const bool read =
            live_out.empty() || std::find(live_out.begin(), live_out.end(), i) != live_out.end();
        if (!read) continue;
        ASSERT_TRUE(same_bits(machine[i], native[i]))
            << "register " << i << " of a program of batch " << batch << " with " << program.size()
            << " instructions: " << machine[i] << " and " << native[i];
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Native, Levels,
                         ::testing::Values(NativeLevel::kFast, NativeLevel::kOptimised),
                         [](const auto& level) {
                           return level.param == NativeLevel::kFast ? "fast" : "optimised";
                         });

TEST(NativeTier, AMissingPluginLeavesEverythingToTheMachineAndSaysWhy) {
  setenv("ARGES_JIT_PLUGIN", "/nonexistent/arges_jit.so", 1);
  Machine m;
  m.programs.resize(1);
  m.programs[0].push_back({Code::kNeg, m.segments.rate_at, m.segments.state_at, 0});
  m.programs[0].push_back({Code::kEnd, 0, 0, 0});
  NativeInput input;
  input.tables = &m.tables;
  input.segments = m.segments;
  input.programs.push_back({&m.programs[0], {}, true});
  NativeTier tier(Tier::kJit, std::move(input));
  unsetenv("ARGES_JIT_PLUGIN");
  EXPECT_EQ(tier.image(), nullptr);
  EXPECT_NE(tier.problem().find("not installed"), std::string::npos) << tier.problem();
  Workspace w(m.tables, &tier);
  w[m.segments.state_at] = 3;
  w.run(m.programs[0]);
  EXPECT_EQ(w[m.segments.rate_at], -3);
}

}  // namespace
}  // namespace arges::vm
