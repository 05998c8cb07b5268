// Models of higher index: the choice of states changes during a run, or all are projected.

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "arges/base/error.h"
#include "arges/compile/compiled_system.h"
#include "arges/flat/builder.h"
#include "arges/hybrid/simulator.h"
#include "arges/results/memory_sink.h"

namespace arges {
namespace {

using std::numbers::pi;
constexpr double kGravity = 9.81;

struct Start {
  double x = 1, y = 0, vx = 0, vy = 0;
};

struct Pendulum {
  explicit Pendulum(const Start& start)
      : x(m.state("x", start.x)),
        y(m.real("y", start.y)),
        vx(m.real("vx", start.vx)),
        vy(m.real("vy", start.vy)),
        f(m.real("f")) {
    m.equation(der(x), vx);
    m.equation(der(y), vy);
    m.equation(der(vx), -f * x);
    m.equation(der(vy), -f * y - kGravity);
    m.equation(x * x + y * y, 1);
  }
  std::unique_ptr<CompiledSystem> compiled() { return compile_system(m.take()); }

  // x^2 + y^2 = 1 with a force along the rod: index 3.
  ModelBuilder m{"Pendulum"};
  Ex x, y, vx, vy, f;
};

RunOptions options_with(double stop, double rtol, const std::string& solver) {
  RunOptions o;
  o.stop_time = stop;
  o.numerics.rtol = rtol;
  o.solver = solver;
  return o;
}

double value(const HybridSystem& s, const RunResult& r, const std::string& name) {
  const auto& states = s.schema().modes[0].states;
  for (std::size_t i = 0; i < states.size(); ++i) {
    if (states[i].name == name) return r.final.x[i];
  }
  throw ApiError("no state " + name);
}

double energy(const HybridSystem& s, const RunResult& r) {
  const double vx = value(s, r, "vx"), vy = value(s, r, "vy");
  return (vx * vx + vy * vy) / 2 + kGravity * value(s, r, "y");
}

double constraint(const HybridSystem& s, const RunResult& r) {
  const double x = value(s, r, "x"), y = value(s, r, "y");
  return x * x + y * y - 1;
}

// The period of a swing from the horizontal: 4 K(1/2) / sqrt(g).
double period() { return 4 * std::comp_ellint_1(std::sqrt(0.5)) / std::sqrt(kGravity); }

// phi and phi' of the same pendulum, phi = 0 below.
std::pair<double, double> angle_at(double t, double phi0, double omega0) {
  ModelBuilder m("Angle");
  const Ex phi = m.state("phi", phi0), omega = m.state("omega", omega0);
  m.equation(der(phi), omega);
  m.equation(der(omega), -kGravity * sin(phi));
  const auto s = compile_system(m.take());
  const RunResult r = simulate(*s, options_with(t, 1e-13, "dop853"));
  return {value(*s, r, "phi"), value(*s, r, "omega")};
}

TEST(HigherIndex, APendulumSwingsForManyPeriodsWithSeveralSolvers) {
  const auto s = Pendulum({}).compiled();
  for (const char* solver : {"dopri5", "cvode-bdf", "rodas5p", "cvode-adams"}) {
    const double rtol = 1e-7;
    const double periods = std::string(solver) == "dopri5" ? 1000 : 100;
    const RunResult r = simulate(*s, options_with(periods * period(), rtol, solver));
    ASSERT_TRUE(r.status.ok()) << solver << ": " << r.status.message;
    EXPECT_NEAR(constraint(*s, r), 0, 1e-14) << solver;
    // Each of the steps may lose as much as the tolerance.
    EXPECT_NEAR(energy(*s, r), 0, rtol * kGravity * static_cast<double>(r.statistics.steps))
        << solver;
    // x and y take turns four times in a period, which is no event of the model.
    EXPECT_EQ(r.events, 0) << solver;
  }
}

TEST(HigherIndex, ARunFarLongerThanTheModelSaysNeedsNoShorterSteps) {
  // The model says nothing of its experiment: one second. The states that are computed from others
  // are carried along, which must not cost steps.
  const auto steps = [](ConstraintPolicy policy) {
    const auto s = Pendulum({}).compiled();
    s->set_constraints(policy);
    const RunResult r = simulate(*s, options_with(50 * period(), 1e-10, "dop853"));
    EXPECT_TRUE(r.status.ok()) << r.status.message;
    return r.statistics.steps;
  };
  EXPECT_LT(steps(ConstraintPolicy::kSelect), 2 * steps(ConstraintPolicy::kProject));
}

TEST(HigherIndex, APendulumRotatesThroughTheTopLikeItsAngle) {
  const double speed = 7, stop = 20;
  const auto [phi, omega] = angle_at(stop, 0, speed);
  EXPECT_GT(phi, 10 * pi);
  const auto s = Pendulum({0, -1, speed, 0}).compiled();
  Context c = make_context(*s);
  for (const char* solver : {"dopri5", "cvode-bdf", "rodas5p", "ida"}) {
    Simulator simulator(*s, options_with(stop, 1e-10, solver));
    const RunResult r = simulator.run(c);
    ASSERT_TRUE(r.status.ok()) << solver << ": " << r.status.message;
    EXPECT_NEAR(value(*s, r, "x"), std::sin(phi), 2e-5) << solver;
    EXPECT_NEAR(value(*s, r, "y"), -std::cos(phi), 2e-5) << solver;
    EXPECT_NEAR(value(*s, r, "vx"), omega * std::cos(phi), 2e-4) << solver;
  }
}

TEST(HigherIndex, ASwitchOfStatesLeavesNoTraceInTheTrajectory) {
  const auto s = Pendulum({}).compiled();
  MemorySink sink;
  const RunResult r = simulate(*s, options_with(period(), 1e-10, "dopri5"), &sink);
  ASSERT_TRUE(r.status.ok()) << r.status.message;
  sink.finish({});
  const Trajectory t = sink.take();
  EXPECT_EQ(t.events.size(), 0U);
  const auto xs = t.values_of("x"), ys = t.values_of("y"), forces = t.values_of("f");
  for (std::size_t i = 0; i < t.times.size(); ++i) {
    EXPECT_NEAR(xs[i] * xs[i] + ys[i] * ys[i], 1, 1e-14);
    // Of a pendulum that falls from the horizontal, by the energy.
    EXPECT_NEAR(forces[i], -3 * kGravity * ys[i], 1e-7);
  }
  EXPECT_NEAR(value(*s, r, "x"), 1, 1e-8);  // back where it began
}

TEST(HigherIndex, StatesThatTheTextSetsAreKeptAndTheOthersFollow) {
  // The velocity is turned round: the pendulum goes back the way it came. Only one component is
  // set; the other one follows from the constraint, whichever is a state at that time.
  for (const double turn : {0.1, 0.25, 0.45}) {
    for (const bool set_x : {true, false}) {
      Pendulum p({});
      const Ex& v = set_x ? p.vx : p.vy;
      p.m.when(p.m.time() >= turn, {ModelBuilder::reinit(v, -pre(v))});
      const auto s = p.compiled();
      const RunResult r = simulate(*s, options_with(2 * turn, 1e-11, "dopri5"));
      ASSERT_TRUE(r.status.ok()) << r.status.message;
      EXPECT_NEAR(value(*s, r, "x"), 1, 1e-9) << turn << set_x;
      EXPECT_NEAR(value(*s, r, "y"), 0, 1e-8) << turn << set_x;
      EXPECT_NEAR(value(*s, r, "vy"), 0, 1e-7) << turn << set_x;
    }
  }
}

TEST(HigherIndex, IncompleteStartValuesAreCompletedByTheConstraints) {
  Pendulum p({0.6, -0.5, 1, 0.1});  // only x is fixed
  const auto s = p.compiled();
  const RunResult r = simulate(*s, options_with(0, 1e-8, "dopri5"));
  ASSERT_TRUE(r.status.ok()) << r.status.message;
  EXPECT_EQ(value(*s, r, "x"), 0.6);
  EXPECT_NEAR(value(*s, r, "y"), -0.8, 1e-15);
  const double vx = value(*s, r, "vx"), vy = value(*s, r, "vy");
  EXPECT_NEAR(0.6 * vx - 0.8 * vy, 0, 1e-15);
  EXPECT_TRUE(vx == 1 || vy == 0.1) << vx << ' ' << vy;
}

TEST(HigherIndex, ProjectionKeepsAllStatesAndTheirConstraints) {
  const auto [phi, omega] = angle_at(10, pi / 2, 0);
  const auto s = Pendulum({}).compiled();
  s->set_constraints(ConstraintPolicy::kProject);
  for (const char* solver : {"dopri5", "rodas5p", "cvode-bdf", "cvode-adams"}) {
    const RunResult r = simulate(*s, options_with(10, 1e-9, solver));
    ASSERT_TRUE(r.status.ok()) << solver << ": " << r.status.message;
    EXPECT_EQ(r.events, 0) << solver;
    EXPECT_NEAR(constraint(*s, r), 0, 1e-14) << solver;
    EXPECT_NEAR(value(*s, r, "x"), std::sin(phi), 1e-6) << solver;
    EXPECT_NEAR(value(*s, r, "vy"), omega * std::sin(phi), 1e-5) << solver;
  }
}

// The constraint names variables that are no states, but follow from them.
TEST(HigherIndex, AConstraintOnVariablesThatFollowFromStatesChoosesAmongTheStates) {
  const double ax = 0.3, ay = -0.2;
  ModelBuilder m("Shifted");
  const Ex x = m.state("x", ax + 1), y = m.real("y", ay), vx = m.real("vx", 0),
           vy = m.real("vy", 0), f = m.real("f"), rx = m.real("rx"), ry = m.real("ry"),
           twice = m.real("twice");
  m.equation(rx, x - ax);
  m.equation(twice, 2 * (y - ay));
  m.equation(ry, twice / 2);
  m.equation(der(x), vx);
  m.equation(der(y), vy);
  m.equation(der(vx), -f * rx);
  m.equation(der(vy), -f * ry - kGravity);
  m.equation(rx * rx + ry * ry, 1);
  const auto s = compile_system(m.take());
  ASSERT_EQ(s->model().constraint_sets.size(), 2u);
  for (const auto& set : s->model().constraint_sets) {
    EXPECT_EQ(set.rows.size(), 1u);
    EXPECT_EQ(set.candidates.size(), 2u);
  }
  for (const char* solver : {"dopri5", "cvode-bdf", "rodas5p"}) {
    const RunResult r = simulate(*s, options_with(100 * period(), 1e-9, solver));
    ASSERT_TRUE(r.status.ok()) << solver << ": " << r.status.message;
    const double u = value(*s, r, "x") - ax, v = value(*s, r, "y") - ay;
    EXPECT_NEAR(u * u + v * v, 1, 1e-14) << solver;
    EXPECT_NEAR(energy(*s, r) - kGravity * ay, 0,
                1e-9 * kGravity * static_cast<double>(r.statistics.steps))
        << solver;
  }
}

TEST(HigherIndex, GroupsOfConstraintsFollowTheLevels) {
  const auto s = Pendulum({}).compiled();
  const CausalModel& model = s->model();
  ASSERT_EQ(model.constraint_sets.size(), 2U);
  const auto names = [&](const ConstraintSet& set) {
    std::string text;
    for (const std::int32_t j : set.candidates)
      text += model.flat[model.states[static_cast<std::size_t>(j)].state].name + " ";
    return text;
  };
  EXPECT_EQ(names(model.constraint_sets[0]), "x y ");
  EXPECT_EQ(names(model.constraint_sets[1]), "vx vy ");
  EXPECT_FALSE(model.invariant_jacobian.empty());
}

}  // namespace
}  // namespace arges
