#include "arges/process/result_recorder.h"

#include <gtest/gtest.h>

#include "arges/process/resource.h"
#include "arges/results/memory_sink.h"

namespace arges::process {
namespace {

Process customer(World& world, Resource& desk, int& served) {
  (void)world;
  co_await desk.acquire();
  co_await delay(2);
  desk.release();
  ++served;
}

TEST(ProcessResults, HaveWatchedQuantitiesAsColumnsAndActivationsAsEvents) {
  World world;
  Resource desk(world, "desk");
  int served = 0;
  MemorySink memory;
  StepRecorder steps(memory);
  ResultRecorder recorder(steps, true);
  recorder.watch({"waiting", "", "", ValueType::kInteger},
                 [&] { return static_cast<double>(desk.line().size()); });
  recorder.watch({"served", "", "", ValueType::kInteger}, [&] { return double(served); });
  world.set_observer(&recorder);
  steps.begin(0);
  world.start(customer(world, desk, served), "customer");
  world.start(customer(world, desk, served), "customer");
  EXPECT_EQ(world.next_time(), 0);
  ASSERT_TRUE(world.run().ok());
  EXPECT_EQ(world.next_time(), devs::kInfinity);
  steps.end(world.now());
  memory.finish({});
  const Trajectory& result = memory.trajectory();
  using Values = std::vector<double>;
  EXPECT_EQ(result.times, (Values{0, 0, 2, 2, 4, 4}));
  EXPECT_EQ(result.values_of("waiting"), (Values{0, 1, 1, 0, 0, 0}));
  EXPECT_EQ(result.values_of("served"), (Values{0, 0, 0, 1, 1, 2}));
  std::vector<std::string> kinds;
  for (const EventRecord& event : result.events) kinds.push_back(event.kind);
  EXPECT_EQ(kinds, (std::vector<std::string>{"started", "started", "resumed+ended", "resumed",
                                             "resumed+ended"}));
  EXPECT_EQ(result.events[1].component, "customer#1");
  EXPECT_EQ(result.events[1].iteration, 1);
  ASSERT_EQ(result.events[2].changes.size(), 2u);
  EXPECT_EQ(result.events[2].changes[1].name, "served");
}

}  // namespace
}  // namespace arges::process
