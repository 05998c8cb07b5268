// What the rates of one component depend on, and what their evaluation costs.

#include <array>
#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "arges/devs/structure.h"
#include "arges/hybrid_devs/hybrid_simulator.h"
#include "testing/every_solver.h"

namespace arges::hybrid_devs {
namespace {

// x' = u - x; counts how often it is asked.
class Lag : public HybridAtomic<Lag> {
 public:
  struct State {
    std::array<double, 1> x = {1};
  };
  ContinuousIn u{this, "u"};
  ContinuousOut y{this, "y"};
  explicit Lag(std::int64_t* calls = nullptr) : calls_(calls) {}
  void derivatives(const State&, const Flow& at, std::span<double> dx) const {
    if (calls_ != nullptr) ++*calls_;
    dx[0] = at[u] - at.x[0];
  }
  void outputs(const State&, const Flow& at, ContinuousValues v) const {
    if (calls_ != nullptr) ++*calls_;
    v[y] = at.x[0];
  }

 private:
  std::int64_t* calls_;
};

// y = 2 u, at once; without states.
class Gain : public HybridAtomic<Gain> {
 public:
  struct State {
    std::array<double, 0> x = {};
  };
  static constexpr bool kMealy = true;
  ContinuousIn u{this, "u"};
  ContinuousOut y{this, "y"};
  void outputs(const State&, const Flow& at, ContinuousValues v) const { v[y] = 2 * at[u]; }
};

// Two states that are exchanged; y = u + the first.
class Pair : public HybridAtomic<Pair> {
 public:
  struct State {
    std::array<double, 2> x = {1, 2};
  };
  static constexpr bool kMealy = true;
  ContinuousIn u{this, "u"};
  ContinuousOut y{this, "y"};
  void derivatives(const State&, const Flow& at, std::span<double> dx) const {
    dx[0] = at.x[1] + at[u];
    dx[1] = -at.x[0];
  }
  void outputs(const State&, const Flow& at, ContinuousValues v) const { v[y] = at[u] + at.x[0]; }
};

class Line : public devs::Coupled {
 public:
  std::vector<Lag*> lags;
  explicit Line(int count, std::int64_t* calls = nullptr) {
    for (int i = 0; i < count; ++i) {
      lags.push_back(&add<Lag>("lag" + std::to_string(i), calls));
      if (i > 0) couple(lags[lags.size() - 2]->y, lags.back()->u);
    }
  }
};

// first -> gain -> pair -> gain -> last, and many that stand alone.
class Mixed : public devs::Coupled {
 public:
  Lag& last = add<Lag>("last");
  Mixed() {
    auto& after = add<Gain>("after");
    auto& pair = add<Pair>("pair");
    auto& before = add<Gain>("before");
    auto& first = add<Lag>("first");
    couple(first.y, before.u);
    couple(before.y, pair.u);
    couple(pair.y, after.u);
    couple(after.y, last.u);
    for (int i = 0; i < 6; ++i) add<Lag>("alone" + std::to_string(i));
  }
};

TEST(ContinuousRows, TheStructureFollowsCouplingsThroughMealyComponents) {
  const Mixed model;
  devs::Simulator simulator(model);
  const ContinuousPart part(simulator);
  const auto& pattern = part.schema().modes[0].sparsity;
  ASSERT_TRUE(pattern.has_value());
  const auto& states = part.schema().modes[0].states;
  std::string text;
  for (int row = 0; row < pattern->n; ++row) {
    if (states[row].name.starts_with("alone")) continue;
    text += states[row].name + ":";
    for (int column = 0; column < pattern->n; ++column) {
      if (pattern->find(row, column) >= 0) text += " " + states[column].name;
    }
    text += "\n";
  }
  EXPECT_EQ(text,
            "last.x[1]: last.x[1] pair.x[1] pair.x[2] first.x[1]\n"
            "pair.x[1]: pair.x[1] pair.x[2] first.x[1]\n"
            "pair.x[2]: pair.x[1] pair.x[2] first.x[1]\n"
            "first.x[1]: first.x[1]\n");
}

// Asked for in any order, and with nothing in x but what they read.
TEST(ContinuousRows, RowsAreThoseOfTheWhole) {
  const Mixed model;
  devs::Simulator simulator(model);
  const ContinuousPart part(simulator);
  const auto& pattern = *part.schema().modes[0].sparsity;
  const int n = pattern.n;
  std::vector<double> x(n), whole(n);
  for (int i = 0; i < n; ++i) x[i] = std::sin(1.0 + i);
  Point at{};
  at.x = x.data();
  part.derivatives(at, Rates(whole.data()));
  for (int row = n - 1; row >= 0; --row) {
    std::vector<double> needed(n, std::nan(""));
    for (int column = 0; column < n; ++column) {
      if (pattern.find(row, column) >= 0) needed[column] = x[column];
    }
    at.x = needed.data();
    double rate = 0;
    part.derivatives_of(std::vector{row}, at, &rate);
    EXPECT_EQ(rate, whole[row]) << row;
  }
  at.x = x.data();
  const std::vector<int> rows = {3, 0, 2, 1, 3};
  std::vector<double> some(rows.size());
  part.derivatives_of(rows, at, some.data());
  for (std::size_t k = 0; k < rows.size(); ++k) EXPECT_EQ(some[k], whole[rows[k]]) << k;
  EXPECT_EQ(part.non_finite().entry, nullptr);
}

TEST(ContinuousRows, AMoveCostsWhatItsNeighboursDo) {
  for (const std::string solver : {"qss1", "qss2", "qss3", "liqss2"}) {
    SCOPED_TRACE(solver);
    const auto calls_of_a_state = [&](int count) {
      std::int64_t calls = 0;
      const Line line(count, &calls);
      RunOptions options;
      options.solver = solver;
      options.numerics.rtol = options.numerics.atol = 1e-3;
      HybridSimulator simulator(line, options);
      EXPECT_TRUE(simulator.run_until(1).ok());
      return static_cast<double>(calls) / count;
    };
    EXPECT_LT(calls_of_a_state(160), 2 * calls_of_a_state(20));
  }
}

// Components come and go, and drive others.
class Changing : public devs::VariableCoupled<Changing> {
 public:
  struct State {
    int step = 0;
  };
  Lag& last = add<Lag>("last");
  Changing() {
    for (int i = 0; i < 8; ++i) add<Lag>("alone" + std::to_string(i));
  }
  double time_advance(const State& s) const { return s.step < 2 ? 1 : devs::kInfinity; }
  void internal(State& s, devs::Structure& structure) const {
    if (s.step++ == 0) {
      auto& source = structure.add<Lag>("source");
      auto& gain = structure.add<Gain>("gain");
      structure.couple(source.y, gain.u);
      structure.couple(gain.y, last.u);
    } else {
      structure.remove(*structure.find("source"), devs::Pending::kDrop);
    }
  }
};

TEST(ContinuousRows, TheStructureIsThatOfTheComponentsThereAre) {
  // x' = -x; x' = 2 e^-s - x for 1 s; x' = -x.
  const double expected = (std::exp(-1) * std::exp(-1) + 2 * std::exp(-1)) * std::exp(-1);
  for (const std::string solver : {"rk4", "dopri5", "cvode-bdf", "rodas5p", "qss2", "liqss2"}) {
    SCOPED_TRACE(solver);
    const Changing model;
    RunOptions options;
    options.solver = solver;
    options.numerics.step = 0.01;
    options.numerics.rtol = options.numerics.atol = 1e-6;
    HybridSimulator simulator(model, options);
    ASSERT_TRUE(simulator.run_until(3).ok()) << simulator.status().message;
    EXPECT_NEAR(simulator.state(model.last).x[0], expected, 1e-4);
  }
}

// One part in a thread of its own.
TEST(ContinuousRows, TwoThreadsMayAsk) {
  RunOptions options;
  options.numerics.step = 1e-3;
  options.numerics.frame_ratio = 4;
  for (int i = 0; i < 10; ++i)
    options.numerics.fast.push_back("lag" + std::to_string(2 * i) + ".x[1]");
  std::vector<double> ends;
  for (const char* solver : {"rk4", "multirate-parallel"}) {
    const Line line(20);
    options.solver = solver;
    HybridSimulator simulator(line, options);
    ASSERT_TRUE(simulator.run_until(2).ok()) << simulator.status().message;
    ends.push_back(simulator.state(*line.lags.back()).x[0]);
  }
  EXPECT_NEAR(ends[0], ends[1], 1e-6);
}

}  // namespace
}  // namespace arges::hybrid_devs
