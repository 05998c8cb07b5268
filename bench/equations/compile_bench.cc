// From flat equations to the first step, and the cost of a right-hand side on the register machine.

#include <benchmark/benchmark.h>

#include <cmath>
#include <string>

#include "arges/causalize/passes.h"
#include "arges/compile/compiled_system.h"
#include "arges/flat/builder.h"
#include "arges/hybrid/simulator.h"

namespace {

using namespace arges;

// Sections of a ladder with a resistor and a capacitor each, written as components would be:
// currents, voltages of both pins, connections. Six equations and unknowns for each section.
FlatModel ladder(int n) {
  ModelBuilder m("Ladder");
  const Ex r = m.parameter("R", 1), c = m.parameter("C", 1);
  Ex before = m.real("source.v");
  m.equation(before, sin(m.time()));
  std::vector<Ex> v, i, node;
  for (int k = 1; k <= n; ++k) {
    const std::string name = "section[" + std::to_string(k) + "].";
    v.push_back(m.state(name + "C.v", 0));
    i.push_back(m.real(name + "R.i"));
    const Ex drop = m.real(name + "R.v"), pin = m.real(name + "R.n.v"), ic = m.real(name + "C.i"),
             out = m.real(name + "n.v");
    m.equation(drop, r * i.back());
    m.equation(drop, before - pin);
    m.equation(pin, v.back());
    m.equation(out, pin);
    m.equation(c * der(v.back()), ic);
    node.push_back(ic);
    before = out;
  }
  for (std::size_t k = 0; k < node.size(); ++k) {
    if (k + 1 < node.size()) {
      m.equation(i[k] - node[k] - i[k + 1], 0);
    } else {
      m.equation(i[k] - node[k], 0);
    }
  }
  return m.take();
}

void flat_to_first_rate(benchmark::State& state) {
  const int n = static_cast<int>(state.range(0)) / 6;
  double check = 0;
  for (auto _ : state) {
    state.PauseTiming();
    FlatModel flat = ladder(n);
    state.ResumeTiming();
    const auto system = compile_system(std::move(flat));
    Context c = make_context(*system);
    Update update(*system, c, c);
    system->initialize(update);
    std::vector<double> rate(c.x.size());
    c.t = 1;
    system->derivatives(point_at(c), Rates(rate.data()));
    check = rate[0];
  }
  if (std::abs(check - std::sin(1.0)) > 1e-12) state.SkipWithError("wrong rate");
  state.SetComplexityN(state.range(0));
}
BENCHMARK(flat_to_first_rate)
    ->RangeMultiplier(10)
    ->Range(1'000, 1'000'000)
    ->Unit(benchmark::kMillisecond)
    ->Complexity();

void rate_of_ladder(benchmark::State& state) {
  const auto system = compile_system(ladder(static_cast<int>(state.range(0)) / 6));
  Context c = make_context(*system);
  std::vector<double> rate(c.x.size());
  for (auto _ : state) {
    system->derivatives(point_at(c), Rates(rate.data()));
    benchmark::DoNotOptimize(rate.data());
  }
  state.counters["instructions"] = static_cast<double>(system->code().rate_program.size());
}
BENCHMARK(rate_of_ladder)
    ->RangeMultiplier(10)
    ->Range(1'000, 100'000)
    ->Unit(benchmark::kMicrosecond);

FlatModel lithium() {
  ModelBuilder m("Lithium");
  const Ex kr = m.parameter("kr", 1), kf = m.parameter("kf", 0.1), lf = m.parameter("lf", 1000),
           dr = m.parameter("dr", 0.1), dm = m.parameter("dm", 1), p = m.parameter("p", 0);
  const Ex f = m.state("f", 9.975), mm = m.state("m", 1.674), r = m.state("r", 84.99);
  m.equation(der(r), -dr * r + kr * mm * f);
  m.equation(der(mm), dr * r - dm * mm + kf * f * f - kr * mm * f);
  m.equation(der(f), dr * r + 2 * dm * mm - kr * mm * f - 2 * kf * f * f - lf * f + p);
  return m.take();
}

void rate_of_lithium(benchmark::State& state) {
  const auto system = compile_system(lithium());
  const Context c = make_context(*system);
  std::vector<double> rate(3);
  for (auto _ : state) {
    system->derivatives(point_at(c), Rates(rate.data()));
    benchmark::DoNotOptimize(rate.data());
  }
}
BENCHMARK(rate_of_lithium);

void lithium_from_flat_to_system(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(compile_system(lithium()));
}
BENCHMARK(lithium_from_flat_to_system)->Unit(benchmark::kMicrosecond);

}  // namespace
