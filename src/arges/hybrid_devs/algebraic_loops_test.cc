// Mealy components in a circle.

#include <array>
#include <cmath>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "arges/devs/structure.h"
#include "arges/hybrid_devs/hybrid_simulator.h"
#include "testing/every_solver.h"

namespace arges::hybrid_devs {
namespace {

// y = f(sum of its inputs), at once.
class Block : public HybridAtomic<Block> {
 public:
  using Function = double (*)(double);
  struct State {
    std::array<double, 0> x = {};
    double factor = 1;
  };
  static constexpr bool kMealy = true;
  ContinuousIn u{this, "u"};
  ContinuousOut y{this, "y"};
  devs::In<double> factor{this, "factor"};
  explicit Block(Function f) : f_(f) {}
  void outputs(const State& s, const Flow& at, ContinuousValues v) const {
    v[y] = s.factor * f_(at[u]);
  }
  void external(State& s, double, const devs::Bag& x) const { s.factor = x.on(factor).front(); }

 private:
  Function f_;
};

// x' = f(x, u), y = x.
class Motion : public HybridAtomic<Motion> {
 public:
  using Rate = double (*)(double x, double u);
  struct State {
    std::array<double, 1> x;
  };
  ContinuousIn u{this, "u"};
  ContinuousOut y{this, "y"};
  Motion(double start, Rate rate) : start_(start), rate_(rate) {}
  State initial() const { return {{start_}}; }
  void derivatives(const State&, const Flow& at, std::span<double> dx) const {
    dx[0] = rate_(at.x[0], at[u]);
  }
  void outputs(const State&, const Flow& at, ContinuousValues v) const { v[y] = at.x[0]; }

 private:
  double start_;
  Rate rate_;
};

// y = above / below, at once.
class Divide : public HybridAtomic<Divide> {
 public:
  struct State {
    std::array<double, 0> x = {};
  };
  static constexpr bool kMealy = true;
  ContinuousIn above{this, "above"}, below{this, "below"};
  ContinuousOut y{this, "y"};
  void outputs(const State&, const Flow& at, ContinuousValues v) const {
    v[y] = at[above] / at[below];
  }
};

// Sends a factor at t = 1.
class Switch : public devs::Atomic<Switch> {
 public:
  struct State {
    double wait = 1;
  };
  devs::Out<double> out{this, "out"};
  explicit Switch(double value) : value_(value) {}
  double time_advance(const State& s) const { return s.wait; }
  void output(const State&, devs::Output& y) const { y.send(out, value_); }
  void internal(State& s) const { s.wait = devs::kInfinity; }

 private:
  double value_;
};

// first -> second -> first, and the motion drives the first and reads it.
class Loop : public devs::Coupled {
 public:
  Motion& motion;
  Block &second, &first;
  Loop(double start, Motion::Rate rate, Block::Function f, Block::Function g)
      : motion(add<Motion>("motion", start, rate)),
        second(add<Block>("second", g)),
        first(add<Block>("first", f)) {
    couple(motion.y, first.u);
    couple(first.y, second.u);
    couple(second.y, first.u);
    couple(first.y, motion.u);
  }
};

double identity(double u) { return u; }
double same_rate(double, double u) { return u; }

class AlgebraicLoops : public ::testing::TestWithParam<std::string> {
 protected:
  static RunOptions options(double stop) {
    RunOptions result;
    result.solver = GetParam();
    result.stop_time = stop;
    return result;
  }
  // Of errors of 1e-8: the quantised methods have theirs in each state.
  static double tolerance() { return GetParam().find("qss") == std::string::npos ? 2e-6 : 2e-3; }
};

// y = u, and begins where it is told.
class Guess : public HybridAtomic<Guess> {
 public:
  struct State {
    std::array<double, 0> x = {};
  };
  static constexpr bool kMealy = true;
  ContinuousIn u{this, "u"};
  ContinuousOut y{this, "y"};
  explicit Guess(double value) : value_(value) {}
  void outputs(const State&, const Flow& at, ContinuousValues v) const { v[y] = at[u]; }
  void guess(const State&, ContinuousValues v) const { v[y] = value_; }

