#include "arges/driver/model_text.h"

#include <cmath>

#include <gtest/gtest.h>

#include "arges/hybrid/simulator.h"
#include "arges/results/memory_sink.h"

namespace arges {
namespace {

struct ModelRun {
  RunResult result;
  Trajectory trajectory;
};

ModelRun run_model_text(const std::string& text, double stop_time,
                        const std::string& solver = "dopri5", const std::string& class_name = "") {
  const auto model = model_from_text("Model.mo", text, class_name);
  RunOptions options;
  options.stop_time = stop_time;
  options.solver = solver;
  options.numerics.rtol = 1e-9;
  options.numerics.step = solver == "euler" ? 0.01 : 0;
  MemorySink sink;
  ModelRun run;
  run.result = Simulator(*model, options).run(make_context(*model), &sink);
  sink.finish({});
  run.trajectory = sink.take();
  return run;
}

const char* const kSolvers[] = {"euler", "rodas5p", "dopri5", "cvode-bdf", "ida"};

TEST(ModelText, TheLastModelOfAFileIsTheOneThatRuns) {
  const std::string text =
      "model Model Real x(start=1, fixed=true); equation der(x) = 0; end Model;"
      "model Other extends Model(x(start=2)); end Other;";
  const auto name_of = [&](const std::string& rest, const std::string& wanted = {}) {
    return model_from_text("folder/Model.mo", text + rest, wanted)->schema().name;
  };
  EXPECT_EQ(name_of(""), "Other");
  EXPECT_EQ(name_of("", "Model"), "Model");
  // What cannot run is not meant.
  EXPECT_EQ(name_of("partial model Base end Base; connector C Real e; flow Real f; end C;"
                    "function f input Real u; output Real y; algorithm y := u; end f;"
                    "package Empty end Empty;"),
            "Other");
  EXPECT_EQ(name_of("package P model A end A; model B Real y = 1; end B; end P;"), "P.B");
  EXPECT_THROW(name_of("", "Nobody"), ModelTextError);
}

TEST(ModelText, ARelationThatRestsOnItsZeroSeesAJumpAwayFromIt) {
  const char* text = R"(model M
    Real v(start=0, fixed=true);
    Boolean moves = v > 0, stands = v <= 0, still = v >= 0;
  equation
    der(v) = 0;
    when time >= 1 then reinit(v, 1); elsewhen time >= 2 then reinit(v, 0);
    elsewhen time >= 3 then reinit(v, -1); end when;
  end M;)";
  for (const char* solver : kSolvers) {
    const auto at = [&](double t, const char* name) {
      return run_model_text(text, t, solver).trajectory.final_value(name);
    };
    const double moves[] = {0, 1, 0, 0}, still[] = {1, 1, 1, 0};
    for (int i = 0; i < 4; ++i) {
      EXPECT_EQ(at(i + 0.5, "moves"), moves[i]) << solver << " " << i;
      EXPECT_EQ(at(i + 0.5, "stands"), 1 - moves[i]) << solver << " " << i;
      EXPECT_EQ(at(i + 0.5, "still"), still[i]) << solver << " " << i;
    }
    const ModelRun run = run_model_text(text, 3.5, solver);
    EXPECT_TRUE(run.result.status.ok()) << solver << ": " << run.result.status.message;
    EXPECT_LT(run.result.events, 12) << solver;
  }
}

TEST(ModelText, ARelationThatRestsOnItsZeroSeesASlowMotionAwayFromIt) {
  // x = t^3/6: at the start neither x nor its derivative move.
  const char* text = R"(model M
    Real x(start=0, fixed=true), y(start=0, fixed=true);
    Boolean up = x > 0;
    Real z(start=0, fixed=true);
  equation
    der(x) = y;
    der(y) = time;
    der(z) = if up then 1 else 0;
  end M;)";
  for (const char* solver : {"rodas5p", "dopri5", "cvode-bdf", "ida"}) {
    const Trajectory run = run_model_text(text, 1, solver).trajectory;
    EXPECT_EQ(run.final_value("up"), 1) << solver;
    EXPECT_NEAR(run.final_value("z"), 1, 1e-3) << solver;
  }
}

