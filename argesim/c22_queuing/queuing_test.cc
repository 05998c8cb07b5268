// C22 with fixed times: exact results.

#include <algorithm>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "argesim/c22_queuing/model.h"

namespace arges::argesim::c22 {
namespace {

Outcome run(Policy policy) {
  Parameters parameters;
  parameters.policy = policy;
  return simulate(parameters);
}

// Those who leave at one time sorted; the twentieth leaves together with another in one case.
std::vector<std::pair<double, int>> last19(const Outcome& outcome) {
  std::vector<std::pair<double, int>> all;
  for (const Exit& exit : outcome.exits) all.push_back({exit.time, exit.id});
  std::stable_sort(all.begin(), all.end());
  return {all.end() - 19, all.end()};
}

TEST(QueuingPolicies, FifoWithServiceFirst) {
  const Outcome outcome = run(Policy::kFifoServiceFirst);
  EXPECT_NEAR(outcome.mean_wait, 6.7, 1e-12);
  EXPECT_EQ(outcome.max_wait, 13.5);
  EXPECT_NEAR(outcome.mean_length, 670.0 / 118, 1e-12);
  EXPECT_EQ(outcome.max_length, 12);
  EXPECT_EQ(outcome.last_exit, 118);
  EXPECT_EQ(last19(outcome), (std::vector<std::pair<double, int>>{{97, 80},
                                                                  {98.5, 85},
                                                                  {100, 83},
                                                                  {100, 87},
                                                                  {101.5, 84},
                                                                  {103, 86},
                                                                  {104.5, 88},
                                                                  {104.5, 91},
                                                                  {106, 89},
                                                                  {107.5, 90},
                                                                  {109, 92},
                                                                  {109, 95},
                                                                  {110.5, 93},
                                                                  {112, 94},
                                                                  {113.5, 96},
                                                                  {113.5, 98},
                                                                  {115, 97},
                                                                  {116.5, 99},
                                                                  {118, 100}}));
}

TEST(QueuingPolicies, FifoWithArrivalFirst) {
  const Outcome outcome = run(Policy::kFifoArrivalFirst);
  EXPECT_NEAR(outcome.mean_wait, 6.7, 1e-12);
  EXPECT_NEAR(outcome.mean_length, 670.0 / 118, 1e-12);
  EXPECT_EQ(outcome.max_length, 12);
  EXPECT_EQ(outcome.max_wait, 13.5);
  EXPECT_EQ(outcome.last_exit, 118);
  EXPECT_EQ(last19(outcome), (std::vector<std::pair<double, int>>{{97, 80},
                                                                  {98.5, 82},
                                                                  {100, 84},
                                                                  {100, 87},
                                                                  {101.5, 85},
                                                                  {103, 86},
                                                                  {104.5, 88},
                                                                  {104.5, 91},
                                                                  {106, 89},
                                                                  {107.5, 90},
                                                                  {109, 92},
                                                                  {109, 94},
                                                                  {110.5, 93},
                                                                  {112, 95},
                                                                  {113.5, 96},
                                                                  {113.5, 97},
                                                                  {115, 98},
                                                                  {116.5, 99},
                                                                  {118, 100}}));
}

TEST(QueuingPolicies, Jockeying) {
  const Outcome outcome = run(Policy::kJockeying);
  EXPECT_NEAR(outcome.mean_wait, 6.0, 1e-12);
  EXPECT_EQ(outcome.max_wait, 13.5);
  EXPECT_NEAR(outcome.mean_length, 600 / 116.5, 1e-12);
  EXPECT_EQ(outcome.max_length, 11);
  EXPECT_EQ(outcome.last_exit, 116.5);
  ASSERT_EQ(outcome.incidents.size(), 36u);
  EXPECT_EQ(outcome.incidents[0], (Incident{6.5, 6, 1, 2}));
  EXPECT_EQ(outcome.incidents[3], (Incident{11, 10, 1, 2}));
  EXPECT_EQ(outcome.incidents[10], (Incident{26.5, 26, 3, 4}));
  EXPECT_EQ(outcome.incidents[35], (Incident{103, 100, 1, 4}));
}

TEST(QueuingPolicies, Reneging) {
  const Outcome outcome = run(Policy::kReneging);
  EXPECT_NEAR(outcome.mean_wait, 5.87, 1e-12);
  EXPECT_EQ(outcome.max_wait, 9);
  EXPECT_NEAR(outcome.mean_length, 587 / 113.5, 1e-12);
  EXPECT_EQ(outcome.max_length, 9);
  EXPECT_EQ(outcome.exits.size(), 96u);
  EXPECT_EQ(outcome.incidents, (std::vector<Incident>{{77, 68}, {86, 77}, {95, 86}, {104, 95}}));
}

TEST(QueuingPolicies, Classing) {
  const Outcome outcome = run(Policy::kClassing);
  EXPECT_NEAR(outcome.mean_wait, 56.25, 1e-12);
  EXPECT_EQ(outcome.max_wait, 125.5);
  EXPECT_NEAR(outcome.mean_length, 5625 / 212.5, 1e-12);
  EXPECT_EQ(outcome.max_length, 54);
  EXPECT_EQ(outcome.last_exit, 212.5);
  EXPECT_EQ(outcome.incidents, (std::vector<Incident>{{10, 5},
                                                      {14.5, 4},
                                                      {19, 3},
                                                      {28, 2},
                                                      {41.5, 1},
                                                      {55, 5},
                                                      {77.5, 4},
                                                      {100, 3},
                                                      {136, 2},
                                                      {167.5, 1},
                                                      {185.5, 5},
                                                      {199, 4}}));
  EXPECT_NEAR(outcome.class_mean_wait[1], 66.8, 1e-12);
  EXPECT_NEAR(outcome.class_mean_wait[5], 60.775, 1e-12);
}

}  // namespace
}  // namespace arges::argesim::c22
