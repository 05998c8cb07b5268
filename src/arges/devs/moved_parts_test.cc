// Components that have been moved away from where they were made: what is said of them, and how
// long the objects live.

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "arges/base/error.h"
#include "arges/devs/simulator.h"
#include "arges/devs/structure.h"
#include "arges/devs/test_models.h"

namespace arges::devs {
namespace {

using testing::Clockwork;
using testing::Sink;

class MovingYard : public VariableCoupled<MovingYard> {
 public:
  using Action = std::function<void(Structure&)>;
  struct State {
    std::size_t next = 0;
  };
  Coupled& hall = add<Coupled>("hall");
  Coupled& shed = add<Coupled>("shed");
  Clockwork& clock = hall.add<Clockwork>("clock", 0.25);
  Sink& sink = add<Sink>("sink");

  double time_advance(const State& s) const { return s.next < actions.size() ? 1 : kInfinity; }
  void internal(State& s, Structure& now) const { actions[s.next++](now); }

  std::vector<Action> actions;  // at t = 1, 2, 3, ...
};

std::string message_of(const std::function<void()>& f) {
  try {
    f();
  } catch (const ApiError& error) {
    return error.what();
  }
  return "nothing thrown";
}

TEST(MovedParts, ErrorsHaveTheirPresentPaths) {
  MovingYard yard;
  const Clockwork* made = nullptr;
  std::vector<std::string> messages;
  yard.actions = {
      [&](Structure& now) {
        const auto& box = now.add<Coupled>("box");
        made = &now.of(box).add<Clockwork>("made", 0.5);
        now.move(*made, yard.shed);
        now.move(yard.clock, yard.shed);
        now.remove(box);
      },
      [&](Structure& now) {  // the box is no more
        Structure shed = now.of(yard.shed);
        messages.push_back(message_of([&] { now.couple(made->out, yard.sink.in); }));
        messages.push_back(message_of([&] { now.decouple(yard.clock.out, yard.sink.in); }));
        messages.push_back(message_of([&] { shed.couple(made->out, yard.clock.out); }));
        messages.push_back(message_of([&] { shed.decouple(made->out, yard.clock.out); }));
      }};
  Simulator simulator(yard);
  ASSERT_TRUE(simulator.run_until(3).ok()) << simulator.status().message;
  ASSERT_EQ(messages.size(), 4u);
  EXPECT_EQ(messages[0],
            "shed.made.out cannot be coupled to sink.in in model: shed.made is not a component of "
            "model");
  EXPECT_EQ(messages[1], "there is no coupling from shed.clock.out to sink.in in model");
  EXPECT_EQ(messages[2],
            "shed.made.out cannot be coupled to shed.clock.out in shed: messages enter a component "
            "through an input port");
  EXPECT_EQ(messages[3], "there is no coupling from shed.made.out to shed.clock.out in shed");
}

// An order of components that can be seen: the sink gets what comes at one time in it.
TEST(MovedParts, PrioritiesAreInheritedFromWhereTheyAre) {
  class Cell : public Coupled {};
  class Plant : public MovingYard {
   public:
    Plant() { set_priority(hall, 5); }
  };
  Plant plant;
  plant.actions = {[&](Structure& now) {
                     // A cell that is made in the hall has its priority, wherever it is moved.
                     const auto& box = now.of(plant.hall).add<Coupled>("box");
                     const auto& cell = now.of(box).add<Cell>("cell");
                     now.move(cell, plant);
                     now.remove(plant.hall, Pending::kDrop);
                   },
                   [&](Structure& now) {
                     const Cell& cell = now.get<Cell>("cell");
                     now.of(cell).add<Clockwork>("late", 1.0);
                     now.add<Clockwork>("early", 1.0);
                   }};
  Simulator simulator(plant);
  ASSERT_TRUE(simulator.run_until(3).ok()) << simulator.status().message;
  std::vector<std::string> order;
  for (const std::uint32_t id : simulator.components()) order.push_back(simulator.path(id));
  EXPECT_EQ(order, (std::vector<std::string>{"model", "sink", "early", "cell.late"}));
}

class Counted : public Atomic<Counted> {
 public:
  struct State {};
  explicit Counted(int& alive) : alive_(alive) { ++alive_; }
  ~Counted() override { --alive_; }

 private:
  int& alive_;
};

// A component of the model as it was built may go from place to place, while others come and go.
TEST(MovedParts, RemovedObjectsDoNotPileUp) {
  MovingYard yard;
  int alive = 0, most = 0;
  for (int round = 0; round < 100; ++round) {
    yard.actions.emplace_back([&, round](Structure& now) {
      now.move(yard.clock, round % 2 == 0 ? yard.shed : yard.hall);
      if (const Model* last = now.find("guest")) now.remove(*last);
      now.add<Counted>("guest", alive);
      most = std::max(most, alive);
    });
  }
  Simulator simulator(yard);
  ASSERT_TRUE(simulator.run_until(200).ok()) << simulator.status().message;
  EXPECT_LE(most, 2);
}

}  // namespace
}  // namespace arges::devs
