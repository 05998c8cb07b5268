// What a process has when it waited for several things and not all came.

#include <functional>
#include <stdexcept>
#include <vector>

#include <gtest/gtest.h>

#include "arges/base/error.h"
#include "arges/process/any_all.h"
#include "arges/process/resource.h"
#include "arges/process/world.h"

namespace arges::process {
namespace {

using Numbers = std::vector<std::size_t>;

Process seat_or_leave(World& world, Resource& desk, Event& door, int& asked) {
  auto seat = any_of(all_of(door, desk), after(5));
  for (; asked < 2; ++asked) {  // the second wait tells of itself alone
    EXPECT_EQ(co_await seat, 1u);
    EXPECT_EQ(seat.came(), (Numbers{1, 2}));
    EXPECT_TRUE(seat.came(1));
    EXPECT_FALSE(seat.came(0));
    EXPECT_THROW(seat.came(3), ApiError);
    if (seat.came(1)) desk.release();
  }
  EXPECT_EQ(world.now(), 10);
}

TEST(Came, TellsWhatAGroupGotThatDidNotBecomeWhole) {
  World world;
  Resource desk(world, "desk");
  Event door(world, "door");
  int asked = 0;
  world.start(seat_or_leave(world, desk, door, asked), "guest");
  EXPECT_EQ(world.run().message, "");
  EXPECT_EQ(asked, 2);
  EXPECT_EQ(desk.in_use(), 0);
}

Process one_desk_and_time(World&, Resource& first, Resource& second) {
  auto work = all_of(any_of(first, second), after(1));
  co_await work;
  EXPECT_EQ(work.came(), (Numbers{1, 2}));
  (work.came(0) ? first : second).release();
}
Process hold(World&, Resource& desk, double time) {
  co_await desk.acquire();
  co_await delay(time);
  desk.release();
}

TEST(Came, TellsWhichOfAnInnerGroup) {
  World world;
  Resource first(world, "first"), second(world, "second");
  world.start(hold(world, first, 9), "other");
  world.start(one_desk_and_time(world, first, second), "worker");
  EXPECT_EQ(world.run().message, "");
  EXPECT_EQ(second.in_use(), 0);
}

Process wait_in_group(World&, Resource& desk, Resource& pen, Event& door, Numbers& came) {
  auto group = any_of(after(50), all_of(pen, desk.acquire(1, 5), door));
  try {
    co_await group;
  } catch (const Interrupted& interrupted) {
    came = interrupted.came();
    EXPECT_EQ(group.came(), came);
  }
}
Process interrupt_at_one(World& world, ProcessRef process) {
  co_await delay(1);
  world.interrupt(process, "enough");
}
Process preempt_at_one(World&, Resource& desk) {
  co_await delay(1);
  co_await desk.acquire(1, 0);
  desk.release();
}

TEST(Came, OfAnInterruptedProcessListsTheSingleThings) {
  for (const bool preempted : {false, true}) {
    World world;
    Resource desk(world, "desk", 1, Discipline::kPriority, Resource::Preemption::kPreemptive);
    Resource pen(world, "pen");
    Event door(world, "door");
    Numbers came;
    const ProcessRef process = world.start(wait_in_group(world, desk, pen, door, came), "p");
    if (preempted) {
      world.start(preempt_at_one(world, desk), "boss");
    } else {
      world.start(interrupt_at_one(world, process), "other");
    }
    EXPECT_TRUE(world.run().ok());
    EXPECT_EQ(came, preempted ? (Numbers{1}) : (Numbers{1, 2}));
  }
}

// `group` is awaited in a process of `world`; its ApiError is caught there.
Process expect_refused(World& world, std::function<ManyAwaiter(ProcessRef)> group, int& refused) {
  auto many = group(world.current());
  try {
    co_await many;
  } catch (const ApiError&) {
    ++refused;
    EXPECT_EQ(many.came(), Numbers{});
  }
}

TEST(AllOf, TakesNothingWhenOneThingCannotBeWaitedFor) {
  World world, other;
  Resource desk(world, "desk"), foreign(other, "foreign");
  Container tank(world, "tank", 10, 5);
  const ManyAwaiter nothing(true);
  const std::vector<std::function<ManyAwaiter(ProcessRef)>> groups = {
      [&](ProcessRef) { return all_of(desk, tank.get(99)); },
      [&](ProcessRef) { return all_of(desk, tank.put(-1)); },
      [&](ProcessRef) { return all_of(desk, any_of(desk.acquire(2), after(1))); },
      [&](ProcessRef) { return all_of(desk, foreign); },
      [&](ProcessRef) { return all_of(desk, after(-1)); },
      [&](ProcessRef) { return all_of(desk, end_of(other, {})); },
      [&](ProcessRef self) { return all_of(desk, end_of(world, self)); },
      [&](ProcessRef) { return all_of(desk, nothing); },
      [&](ProcessRef) { return nothing; }};
  int refused = 0;
  for (const auto& group : groups) world.start(expect_refused(world, group, refused), "p");
  EXPECT_EQ(world.run().message, "");
  EXPECT_EQ(refused, static_cast<int>(groups.size()));
  EXPECT_EQ(desk.in_use(), 0);
}

// What a condition throws is known only when it is asked.
Process condition_that_throws(World&, Resource& desk) {
  auto both = all_of(desk, when([]() -> bool { throw std::runtime_error("broken"); }));
  try {
    co_await both;
  } catch (const std::runtime_error&) {
    EXPECT_EQ(both.came(), (Numbers{0}));
    desk.release();
  }
}

TEST(AllOf, TellsWhatCameBeforeAConditionThrew) {
  World world;
  Resource desk(world, "desk");
  world.start(condition_that_throws(world, desk), "p");
  EXPECT_EQ(world.run().message, "");
  EXPECT_EQ(desk.in_use(), 0);
}

}  // namespace
}  // namespace arges::process
