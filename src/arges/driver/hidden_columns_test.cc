// What the compiler has made for itself is not in the results.

#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "testing/text_run.h"

namespace arges {
namespace {

using testing::run_text;
using testing::TextRun;

std::vector<std::string> names_of(const TextRun& run) {
  std::vector<std::string> names;
  for (const Column& column : run.trajectory.layout.columns) names.push_back(column.name);
  return names;
}

TEST(HiddenColumns, AModelWithoutStatesHasNoneInItsResults) {
  for (const char* solver : {"dopri5", "rodas5p", "cvode-bdf", "tsit5"}) {
    const TextRun run = run_text(R"(model Model
  Real x = sin(time);
  Real d = delay(x + 1, 0.5);
  Boolean b = x > 0.5;
end Model;)",
                                 2, solver);
    ASSERT_EQ(run.result.status.reason, RunReason::kFinished) << run.result.status.message;
    EXPECT_EQ(names_of(run), (std::vector<std::string>{"x", "d", "b"})) << solver;
    EXPECT_NEAR(run.trajectory.final_value("x"), std::sin(2.0), 1e-15);
  }
}

TEST(HiddenColumns, NorHasAMachineOfSuchBlocks) {
  const TextRun run = run_text(R"(model Model
  block A Real x = time; end A;
  block B Real x = 2*time; end B;
  A a;
  B b;
equation
  initialState(a);
  transition(a, b, time > 1);
end Model;)",
                               2);
  ASSERT_EQ(run.result.status.reason, RunReason::kFinished) << run.result.status.message;
  for (const std::string& name : names_of(run))
    EXPECT_EQ(name.find('$'), std::string::npos) << name;
  EXPECT_EQ(run.trajectory.final_value("b.x"), 4);
}

}  // namespace
}  // namespace arges
