// Runs of models as text do not depend on what runs the equations.

#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <bit>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>
#include <thread>

#include "arges/compile/compiled_system.h"
#include "arges/driver/model_text.h"
#include "arges/hybrid/simulator.h"
#include "arges/results/memory_sink.h"

namespace arges {
namespace {

struct TierOutcome {
  RunResult result;
  Trajectory trajectory;
};

class Tiers : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ =
        std::filesystem::temp_directory_path() / ("arges_tiers_test_" + std::to_string(::getpid()));
    std::filesystem::create_directories(folder_);
    setenv("ARGES_CACHE_DIR", (folder_ / "cache").c_str(), 1);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::unique_ptr<CompiledSystem> open(const std::string& text, Tier tier) {
    const std::string path = (folder_ / "M.mo").string();
    std::ofstream(path) << text;
    auto system = open_model(ModelRegistry(), {path, "", false, tier});
    return std::unique_ptr<CompiledSystem>(dynamic_cast<CompiledSystem*>(system.release()));
  }

  static TierOutcome run(const CompiledSystem& system, const std::string& solver) {
    RunOptions options;
    options.stop_time = system.schema().experiment.stop_time;
    options.solver = solver;
    options.numerics.rtol = 1e-7;
    MemorySink memory;
    Context context = make_context(system);
    TierOutcome outcome{Simulator(system, options).run(context, &memory), {}};
    memory.finish({});
    outcome.trajectory = memory.take();
    return outcome;
  }

  static void expect_equal(const TierOutcome& a, const TierOutcome& b) {
    EXPECT_EQ(a.result.status.reason, b.result.status.reason);
    EXPECT_EQ(a.result.status.message, b.result.status.message);
    EXPECT_EQ(a.result.statistics.steps, b.result.statistics.steps);
    EXPECT_EQ(a.result.events, b.result.events);
    ASSERT_EQ(a.result.final.x.size(), b.result.final.x.size());
    const auto same = [](double u, double v) {
      return (std::isnan(u) && std::isnan(v)) ||
             std::bit_cast<std::uint64_t>(u) == std::bit_cast<std::uint64_t>(v);
    };
    for (std::size_t i = 0; i < a.result.final.x.size(); ++i)
      EXPECT_TRUE(same(a.result.final.x[i], b.result.final.x[i])) << "state " << i;
    ASSERT_EQ(a.trajectory.rows(), b.trajectory.rows());
    ASSERT_EQ(a.trajectory.series.size(), b.trajectory.series.size());
    for (std::size_t k = 0; k < a.trajectory.series.size(); ++k) {
      for (std::size_t r = 0; r < a.trajectory.rows(); ++r) {
        ASSERT_TRUE(same(a.trajectory.series[k][r], b.trajectory.series[k][r]))
            << "series " << k << " in row " << r;
      }
    }
    ASSERT_EQ(a.trajectory.events.size(), b.trajectory.events.size());
    for (std::size_t k = 0; k < a.trajectory.events.size(); ++k)
      EXPECT_TRUE(same(a.trajectory.events[k].time, b.trajectory.events[k].time));
  }

  void compare(const std::string& text) {
    const auto machine = open(text, Tier::kVm);
    const auto native = open(text, Tier::kJit);
    ASSERT_NE(native->native()->image(), nullptr) << native->native()->problem();
    for (const char* solver : {"dopri5", "rodas5p", "cvode-bdf"}) {
      const TierOutcome reference = run(*machine, solver);
      expect_equal(reference, run(*native, solver));
    }
    ASSERT_TRUE(native->native()->compile_now(vm::NativeLevel::kOptimised));
    expect_equal(run(*machine, "rodas5p"), run(*native, "rodas5p"));
  }

