#include "arges/process/resource.h"

#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "arges/base/error.h"
#include "arges/process/any_all.h"
#include "arges/process/conveyor.h"
#include "arges/process/store.h"
#include "arges/random/stream.h"

namespace arges::process {
namespace {

struct Served {
  int id;
  double begin, end;
  friend bool operator==(const Served&, const Served&) = default;
};

Process customer(World& world, Resource& desk, std::vector<Served>& log, int id, double arrival,
                 double time, int units, int priority) {
  co_await delay(arrival);
  co_await desk.acquire(units, priority);
  const double begin = world.now();
  co_await delay(time);
  log.push_back({id, begin, world.now()});
  desk.release(units);
}

std::vector<int> order(Discipline discipline) {
  World world;
  Resource desk(world, "desk", 1, discipline);
  std::vector<Served> log;
  const int priorities[] = {0, 3, 1, 2, 1};
  for (int id = 0; id < 5; ++id) {
    world.start(customer(world, desk, log, id, 0.1 * id, 1, 1, priorities[id]));
  }
  EXPECT_TRUE(world.run().ok());
  std::vector<int> ids;
  for (const Served& served : log) ids.push_back(served.id);
  return ids;
}

TEST(Resource, ServesInTheOrderOfItsDiscipline) {
  EXPECT_EQ(order(Discipline::kFifo), (std::vector<int>{0, 1, 2, 3, 4}));
  EXPECT_EQ(order(Discipline::kLifo), (std::vector<int>{0, 4, 3, 2, 1}));
  EXPECT_EQ(order(Discipline::kPriority), (std::vector<int>{0, 2, 4, 3, 1}));
}

TEST(Resource, NobodyOvertakesALargeRequest) {
  World world;
  Resource desk(world, "desk", 2);
  std::vector<Served> log;
  world.start(customer(world, desk, log, 0, 0, 2, 1, 0));
  world.start(customer(world, desk, log, 1, 0.5, 1, 2, 0));  // waits for both units
  world.start(customer(world, desk, log, 2, 1, 1, 1, 0));    // one is free, but it waits, too
  world.run();
  EXPECT_EQ(log, (std::vector<Served>{{0, 0, 2}, {1, 2, 3}, {2, 3, 4}}));
  EXPECT_DOUBLE_EQ(desk.waits().mean(), (0 + 1.5 + 2) / 3);
  EXPECT_DOUBLE_EQ(desk.length().integral(4), 1.5 + 2);
  EXPECT_DOUBLE_EQ(desk.usage().integral(4), 2 + 2 + 1);
}

Process worker(World& world, Resource& machine, std::vector<std::string>& log, std::string name,
               double arrival, double work, int priority) {
  co_await delay(arrival);
  while (work > 0) {
    co_await machine.acquire(1, priority);
    bool done = false;
    try {
      co_await delay(work);
      done = true;
    } catch (const Interrupted& interrupt) {
      work = interrupt.remaining();
      log.push_back(name + " " + interrupt.cause() + " at " + std::to_string(world.now()));
    }
    if (done) {
      work = 0;
      machine.release();
      log.push_back(name + " ends at " + std::to_string(world.now()));
    }
  }
}

TEST(Resource, APreemptedProcessGoesOnLater) {
  World world;
  Resource machine(world, "machine", 1, Discipline::kPriority, Resource::Preemption::kPreemptive);
  std::vector<std::string> log;
  world.start(worker(world, machine, log, "slow", 0, 5, 2));
  world.start(worker(world, machine, log, "urgent", 2, 1, 0), "surgeon");
  world.start(worker(world, machine, log, "equal", 1, 1, 2));
  EXPECT_TRUE(world.run().ok());
  EXPECT_EQ(log, (std::vector<std::string>{"slow preempted by surgeon#1 (machine) at 2.000000",
                                           "urgent ends at 3.000000", "equal ends at 4.000000",
                                           "slow ends at 7.000000"}));
}

Process low(World& world, Resource& resource, int units, double& got) {
  try {
    co_await resource.acquire(units, 5);
    got = world.now();
    co_await delay(10);
    resource.release(units);
  } catch (const Interrupted& interrupted) {
    EXPECT_EQ(interrupted.remaining(), 9);
  }
}
Process high(World&, Resource& resource, int units) {
  co_await delay(1);
  co_await resource.acquire(units, 0);
  co_await delay(2);
  resource.release(units);
}

TEST(Resource, WhatPreemptionFreesBeyondTheRequestGoesToTheLine) {
  World world;
  Resource resource(world, "r", 3, Discipline::kFifo, Resource::Preemption::kPreemptive);
  double first = -1, second = -1;
  world.start(low(world, resource, 3, first), "first");
  world.start(low(world, resource, 2, second), "second");
  world.start(high(world, resource, 1), "high");
  EXPECT_TRUE(world.run().ok());
  EXPECT_EQ(first, 0);
  EXPECT_EQ(second, 1);
}

Process in_two_parts(World& world, Resource& resource, double& lost) {
  try {
    co_await resource.acquire(1, 5);
    co_await resource.acquire(2, 7);
    co_await delay(0.5);
    resource.release(1);
    co_await delay(10);
  } catch (const Interrupted&) {
    lost = world.now();
    EXPECT_THROW(resource.release(1), ApiError);
  }
}

TEST(Resource, UnitsAcquiredOneByOneAreHeldAndLostTogether) {
  World world;
  Resource resource(world, "r", 3, Discipline::kFifo, Resource::Preemption::kPreemptive);
  double lost = -1;
  world.start(in_two_parts(world, resource, lost), "parts");
  world.start(high(world, resource, 2), "high");
  EXPECT_TRUE(world.run_until(0.75).ok());
  EXPECT_EQ(resource.in_use(), 2);
  EXPECT_TRUE(world.run_until(2).ok());
  EXPECT_EQ(lost, 1);
  EXPECT_EQ(resource.in_use(), 2);
  EXPECT_TRUE(world.run().ok());
  EXPECT_EQ(resource.in_use(), 0);
}

TEST(Resource, ReleasesWhatIsInUse) {
  World world;
  Resource desk(world, "desk", 1);
  EXPECT_THROW(desk.release(), ApiError);
  std::vector<Served> log;
  world.start(customer(world, desk, log, 0, 0, 1, 2, 0), "greedy");
  EXPECT_EQ(world.run().message, "greedy#0, t = 0: 2 units of desk cannot be acquired: it has 1");
}

Process put_some(World&, Container& tank, double at, double amount) {
  co_await delay(at);
  co_await tank.put(amount);
}
Process get_some(World& world, Container& tank, double amount, double& when) {
  co_await tank.get(amount);
  when = world.now();
}

TEST(Container, BlocksOnBothSides) {
  World world;
  Container tank(world, "tank", 10, 4);
  double first = -1, second = -1;
  world.start(get_some(world, tank, 6, first));   // waits until t = 1
  world.start(get_some(world, tank, 1, second));  // behind it, although 4 are there
  world.start(put_some(world, tank, 1, 5));
  world.start(put_some(world, tank, 2, 9));  // 3 - 1 + 9 = 11 > 10: waits for ever
  const RunStatus status = world.run();
  EXPECT_EQ(first, 1);
  EXPECT_EQ(second, 1);
  EXPECT_EQ(tank.level(), 2);
  EXPECT_NE(status.message.find("waits for tank (put) since t = 2"), std::string::npos);
}

Process producer(World& world, Store<int>& store, std::vector<double>& times) {
  for (int i = 1; i <= 4; ++i) {
    co_await store.put(i);
    times.push_back(world.now());
  }
}
Process consumer(World&, Store<int>& store, std::vector<int>& got, double period, int count) {
  for (int i = 0; i < count; ++i) {
    co_await delay(period);
    got.push_back(co_await store.get());
  }
}
Process picky(World& world, Store<int>& store, std::vector<double>& times) {
  const int four = co_await store.get([](int item) { return item == 4; });
  times.push_back(four + world.now());
}

TEST(Store, HoldsAsMuchAsItCan) {
  World world;
  Store<int> store(world, "shelf", 2);
  std::vector<double> put_times, found;
  std::vector<int> got;
  world.start(picky(world, store, found));
  world.start(producer(world, store, put_times));
  world.start(consumer(world, store, got, 1, 3));
  EXPECT_TRUE(world.run().ok());
  EXPECT_EQ(put_times, (std::vector<double>{0, 0, 1, 2}));
  EXPECT_EQ(got, (std::vector<int>{1, 2, 3}));
  EXPECT_EQ(found, (std::vector<double>{6}));  // item 4, at t = 2, past 2 and 3
}

Process feeder(World& world, Conveyor<int>& belt, std::vector<double>& entered, int count) {
  for (int i = 0; i < count; ++i) {
    co_await belt.put(i);
    entered.push_back(world.now());
  }
}
Process taker(World& world, Conveyor<int>& belt, std::vector<double>& left, double first,
              double period, int count) {
  co_await delay(first);
  for (int i = 0; i < count; ++i) {
    EXPECT_EQ(co_await belt.get(), i);
    left.push_back(world.now());
    co_await delay(period);
  }
}

// Length 2, speed 0.5, pitch 0.5: four seconds of travel, one second between things.
TEST(Conveyor, MovesAtItsSpeed) {
  World world;
  Conveyor<int> belt(world, "belt", 2, 0.5, 0.5);
  std::vector<double> entered, left;
  world.start(feeder(world, belt, entered, 3));
  world.start(taker(world, belt, left, 0, 0, 3));
  EXPECT_TRUE(world.run().ok());
  EXPECT_EQ(entered, (std::vector<double>{0, 1, 2}));
  EXPECT_EQ(left, (std::vector<double>{4, 5, 6}));
}

TEST(Conveyor, AccumulatesAndBlocks) {
  World world;
  Conveyor<int> belt(world, "belt", 2, 0.5, 0.5);
  std::vector<double> entered, left;
  world.start(feeder(world, belt, entered, 7));
  world.start(taker(world, belt, left, 10, 3, 7));
  EXPECT_TRUE(world.run().ok());
  // Fronts at 2, 1.5, 1, 0.5, 0: five stand at t = 10, and all move up at once.
  EXPECT_EQ(entered, (std::vector<double>{0, 1, 2, 3, 4, 11, 14}));
  EXPECT_EQ(left, (std::vector<double>{10, 13, 16, 19, 22, 25, 28}));
}

// M/M/1 with rho = 0.9 has a mean wait of 9 (mean service 1). Batches of one long run.
Process mm1_customer(World& world, Resource& server, random::Stream& service,
                     random::BatchMeans& waits) {
  const double arrival = world.now();
  co_await server.acquire();
  waits.add(world.now() - arrival);
  co_await delay(service.exponential(1));
  server.release();
}
Process mm1_arrivals(World& world, Resource& server, random::Stream& arrivals,
                     random::Stream& service, random::BatchMeans& waits, int count) {
  for (int i = 0; i < count; ++i) {
    co_await delay(arrivals.exponential(1 / 0.9));
    world.start(mm1_customer(world, server, service, waits), "customer");
  }
}

Process look_often(World&, Conveyor<int>& belt) {
  for (int i = 0; i < 2000; ++i) {
    co_await delay(0.0051);
    co_await any_of(belt, after(0));
  }
}
Process put_one(World&, Conveyor<int>& belt) { co_await belt.put(1); }
Process get_one(World& world, Conveyor<int>& belt, double& time) {
  co_await belt.get();
  time = world.now();
}

TEST(Conveyor, ArrivesWhenItIsMeantToHoweverOftenOneLooks) {
  World world;
  Conveyor<int> belt(world, "belt", 1, 0.1, 0.3);
  double time = 0;
  world.start(put_one(world, belt), "put");
  world.start(get_one(world, belt, time), "get");
  world.start(look_often(world, belt), "look");
  EXPECT_TRUE(world.run().ok());
  EXPECT_EQ(time, 10);
}

Process put_all(World&, Store<int>& store) {
  for (const int item : {3, 1, 2, 1}) co_await store.put(item);
}
Process get_all(World&, Store<int>& store, std::vector<int>& items) {
  co_await delay(1);
  while (store.size() > 0) items.push_back(co_await store.get());
}

TEST(Store, GivesItsItemsInItsOrder) {
  const Store<int>::Order orders[] = {{}, std::less<int>{}, [](int, int) { return true; }};
  const std::vector<int> expected[] = {{3, 1, 2, 1}, {1, 1, 2, 3}, {1, 2, 1, 3}};
  for (int k = 0; k < 3; ++k) {
    World world;
    Store<int> store(world, "store", 9, orders[k]);
    std::vector<int> items;
    world.start(put_all(world, store), "put");
    world.start(get_all(world, store, items), "get");
    EXPECT_TRUE(world.run().ok());
    EXPECT_EQ(items, expected[k]);
  }
}

TEST(Processes, Mm1AgreesWithTheory) {
  World world;
  Resource server(world, "server");
  const random::Streams streams{.seed = 1};
  random::Stream arrivals = streams("arrivals"), service = streams("service");
  random::BatchMeans waits(10'000);
  world.start(mm1_arrivals(world, server, arrivals, service, waits, 300'000), "arrivals");
  EXPECT_TRUE(world.run().ok());
  EXPECT_TRUE(waits.interval(0.99).contains(9)) << waits.batches().mean();
  EXPECT_EQ(waits.batches().count(), 30);
  EXPECT_NEAR(server.usage().mean(world.now()), 0.9, 0.02);
  // Bit by bit the same on every machine.
  EXPECT_EQ(waits.batches().mean(), 0x1.1f3c8f2189436p+3);
}

}  // namespace
}  // namespace arges::process
