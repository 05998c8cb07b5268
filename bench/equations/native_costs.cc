// Right-hand sides of models as text, in native code, against C written by hand.

#include <cmath>
#include <filesystem>
#include <fstream>
#include <unordered_map>

#include <unistd.h>

#include <fmt/format.h>

#include "arges/base/error.h"
#include "arges/compile/compiled_system.h"
#include "arges/driver/model_text.h"
#include "arges/hybrid/simulator.h"
#include "bench/compare.h"
#include "bench/equations/hand_written.h"
#include "bench/suites.h"

namespace arges::bench {

namespace {

constexpr double kBound = 1.2;

struct Problem {
  std::string name, text;
  std::vector<std::string> parameters, states;  // in the order of the C function
  void (*function)(const double* p, const double* x, double* d);
  int repeat;
};

std::vector<std::string> indexed(const std::string& name, int n) {
  std::vector<std::string> names;
  for (int i = 1; i <= n; ++i) names.push_back(fmt::format("{}[{}]", name, i));
  return names;
}

constexpr int kChain = 1000, kGrid = 316;

Problem lithium() {
  return {"C1",
          R"(model Lithium
  parameter Real kr = 1, kf = 0.1, lf = 1000, dr = 0.1, dm = 1, p = 0;
  Real f(start = 9.975, fixed = true), m(start = 1.674, fixed = true), r(start = 84.99, fixed = true);
equation
  der(r) = -dr*r + kr*m*f;
  der(m) = dr*r - dm*m + kf*f^2 - kr*m*f;
  der(f) = dr*r + 2*dm*m - kr*m*f - 2*kf*f^2 - lf*f + p;
end Lithium;
)",
          {"kr", "kf", "lf", "dr", "dm", "p"},
          {"f", "m", "r"},
          bench_c1,
          2000};
}

Problem chain() {
  Problem problem{"chain of 1000",
                  fmt::format(R"(model Chain
  parameter Integer n = {};
  parameter Real k = 0.01, r[n] = {{1 + 0.001*i for i in 1:n}}, c[n] = {{2 - 0.001*i for i in 1:n}};
  parameter Real source = 0.7;
  Real x[n](start = {{0.5 + 0.3*sin(i) for i in 1:n}}, each fixed = true);
equation
  for i in 1:n loop
    der(x[i]) = (((if i > 1 then x[i - 1] else source) - x[i])/r[i]
      - (if i < n then (x[i] - x[i + 1])/r[i + 1] else 0) - k*x[i]*x[i]*x[i])/c[i];
  end for;
end Chain;
)",
                              kChain),
                  {"k"},
                  indexed("x", kChain),
                  [](const double* p, const double* x, double* d) { bench_chain(p, x, d, kChain); },
                  20};
  for (const char* name : {"r", "c"}) {
    for (const std::string& element : indexed(name, kChain)) problem.parameters.push_back(element);
  }
  problem.parameters.push_back("source");
  return problem;
}

Problem grid() {
  Problem problem{"grid of 99856",
                  fmt::format(R"(model Grid
  parameter Integer n = {};
  parameter Real k[n, n] = {{{{0.5 + 0.001*i + 0.002*j for j in 1:n}} for i in 1:n}};
  Real u[n, n](start = {{{{sin(i)*j/n for j in 1:n}} for i in 1:n}}, each fixed = true);
equation
  for i in 1:n loop
    for j in 1:n loop
      der(u[i, j]) = k[i, j]*(-4*u[i, j] + (if i > 1 then u[i - 1, j] else 0) + (if i < n then u[i + 1, j] else 0)
        + (if j > 1 then u[i, j - 1] else 0) + (if j < n then u[i, j + 1] else 0));
    end for;
  end for;
end Grid;
)",
                              kGrid),
                  {},
                  {},
                  [](const double* p, const double* x, double* d) { bench_grid(p, x, d, kGrid); },
                  1};
  for (int i = 1; i <= kGrid; ++i) {
    for (int j = 1; j <= kGrid; ++j) {
      problem.parameters.push_back(fmt::format("k[{},{}]", i, j));
      problem.states.push_back(fmt::format("u[{},{}]", i, j));
    }
  }
  return problem;
}

std::unique_ptr<HybridSystem> open(const Problem& problem) {
  const auto path = std::filesystem::temp_directory_path() /
                    fmt::format("arges_bench_{}.mo", static_cast<int>(::getpid()));
  std::ofstream(path) << problem.text;
  auto system = open_model(ModelRegistry(), {path.string(), "", false, Tier::kJit});
  std::filesystem::remove(path);
  return system;
}

// The positions of names in a list of variables.
template <class List>
std::vector<std::size_t> positions(const std::vector<std::string>& names, const List& list) {
  std::unordered_map<std::string, std::size_t> at;
  for (std::size_t i = 0; i < list.size(); ++i) at[list[i].name] = i;
  std::vector<std::size_t> result;
  for (const std::string& name : names) result.push_back(at.at(name));
  return result;
}

void compare_rates(Table& table, const Problem& problem) {
  const auto opened = open(problem);
  const auto& system = dynamic_cast<const CompiledSystem&>(*opened);
  if (!system.native()->compile_now(vm::NativeLevel::kOptimised)) {
    table.wrong(fmt::format("{}: no native code: {}", problem.name, system.native()->problem()));
    return;
  }
  const Context c = make_context(system);
  const auto state_at = positions(problem.states, system.schema().modes[0].states);
  const auto parameter_at = positions(problem.parameters, system.schema().parameters);
  std::vector<double> x, p, theirs(c.x.size()), ours(c.x.size());
  for (const std::size_t i : state_at) x.push_back(c.x[i]);
  for (const std::size_t i : parameter_at) p.push_back(c.p[i]);

  system.derivatives(point_at(c), Rates(ours.data()));
  problem.function(p.data(), x.data(), theirs.data());
  double error = 0;
  for (std::size_t i = 0; i < state_at.size(); ++i) {
    error = std::max(error, std::abs(ours[state_at[i]] - theirs[i]) / (1 + std::abs(theirs[i])));
  }
  if (!(error <= 1e-12))
    table.wrong(fmt::format("rates of {} differ by {:.2e}", problem.name, error));

  const HybridSystem& model = system;
  const Point at = point_at(c);
  const Times times = compare(in_process([&] {
                                for (int k = 0; k < problem.repeat; ++k)
                                  model.derivatives(at, Rates(ours.data()));
                              }),
                              in_process([&] {
                                for (int k = 0; k < problem.repeat; ++k)
                                  problem.function(p.data(), x.data(), theirs.data());
                              }));
  const double scale = 1e9 / problem.repeat;
  table.add({fmt::format("rates of {}, native / C", problem.name), times.ours * scale,
             times.reference * scale, "ns", kBound,
             fmt::format("{} modules, {} bytes", system.native()->image()->modules,
                         system.native()->image()->bytes)});
}

}  // namespace

void compare_native_code(Table& table) {
  table.section("right-hand sides of models as text, against C by hand");
  for (const Problem& problem : {lithium(), chain(), grid()}) compare_rates(table, problem);
}

}  // namespace arges::bench
