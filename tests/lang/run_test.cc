// Runs the models in run/ from text to the end of their experiment and compares values:
//   //? value NAME NUMBER TOLERANCE        at the end
//   //? at TIME NAME NUMBER TOLERANCE      in between, from the rows of the result
//   //? rtol NUMBER                        else that of the experiment
//   //? steps NUMBER                       the solver takes no more than so many
//   //? fails PART OF THE MESSAGE          the run must end early, and say so
//   //? warns PART OF THE MESSAGE          a warning must be shown, once; without such a line: none

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "arges/compile/switching_system.h"
#include "arges/diag/text_client.h"
#include "arges/flatten/load.h"
#include "arges/hybrid/simulator.h"
#include "arges/results/memory_sink.h"

namespace {

namespace fs = std::filesystem;
using namespace arges;

struct Question {
  bool at_end = true;
  double time = 0;
  std::string name;
  double value = 0, tolerance = 0;
};

class RunText : public ::testing::TestWithParam<fs::path> {};

TEST_P(RunText, GivesTheExpectedValues) {
  std::ifstream in(GetParam(), std::ios::binary);
  std::stringstream content;
  content << in.rdbuf();
  const std::string text = content.str();
  std::vector<Question> questions;
  std::string failure, warning;
  double rtol = 0, steps = INFINITY;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with("//? ")) continue;
    std::istringstream words(line.substr(4));
    std::string verb;
    words >> verb;
    Question q;
    q.at_end = verb == "value";
    if (verb == "fails") {
      std::getline(words >> std::ws, failure);
    } else if (verb == "warns") {
      std::getline(words >> std::ws, warning);
    } else if (verb == "rtol") {
      words >> rtol;
    } else if (verb == "steps") {
      words >> steps;
    } else {
      if (verb == "at") words >> q.time;
      words >> q.name >> q.value >> q.tolerance;
      ASSERT_FALSE(words.fail()) << line;
      questions.push_back(q);
    }
  }
  diag::Diagnostics diagnostics;
  lang::ClassTree tree{lang::LibraryPath(), diagnostics};
  const auto added = tree.add_text(GetParam().filename().string(), text);
  ASSERT_FALSE(added.empty());
  FlatModel flat = lang::flatten_class(tree, *added.back());
  ASSERT_FALSE(diagnostics.has_errors()) << to_text(diagnostics, {.limit = 0});
  std::unique_ptr<HybridSystem> system;
  const CompiledSystem* part = nullptr;  // of a model with machines: one mode
  if (flat.machines.empty()) {
    auto compiled = compile_system(std::move(flat));
    part = compiled.get();
    system = std::move(compiled);
  } else {
    auto switching = std::make_unique<SwitchingSystem>(flat);
    part = &switching->mode(0);
    system = std::move(switching);
  }

  RunOptions options;
  const ExperimentInfo& experiment = system->schema().experiment;
  options.start_time = experiment.start_time;
  options.stop_time = experiment.stop_time;
  options.solver = experiment.solver;
  options.numerics.rtol = rtol > 0 ? rtol : experiment.rtol;
  options.numerics.atol = options.numerics.rtol * 1e-2;
  options.interval = experiment.interval;
  std::vector<std::string> warned;
  part->code().tables.environment->set_printer([&](std::string_view line) {
    if (line.starts_with("warning: ")) warned.emplace_back(line);
  });
  MemorySink sink;
  const RunResult result = simulate(*system, options, &sink);
  if (!failure.empty()) {
    EXPECT_FALSE(result.status.ok());
    EXPECT_NE(result.status.message.find(failure), std::string::npos) << result.status.message;
    return;
  }
  ASSERT_TRUE(result.status.ok()) << result.status.message;
  ASSERT_EQ(warned.size(), warning.empty() ? 0U : 1U) << (warned.empty() ? "" : warned[0]);
  if (!warning.empty()) {
    EXPECT_NE(warned[0].find(warning), std::string::npos) << warned[0];
  }
  EXPECT_LE(static_cast<double>(result.statistics.steps), steps);
  sink.finish({});
  const Trajectory& trajectory = sink.trajectory();
  const auto& times = trajectory.times;
  for (const Question& q : questions) {
    const auto row = std::find_if(times.begin(), times.end(),
                                  [&](double t) { return std::abs(t - q.time) < 1e-9; });
    ASSERT_TRUE(q.at_end || row != times.end()) << "no row at t = " << q.time;
    const std::vector<double> values = trajectory.values_of(q.name);
    const double value =
        q.at_end ? values.back() : values[static_cast<std::size_t>(row - times.begin())];
    EXPECT_NEAR(value, q.value, q.tolerance) << q.name;
  }
}

std::vector<fs::path> files() {
  std::vector<fs::path> found;
  for (const auto& entry : fs::directory_iterator(fs::path(ARGES_SOURCE_DIR) / "tests/lang/run"))
    found.push_back(entry.path());
  std::sort(found.begin(), found.end());
  return found;
}

INSTANTIATE_TEST_SUITE_P(Files, RunText, ::testing::ValuesIn(files()),
                         [](const ::testing::TestParamInfo<fs::path>& test) {
                           return test.param.stem().string();
                         });

}  // namespace