 private:
  double value_;
};
// y = y^3 - 3 y, so y is 0, 2 or -2; x' = y.
class ThreeSolutions : public devs::Coupled {
 public:
  Motion& motion = add<Motion>("motion", 0.0, [](double, double u) { return u; });
  explicit ThreeSolutions(double value) {
    auto& guess = add<Guess>("guess", value);
    auto& cubic = add<Block>("cubic", [](double u) { return u * u * u - 3 * u; });
    couple(cubic.y, guess.u);
    couple(guess.y, cubic.u);
    couple(guess.y, motion.u);
  }
};

TEST(AlgebraicLoop, BeginsWhereItsComponentsGuess) {
  for (const auto& [guess, y] : {std::pair(0.0, 0.0), {1.7, 2.0}, {-3.0, -2.0}}) {
    const ThreeSolutions model(guess);
    HybridSimulator simulator(model, {.stop_time = 1, .solver = "dopri5"});
    ASSERT_TRUE(simulator.run_until(1).ok()) << simulator.status().message;
    EXPECT_NEAR(simulator.state(model.motion).x[0], y, 1e-9);
  }
}

class FailingGuess : public HybridAtomic<FailingGuess> {
 public:
  struct State {
    std::array<double, 0> x = {};
  };
  static constexpr bool kMealy = true;
  ContinuousIn u{this, "u"};
  ContinuousOut y{this, "y"};
  void outputs(const State&, const Flow& at, ContinuousValues v) const { v[y] = at[u] / 2; }
  void guess(const State&, ContinuousValues) const { throw std::runtime_error("no idea"); }
};
class FailingLoop : public devs::Coupled {
 public:
  FailingLoop() {
    auto& guess = add<FailingGuess>("guess");
    auto& half = add<Block>("half", [](double u) { return u / 2; });
    couple(half.y, guess.u);
    couple(guess.y, half.u);
  }
};

TEST(AlgebraicLoop, AGuessThatThrowsIsThatOfItsComponent) {
  const FailingLoop model;
  HybridSimulator simulator(model, {.stop_time = 1, .solver = "dopri5"});
  const RunStatus status = simulator.run_until(1);
  EXPECT_EQ(status.reason, RunReason::kEvaluationFailed);
  EXPECT_EQ(status.component, "guess");
  EXPECT_EQ(status.message, "t = 0: guess: no idea");
}

// y = -2 (x + y/4), so y = -4/3 x, and x' = y.
TEST_P(AlgebraicLoops, ALinearOneIsSolved) {
  const Loop loop(
      1, same_rate, [](double u) { return -2 * u; }, [](double u) { return u / 4; });
  HybridSimulator simulator(loop, options(2));
  const RunStatus status = simulator.run_until(2);
  ASSERT_TRUE(status.ok()) << status.message;
  EXPECT_NEAR(simulator.state(loop.motion).x[0], std::exp(-8.0 / 3), tolerance());
}

// y = x - y^3, so x = y + y^3; x' is such that y' = -y.
TEST_P(AlgebraicLoops, ANonlinearOneIsSolved) {
  const Loop loop(
      10, [](double, double y) { return -y * (1 + 3 * y * y); }, identity,
      [](double y) { return -y * y * y; });
  HybridSimulator simulator(loop, options(3));
  const RunStatus status = simulator.run_until(3);
  ASSERT_TRUE(status.ok()) << status.message;
  const double y = 2 * std::exp(-3.0);
  EXPECT_NEAR(simulator.state(loop.motion).x[0], y + y * y * y, 10 * tolerance());
}

INSTANTIATE_TEST_SUITE_P(Methods, AlgebraicLoops,
                         ::testing::Values("dopri5", "rodas5p", "cvode-bdf", "ida", "auto", "qss2",
                                           "liqss2"),
                         test::name_of_test);

// y = x / y: two solutions. The one that is found first is kept, whatever x does.
TEST(AlgebraicLoop, ABranchIsFollowed) {
  // x = 1 + t (2 - t) from 1 to 2 and back.
  class Rise : public HybridAtomic<Rise> {
   public:
    struct State {
      std::array<double, 2> x = {1, 0};  // x, and the integral of the root
    };
    ContinuousIn root{this, "root"};
    ContinuousOut y{this, "y"};
    void derivatives(const State&, const Flow& at, std::span<double> dx) const {
      dx[0] = 2 - 2 * at.t;
      dx[1] = at[root];
    }
    void outputs(const State&, const Flow& at, ContinuousValues v) const { v[y] = at.x[0]; }
  };
  class Model : public devs::Coupled {
   public:
    Rise& rise = add<Rise>("rise");
    Divide& divide = add<Divide>("divide");
    Block& wire = add<Block>("wire", identity);
    Model() {
      couple(rise.y, divide.above);
      couple(divide.y, wire.u);
      couple(wire.y, divide.below);
      couple(divide.y, rise.root);
    }
  };
  const Model model;
  HybridSimulator simulator(model, {.stop_time = 2, .solver = "dopri5"});
  const RunStatus status = simulator.run_until(2);
  ASSERT_TRUE(status.ok()) << status.message;
  // The integral of sqrt(2 - s^2) from -1 to 1.
  const double area = 1 + std::acos(-1.0) / 2;
  EXPECT_NEAR(std::abs(simulator.state(model.rise).x[1]), area, 1e-7);
}

// The equations of a loop change at an event.
TEST(AlgebraicLoop, IsSolvedAnewAfterATransition) {
  class Model : public devs::Coupled {
   public:
    Motion& motion = add<Motion>("motion", 0.0, same_rate);
    Block& one = add<Block>("one", [](double u) { return 1 + u; });
    Block& back = add<Block>("back", [](double u) { return -u; });
    Switch& change = add<Switch>("change", 3.0);
    Model() {
      couple(one.y, back.u);
      couple(back.y, one.u);
      couple(one.y, motion.u);
      couple(change.out, back.factor);
    }
  };
  const Model model;  // y = 1 - y, then y = 1 - 3 y
  HybridSimulator simulator(model, {.stop_time = 2, .solver = "rodas5p"});
  const RunStatus status = simulator.run_until(2);
  ASSERT_TRUE(status.ok()) << status.message;
  EXPECT_NEAR(simulator.state(model.motion).x[0], 0.5 + 0.25, 1e-12);
}

// Signals of very different size, and two unknowns.
TEST(AlgebraicLoop, UnitsDoNotMatter) {
  class Model : public devs::Coupled {
   public:
    Motion& charge = add<Motion>("charge", 0.0, same_rate);
    Motion& force = add<Motion>("force", 0.0, same_rate);
    Model() {
      // a = 1e-12 (1 + b), b = 2 + 1e11 a - b
      auto& a = add<Block>("a", [](double b) { return 1e-12 * (1 + b); });
      auto& b = add<Block>("b", [](double u) { return 2 + u; });
      auto& scale = add<Block>("scale", [](double u) { return 1e11 * u; });
      auto& c = add<Block>("c", [](double u) { return -u; });
      couple(b.y, a.u);
      couple(a.y, scale.u);
      couple(scale.y, b.u);
      couple(c.y, b.u);
      couple(b.y, c.u);
      couple(a.y, charge.u);
      couple(b.y, force.u);
    }
  };
  const Model model;
  HybridSimulator simulator(model, {.stop_time = 1, .solver = "dopri5"});
  const RunStatus status = simulator.run_until(1);
  ASSERT_TRUE(status.ok()) << status.message;
  const double b = 2.1 / 1.9;
  EXPECT_NEAR(simulator.state(model.force).x[0], b, 1e-13);
  EXPECT_NEAR(simulator.state(model.charge).x[0], 1e-12 * (1 + b), 1e-25);
}

// A loop through the outside of a coupled model, of one component alone; what reads it comes after
// it.
TEST(AlgebraicLoop, MayGoThroughTheHierarchy) {
  class Box : public devs::Coupled {
   public:
    ContinuousIn in{this, "in"};
    ContinuousOut out{this, "out"};
    Block& block = add<Block>("block", [](double u) { return 1 - 3 * u; });
    Box() {
      couple(in, block.u);
      couple(block.y, out);
    }
  };
  class Model : public devs::Coupled {
   public:
    Motion& motion = add<Motion>("motion", 0.0, same_rate);
    Model() {
      auto& twice = add<Block>("twice", [](double u) { return 2 * u; });
      auto& box = add<Box>("box");
      auto& pass = add<Block>("pass", identity);
      couple(box.out, pass.u);
      couple(pass.y, box.in);
      couple(box.out, twice.u);
      couple(twice.y, motion.u);
    }
  };
  const Model model;
  HybridSimulator simulator(model, {.stop_time = 1, .solver = "dopri5"});
  const RunStatus status = simulator.run_until(1);
  ASSERT_TRUE(status.ok()) << status.message;
  EXPECT_NEAR(simulator.state(model.motion).x[0], 0.5, 1e-13);
}

// Loops that come and go with components.
TEST(AlgebraicLoop, ComesWithAChangeOfStructure) {
  class Model : public devs::VariableCoupled<Model> {
   public:
    struct State {
      bool closed = false;
    };
    Motion& motion = add<Motion>("motion", 0.0, same_rate);
    Block& one = add<Block>("one", [](double u) { return 1 + u; });
    Model() { couple(one.y, motion.u); }
    double time_advance(const State& s) const { return s.closed ? devs::kInfinity : 1; }
    void internal(State& s, devs::Structure& now) const {
      s.closed = true;
      const auto& back = now.add<Block>("back", [](double u) { return -u; });
      now.couple(one.y, back.u);
      now.couple(back.y, one.u);
    }
  };
  const Model model;
  HybridSimulator simulator(model, {.stop_time = 3, .solver = "cvode-bdf"});
  const RunStatus status = simulator.run_until(3);
  ASSERT_TRUE(status.ok()) << status.message;
  EXPECT_NEAR(simulator.state(model.motion).x[0], 1 + 2 * 0.5, 1e-9);
}

RunStatus status_of(double x, Block::Function f, Block::Function g) {
  const Loop loop(
      x, [](double, double) { return 0.0; }, f, g);
  HybridSimulator simulator(loop, {.stop_time = 2, .solver = "dopri5"});
  return simulator.run_until(2);
}

TEST(AlgebraicLoop, WithoutASolutionOrWithManyIsReportedWithItsPaths) {
  for (const double x : {1.0, 0.0}) {  // y = x + y: none, or any
    const RunStatus status = status_of(x, identity, identity);
    EXPECT_EQ(status.reason, RunReason::kEvaluationFailed);
    EXPECT_EQ(status.component, "second");
    EXPECT_NE(status.message.find("algebraic loop of second, first is singular at t = 0"),
              std::string::npos)
        << status.message;
  }
  // A relay that undoes what it sees.
  const RunStatus status = status_of(
      0, [](double u) { return u > 0.5 ? -1.0 : 1.0; }, identity);
  EXPECT_EQ(status.reason, RunReason::kEvaluationFailed);
  EXPECT_NE(status.message.find("no solution found for the algebraic loop of second, first"),
            std::string::npos)
      << status.message;
}

// y = x + y^2 has solutions for x <= 1/4; x' = 1 from -1 on.
TEST(AlgebraicLoop, ABranchThatEndsEndsTheRun) {
  class Model : public devs::Coupled {
   public:
    Motion& motion = add<Motion>("motion", -1.0, [](double, double) { return 1.0; });
    Motion& reader = add<Motion>("reader", 0.0, same_rate);
    Model() {
      auto& sum = add<Block>("sum", identity);
      auto& square = add<Block>("square", [](double u) { return u * u; });
      couple(motion.y, sum.u);
      couple(square.y, sum.u);
      couple(sum.y, square.u);
      couple(sum.y, reader.u);
    }
  };
  const Model model;
  HybridSimulator simulator(model, {.stop_time = 2, .solver = "dopri5"});
  const RunStatus status = simulator.run_until(2);
  EXPECT_FALSE(status.ok());
  EXPECT_NEAR(simulator.time(), 1.25, 1e-4);
  EXPECT_NE(status.message.find("algebraic loop of sum, square"), std::string::npos)
      << status.message;
}

// Not the loop is at fault, but what drives it.
TEST(AlgebraicLoop, AnInputThatIsNotFiniteIsThatOfItsComponent) {
  class Model : public devs::Coupled {
   public:
    Motion& motion = add<Motion>("motion", 0.0, same_rate);
    Model() {
      auto& bad = add<Block>("bad", [](double u) { return std::sqrt(0.5 - u); });
      auto& first = add<Block>("first", [](double u) { return 1 + u; });
      auto& second = add<Block>("second", [](double u) { return -u; });
      auto& clock = add<Motion>("clock", 0.0, [](double, double) { return 1.0; });
      couple(clock.y, bad.u);
      couple(bad.y, first.u);
      couple(first.y, second.u);
      couple(second.y, first.u);
      couple(first.y, motion.u);
    }
  };
  const Model model;
  HybridSimulator simulator(model, {.stop_time = 2, .solver = "dopri5"});
  const RunStatus status = simulator.run_until(2);
  EXPECT_EQ(status.reason, RunReason::kNonFinite);
  EXPECT_EQ(status.component, "bad") << status.message;
  EXPECT_NEAR(simulator.time(), 0.5, 1e-9);
}

// A ring of many is cut at one place; many small ones stand by themselves.
TEST(AlgebraicLoop, MayBeLongOrOneOfMany) {
  for (const int length : {20'000, 4}) {
    class Rings : public devs::Coupled {
     public:
      Motion& motion = add<Motion>("motion", 0.0, same_rate);
      explicit Rings(int size) {
        for (int made = 0; made < 20'000; made += size) {
          const std::string name = "b" + std::to_string(made) + "_";
          const Block& first = add<Block>(name, [](double u) { return 2 - u; });
          const Block* last = &first;
          for (int k = 1; k < size; ++k) {
            const Block& next = add<Block>(name + std::to_string(k), identity);
            couple(next.y, last->u);
            last = &next;
          }
          couple(first.y, last->u);
          if (made == 0) couple(last->y, motion.u);
        }
      }
    };
    const Rings model(length);
    HybridSimulator simulator(model, {.stop_time = 1, .solver = "dopri5"});
    const RunStatus status = simulator.run_until(1);
    ASSERT_TRUE(status.ok()) << status.message;
    EXPECT_NEAR(simulator.state(model.motion).x[0], 1, 1e-13);
  }
}

// Single rows, as quantised methods and sparse Jacobians ask for them.
TEST(AlgebraicLoop, RowsAreThoseOfTheWhole) {
  class Model : public devs::Coupled {
   public:
    Model() {
      for (int k = 0; k < 5; ++k) {
        add<Loop>(
            "loop" + std::to_string(k), 0.5 + k, same_rate, [](double u) { return std::sin(u); },
            [](double u) { return 0.3 * u * u; });
      }
    }
  };
  const Model model;
  devs::Simulator simulator(model);
  const ContinuousPart part(simulator);
  std::vector<double> x, whole(part.state_count());
  part.read(x);
  Point at{};
  at.x = x.data();
  part.derivatives(at, Rates(whole.data()));
  for (int row = 4; row >= 0; --row) {
    double rate = 0;
    part.derivatives_of(std::vector{row}, at, &rate);
    const double y = whole[static_cast<std::size_t>(row)];
    EXPECT_NEAR(rate, y, 1e-14);
    EXPECT_NEAR(y, std::sin(x[static_cast<std::size_t>(row)] + 0.3 * y * y), 1e-14);
  }
}

}  // namespace
}  // namespace arges::hybrid_devs