  std::filesystem::path folder_;
};

TEST_F(Tiers, EventsReinitAndSamplesAreTheSame) {
  compare(R"(
model M
  Real h(start = 1, fixed = true), v(start = 0, fixed = true);
  Integer n(start = 0, fixed = true);
  discrete Real u(start = 0, fixed = true);
  Real y = if h > 0.3 then sin(h) else h^2 + floor(10*time);
equation
  der(h) = v;
  der(v) = -9.81 + 0.1*u + 0.01*y;
  when h < 0 then
    reinit(v, -0.8*pre(v));
    n = pre(n) + 1;
  end when;
  when sample(0.05, 0.1) then
    u = 0.5*pre(u) + h;
  end when;
  annotation(experiment(StopTime = 1.5));
end M;
)");
}

TEST_F(Tiers, FunctionsWithLoopsArraysAndRecursionAreTheSame) {
  compare(R"(
model M
  function fib
    input Integer n;
    output Integer f;
  algorithm
    f := if n < 2 then n else fib(n - 1) + fib(n - 2);
  end fib;
  function poly
    input Real x;
    input Real c[4];
    output Real y;
    output Real s;
  protected
    Real powers[4];
  algorithm
    y := 0;
    s := 0;
    for i in 1:4 loop
      powers[i] := x^(i - 1);
    end for;
    for i in 1:4 loop
      if c[i] < 0 then
        s := s + 1;
      end if;
      y := y + c[i]*powers[i];
    end for;
    while y > 10 loop
      y := y/2;
      if y < 1 then
        break;
      end if;
    end while;
  end poly;
  Real x(start = 0.3, fixed = true), y, s;
equation
  (y, s) = poly(x, {1, -2, 0.5, 0.1});
  der(x) = y - 0.01*fib(7)*x + s*(if x > 2 then sqrt(x) else exp(-x));
  annotation(experiment(StopTime = 3));
end M;
)");
}

TEST_F(Tiers, LinearAndNonlinearLoopsAreTheSame) {
  compare(R"(
model M
  parameter Integer n = 12;
  Real x[n](each start = 1, each fixed = true), v[n], w(start = 0.5);
equation
  v[1] + 0.2*v[2] = x[1];
  for i in 2:n - 1 loop
    0.1*v[i - 1] + v[i] + 0.3*v[i + 1] = x[i]*cos(time);
  end for;
  v[n] - 0.1*v[n - 1] = x[n];
  w + 0.1*sin(w) + 0.01*w^3 = x[1];
  for i in 1:n loop
    der(x[i]) = -v[i] + 0.1*w;
  end for;
  annotation(experiment(StopTime = 2));
end M;
)");
}

TEST_F(Tiers, ArraysOfEquationsAreTheSame) {
  compare(R"(
model M
  parameter Integer n = 24;
  parameter Real k[n, n] = {{0.5 + 0.01*i + 0.02*j for j in 1:n} for i in 1:n};
  Real u[n, n](start = {{sin(i)*j/10 for j in 1:n} for i in 1:n}, each fixed = true);
equation
  for i in 1:n loop
    for j in 1:n loop
      der(u[i, j]) = k[i, j]*((if i > 1 then u[i - 1, j] else 0) + (if i < n then u[i + 1, j] else 0)
        + (if j > 1 then u[i, j - 1] else 0) + (if j < n then u[i, j + 1] else time) - 4*u[i, j]);
    end for;
  end for;
  annotation(experiment(StopTime = 0.5));
end M;
)");
}

TEST_F(Tiers, SubscriptsThatAreKnownAtTheRunAreTheSame) {
  const std::string text = R"(
model M
  parameter Integer last = 3;
  Real a[3] = {x, 2*x, 3*x};
  Integer i(start = 1, fixed = true);
  Real x(start = 1, fixed = true);
equation
  der(x) = if i <= 3 or last > 3 then -a[i] else 0;
  when sample(0.25, 0.25) then
    i = pre(i) + 1;
  end when;
  annotation(experiment(StopTime = 2));
end M;
)";
  compare(text);
  std::string fails = text;
  fails.replace(fails.find("last = 3"), 8, "last = 4");
  compare(fails);
  const TierOutcome end = run(*open(fails, Tier::kJit), "rodas5p");
  EXPECT_EQ(end.result.status.reason, RunReason::kEvaluationFailed);
  EXPECT_NE(end.result.status.message.find("a[i] ["), std::string::npos);
  EXPECT_NE(end.result.status.message.find("subscript 4 is not in 1 .. 3"), std::string::npos);
}

