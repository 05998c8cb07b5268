#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "arges/base/error.h"
#include "arges/driver/discrete_study.h"
#include "argesim/embedded.h"
#include "argesim/ses_mb_ea/model.h"

namespace arges::argesim::ses {
namespace {

// Jobs, and the statistics, of one run.
std::vector<double> run(double period, double servers, double stop) {
  const auto model = make_model();
  DiscreteStudyPlan plan{*model, ParameterValues(model->info().parameters),         {}, {},
                         {},     [](std::int64_t) { return std::vector<double>{}; }};
  plan.options.stop_time = stop;
  plan.start.set("period", period);
  plan.start.set("servers", servers);
  for (const char* name : {"jobs", "mean_queue1", "mean_queue2", "mean_idle"})
    plan.observables.push_back(parse_observable(name));
  return study_workers(plan)()->run(0).observables;
}

TEST(JobShop, HandlesAsManyJobsAsItsSlowestPart) {
  // The first job ends after 80 s; one every 10 s, 11 s, 70/6 s, or 70 s after it.
  EXPECT_EQ(run(10, 7, 1000)[0], 93);
  EXPECT_EQ(run(10, 7, 10000)[0], 993);
  EXPECT_EQ(run(11, 7, 3600)[0], 321);
  EXPECT_EQ(run(10, 6, 3600)[0], 303);
  EXPECT_EQ(run(10, 1, 3600)[0], 51);
}

TEST(JobShop, MeansAreThoseOfTheFirstFill) {
  const std::vector<double> best = run(10, 7, 3600);
  EXPECT_NEAR(best[1], 0, 1e-12);
  EXPECT_NEAR(best[2], 0, 1e-12);
  EXPECT_NEAR(best[3], 280. / 3600, 1e-12);
  // One server more begins at 80 s, when the first becomes free again: it never does.
  EXPECT_NEAR(run(10, 8, 3600)[3], 1 + 280. / 3600, 1e-12);
}

TEST(JobShop, StandsInItsLesson) {
  const std::string lesson(embedded_text("argesim/ses_mb_ea/lesson.md"));
  for (const std::string name : {"Tree.toml", "JobShop.toml"}) {
    const std::string text(embedded_text("argesim/ses_mb_ea/" + name));
    EXPECT_NE(lesson.find(fmt::format("```toml file={}\n{}```\n", name, text)), std::string::npos);
  }
}

TEST(JobShop, RefusesAShopWithoutServers) { EXPECT_THROW(run(10, 0, 100), UserError); }

}  // namespace
}  // namespace arges::argesim::ses
