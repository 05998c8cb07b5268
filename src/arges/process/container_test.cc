// Amounts whose sums are rounded.

#include <gtest/gtest.h>

#include "arges/base/error.h"
#include "arges/process/resource.h"
#include "arges/process/world.h"

namespace arges::process {
namespace {

Process fill_in_parts(World&, Container& tank, int parts, double part) {
  for (int i = 0; i < parts; ++i) co_await tank.put(part);
}
Process fill_and_empty(World&, Container& tank, int times, int parts, double whole) {
  for (int k = 0; k < times; ++k) {
    for (int i = 0; i < parts; ++i) co_await tank.put(whole / parts);
    co_await tank.get(whole);
    EXPECT_EQ(tank.level(), 0);
    co_await tank.put(whole);
    for (int i = 0; i < parts; ++i) co_await tank.get(whole / parts);
    EXPECT_EQ(tank.level(), 0);
  }
}

TEST(Container, IsFullWhenItsPartsAreInIt) {
  World world;
  Container tank(world, "tank", 0.3);
  world.start(fill_in_parts(world, tank, 3, 0.1), "filler");
  EXPECT_EQ(world.run().message, "");
  EXPECT_EQ(tank.level(), 0.3);
}

TEST(Container, TakesAndGivesAWholeInParts) {
  for (const double capacity : {100.0, 250.0, devs::kInfinity}) {
    World world;
    Container tank(world, "tank", capacity);
    world.start(fill_and_empty(world, tank, 20, 10, 1), "tenths");
    EXPECT_EQ(world.run().message, "");
    world.start(fill_and_empty(world, tank, 20, 7, 100), "sevenths");
    EXPECT_EQ(world.run().message, "");
    world.start(fill_and_empty(world, tank, 3, 1000, 100), "thousandths");
    EXPECT_EQ(world.run().message, "");
  }
}

// What is small beside the capacity is not there by rounding.
Process get_little(World&, Container& tank) { co_await tank.get(1e-7); }

TEST(Container, GivesNothingThatIsNotThere) {
  World world;
  Container tank(world, "tank", 1e12);
  world.start(fill_in_parts(world, tank, 1, 1e12), "filler");
  world.start(fill_in_parts(world, tank, 1, 1e-7), "too much");
  EXPECT_FALSE(world.run_until(1).ok());
  World other;
  Container empty(other, "empty", 1e12);
  other.start(get_little(other, empty), "thirsty");
  EXPECT_FALSE(other.run().ok());
  EXPECT_EQ(empty.level(), 0);
}

}  // namespace
}  // namespace arges::process
