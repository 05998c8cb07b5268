#include <cmath>

#include <gtest/gtest.h>

#include "argesim/c21_ball/contact_reference.h"
#include "argesim/common/experiment.h"

namespace arges::argesim {
namespace {

class DynamicContact : public ::testing::TestWithParam<const char*> {
 protected:
  std::unique_ptr<HybridSystem> model_ = text_model("argesim/c21_ball/DynamicContact.mo");
};
INSTANTIATE_TEST_SUITE_P(Solvers, DynamicContact,
                         ::testing::Values("rodas5p", "dopri5", "tsit5", "dop853", "cvode-bdf",
                                           "cvode-adams", "ida", "arkode-dirk", "arkode-erk"));

TEST_P(DynamicContact, TheTenthContactIsTheLast) {
  const Recording result = run(*model_, options(GetParam(), 1e-10, 5));
  const std::vector<double> times = result.change_times("contacts");
  ASSERT_EQ(times.size(), c21::kContacts.size());
  for (std::size_t i = 0; i < times.size(); ++i)
    EXPECT_NEAR(times[i], c21::kContacts[i].t, 1e-7) << i;
  EXPECT_NEAR(result.final("x"), -9.81e-6, 1e-12);
}

// Flight and contact share the surface x + w = 0, which the motion leaves along a tangent.
TEST_P(DynamicContact, NoContactEndsOrBeginsTwice) {
  const Recording result = run(*model_, options(GetParam(), 1e-8, 5));
  const std::vector<double> begins = result.change_times("contact", 1);
  const std::vector<double> ends = result.change_times("contact", 0);
  ASSERT_EQ(begins.size(), ends.size() + 1);
  for (std::size_t i = 0; i < ends.size(); ++i) {
    EXPECT_GT(ends[i] - begins[i], 1e-3) << i;
    EXPECT_GT(begins[i + 1] - ends[i], 1e-3) << i;
  }
}

TEST_P(DynamicContact, DeformationIsTheDepthOfTheBallInContact) {
  RunOptions wanted = options(GetParam(), 1e-10, 2.2);
  wanted.interval = 1e-3;
  const Recording result = run(*model_, wanted);
  const std::vector<double> x = result.trajectory.values_of("x"),
                            w = result.trajectory.values_of("w"),
                            contact = result.trajectory.values_of("contact");
  int rows = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    EXPECT_GT(x[i] + w[i], -1e-10);
    if (contact[i] == 0) continue;
    EXPECT_NEAR(x[i] + w[i], 0, 1e-10) << result.trajectory.times[i];
    ++rows;
  }
  EXPECT_GE(rows, 4);
}

}  // namespace
}  // namespace arges::argesim
