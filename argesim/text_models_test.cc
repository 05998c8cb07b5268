// The benchmarks as Modelica text and their C++ twins: the same events, the same values.

#include <algorithm>
#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "argesim/c01_lithium/model.h"
#include "argesim/c03_class_e/model.h"
#include "argesim/c05_two_state/model.h"
#include "argesim/c05_two_state/reference.h"
#include "argesim/c07_pendulum/model.h"
#include "argesim/c12_spheres/model.h"
#include "argesim/c21_ball/model.h"
#include "argesim/common/experiment.h"
#include "argesim/embedded.h"

namespace arges::argesim {
namespace {

using std::numbers::pi;

const char* const kLithium = "argesim/c01_lithium/Lithium.mo";
const char* const kClassE = "argesim/c03_class_e/ClassE.mo";
const char* const kTwoState = "argesim/c05_two_state/TwoState.mo";
const char* const kPendulum = "argesim/c07_pendulum/ConstrainedPendulum.mo";
const char* const kSpheres = "argesim/c12_spheres/RowOfSpheres.mo";
const char* const kBall = "argesim/c21_ball/BouncingBall.mo";
const char* const kCircuit = "argesim/c21_circuit/DiodeCircuit.mo";
const char* const kRotating = "argesim/c21_pendulum/RotatingPendulum.mo";
const char* const kCrane = "argesim/c13_crane/CraneCrab.mo";
const char* const kMachine = "argesim/c21_pendulum/PendulumMachine.mo";
const char* const kScara = "argesim/c11_scara/Scara.mo";
const char* const kClearance = "argesim/c15_clearance/Clearance.mo";
const char* const kFuzzyTanks = "argesim/c09_fuzzy_tanks/FuzzyTanks.mo";
const char* const kOscillator = "argesim/cp1_parallel/Oscillator.mo";
const char* const kPredatorPrey = "argesim/cp1_parallel/PredatorPrey.mo";
const char* const kRope = "argesim/cp1_parallel/Rope.mo";
const char* const kContact = "argesim/c21_ball/DynamicContact.mo";

void expect_near(const std::vector<double>& a, const std::vector<double>& b, double tolerance,
                 const std::string& what) {
  ASSERT_EQ(a.size(), b.size()) << what;
  for (std::size_t i = 0; i < a.size(); ++i) EXPECT_NEAR(a[i], b[i], tolerance) << what << ' ' << i;
}

void expect_same_end(const Recording& text, const Recording& twin,
                     const std::vector<std::string>& names, double tolerance,
                     const std::string& what) {
  for (const std::string& name : names)
    EXPECT_NEAR(text.final(name), twin.final(name), tolerance) << what << ", " << name;
}

// Parameters have the same names, values and units; so do the states.
TEST(TextTwins, DeclareTheSame) {
  const LithiumClusters c1;
  const ClassEAmplifier c3;
  const TwoState c5;
  const ConstrainedPendulum c7;
  const RowOfSpheres c12;
  const BouncingBall c21;
  const std::pair<const char*, const HybridSystem*> twins[] = {{kLithium, &c1},  {kClassE, &c3},
                                                               {kTwoState, &c5}, {kPendulum, &c7},
                                                               {kSpheres, &c12}, {kBall, &c21}};
  for (const auto& [path, twin] : twins) {
    const auto text = text_model(path);
    const auto find = [](const std::vector<VariableInfo>& list, const std::string& name) {
      return std::find_if(list.begin(), list.end(),
                          [&](const VariableInfo& each) { return each.name == name; });
    };
    const Schema &ours = text->schema(), &theirs = twin->schema();
    for (const VariableInfo& p : theirs.parameters) {
      const auto found = find(ours.parameters, p.name);
      ASSERT_NE(found, ours.parameters.end()) << path << ' ' << p.name;
      EXPECT_DOUBLE_EQ(found->start, p.start) << path << ' ' << p.name;
    }
    EXPECT_EQ(ours.modes[0].states.size(), theirs.modes[0].states.size()) << path;
    for (const VariableInfo& x : theirs.modes[0].states) {
      EXPECT_NE(find(ours.modes[0].states, x.name), ours.modes[0].states.end()) << path << x.name;
    }
    EXPECT_EQ(ours.experiment.stop_time, theirs.experiment.stop_time) << path;
    EXPECT_EQ(ours.experiment.rtol, theirs.experiment.rtol) << path;
  }
}

// What a lesson shows is what runs.
TEST(TextTwins, StandInTheirLessons) {
  for (const std::string path :
       {kLithium, kClassE, kTwoState, kPendulum, kSpheres, kBall, kContact, kCircuit, kRotating,
        kCrane, kScara, kMachine, kOscillator, kPredatorPrey, kRope, kFuzzyTanks, kClearance}) {
    const std::size_t slash = path.rfind('/');
    const std::string lesson(embedded_text(path.substr(0, slash) + "/lesson.md"));
    const std::string block = "```modelica file=" + path.substr(slash + 1) + "\n" +
                              std::string(embedded_text(path)) + "```\n";
    EXPECT_NE(lesson.find(block), std::string::npos) << path;
  }
}

class StiffTwins : public ::testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(ImplicitSolvers, StiffTwins,
                         ::testing::Values("rodas5p", "cvode-bdf", "ida", "arkode-dirk"));

TEST_P(StiffTwins, LithiumEndsInTheSameState) {
  const auto text = text_model(kLithium);
  const LithiumClusters twin;
  const Settings cases[] = {
      {},
      {{"lf", 100}},
      {{"p", 1e4}, {"f", 0}, {"m", 0}, {"r", 0}},
      {{"kr", 2}, {"kf", 0.2}, {"dr", 0.2}, {"dm", 0.5}, {"lf", 1e4}},
  };
  for (const double rtol : {1e-6, 1e-9, 1e-12}) {
    for (const Settings& settings : cases) {
      const RunOptions wanted = options(GetParam(), rtol, 10);
      const Recording a = run(*text, wanted, settings), b = run(twin, wanted, settings);
      for (const char* name : {"f", "m", "r"})
        EXPECT_NEAR(a.final(name) / b.final(name), 1, 200 * rtol) << name << ' ' << rtol;
    }
  }
}

TEST_P(StiffTwins, ClassEHasTheSameTimeEventsAndState) {
  const auto text = text_model(kClassE);
  const ClassEAmplifier twin;
  for (const double TRF : {1e-15, 1e-9, 1e-7}) {
    for (const double x2 : {0.0, 3.0}) {
      const RunOptions wanted = options(GetParam(), 1e-9, 29e-6);
      const Settings settings = {{"TRF", TRF}, {"x2", x2}, {"RL", 50}};
      const Recording a = run(*text, wanted, settings), b = run(twin, wanted, settings);
      std::vector<double> times = a.event_times(), twins = b.event_times();
      times.erase(std::unique(times.begin(), times.end()), times.end());
      if (twins.front() == 0) twins.erase(twins.begin());  // the table's first point is the start
      expect_near(times, twins, 0, GetParam());
      for (const EventRecord& event : a.trajectory.events) EXPECT_TRUE(event.is_time_event);
      expect_same_end(a, b, {"x1", "x2", "x3", "x4", "R", "IR", "VL", "VL3"}, 1e-6, GetParam());
    }
  }
}

TEST_P(StiffTwins, TwoStateSwitchesAtTheSameTimes) {
  const auto text = text_model(kTwoState);
  const TwoState twin;
  for (const double rtol : {1e-10, 1e-12}) {
    const RunOptions wanted = options(GetParam(), rtol, 5);
    const Recording a = run(*text, wanted), b = run(twin, wanted);
    expect_near(a.change_times("first"), {c5::kEvents.begin(), c5::kEvents.end()}, 1000 * rtol,
                GetParam());
    expect_near(a.change_times("first"), b.event_times(), 1000 * rtol, GetParam());
    EXPECT_NEAR(a.final("y2"), b.final("y2"), 1e4 * rtol);
    const Settings many = {{"c2_2", -1.25}, {"c4_2", 4.33}, {"lower", 4.1}};
    const Recording c = run(*text, wanted, many), d = run(twin, wanted, many);
    ASSERT_EQ(d.event_times().size(), 62u);
    expect_near(c.change_times("first"), d.event_times(), 1e4 * rtol, GetParam());
  }
}

class SmoothTwins : public ::testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Solvers, SmoothTwins,
                         ::testing::Values("rodas5p", "dopri5", "tsit5", "dop853", "cvode-adams",
                                           "ida", "arkode-erk"));

TEST_P(SmoothTwins, PendulumMeetsThePinAtTheSameTimes) {
  const auto text = text_model(kPendulum);
  const ConstrainedPendulum twin;
  const Settings cases[] = {{{"phi", pi / 6}, {"d", 0.2}},
                            {{"phi", -pi / 6}, {"d", 0.1}},
                            {{"phi", pi / 6}, {"d", 0.2}, {"linear", 1}},
                            {{"omega", -2}, {"l", 1.2}, {"lp", 0.5}, {"m", 2}, {"phi_p", -0.2}}};
  for (const Settings& settings : cases) {
    const RunOptions wanted = options(GetParam(), 1e-10, 10);
    const Recording a = run(*text, wanted, settings), b = run(twin, wanted, settings);
    expect_near(a.event_times(), b.event_times(), 1e-6, GetParam());
    expect_same_end(a, b, {"phi", "omega", "length", "speed"}, 1e-6, GetParam());
    std::size_t jumps = 0;
    for (const EventRecord& event : a.trajectory.events) {
      for (const EventChange& change : event.changes) jumps += change.name == "omega";
    }
    EXPECT_EQ(jumps, b.trajectory.events.size());
  }
}

TEST_P(SmoothTwins, SpheresCollideInTheSameOrder) {
  const auto text = text_model(kSpheres);
  const RowOfSpheres twin;
  for (const double e : {1.0, 0.5, 0.2}) {
    for (const double c : {0.0, 0.05}) {
      const RunOptions wanted = options(GetParam(), 1e-10, 20);
      const Settings settings = {{"e", e}, {"c", c}, {"a", 0.9}, {"d", 1.1}, {"v0", 1.2}};
      const Recording a = run(*text, wanted, settings), b = run(twin, wanted, settings);
      expect_near(a.change_times("collisions"), b.change_times("collisions"), 1e-5, GetParam());
      for (int i = 1; i <= 3; ++i) {
        const std::string pair = std::to_string(i) + " hits " + std::to_string(i + 1);
        EXPECT_EQ(a.change_times("hits[" + std::to_string(i) + "]").size(),
                  b.event_times(pair).size())
            << GetParam() << ", e = " << e << ", c = " << c << ": " << pair;
      }
      expect_same_end(a, b, {"x[1]", "x[4]", "v[1]", "v[2]", "v[3]", "v[4]"}, 1e-6, GetParam());
    }
  }
}

TEST_P(SmoothTwins, BallBouncesAndTurnsAtTheSameTimes) {
  const auto text = text_model(kBall);
  const BouncingBall twin;
  const Settings cases[] = {{}, {{"beta", 0}}, {{"v0", 4}, {"x0", 5}, {"g", 5}, {"mu", 0.8}}};
  for (const Settings& settings : cases) {
    const RunOptions wanted = options(GetParam(), 1e-10, 12);
    const Recording a = run(*text, wanted, settings), b = run(twin, wanted, settings);
    expect_near(a.change_times("bounces"), b.event_times("bounce"), 1e-6, GetParam());
    expect_near(a.change_times("rising", 0), b.event_times("apex"), 1e-6, GetParam());
    expect_same_end(a, b, {"x", "v", "bounces"}, 1e-5, GetParam());
  }
}

TEST_P(SmoothTwins, BallComesToRestAtTheSameTime) {
  const auto text = text_model(kBall);
  const BouncingBall twin;
  const RunOptions wanted = options(GetParam(), 1e-9, 60);
  const Recording a = try_run(*text, wanted), b = try_run(twin, wanted);
  EXPECT_EQ(a.result.status.reason, RunReason::kZeno) << a.result.status.message;
  EXPECT_NEAR(a.result.status.time, b.result.status.time, 1e-4) << GetParam();
  const std::vector<double> x = a.trajectory.values_of("x");
  EXPECT_GT(*std::min_element(x.begin(), x.end()), -1e-12) << GetParam();
}

TEST(TextTwins, ClassEMayBeginInTheMiddleOfAPeriod) {
  const auto text = text_model(kClassE);
  RunOptions second_half = options("rodas5p", 1e-8, 28e-6);
  second_half.start_time = 27e-6;
  EXPECT_EQ(run(*text, second_half).final("R"), 0.05);
  second_half.start_time = 21e-6;
  second_half.stop_time = 23e-6;
  EXPECT_EQ(run(*text, second_half).final("R"), 5e6);
}

}  // namespace
}  // namespace arges::argesim
