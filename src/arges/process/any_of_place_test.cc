// Getting and putting among several things.

#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "arges/process/any_all.h"
#include "arges/process/conveyor.h"
#include "arges/process/resource.h"
#include "arges/process/store.h"

namespace arges::process {
namespace {

using Log = std::vector<std::string>;
using Thing = std::unique_ptr<int>;  // cannot be copied

std::string at(double t, const std::string& what) {
  return std::to_string(static_cast<int>(t)) + " " + what;
}

Process getter(World& world, Log& log, Store<Thing>& store, int wanted, double patience) {
  auto part = store.get([wanted](const Thing& thing) { return *thing == wanted; });
  if (co_await any_of(part, after(patience)) == 0) {
    log.push_back(at(world.now(), "got " + std::to_string(**part.item)));
  } else {
    log.push_back(at(world.now(), "left without " + std::to_string(wanted)));
    EXPECT_FALSE(part.item);
  }
}
Process putter(World& world, Log& log, Store<Thing>& store, int thing, double patience) {
  auto place = store.put(std::make_unique<int>(thing));
  if (co_await any_of(place, after(patience)) == 0) {
    log.push_back(at(world.now(), "put " + std::to_string(thing)));
  } else {
    log.push_back(at(world.now(), "kept " + std::to_string(*place.item)));
  }
}

TEST(AnyOf, GetsAThingOrLeavesTheLine) {
  World world;
  Log log;
  Store<Thing> store(world, "store");
  world.start(getter(world, log, store, 1, 2));
  world.start(getter(world, log, store, 2, 9));
  world.run_until(3);
  world.start(putter(world, log, store, 1, 1));
  world.start(putter(world, log, store, 2, 1));
  EXPECT_TRUE(world.run().ok());
  EXPECT_EQ(log, (Log{"2 left without 1", "3 put 1", "3 put 2", "3 got 2"}));
  EXPECT_EQ(store.size(), 1u);  // nobody is left who wants 1
}

TEST(AnyOf, PutsAThingOrKeepsIt) {
  World world;
  Log log;
  Store<Thing> store(world, "store", 1);
  for (const int thing : {1, 2, 3}) world.start(putter(world, log, store, thing, 2 * thing));
  world.run_until(5);
  EXPECT_EQ(**store.try_get(), 1);
  EXPECT_TRUE(world.run().ok());
  EXPECT_EQ(log, (Log{"0 put 1", "4 kept 2", "5 put 3"}));
  EXPECT_EQ(**store.try_get(), 3);
  EXPECT_FALSE(store.try_get());
}

Process kit(World& world, Log& log, Store<Thing>& store, Conveyor<int>& belt) {
  auto first = store.get(), second = store.get();
  auto from_belt = belt.get();
  auto all = all_of(first, second, from_belt);
  co_await any_of(all, after(100));
  log.push_back(at(world.now(), std::to_string(**first.item) + std::to_string(**second.item) +
                                    std::to_string(*from_belt.item)));
}
Process feeder(World&, Store<Thing>& store, Conveyor<int>& belt) {
  co_await belt.put(7);
  co_await delay(3);
  co_await store.put(std::make_unique<int>(1));
  co_await delay(3);
  co_await store.put(std::make_unique<int>(2));
}

TEST(AllOf, GathersThingsFromSeveralPlaces) {
  World world;
  Log log;
  Store<Thing> store(world, "store");
  Conveyor<int> belt(world, "belt", 4, 1, 1);
  world.start(kit(world, log, store, belt), "kit");
  world.run_until(1);
  world.start(feeder(world, store, belt));
  EXPECT_TRUE(world.run().ok());
  EXPECT_EQ(log, (Log{"7 127"}));
}

// What a process gets in any_of may let another go on, which then leaves other lines.
Process swap(World& world, Log& log, Store<Thing>& from, Store<Thing>& to, Resource& desk) {
  auto place = to.put(std::make_unique<int>(5));
  auto part = from.get();
  const std::size_t came = co_await any_of(place, part, desk);
  log.push_back(at(world.now(), "swap " + std::to_string(came)));
}
Process holder(World&, Resource& desk, double until) {
  co_await desk.acquire();
  co_await delay(until);
  desk.release();
}

TEST(AnyOf, TakesOneOfGettingPuttingAndAcquiring) {
  for (const int what : {0, 1, 2}) {
    World world;
    Log log;
    Store<Thing> from(world, "from"), to(world, "to", 1);
    Resource desk(world, "desk");
    EXPECT_TRUE(to.try_put(std::make_unique<int>(9)));
    world.start(holder(world, desk, what == 2 ? 1 : 50));
    world.start(swap(world, log, from, to, desk));
    world.run_until(what == 2 ? 2 : 1);
    if (what == 0) {
      EXPECT_TRUE(to.try_get());
    } else if (what == 1) {
      EXPECT_TRUE(from.try_put(std::make_unique<int>(3)));
    }
    EXPECT_TRUE(world.run().ok());
    EXPECT_EQ(log, (Log{"1 swap " + std::to_string(what)}));
    EXPECT_EQ(from.size(), 0u);
    EXPECT_EQ(to.size(), 1u);
    EXPECT_EQ(desk.in_use(), what == 2 ? 1 : 0);
  }
}

Process interrupted_getter(World& world, Log& log, Store<Thing>& store, Resource& desk) {
  auto part = store.get();
  try {
    co_await all_of(part, desk);
  } catch (const Interrupted& interrupt) {
    for (const std::size_t single : interrupt.came())
      log.push_back(at(world.now(), std::to_string(single)));
    if (part.item) log.push_back("has " + std::to_string(**part.item));
  }
}

TEST(AllOf, KeepsTheThingThatCameBeforeAnInterrupt) {
  World world;
  Log log;
  Store<Thing> store(world, "store");
  Resource desk(world, "desk", 0);
  const ProcessRef waiting = world.start(interrupted_getter(world, log, store, desk), "waiting");
  EXPECT_EQ(
      world.run_until(1).message,
      "waiting#0, t = 1: no event is left, and waiting#0 waits for all of (store, desk) since "
      "t = 0. Processes that may wait for ever are started as daemons");
  EXPECT_TRUE(store.try_put(std::make_unique<int>(4)));
  world.run_until(2);
  EXPECT_TRUE(world.interrupt(waiting, "enough"));
  EXPECT_TRUE(world.run().ok());
  EXPECT_EQ(log, (Log{"2 0", "has 4"}));
  EXPECT_TRUE(store.try_put(std::make_unique<int>(5)));
  EXPECT_EQ(store.size(), 1u);  // it is in no line any more
}

}  // namespace
}  // namespace arges::process