TEST(ModelText, RelationsWithTimeAreEventsAtExactTimes) {
  const char* text = R"(model M
    parameter Real T = 0.1;
    Integer k(start=0, fixed=true);
    Real x(start=0, fixed=true);
    Boolean early = time < k*T + T/4, late = k*T + T/2 <= time;
  equation
    der(x) = if early then 1 elseif late then 2 else 0;
    when time >= (pre(k) + 1)*T then k = pre(k) + 1; end when;
  end M;)";
  for (const char* solver : kSolvers) {
    const ModelRun run = run_model_text(text, 1.0, solver);
    ASSERT_TRUE(run.result.status.ok()) << run.result.status.message;
    EXPECT_EQ(run.trajectory.final_value("k"), 10) << solver;
    EXPECT_NEAR(run.trajectory.final_value("x"), 10 * (0.025 + 0.1), 1e-14) << solver;
    for (const EventRecord& event : run.trajectory.events) {
      EXPECT_TRUE(event.is_time_event) << event.component;
      for (const EventChange& change : event.changes) {
        if (change.name == "k") {
          EXPECT_EQ(event.time, change.after * 0.1) << solver;
        }
        if (change.name == "early" && change.after == 0) {
          EXPECT_EQ(event.time, std::floor(event.time * 10) * 0.1 + 0.1 / 4) << solver;
        }
      }
    }
  }
}

TEST(ModelText, AStrictRelationWithTimeHoldsFromThereOn) {
  const char* text = R"(model M
    Real x(start=0, fixed=true);
    Boolean after = time > 0, before = time <= 1;
  equation
    der(x) = if after and before then 1 else 0;
  end M;)";
  for (const char* solver : kSolvers)
    EXPECT_NEAR(run_model_text(text, 2, solver).trajectory.final_value("x"), 1, 1e-14) << solver;
}

TEST(ModelText, ARelationWithTimeMayWaitForWhatAnEventSets) {
  // x reaches 1 at t = 1, and 0.5 s later the brake is on.
  const char* text = R"(model M
    Real x(start=0, fixed=true);
    discrete Real reached(start=1e60, fixed=true);
    Boolean brake = time >= reached + 0.5;
  equation
    der(x) = if brake then 0 else 1;
    when x >= 1 then reached = time; end when;
  end M;)";
  for (const char* solver : kSolvers)
    EXPECT_NEAR(run_model_text(text, 3, solver).trajectory.final_value("x"), 1.5, 1e-8) << solver;
}

TEST(ModelText, BouncesOfARelationAccumulateAtTheirLimit) {
  const char* text = R"(model M
    Real x(start=1, fixed=true), v(start=0, fixed=true);
  equation
    der(x) = v;
    der(v) = -10;
    when x <= 0 then reinit(v, -0.5*pre(v)); end when;
  end M;)";
  const double limit = std::sqrt(0.2) * 3;
  for (const char* solver : {"rodas5p", "dopri5", "dop853", "ida"}) {
    const ModelRun run = run_model_text(text, 10, solver);
    EXPECT_EQ(run.result.status.reason, RunReason::kZeno) << solver;
    EXPECT_NEAR(run.result.status.time, limit, 1e-5) << solver;
    EXPECT_NE(run.result.status.message.find("accumulates"), std::string::npos)
        << run.result.status.message;
  }
}

// The bounces become smaller than any hysteresis: a jump counts as it is.
TEST(ModelText, ABallThatGoesOnAndOnDoesNotFallThrough) {
  const auto model = model_from_text("M.mo", R"(model M
    Real x(start=1, fixed=true), v(start=0, fixed=true);
    Boolean rising = v > 0;
  equation
    der(x) = v;
    der(v) = -10;
    when x <= 0 and not rising then reinit(v, -0.5*pre(v)); end when;
  end M;)");
  for (const char* solver : {"rodas5p", "dopri5", "dop853", "cvode-bdf", "ida"}) {
    RunOptions options;
    options.stop_time = 10;
    options.solver = solver;
    options.numerics.rtol = 1e-9;
    options.on_zeno = ZenoPolicy::kGo;
    options.max_events = 2000;
    const RunResult result = simulate(*model, options);
    EXPECT_EQ(result.status.reason, RunReason::kZeno) << solver << result.status.message;
    EXPECT_GT(result.final.x[0], -1e-9) << solver;
  }
}

}  // namespace
}  // namespace arges
