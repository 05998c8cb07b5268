#include "arges/process/world.h"

#include <array>
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "arges/base/error.h"
#include "arges/process/any_all.h"
#include "arges/process/resource.h"

namespace arges::process {
namespace {

using Log = std::vector<std::string>;

std::string line(double t, const std::string& what) {
  std::string text = std::to_string(t);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text + " " + what;
}

Process ticker(World& world, Log& log, std::string name, double period, int count) {
  for (int i = 0; i < count; ++i) {
    co_await delay(period);
    log.push_back(line(world.now(), name));
  }
}

TEST(World, DelaysEndInTheOrderInWhichTheyBegan) {
  World world;
  Log log;
  world.start(ticker(world, log, "a", 0.3, 1));
  world.start(ticker(world, log, "b", 0.1, 3));
  EXPECT_TRUE(world.run().ok());
  // Three times 0.1 is 0.3; a's delay began first.
  EXPECT_EQ(log, (Log{"0.1 b", "0.2 b", "0.3 a", "0.3 b"}));
}

TEST(World, PriorityDecidesAmongThoseOfOneTime) {
  World world;
  Log log;
  world.start(ticker(world, log, "late", 1, 2), "late", {.priority = 5});
  world.start(ticker(world, log, "early", 1, 2), "early", {.priority = -1});
  world.run();
  EXPECT_EQ(log, (Log{"1 early", "1 late", "2 early", "2 late"}));
}

Process waiter(World& world, Log& log, Event& event, std::string name) {
  co_await event;
  log.push_back(line(world.now(), name));
}
Process firer(World& world, Log& log, Event& event, double at) {
  co_await delay(at);
  log.push_back(line(world.now(), "fire"));
  event.fire();
  log.push_back(line(world.now(), "fired"));
}

TEST(World, AnEventWakesAllWhoWaitNow) {
  World world;
  Log log;
  Event event(world, "door");
  world.start(waiter(world, log, event, "a"));
  world.start(waiter(world, log, event, "b"), "b", {.priority = -1});
  world.start(firer(world, log, event, 2));
  world.run();
  EXPECT_EQ(log, (Log{"2 fire", "2 fired", "2 b", "2 a"}));
}

Process chooser(World& world, Log& log, Event& event, Resource& desk, double patience) {
  const std::size_t which = co_await any_of(after(patience), event, desk);
  log.push_back(line(world.now(), std::to_string(which)));
  if (which == 2) desk.release();
}
Process holder(World& world, Resource& desk, double time) {
  co_await desk.acquire();
  co_await delay(time);
  desk.release();
  (void)world;
}

TEST(World, AnyOfGoesOnWithTheFirstThatComes) {
  const auto run = [](double patience, double door, double work) {
    World world;
    Log log;
    Event event(world, "door");
    Resource desk(world, "desk");
    world.start(holder(world, desk, work));
    world.start(chooser(world, log, event, desk, patience));
    world.start(firer(world, log, event, door));
    EXPECT_TRUE(world.run().ok());
    EXPECT_EQ(event.waiting(), 0u);
    EXPECT_TRUE(desk.line().empty());
    EXPECT_EQ(desk.in_use(), 0);
    std::erase_if(log, [](const std::string& text) { return text.find("fire") != text.npos; });
    return log;
  };
  EXPECT_EQ(run(1, 2, 3), (Log{"1 0"}));
  EXPECT_EQ(run(3, 1, 2), (Log{"1 1"}));
  EXPECT_EQ(run(3, 2, 1), (Log{"1 2"}));
}

// The desk becomes free just when patience ends: who goes first decides.
TEST(World, ADelayAmongSeveralThingsHasItsTurn) {
  for (const int priority : {-1, 1}) {
    World world;
    Log log;
    Event event(world, "door");
    Resource desk(world, "desk");
    world.start(holder(world, desk, 2));
    const ProcessRef second = world.start(chooser(world, log, event, desk, 2), "chooser");
    world.run_until(1);
    world.set_priority(second, priority);
    EXPECT_TRUE(world.run().ok());
    EXPECT_EQ(log, (Log{priority < 0 ? "2 0" : "2 2"}));
  }
}

Process collector(World& world, Log& log, Event& event, Resource& desk, double time) {
  co_await all_of(after(time), event, desk);
  log.push_back(line(world.now(), "all"));
  desk.release();
}

TEST(World, AllOfWaitsForTheLast) {
  for (const auto& [time, door, work] :
       std::vector<std::array<double, 3>>{{1, 2, 3}, {3, 1, 2}, {2, 3, 1}}) {
    World world;
    Log log;
    Event event(world, "door");
    Resource desk(world, "desk");
    world.start(holder(world, desk, work));
    world.start(collector(world, log, event, desk, time));
    world.start(firer(world, log, event, door));
    EXPECT_TRUE(world.run().ok());
    EXPECT_EQ(log.back(), "3 all");
  }
}

Process sleeper(World& world, Log& log) {
  try {
    co_await delay(10);
    log.push_back(line(world.now(), "slept"));
  } catch (const Interrupted& interrupt) {
    log.push_back(line(world.now(), interrupt.cause() + " " +
                                        std::to_string(static_cast<int>(interrupt.remaining()))));
  }
  co_await delay(1);
  log.push_back(line(world.now(), "up"));
}
Process alarm(World& world, ProcessRef whom, double at) {
  co_await delay(at);
  EXPECT_TRUE(world.interrupt(whom, "alarm"));
  EXPECT_FALSE(world.interrupt(whom, "again"));  // it does not wait any more
}

TEST(World, AnInterruptEndsTheDelay) {
  World world;
  Log log;
  const ProcessRef process = world.start(sleeper(world, log));
  world.start(alarm(world, process, 4));
  world.run();
  EXPECT_EQ(log, (Log{"4 alarm 6", "5 up"}));
  EXPECT_FALSE(world.is_alive(process));
  EXPECT_FALSE(world.interrupt(process, "too late"));
}

Process joiner(World& world, Log& log, ProcessRef other) {
  co_await end_of(world, other);
  log.push_back(line(world.now(), "joined"));
  co_await end_of(world, other);  // at once
  log.push_back(line(world.now(), "again"));
}

TEST(World, TheEndOfAProcessCanBeWaitedFor) {
  World world;
  Log log;
  const ProcessRef process = world.start(ticker(world, log, "tick", 2, 2));
  world.start(joiner(world, log, process));
  world.run();
  EXPECT_EQ(log, (Log{"2 tick", "4 tick", "4 joined", "4 again"}));
}

Process counter(World&, int& level) {
  for (int i = 0; i < 5; ++i) {
    co_await delay(1);
    ++level;
  }
}
Process watcher(World& world, Log& log, const int& level, int limit) {
  co_await when([&level, limit] { return level >= limit; });
  log.push_back(line(world.now(), std::to_string(limit)));
}

TEST(World, AConditionIsSeenWhenItComesTrue) {
  World world;
  Log log;
  int level = 0;
  world.start(watcher(world, log, level, 3));
  world.start(watcher(world, log, level, 0));
  world.start(watcher(world, log, level, 2));
  world.start(counter(world, level));
  EXPECT_TRUE(world.run().ok());
  EXPECT_EQ(log, (Log{"0 0", "2 2", "3 3"}));
}

Process thrower(World&) {
  co_await delay(3);
  throw std::runtime_error("out of glue");
}

TEST(World, AnExceptionEndsTheRunWithTheName) {
  World world;
  world.start(thrower(world), "gluer");
  const RunStatus status = world.run_until(10);
  EXPECT_EQ(status.reason, RunReason::kEvaluationFailed);
  EXPECT_EQ(status.message, "gluer#0, t = 3: out of glue");
}

Process wait_for(World&, Event& event) { co_await event; }
Process wait_until(World&, const bool& is_open) {
  co_await when([&is_open] { return is_open; });
}

TEST(World, ProcessesThatNothingCanWakeAreReportedByRunUntilAsWell) {
  World world;
  Event door(world, "door");
  world.start(wait_for(world, door), "guest");
  const RunStatus status = world.run_until(5);
  EXPECT_EQ(status.reason, RunReason::kEvaluationFailed);
  EXPECT_EQ(status.component, "guest#0");
  EXPECT_EQ(status.time, 5);
  EXPECT_NE(status.message.find("guest#0 waits for door since t = 0"), std::string::npos);
  door.fire();  // from outside
  EXPECT_TRUE(world.run_until(6).ok());

  World daemons;
  Event bell(daemons, "bell");
  daemons.start(wait_for(daemons, bell), "servant", {.daemon = true});
  EXPECT_TRUE(daemons.run_until(5).ok());

  World open;  // what conditions look at is not the world's
  Event gate(open, "gate");
  bool is_open = false;
  open.start(wait_for(open, gate), "guest");
  open.start(wait_until(open, is_open), "porter");
  EXPECT_TRUE(open.run_until(5).ok());
  EXPECT_FALSE(open.run().ok());
}

Process backwards(World&) { co_await delay(-1); }

TEST(World, TimeDoesNotGoBack) {
  World world;
  world.start(backwards(world), "bug");
  EXPECT_EQ(world.run().message,
            "bug#0, t = 0: a process cannot wait for a time of -1: it must be 0 or more");
  World other;
  other.run_until(5);
  EXPECT_EQ(other.now(), 5);
  EXPECT_THROW(other.run_until(4), ApiError);
}

TEST(World, AProcessThatNeverResumesIsNamed) {
  World world;
  Log log;
  Event event(world, "godot");
  world.start(waiter(world, log, event, "a"), "vladimir");
  world.start(waiter(world, log, event, "b"), "tree", {.daemon = true});
  const RunStatus status = world.run();
  EXPECT_EQ(status.reason, RunReason::kEvaluationFailed);
  EXPECT_EQ(status.component, "vladimir#0");
  EXPECT_EQ(status.message,
            "vladimir#0, t = 0: no event is left, and vladimir#0 waits for godot since t = 0. "
            "Processes that may wait for ever are started as daemons");
}

TEST(World, AProcessThatWasNeverStartedLeavesNothing) {
  World world;
  Log log;
  { const Process unused = ticker(world, log, "a", 1, 1); }
  EXPECT_TRUE(world.run().ok());
  EXPECT_TRUE(log.empty());
}

TEST(World, AProcessIsStartedOnceAndInItsOwnWorld) {
  World world, other;
  Log log;
  Process process = ticker(world, log, "a", 1, 1);
  EXPECT_THROW(other.start(ticker(world, log, "b", 1, 1)), ApiError);
  world.start(std::move(process));
  EXPECT_THROW(world.start(std::move(process)), ApiError);  // NOLINT(bugprone-use-after-move)
  EXPECT_TRUE(world.run().ok());
  EXPECT_TRUE(other.run().ok());
  EXPECT_EQ(log, (Log{"1 a"}));
}

Process changer(World&, Timer& timer, double again) {
  co_await delay(2);
  if (again > 0) {
    timer.set_after(again);
  } else {
    timer.cancel();
  }
}

// The process has its turn before the timer, since its delay began before that was set.
TEST(Timer, ThatIsMovedOrCancelledAtItsTimeDoesNothingThen) {
  for (const double again : {0.0, 3.0}) {
    World world;
    Log log;
    Timer timer(world, [&] { log.push_back(line(world.now(), "timer")); });
    world.start(changer(world, timer, again));
    world.run_until(1);
    timer.set_after(1);
    EXPECT_TRUE(world.run().ok());
    EXPECT_EQ(log, again > 0 ? Log{"5 timer"} : Log{});
  }
}

}  // namespace
}  // namespace arges::process
