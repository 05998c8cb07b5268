#include "arges/process/any_all.h"

#include <coroutine>
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "arges/base/error.h"
#include "arges/process/resource.h"
#include "arges/process/store.h"
#include "arges/process/world.h"

namespace arges::process {
namespace {

struct Seen {
  double time = -1;
  std::size_t index = 99;
  friend bool operator==(const Seen&, const Seen&) = default;
};

Process fire(World&, Event& event, double at) {
  co_await delay(at);
  event.fire();
}
Process wait(World&, double time) { co_await delay(time); }

Process first_of_many_kinds(World& world, Event& event, ProcessRef other, const double& level,
                            Container& tank, Seen& seen) {
  seen.index = co_await any_of(after(9), event, end_of(world, other),
                               when([&level] { return level > 3; }), tank.get(5));
  seen.time = world.now();
}
Process change(World&, double& level, double at, double to) {
  co_await delay(at);
  level = to;
}
Process fill(World&, Container& tank, double at) {
  co_await delay(at);
  co_await tank.put(6);
}

TEST(AnyOf, TakesTimesEventsEndsConditionsAndAmounts) {
  const double never = 100;
  const double times[5][4] = {{never, never, never, never},
                              {1, never, never, never},
                              {never, 2, never, never},
                              {never, never, 3, never},
                              {never, never, never, 4}};
  for (std::size_t which = 0; which < 5; ++which) {
    const double(&t)[4] = times[which];
    World world;
    Event event(world, "event");
    Container tank(world, "tank", 10);
    double level = 0;
    Seen seen;
    world.start(fire(world, event, t[0]), "fire");
    const ProcessRef other = world.start(wait(world, t[1]), "other");
    world.start(change(world, level, t[2], 4), "change");
    world.start(fill(world, tank, t[3]), "fill");
    world.start(first_of_many_kinds(world, event, other, level, tank, seen), "chooser");
    ASSERT_TRUE(world.run().ok());
    const double expected = which == 0 ? 9 : static_cast<double>(which);
    EXPECT_EQ(seen, (Seen{expected, which})) << which;
    // Nobody waits for the others any more: what was put stays, or the five are gone.
    EXPECT_EQ(tank.level(), which == 4 ? 1 : 6) << which;
    EXPECT_EQ(event.waiting(), 0u);
  }
}

Process tree(World& world, Event& a, Event& b, Event& c, Seen& seen) {
  seen.index = co_await any_of(all_of(a, any_of(b, after(7))), all_of(after(3), c));
  seen.time = world.now();
}

TEST(AnyOf, NestsWithAllOf) {
  struct Case {
    double a, b, c;
    Seen expected;
  };
  for (const Case& k : {Case{1, 2, 50, {2, 0}}, Case{1, 50, 60, {7, 0}}, Case{8, 50, 60, {8, 0}},
                        Case{50, 1, 2, {3, 1}}, Case{50, 60, 5, {5, 1}}, Case{3, 1, 3, {3, 0}}}) {
    World world;
    Event a(world, "a"), b(world, "b"), c(world, "c");
    Seen seen;
    world.start(fire(world, a, k.a), "a");
    world.start(fire(world, b, k.b), "b");
    world.start(fire(world, c, k.c), "c");
    world.start(tree(world, a, b, c, seen), "tree");
    ASSERT_TRUE(world.run().ok());
    EXPECT_EQ(seen, k.expected) << k.a << " " << k.b << " " << k.c;
    EXPECT_EQ(a.waiting() + b.waiting() + c.waiting(), 0u);
  }
}

Process all_delays(World& world, std::vector<double>& times) {
  co_await all_of(after(2), after(5), after(1));
  times.push_back(world.now());
  co_await any_of(after(4), after(3), after(devs::kInfinity));
  times.push_back(world.now());
}

TEST(AnyOf, HasAsManyDelaysAsOneLikes) {
  World world;
  std::vector<double> times;
  world.start(all_delays(world, times), "delays");
  EXPECT_TRUE(world.run().ok());
  EXPECT_EQ(times, (std::vector<double>{5, 8}));
}

Process forever(World&) { co_await any_of(after(devs::kInfinity)); }

TEST(AnyOf, ATimeThatNeverComesDoesNotCome) {
  World world;
  world.start(forever(world), "forever");
  const RunStatus status = world.run();
  EXPECT_FALSE(status.ok());
  EXPECT_NE(status.message.find("forever#0 waits for any of (a delay without end)"),
            std::string::npos)
      << status.message;
}

Process for_all_that_is_missing(World& world, Event& door, Event& bell, ProcessRef other) {
  co_await all_of(after(1), any_of(door, end_of(world, other)), bell);
}
Process wait_for(World&, Event& event) { co_await event; }

TEST(AnyOf, SaysWhatIsMissingWhenNothingIsLeftToHappen) {
  World world;
  Event door(world, "door"), bell(world, "bell");
  const ProcessRef other = world.start(wait_for(world, bell), "other");
  world.start(for_all_that_is_missing(world, door, bell, other), "guest");
  const RunStatus status = world.run();
  EXPECT_NE(
      status.message.find("guest#1 waits for all of (any of (door, the end of other#0), bell)"),
      std::string::npos)
      << status.message;
}

Process take_two(World& world, Resource& desk, Resource& chair, Seen& seen) {
  try {
    co_await all_of(desk, chair.acquire(1, 0), after(1));
  } catch (const Interrupted& interrupted) {
    EXPECT_EQ(interrupted.came(), (std::vector<std::size_t>{0, 2}));
    EXPECT_EQ(interrupted.remaining(), 0);
    desk.release();
    seen.time = world.now();
  }
}
Process occupy(World&, Resource& resource, double time) {
  co_await resource.acquire();
  co_await delay(time);
  resource.release();
}
Process stop(World& world, ProcessRef process, double at) {
  co_await delay(at);
  EXPECT_TRUE(world.interrupt(process, "enough"));
}

TEST(AllOf, SaysWhatHadComeWhenItIsInterrupted) {
  World world;
  Resource desk(world, "desk"), chair(world, "chair");
  Seen seen;
  world.start(occupy(world, chair, 9), "hold");
  const ProcessRef process = world.start(take_two(world, desk, chair, seen), "two");
  world.start(stop(world, process, 4), "stop");
  EXPECT_TRUE(world.run().ok());
  EXPECT_EQ(seen.time, 4);
  EXPECT_EQ(desk.in_use(), 0);
  EXPECT_TRUE(chair.line().empty());
}

Process hold_and_wait(World&, Resource& desk, Resource& pen, Event& never, int& caught) {
  try {
    co_await all_of(desk.acquire(1, 5), pen, any_of(desk.acquire(1, 5), never), never);
  } catch (const Interrupted& interrupted) {
    ++caught;
    EXPECT_EQ(interrupted.came(), (std::vector<std::size_t>{1}));  // the pen alone
    EXPECT_STREQ(interrupted.what(), "preempted by boss#1 (desk)");
    pen.release();
  }
}
Process boss(World&, Resource& desk) {
  co_await delay(1);
  co_await desk.acquire(2, 0);
  desk.release(2);
}

TEST(AllOf, WhatWasPreemptedHasNotCome) {
  World world;
  Resource desk(world, "desk", 2, Discipline::kFifo, Resource::Preemption::kPreemptive);
  Resource pen(world, "pen");
  Event never(world, "never");
  int caught = 0;
  world.start(hold_and_wait(world, desk, pen, never, caught), "clerk");
  world.start(boss(world, desk), "boss");
  EXPECT_TRUE(world.run().ok());
  EXPECT_EQ(caught, 1);
  EXPECT_EQ(desk.in_use(), 0);
}

Process take_if_there(World& world, Store<int>& store, std::vector<double>& times) {
  const std::size_t which = co_await any_of(store, after(10));
  EXPECT_EQ(which == 0, store.size() > 0) << world.now();
  if (which == 0) co_await store.get();
  times.push_back(world.now());
}
Process put_two(World&, Store<int>& store) {
  co_await delay(1);
  co_await store.put(1);
  co_await delay(2);
  co_await store.put(2);
}

// One thing is there for one of them: the others see in their turn that it is gone.
TEST(AnyOf, AStoreComesForThoseWhoFindSomethingInTheirTurn) {
  World world;
  Store<int> store(world, "store");
  std::vector<double> times;
  for (int i = 0; i < 3; ++i) world.start(take_if_there(world, store, times), "taker");
  world.start(put_two(world, store), "put");
  EXPECT_TRUE(world.run().ok());
  EXPECT_EQ(times, (std::vector<double>{1, 3, 10}));
}

Process look(World& world, Store<int>& store, std::vector<double>& times) {
  co_await store;
  times.push_back(world.now());
}

TEST(AnyOf, WhoOnlyLooksLeavesItForOthers) {
  World world;
  Store<int> store(world, "store");
  std::vector<double> times;
  for (int i = 0; i < 2; ++i) world.start(look(world, store, times), "look");
  world.start(put_two(world, store), "put");
  EXPECT_TRUE(world.run().ok());
  EXPECT_EQ(times, (std::vector<double>{1, 1}));
}

Process bad_wait(World& world, Event& event, Resource& desk, std::vector<double>& times) {
  try {
    co_await any_of(event, after(-1));
  } catch (const ApiError&) {
    times.push_back(world.now());
  }
  try {
    co_await any_of(event, desk.acquire(17));
  } catch (const ApiError&) {
    times.push_back(world.now());
  }
  event.fire();
  co_await delay(1);
  times.push_back(world.now());
}

TEST(AnyOf, AProcessThatCatchesAMistakeWaitsForNothing) {
  World world;
  Event event(world, "event");
  Resource desk(world, "desk", 2);
  std::vector<double> times;
  world.start(bad_wait(world, event, desk, times), "bad");
  EXPECT_TRUE(world.run().ok());
  EXPECT_EQ(times, (std::vector<double>{0, 0, 1}));
}

// Both could have it; the get that is withdrawn must not let the other through to this process.
Process impatient(World& world, Container& tank, Event& event, Seen& seen) {
  seen.index = co_await any_of(event, tank.get(5), tank.get(2));
  seen.time = world.now();
}

TEST(AnyOf, NothingIsHandedToAProcessOnItsWayOut) {
  World world;
  Container tank(world, "tank", 10, 3);
  Event event(world, "event");
  Seen seen;
  world.start(impatient(world, tank, event, seen), "impatient");
  world.start(fire(world, event, 1), "fire");
  EXPECT_TRUE(world.run().ok());
  EXPECT_EQ(seen, (Seen{1, 0}));
  EXPECT_EQ(tank.level(), 3);
}

Process taker(World& world, int& level, std::vector<double>& times) {
  co_await when([&level] { return level > 0; });
  --level;
  times.push_back(world.now());
}
Process giver(World&, int& level) {
  for (int i = 0; i < 2; ++i) {
    co_await delay(1);
    ++level;
  }
}

TEST(When, HoldsForEachProcessThatGoesOn) {
  World world;
  int level = 0;
  std::vector<double> times;
  world.start(taker(world, level, times), "a");
  world.start(taker(world, level, times), "b");
  world.start(giver(world, level), "giver");
  EXPECT_TRUE(world.run().ok());
  EXPECT_EQ(times, (std::vector<double>{1, 2}));
  EXPECT_EQ(level, 0);
}

TEST(When, SeesWhatWasChangedBetweenRuns) {
  World world;
  int level = 0;
  std::vector<double> times;
  world.start(taker(world, level, times), "a");
  EXPECT_TRUE(world.run_until(3).ok());
  level = 1;
  EXPECT_TRUE(world.run().ok());
  EXPECT_EQ(times, (std::vector<double>{3}));
}

Process breaks(World&) {
  co_await when([]() -> bool { throw std::runtime_error("the condition broke"); });
}
Process breaks_later(World& world) {
  co_await when([&world] {
    if (world.now() > 0) throw std::runtime_error("the condition broke");
    return false;
  });
}

TEST(When, AConditionThatThrowsNamesWhoWaits) {
  World first, second;
  first.start(breaks(first), "early");
  EXPECT_EQ(first.run().component, "early#0");
  second.start(wait(second, 1), "wait");
  second.start(breaks_later(second), "late");
  EXPECT_EQ(second.run().component, "late#1");
}

Process strange(World&) { co_await std::suspend_always{}; }

TEST(World, AProcessThatLeavesTheWorldIsNamed) {
  World world;
  world.start(wait(world, 3), "wait");
  world.start(strange(world), "strange");
  const RunStatus status = world.run_until(1);
  EXPECT_EQ(status.reason, RunReason::kEvaluationFailed);
  EXPECT_EQ(status.component, "strange#1");
}

Process restless(World&) {
  for (;;) co_await delay(0);
}
Process ping(World&, Event& own, Event& other) {
  for (;;) {
    other.fire();
    co_await own;
  }
}

TEST(World, ProcessesWithoutProgressOfTimeAreNamed) {
  World first(0, 1000);
  first.start(restless(first), "restless");
  const RunStatus status = first.run();
  EXPECT_EQ(status.reason, RunReason::kEventsDidNotSettle);
  EXPECT_EQ(status.component, "restless#0");
  World second(0, 1000);
  Event a(second, "a"), b(second, "b");
  second.start(ping(second, a, b), "ping");
  second.start(ping(second, b, a), "pong");
  EXPECT_EQ(second.run().reason, RunReason::kEventsDidNotSettle);
}

Process two_worlds(World&, Store<int>& store) { co_await store.put(1); }

TEST(World, AThingOfAnotherWorldIsRefused) {
  World world, other;
  Store<int> store(other, "store");
  world.start(two_worlds(world, store), "stranger");
  EXPECT_NE(world.run().message.find("store, which belongs to another world"), std::string::npos);
}

TEST(World, ManyNamesCostNoMoreThanOne) {
  World world;
  for (int i = 0; i < 3000; ++i) world.start(wait(world, i), "p" + std::to_string(i % 1500));
  world.start(strange(world), "p7");
  EXPECT_EQ(world.run().component, "p7#3000");
}

Process time_out(World&, Event& event, std::string& order) {
  co_await any_of(after(2), event);
  order += 'a';
}
Process hold_and_time_out(World&, Resource& desk, std::string& order) {
  co_await all_of(desk.acquire(1), after(2));
  order += 'b';
}
Process wait_for_two_delays(World&, std::string& order) {
  co_await all_of(after(2), any_of(all_of(after(2), after(1)), after(3)));
  order += 'c';
}
Process wait_plainly(World&, std::string& order) {
  co_await delay(2);
  order += 'd';
}

TEST(AnyOf, ADelayHasItsTurnInTheOrderInWhichDelaysBegan) {
  World world;
  Event never(world, "never");
  Resource desk(world, "desk");
  std::string order;
  world.start(time_out(world, never, order), "a");
  world.start(hold_and_time_out(world, desk, order), "b");
  world.start(wait_for_two_delays(world, order), "c");
  world.start(wait_plainly(world, order), "d");
  world.start(time_out(world, never, order), "a");
  EXPECT_TRUE(world.run().ok());
  EXPECT_EQ(order, "abcda");
}

Process leave_the_line(World&, Resource& desks, std::string& order) {
  co_await any_of(desks.acquire(2), after(1));
  order += 'l';
}
Process stand_behind(World&, Resource& desks, std::string& order) {
  co_await desks.acquire(1);
  order += 's';
}

TEST(AnyOf, WhoLeavesALineGoesOnBeforeThoseWhomThatServes) {
  World world;
  Resource desks(world, "desks", 2);
  std::string order;
  world.start(stand_behind(world, desks, order), "holds one");
  world.start(leave_the_line(world, desks, order), "leaves");
  world.start(stand_behind(world, desks, order), "served");
  EXPECT_TRUE(world.run().ok());
  EXPECT_EQ(order, "sls");
}

}  // namespace
}  // namespace arges::process
