// What a change of structure costs, in a model as text and in one in C++: a ring of modes of
// different dimension, against the same motion in one mode whose states are set anew.

#include <fmt/format.h>

#include "arges/driver/model_text.h"
#include "arges/hybrid/simulator.h"
#include "bench/compare.h"
#include "bench/suites.h"
#include "tests/testing/ring_of_modes.h"

namespace arges::bench {

namespace {

constexpr int kBlocks = 50, kSwitches = 1000, kMean = 25;
constexpr double kMicroseconds = 20;

// Block i has i states, the first of which falls.
std::string ring() {
  std::string text = R"(model Ring
  block B
    parameter Integer n = 1;
    Real s[n](each start = 1, each fixed = true);
  equation
    der(s[1]) = -1;
    for i in 2:n loop
      der(s[i]) = s[i - 1] - s[i];
    end for;
  end B;
)";
  std::string equations = "equation\n  initialState(b1);\n";
  for (int i = 1; i <= kBlocks; ++i) {
    text += fmt::format("  B b{}(n = {});\n", i, i);
    equations += fmt::format("  transition(b{}, b{}, b{}.s[1] < 0);\n", i, i % kBlocks + 1, i);
  }
  return text + equations + "end Ring;\n";
}

// The mean dimension, without a change of structure.
const std::string kOneBlock = fmt::format(R"(model Saw
  Real s[{0}](each start = 1, each fixed = true);
equation
  der(s[1]) = -1;
  for i in 2:{0} loop
    der(s[i]) = s[i - 1] - s[i];
  end for;
  when s[1] < 0 then
    for i in 1:{0} loop
      reinit(s[i], 1);
    end for;
  end when;
end Saw;
)",
                                          kMean);

void compare_ring(Table& table, const char* where, const HybridSystem& ring,
                  const HybridSystem& one) {
  RunOptions options;
  options.stop_time = kSwitches + 0.5;
  options.solver = "dopri5";
  Simulator with(ring, options), without(one, options);
  const auto run = [&](Simulator& simulator, const HybridSystem& system) {
    const RunResult result = simulator.run(make_context(system), nullptr);
    if (!result.status.ok() || result.events < kSwitches)
      table.wrong(fmt::format("{}: {} events, {}", system.schema().name, result.events,
                              result.status.message));
  };
  const Times times =
      compare(in_process([&] { run(with, ring); }), in_process([&] { run(without, one); }));
  const double cost = 1e6 * (times.ours - times.reference) / kSwitches;
  table.add({fmt::format("{} switches among {} modes, {}", kSwitches, kBlocks, where), times.ours,
             times.reference, "s", 0,
             fmt::format("a switch costs {:.2f} us more than to set the states", cost)});
  if (cost > kMicroseconds)
    table.wrong(fmt::format("a switch costs {:.1f} us, more than {}", cost, kMicroseconds));
}

}  // namespace

void compare_switching(Table& table) {
  table.section("changes of structure");
  compare_ring(table, "in text", *model_from_text("Ring.mo", ring()),
               *model_from_text("Saw.mo", kOneBlock));
  compare_ring(table, "in C++", testing::RingOfModes(kBlocks), testing::RingOfModes(1, kMean));
}

}  // namespace arges::bench
