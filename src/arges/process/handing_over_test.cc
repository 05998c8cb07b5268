// What is handed to whom when processes leave lines: each thing once, to one who is told.

#include <limits>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "arges/base/error.h"
#include "arges/process/any_all.h"
#include "arges/process/resource.h"
#include "arges/process/world.h"

namespace arges::process {
namespace {

using Log = std::vector<std::string>;
constexpr auto kPreemptive = Resource::Preemption::kPreemptive;

struct Holding {
  std::string name;
  int units, priority;
  double from, time;
};

// Logs "NAME FROM-TO", or "NAME lost at TIME".
Process hold(World& world, Resource& desk, Holding what, Log& log) {
  if (what.from > 0) co_await delay(what.from);
  try {
    co_await desk.acquire(what.units, what.priority);
    const int begin = static_cast<int>(world.now());
    co_await delay(what.time);
    desk.release(what.units);
    log.push_back(what.name + " " + std::to_string(begin) + "-" +
                  std::to_string(static_cast<int>(world.now())));
  } catch (const Interrupted&) {
    log.push_back(what.name + " lost at " + std::to_string(static_cast<int>(world.now())));
  }
}

Process hold_and_want_more(World& world, Resource& desk, Log& log) {
  try {
    co_await desk.acquire(1, 5);
    co_await delay(1);
    co_await desk.acquire(1, 5);
  } catch (const Interrupted&) {
    log.push_back("victim lost at " + std::to_string(static_cast<int>(world.now())));
  }
}
Process look(World&, double at, const Resource& desk, int& in_use, std::size_t& line) {
  co_await delay(at);
  in_use = desk.in_use();
  line = desk.line().size();
}

TEST(Preemption, OfOneInTheSameLineStaysWithinTheCapacity) {
  World world;
  Resource desk(world, "desk", 2, Discipline::kFifo, kPreemptive);
  Log log;
  int in_use = 0;
  std::size_t line = 0;
  world.start(hold(world, desk, {"H", 1, 0, 0, 10}, log), "H");
  world.start(hold_and_want_more(world, desk, log), "victim");
  world.start(hold(world, desk, {"W", 1, 7, 2, 10}, log), "W");
  world.start(hold(world, desk, {"S", 1, 1, 3, 10}, log), "S");
  world.start(look(world, 3.5, desk, in_use, line), "look");
  EXPECT_EQ(world.run().message, "");
  EXPECT_EQ(in_use, 2);
  EXPECT_EQ(line, 1u);
  EXPECT_EQ(log, (Log{"victim lost at 3", "H 0-10", "S 3-13", "W 10-20"}));
}

Process ask_for_ones_own(World&, Resource& desk, std::size_t& index) {
  co_await desk.acquire(1, 5);
  co_await delay(1);
  index = co_await any_of(desk.acquire(1, 0), after(3));
  desk.release();
}
Process ask_twice(World&, Resource& desk) {
  co_await all_of(desk.acquire(1, 5), desk.acquire(1, 0));
}

TEST(Preemption, IsNotOfOneself) {
  World world;
  Resource desk(world, "desk", 1, Discipline::kFifo, kPreemptive);
  std::size_t index = 99;
  world.start(ask_for_ones_own(world, desk, index), "me");
  EXPECT_EQ(world.run().message, "");
  EXPECT_EQ(index, 1u);
  EXPECT_EQ(world.now(), 4);
  EXPECT_EQ(desk.in_use(), 0);
  world.start(ask_twice(world, desk), "me");
  EXPECT_FALSE(world.run().ok());  // it waits for itself
  EXPECT_EQ(desk.in_use(), 1);
}

Process ask_for_three(World&, Container& tank, Resource& desk, std::size_t& index) {
  index = co_await any_of(tank.get(5), desk.acquire(2), after(3));
  co_await delay(1);
}
Process put_or_acquire(World&, Container& tank, Resource& desk, std::size_t& index) {
  co_await delay(1);
  index = co_await any_of(tank.put(10), desk.acquire(1));
  if (index == 1) desk.release();
}
Process put_later(World&, Container& tank, double at, double amount) {
  co_await delay(at);
  co_await tank.put(amount);
}

TEST(Leaving, TakesNothingAlong) {
  World world;
  Container tank(world, "tank", 10, 2);
  Resource desk(world, "desk", 2);
  Log log;
  std::size_t first = 99, second = 99;
  world.start(hold(world, desk, {"H", 1, 0, 0, 100}, log), "H");
  world.start(ask_for_three(world, tank, desk, first), "P");
  world.start(put_or_acquire(world, tank, desk, second), "Q");
  world.start(put_later(world, tank, 2, 4), "X");
  EXPECT_EQ(world.run().message, "");
  EXPECT_EQ(first, 2u);        // its time was up,
  EXPECT_EQ(second, 1u);       // which lets Q have the desk,
  EXPECT_EQ(tank.level(), 6);  // and that X put what P did not get
}

Process get_or_put(World&, Container& tank, bool& interrupted) {
  try {
    co_await any_of(tank.get(5), tank.put(10));
  } catch (const Interrupted&) {
    interrupted = true;
  }
  co_await delay(2);
}
Process interrupt_at(World& world, double at, ProcessRef other) {
  co_await delay(at);
  world.interrupt(other, "enough");
}

TEST(Leaving, ByAnInterruptTakesNothingAlong) {
  World world;
  Container tank(world, "tank", 10, 2);
  bool interrupted = false;
  const ProcessRef process = world.start(get_or_put(world, tank, interrupted), "P");
  world.start(put_later(world, tank, 1, 4), "Q");
  world.start(interrupt_at(world, 3, process), "I");
  EXPECT_EQ(world.run().message, "");
  EXPECT_TRUE(interrupted);
  EXPECT_EQ(tank.level(), 6);
}

Process two_requests(World&, Resource& desk, std::size_t& index) {
  co_await delay(1);
  index = co_await any_of(desk.acquire(2), desk.acquire(3), after(5));
}

TEST(Leaving, OneLineTwiceTakesNothingAlong) {
  World world;
  Resource desk(world, "desk", 3, Discipline::kLifo);
  Log log;
  std::size_t index = 99;
  world.start(hold(world, desk, {"H", 1, 0, 0, 100}, log), "H");
  world.start(hold(world, desk, {"G", 1, 0, 0, 2}, log), "G");
  world.start(two_requests(world, desk, index), "P");
  world.run_until(50);
  EXPECT_EQ(index, 2u);
  EXPECT_EQ(desk.in_use(), 1);
}

Process hold_and_wait_elsewhere(World&, Resource& held, Resource& wanted) {
  try {
    co_await held.acquire(1, 9);
    co_await wanted.acquire(2);
  } catch (const Interrupted&) {
  }
}
Process either(World&, Resource& first, Resource& second, std::size_t& index, int& in_use) {
  co_await delay(1);
  index = co_await any_of(first.acquire(1), second.acquire(1, 0));
  in_use = 10 * first.in_use() + second.in_use();
  (index == 0 ? first : second).release();
}

TEST(AnyOf, TakesOneThingThoughAskingMovesOthers) {
  World world;
  Resource first(world, "first", 2), second(world, "second", 1, Discipline::kFifo, kPreemptive);
  Log log;
  std::size_t index = 99;
  int in_use = 0;
  world.start(hold(world, first, {"H", 1, 0, 0, 100}, log), "H");
  world.start(hold_and_wait_elsewhere(world, second, first), "V");
  world.start(either(world, first, second, index, in_use), "P");
  EXPECT_EQ(world.run().message, "");
  EXPECT_EQ(index, 1u);
  EXPECT_EQ(in_use, 11);
  EXPECT_EQ(second.in_use(), 0);
}

Process any_of_both(World&, Container& tank, std::size_t& index) {
  index = co_await any_of(tank.get(5), tank.put(5));
}
Process all_of_both(World&, Container& tank, std::size_t& index) {
  index = co_await all_of(tank.get(5), tank.put(5));
}

TEST(AnyOf, DoesNotServeItself) {
  World world;
  Container tank(world, "tank", 10, 0);
  std::size_t index = 99;
  world.start(any_of_both(world, tank, index));
  EXPECT_EQ(world.run().message, "");
  EXPECT_EQ(index, 1u);
  EXPECT_EQ(tank.level(), 5);
}
TEST(AllOf, ServesItselfAtOnce) {
  World world;
  Container tank(world, "tank", 10, 0);
  std::size_t index = 99;
  world.start(all_of_both(world, tank, index));
  EXPECT_EQ(world.run().message, "");
  EXPECT_EQ(index, 0u);
  EXPECT_EQ(tank.level(), 0);
  EXPECT_EQ(world.resumptions(), 1);  // it has not waited
}

Process wait_for_two(World&, Resource& a, Resource& b, Event& door) {
  co_await any_of(a.acquire(2), b.acquire(2), door);
}
Process note_acquired(World&, Resource& desk, const char* name, Log& log) {
  co_await delay(1);
  co_await desk.acquire();
  log.push_back(name);
}
Process open(World&, Event& door) {
  co_await delay(2);
  door.fire();
}

TEST(Leaving, ServesTheLinesInTheOrderInWhichTheyWereNamed) {
  World world;
  Resource a(world, "a", 2), b(world, "b", 2);
  Event door(world, "door");
  Log log, held;
  world.start(hold(world, a, {"H", 1, 0, 0, 9}, held), "H");
  world.start(hold(world, b, {"H", 1, 0, 0, 9}, held), "H");
  world.start(wait_for_two(world, a, b, door), "P");
  world.start(note_acquired(world, b, "b", log), "B");
  world.start(note_acquired(world, a, "a", log), "A");
  world.start(open(world, door), "D");
  EXPECT_EQ(world.run().message, "");
  EXPECT_EQ(log, (Log{"a", "b"}));
}

Log served(Discipline discipline, Resource::Preemption preemption) {
  World world;
  Resource desk(world, "desk", 3, discipline, preemption);
  Log log;
  world.start(hold(world, desk, {"H", 1, 0, 0, 10}, log), "H");
  world.start(hold(world, desk, {"A", 3, 9, 1, 1}, log), "A");
  world.start(hold(world, desk, {"B", 1, 0, 2, 1}, log), "B");
  world.start(hold(world, desk, {"C", 1, 9, 4, 1}, log), "C");
  EXPECT_TRUE(world.run().ok());
  return log;
}

TEST(Resource, ANewcomerWhoStandsFirstIsServedWhenThereIsEnough) {
  EXPECT_EQ(served(Discipline::kFifo, Resource::Preemption::kNone),
            (Log{"H 0-10", "A 10-11", "B 11-12", "C 11-12"}));
  EXPECT_EQ(served(Discipline::kPriority, Resource::Preemption::kNone),
            (Log{"B 2-3", "H 0-10", "A 10-11", "C 11-12"}));
  EXPECT_EQ(served(Discipline::kPriority, kPreemptive),
            (Log{"B 2-3", "H 0-10", "A 10-11", "C 11-12"}));
  EXPECT_EQ(served(Discipline::kLifo, Resource::Preemption::kNone),
            (Log{"B 2-3", "C 4-5", "H 0-10", "A 10-11"}));
}

Process ask_for(World&, Resource& desk, double amount) {
  co_await any_of(WaitFor(desk, amount), after(1));
}
Process try_for(World&, Resource& desk, int units, bool& got) {
  got = desk.try_acquire(units);
  co_return;
}
Process put_amount(World&, Container& tank, double amount) { co_await tank.put(amount); }

TEST(Amounts, AreUnitsAndNumbers) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
  const auto try_units = [](int units) {
    World world;
    Resource desk(world, "desk", 2);
    bool got = false;
    world.start(try_for(world, desk, units, got), "p");
    return world.run().message;
  };
  EXPECT_EQ(try_units(2), "");
  EXPECT_EQ(try_units(-1), "p#0, t = 0: -1 units of desk cannot be acquired: it has 2");
  EXPECT_EQ(try_units(0), "p#0, t = 0: 0 units of desk cannot be acquired: it has 2");
  EXPECT_EQ(try_units(3), "p#0, t = 0: 3 units of desk cannot be acquired: it has 2");
  for (const double amount : {0.0, -1.0, 1.5, 3.0, kNaN, kInfinity}) {
    World world;
    Resource desk(world, "desk", 2);
    world.start(ask_for(world, desk, amount), "p");
    EXPECT_FALSE(world.run().ok()) << amount;
    EXPECT_EQ(desk.in_use(), 0);
  }
  for (const double amount : {-1.0, kNaN, kInfinity}) {
    World world;
    Container tank(world, "tank", kInfinity);
    world.start(put_amount(world, tank, amount), "p");
    EXPECT_FALSE(world.run().ok()) << amount;
    EXPECT_EQ(tank.level(), 0);
  }
}

Process wait_for_ever(World&, double& remaining) {
  try {
    co_await delay(std::numeric_limits<double>::infinity());
  } catch (const Interrupted& interrupted) {
    remaining = interrupted.remaining();
  }
}
Process wait_for_desk(World&, Resource& desk, double& remaining) {
  try {
    co_await desk.acquire();
  } catch (const Interrupted& interrupted) {
    remaining = interrupted.remaining();
  }
}

TEST(Interrupted, TellsThatADelayHadNoEnd) {
  World world;
  Resource desk(world, "desk", 0);
  double of_delay = -1, of_desk = -1;
  const ProcessRef first = world.start(wait_for_ever(world, of_delay));
  const ProcessRef second = world.start(wait_for_desk(world, desk, of_desk));
  world.start(interrupt_at(world, 1, first));
  world.start(interrupt_at(world, 1, second));
  EXPECT_EQ(world.run().message, "");
  EXPECT_EQ(of_delay, std::numeric_limits<double>::infinity());
  EXPECT_EQ(of_desk, 0);
}

Process again_and_again(World& world, std::vector<std::pair<double, std::size_t>>& seen) {
  ManyAwaiter both = any_of(after(2), after(1));
  for (int i = 0; i < 3; ++i) {
    const std::size_t index = co_await both;
    seen.emplace_back(world.now(), index);
  }
}

TEST(AnyOf, CanBeAwaitedAgain) {
  World world;
  std::vector<std::pair<double, std::size_t>> seen;
  world.start(again_and_again(world, seen));
  EXPECT_EQ(world.run().message, "");
  EXPECT_EQ(seen, (std::vector<std::pair<double, std::size_t>>{{1, 1}, {2, 1}, {3, 1}}));
}

Process join(World&, World& other, ProcessRef process) { co_await end_of(other, process); }
Process join_among(World&, World& other, ProcessRef process) {
  co_await any_of(after(5), end_of(other, process));
}
Process sleep(World&, double span) { co_await delay(span); }

TEST(EndOf, IsOfAProcessOfTheSameWorld) {
  for (const bool among : {false, true}) {
    World other, world;
    for (int i = 0; i < 3; ++i) world.start(sleep(world, 100));
    const ProcessRef process = other.start(sleep(other, 1));
    world.start(among ? join_among(world, other, process) : join(world, other, process), "j");
    EXPECT_EQ(
        world.run().message,
        "j#3, t = 0: a process waits for the end of a process, which belongs to another world");
    EXPECT_TRUE(other.run().ok());
  }
}

Process note_when(World&, const bool& go, const char* name, double from, Log& log) {
  co_await delay(from);
  co_await when([&go] { return go; });
  log.push_back(name);
}
Process raise_and_go(World& world, ProcessRef process, bool& go) {
  co_await delay(2);
  world.set_priority(process, 0);
  go = true;
}

TEST(When, IsLookedAtInTheOrderOfThePresentPriorities) {
  World world;
  bool go = false;
  Log log;
  const ProcessRef first =
      world.start(note_when(world, go, "first", 0, log), "first", {.priority = 5});
  world.start(note_when(world, go, "second", 1, log), "second");
  world.start(raise_and_go(world, first, go), "chief");
  EXPECT_EQ(world.run().message, "");
  EXPECT_EQ(log, (Log{"first", "second"}));
}

Process two_delays(World&) {
  co_await delay(1.1);
  co_await delay(2.2);  // 3.3000000000000003
  co_await delay(5);
}

TEST(World, MayBeRunAgainUntilWhereItIs) {
  World world;
  world.start(two_delays(world));
  EXPECT_TRUE(world.run_until(3.3).ok());
  EXPECT_TRUE(world.run_until(3.3).ok());
  EXPECT_THROW(world.run_until(3.29), ApiError);
}

}  // namespace
}  // namespace arges::process
