#include <gtest/gtest.h>

#include "arges/base/error.h"
#include "argesim/ga_deceptive/model.h"

namespace arges::argesim::ga {
namespace {

TEST(DeceptiveGame, HasOneEquilibrium) {
  const auto all = nash_equilibria();
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(all[0][0], (Strategy{1, 0, 0}));
  EXPECT_EQ(all[0][1], (Strategy{1, 0, 0}));
}

TEST(DeceptiveGame, ARandomPopulationPlaysAllStrategiesAlike) {
  Rules rules;
  rules.agents = 20000;
  const Contest contest(rules);
  for (std::size_t p = 0; p < 2; ++p) {
    for (const double share : contest.strategy(p)) EXPECT_NEAR(share, 1. / 3, 0.01);
  }
}

TEST(DeceptiveGame, TheSameReplicationIsTheSameAndOthersDiffer) {
  Rules rules;
  Contest a(rules), b(rules);
  rules.replication = 1;
  Contest other(rules);
  for (int i = 0; i < 20; ++i) {
    a.step();
    b.step();
    other.step();
  }
  EXPECT_EQ(a.strategy(0), b.strategy(0));
  EXPECT_EQ(a.strategy(1), b.strategy(1));
  EXPECT_NE(a.strategy(0), other.strategy(0));
}

TEST(DeceptiveGame, WithoutNewsAllAgentsBecomeAlike) {
  Contest contest(Rules{});
  int periods = 0;
  for (; periods < 2000 && !contest.is_over(); ++periods) contest.step();
  ASSERT_LT(periods, 2000);
  const Strategy before = contest.strategy(0);
  for (int i = 0; i < 10; ++i) contest.step();
  for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(contest.strategy(0)[i], before[i], 1e-12);
}

TEST(DeceptiveGame, ConservativeAgentsNeverDie) {
  Rules rules;
  rules.conservative = {true, true};
  Contest contest(rules);
  for (int i = 0; i < 300; ++i) contest.step();
  // At least one in 103 plays each pure strategy.
  for (const double share : contest.strategy(0)) EXPECT_GT(share, 0.99 / 103);
}

TEST(DeceptiveGame, RefusesAnOddNumberOfAgents) {
  const auto model = make_model();
  ParameterValues values(model->info().parameters);
  values.set("agents", 7);
  RunOptions options;
  class Nowhere : public ResultSink {
    void begin(const ResultLayout&) override {}
    void row(double, std::span<const double>) override {}
    void event(const EventRecord&) override {}
    void finish(const Manifest&) override {}
  } nowhere;
  EXPECT_THROW(model->run({options, values, nowhere, false, false}), UserError);
}

}  // namespace
}  // namespace arges::argesim::ga
