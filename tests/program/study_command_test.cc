// Studies of models whose runs fail for reasons that go away.

#include <cstdio>
#include <filesystem>
#include <numeric>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "arges/base/error.h"
#include "commands.h"

namespace arges::app {
namespace {

bool out_of_order = false;

// x' = -k x: out of order, runs with k < 1 fail.
class Decay : public HybridSystem {
 public:
  Decay() : HybridSystem("Decay") {
    x_ = declare_state("x", 1);
    k_ = declare_parameter("k", 1);
  }
  void derivatives(const Point& at, Rates rates) const override {
    if (out_of_order && at[k_] < 1) throw EvaluationError("out of order", false);
    rates[x_] = -at[k_] * at[x_];
  }

 private:
  StateId x_;
  ParameterId k_;
};

nlohmann::json study(const std::string& file, bool resume) {
  ModelRegistry models;
  models.add<Decay>();
  MonteCarloCommand command;
  command.study.subject.model = "Decay";
  command.study.out = file;
  command.study.json = true;
  command.study.resume = resume;
  command.study.threads = 1;
  command.count = 200;
  command.distributions = {"k=uniform(0.9,2)"};
  command.bands = {"x"};
  ::testing::internal::CaptureStdout();
  ::testing::internal::CaptureStderr();
  EXPECT_EQ(montecarlo(models, command), 0);
  std::fflush(stdout);
  ::testing::internal::GetCapturedStderr();
  return nlohmann::json::parse(::testing::internal::GetCapturedStdout());
}

int failed(const nlohmann::json& study) {
  int count = 0;
  for (const auto& row : study["rows"]) count += row["status"] == "finished" ? 0 : 1;
  return count;
}

TEST(StudyCommand, ARunThatFailedAndNowSucceedsIsInTheBands) {
  const auto folder = std::filesystem::temp_directory_path() / "arges_study_command_test";
  for (const char* name : {"a.h5", "a.csv"}) {
    std::filesystem::remove_all(folder);
    std::filesystem::create_directory(folder);
    const std::string whole_file = folder / (std::string("whole_") + name), file = folder / name;
    out_of_order = false;
    const nlohmann::json whole = study(whole_file, false);
    EXPECT_EQ(failed(whole), 0);
    out_of_order = true;
    const nlohmann::json partial = study(file, false);
    EXPECT_GT(failed(partial), 5);
    EXPECT_NE(partial["bands"]["x"]["mean"][100], whole["bands"]["x"]["mean"][100]);
    out_of_order = false;
    for (const int times : {1, 2}) {  // the second time there is nothing left to do
      const nlohmann::json resumed = study(file, true);
      EXPECT_EQ(resumed["rows"], whole["rows"]) << times;
      EXPECT_EQ(resumed["summary"], whole["summary"]) << times;
      const auto &here = resumed["bands"]["x"], &there = whole["bands"]["x"];
      EXPECT_EQ(here["quantiles"], there["quantiles"]) << times;
      for (std::size_t k = 0; k < there["mean"].size(); ++k)
        EXPECT_NEAR(here["mean"][k], there["mean"][k], 1e-14) << times;
    }
  }
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace arges::app