TEST_F(Tiers, AFailureInsideNativeCodeIsReportedAsByTheMachine) {
  const std::string text = R"(
model M
  function f
    input Real x;
    output Real y;
  algorithm
    assert(x < 2, "x is too large: " + String(x, significantDigits = 3));
    y := 1 + x;
  end f;
  Real x(start = 0, fixed = true);
equation
  der(x) = f(x);
  annotation(experiment(StopTime = 3));
end M;
)";
  const auto machine = open(text, Tier::kVm), native = open(text, Tier::kJit);
  const TierOutcome a = run(*machine, "dopri5"), b = run(*native, "dopri5");
  EXPECT_FALSE(a.result.status.ok());
  EXPECT_EQ(a.result.status.message, b.result.status.message);
  EXPECT_EQ(a.result.status.time, b.result.status.time);
}

TEST_F(Tiers, AFunctionThatDoesNotEndEndsWithTheTimeLimitOrTheUser) {
  const std::string text = R"(
model M
  function count
    input Real x;
    output Real y;
  algorithm
    y := 0;
    while x < 2 or y >= 0 loop
      y := y + 1;
    end while;
  end count;
  function twice
    input Real x;
    output Real y;
  algorithm
    y := if x > 90 then x else twice(x + 1) + twice(x + 2);
  end twice;
  parameter Boolean calls = false;
  Real x(start = 0, fixed = true);
equation
  der(x) = if time < 0.5 then 1 elseif calls then twice(x) else count(x);
  annotation(experiment(StopTime = 1));
end M;
)";
  std::string recursive = text;
  recursive.replace(recursive.find("calls = false"), 13, "calls = true");
  for (const std::string& model : {text, recursive}) {
    for (const Tier tier : {Tier::kVm, Tier::kJit}) {
      const auto system = open(model, tier);
      RunOptions options;
      options.solver = "rodas5p";
      options.time_limit = 0.05;
      EXPECT_EQ(Simulator(*system, options).run(make_context(*system), nullptr).status.reason,
                RunReason::kTimeLimit);
      options.time_limit = std::numeric_limits<double>::infinity();
      std::atomic<bool> cancel = false;
      options.cancel = &cancel;
      std::thread user([&] {
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
        cancel = true;
      });
      const RunResult result = Simulator(*system, options).run(make_context(*system), nullptr);
      user.join();
      EXPECT_EQ(result.status.reason, RunReason::kCancelled) << result.status.message;
      EXPECT_GE(result.status.time, 0.4);
    }
  }
}

TEST_F(Tiers, TheSecondRunFindsItsCodeOnDisk) {
  const std::string text = R"(
model M
  Real x(start = 1, fixed = true);
equation
  der(x) = -x*sin(time) + 0.12345;
end M;
)";
  const auto first = open(text, Tier::kJit);
  EXPECT_EQ(first->native()->image()->from_cache, 0);
  const auto second = open(text, Tier::kJit);
  EXPECT_EQ(second->native()->image()->from_cache, second->native()->image()->modules);
  expect_equal(run(*first, "dopri5"), run(*second, "dopri5"));
}

TEST_F(Tiers, AutoTakesOverInALongRunWithoutChangingIt) {
  const std::string text = R"(
model M
  parameter Integer n = 100;
  Real x[n](each start = 1, each fixed = true), y[n](each start = 0, each fixed = true);
equation
  for i in 1:n loop
    der(x[i]) = y[i];
    der(y[i]) = -x[i] + 0.001*sin(i*x[i]*y[i]);
  end for;
  annotation(experiment(StopTime = 10000));
end M;
)";
  const auto machine = open(text, Tier::kVm), automatic = open(text, Tier::kAuto);
  expect_equal(run(*machine, "dopri5"), run(*automatic, "dopri5"));
  EXPECT_NE(automatic->native()->image(), nullptr) << automatic->native()->problem();
}

}  // namespace
}  // namespace arges
