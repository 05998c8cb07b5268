// What a change of structure costs in a model as text: a ring of blocks of different dimension,
// against the same motion in one block with reinit.

#include <fmt/format.h>

#include "arges/driver/model_text.h"
#include "arges/hybrid/simulator.h"
#include "bench/compare.h"
#include "bench/suites.h"

namespace arges::bench {

namespace {

constexpr int kBlocks = 50, kSwitches = 1000;
constexpr double kMicroseconds = 20;

// Block i has the falling s[1] and i mod 5 further states.
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
    text += fmt::format("  B b{}(n = {});\n", i, 1 + i % 5);
    equations += fmt::format("  transition(b{}, b{}, b{}.s[1] < 0);\n", i, i % kBlocks + 1, i);
  }
  return text + equations + "end Ring;\n";
}

// The mean dimension, without a change of structure.
constexpr const char* kOneBlock = R"(model Saw
  Real s[3](each start = 1, each fixed = true);
equation
  der(s[1]) = -1;
  der(s[2]) = s[1] - s[2];
  der(s[3]) = s[2] - s[3];
  when s[1] < 0 then
    reinit(s[1], 1);
    reinit(s[2], 1);
    reinit(s[3], 1);
  end when;
end Saw;
)";

}  // namespace

void compare_switching(Table& table) {
  table.section("changes of structure in model text");
  const auto machine = model_from_text("Ring.mo", ring());
  const auto one = model_from_text("Saw.mo", kOneBlock);
  RunOptions options;
  options.stop_time = kSwitches + 0.5;
  options.solver = "dopri5";
  Simulator with(*machine, options), without(*one, options);
  const auto run = [&](Simulator& simulator, const HybridSystem& system) {
    const RunResult result = simulator.run(make_context(system), nullptr);
    if (!result.status.ok() || result.events < kSwitches)
      table.wrong(fmt::format("{}: {} events, {}", system.schema().name, result.events,
                              result.status.message));
  };
  const Times times =
      compare(in_process([&] { run(with, *machine); }), in_process([&] { run(without, *one); }));
  const double cost = 1e6 * (times.ours - times.reference) / kSwitches;
  table.add({fmt::format("{} switches among {} modes, against reinit", kSwitches, kBlocks),
             times.ours, times.reference, "s", 0,
             fmt::format("a switch costs {:.2f} us more than a reinit", cost)});
  if (cost > kMicroseconds)
    table.wrong(fmt::format("a switch costs {:.1f} us, more than {}", cost, kMicroseconds));
}

}  // namespace arges::bench
