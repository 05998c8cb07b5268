#include "arges/driver/discrete_study.h"

#include <gtest/gtest.h>

#include "arges/base/error.h"

namespace arges {
namespace {

// Counts its parameter up to the stop time; no engine is needed for that.
class Counting final : public DiscreteModel {
 public:
  Counting()
      : DiscreteModel(
            {"counting", "", {{"step", 1, 1, "", ""}}, {0, 10, 1e-6, "auto", 0}, "none"}) {}
  DiscreteResult run(const DiscreteRun& run) const override {
    if (run.values["step"] < 0) throw UserError("steps go forward");
    DiscreteResult result;
    const double span = run.options.stop_time - run.options.start_time;
    result.result.status.time = run.options.stop_time;
    result.result.events = static_cast<std::int64_t>(span);
    result.final = {{"count", run.values["step"] * span, ValueType::kReal}};
    result.summary = {{"mean", run.values["step"] / 2, ValueType::kReal}};
    return result;
  }
};

TEST(DiscreteStudy, NotesColumnsAndStatisticsAtTheEnd) {
  const Counting model;
  RunOptions options;
  options.stop_time = 10;
  DiscreteStudyPlan plan{model, ParameterValues(model.info().parameters), options, {"step"}, {},
                         {}};
  for (const char* text : {"count", "mean", "final(count - 2*mean)", "time", "events"})
    plan.observables.push_back(parse_observable(text));
  plan.values = [](std::int64_t index) { return std::vector<double>{static_cast<double>(index)}; };
  std::vector<StudyRow> rows;
  run_ensemble(5, study_workers(plan), {}, [&](const StudyRow& row) {
    rows.push_back(row);
    return true;
  });
  ASSERT_EQ(rows.size(), 5u);
  EXPECT_EQ(rows[3].observables, (std::vector<double>{30, 1.5, 27, 10, 10}));
}

TEST(DiscreteStudy, ARowSaysWhyTheModelRefusesValues) {
  const Counting model;
  DiscreteStudyPlan plan{model, ParameterValues(model.info().parameters), {}, {"step"}, {}, {}};
  plan.observables = {parse_observable("count")};
  const std::unique_ptr<ModelFunction> run = model_functions(plan)();
  const ModelFunction::Result refused = (*run)(std::vector<double>{-1});
  EXPECT_EQ(refused.status, RunReason::kInitialisationFailed);
  EXPECT_EQ(refused.message, "steps go forward");
  EXPECT_EQ((*run)(std::vector<double>{1}).message, "");
}

TEST(DiscreteStudy, RefusesWhatItCannotNote) {
  const Counting model;
  DiscreteStudyPlan plan{model, ParameterValues(model.info().parameters), {}, {"step"}, {}, {}};
  for (const char* text : {"max(mean)", "count@2", "cuont", "max(cuont)"}) {
    plan.observables = {parse_observable(text)};
    EXPECT_THROW(study_workers(plan), UserError) << text;
  }
  plan.observables = {parse_observable("count")};
  plan.names = {"stop"};
  EXPECT_THROW(study_workers(plan), UserError);
}

}  // namespace
}  // namespace arges
