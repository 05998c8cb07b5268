// In the steady state a step takes no memory.

#include <gtest/gtest.h>

#include "arges/devs/simulator.h"
#include "arges/devs/test_models.h"
#include "testing/allocation_guard_operators.h"

namespace arges::devs {
namespace {

struct Parcel {
  double weight[6];
};

class Sender : public Atomic<Sender> {
 public:
  struct State {
    int count = 0;
  };
  Out<Parcel> out{this, "out"};
  explicit Sender(double period) : period_(period) {}
  double time_advance(const State& s) const { return s.count % 3 == 0 ? 0 : period_; }
  void output(const State& s, Output& y) const { y.send(out, {{1.0 * s.count}}); }
  void internal(State& s) const { ++s.count; }

 private:
  double period_;
};

class Scale : public Atomic<Scale> {
 public:
  struct State {
    double weight = 0, left = kInfinity;
  };
  In<Parcel> in{this, "in"};
  Out<int> out{this, "out"};
  double time_advance(const State& s) const { return s.left; }
  void output(const State&, Output& y) const { y.send(out, 1); }
  void internal(State& s) const { s.left = kInfinity; }
  void external(State& s, double, const Bag& x) const {
    for (const Parcel& parcel : x.on(in)) s.weight += parcel.weight[0];
    s.left = 0.75;
  }
};

class Yard : public Coupled {
 public:
  explicit Yard(int senders) {
    Scale& scale = add<Scale>("scale");
    for (int i = 0; i < senders; ++i) {
      Sender& sender = add<Sender>("sender[" + std::to_string(i) + "]", 1 + 0.01 * (i % 50));
      couple(sender.out, scale.in);
      if (i % 10 == 0) {
        Scale& other = add<Scale>("scale[" + std::to_string(i) + "]");
        couple(sender.out, other.in);
      }
    }
  }
};

TEST(Allocation, NoStepAllocates) {
  for (const int senders : {20, 1000}) {
    for (const QueueKind queue : {QueueKind::kHeap, QueueKind::kCalendar, QueueKind::kAdaptive}) {
      const Yard model(senders);
      Simulator simulator(model, {.queue = queue});
      ASSERT_TRUE(simulator.run_until(300).ok());
      const std::int64_t before = simulator.statistics().internal;
      const arges::testing::AllocationGuard guard;
      simulator.run_until(400);
      EXPECT_EQ(guard.count(), 0) << senders;
      EXPECT_GT(simulator.statistics().internal, before + 100 * senders);
    }
  }
}

}  // namespace
}  // namespace arges::devs
