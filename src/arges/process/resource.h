#pragma once
// Things that processes share: units of capacity, and amounts of something.

#include <string>
#include <vector>

#include "arges/process/wait_queue.h"
#include "arges/process/world.h"
#include "arges/random/statistics.h"

namespace arges::process {

// `capacity` units. A process acquires some, and releases them later:
//
//   co_await desk.acquire();  ...  desk.release();
//
// Who goes first: the line is served in the order of its discipline, strictly. The first in line
// waits until there are as many units as it asks for, and nobody overtakes it, not even with a
// smaller request; a newcomer is served at once only when nobody waits. release() hands units over
// at once: the units are the next one's at that moment, though it runs later at the same time.
//
// kPreemptive: a request that cannot be served takes units from holders whose priority number is
// larger than its own, the largest first, of equal ones the last comer. These are interrupted with
// the cause "preempted by PROCESS (RESOURCE)" and hold nothing of it any more; they must not
// release. Only a holder that waits (in a delay, say) can be preempted: a request that finds no
// such holder joins the line, and preempts nobody later. What is freed beyond the request goes to
// the line.
//
// Priorities are those of the processes unless a request has its own.
class Resource : public Waitable {
 public:
  enum class Preemption { kNone, kPreemptive };

  Resource(World& world, std::string name, int capacity = 1,
           Discipline discipline = Discipline::kFifo, Preemption preemption = Preemption::kNone);

  WaitAwaiter acquire(int units = 1) { return {*this, static_cast<double>(units), 0, true}; }
  WaitAwaiter acquire(int units, int priority) {
    return {*this, static_cast<double>(units), priority, false};
  }
  // True when it was there at once; nobody waits then.
  bool try_acquire(int units = 1);
  void release(int units = 1);
  // Units can be added and taken away; those in use stay until they are released.
  void set_capacity(int capacity);

  int capacity() const { return capacity_; }
  int in_use() const { return in_use_; }
  int available() const { return capacity_ - in_use_; }
  const WaitQueue& line() const { return line_; }

  // Number in the line and units in use over time; waiting times of those who were served, zeros
  // included.
  const random::TimeWeighted& length() const { return length_; }
  const random::TimeWeighted& usage() const { return usage_; }
  const random::Tally& waits() const { return waits_; }
  // The end of a warm-up.
  void reset_statistics();

  bool take_or_enlist(const Waiter& waiter, int priority) override;
  void withdraw(std::uint32_t slot, std::uint32_t index) override;

 private:
  struct Holder {
    ProcessRef process;
    int priority, units;
  };
  void occupy(const Waiter& waiter, int priority);
  void serve_line();
  bool preempt(int units, int priority, std::uint32_t by);
  int held_by(ProcessRef process) const;

  int capacity_, in_use_ = 0;
  bool preemptive_;
  WaitQueue line_;
  std::vector<Holder> holders_;  // when preemptive
  random::TimeWeighted length_, usage_;
  random::Tally waits_;
};

// An amount of something (water, money) between 0 and `capacity`. put() waits until there is room
// for all of it, get() until all of it is there; each side has a line, first come first served.
// After each change the first of the put line is served as long as it fits, then the first of the
// get line, and again, until neither can be served.
class Container {
 public:
  Container(World& world, std::string name, double capacity, double level = 0);

  WaitAwaiter put(double amount) { return {put_, amount, 0, true}; }
  WaitAwaiter get(double amount) { return {get_, amount, 0, true}; }
  double level() const { return level_; }
  const random::TimeWeighted& levels() const { return levels_; }
  // The end of a warm-up.
  void reset_statistics() { levels_.reset(world_.now()); }

 private:
  class Side : public Waitable {
   public:
    Side(World& world, std::string name, Container& container)
        : Waitable(world, std::move(name)), container_(container) {}
    bool take_or_enlist(const Waiter& waiter, int priority) override;
    void withdraw(std::uint32_t slot, std::uint32_t index) override {
      line.remove(slot, index);
      container_.serve();
    }
    WaitQueue line;

   private:
    Container& container_;
  };
  bool fits(const Side& side, double amount) const;
  void move(const Side& side, double amount);
  void serve();

  World& world_;
  double capacity_, level_;
  Side put_, get_;
  random::TimeWeighted levels_;
};

}  // namespace arges::process
