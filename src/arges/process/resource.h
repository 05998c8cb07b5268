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
// waits until there are as many units as it asks for, and nobody behind overtakes it, not even with
// a smaller request. A newcomer is served at once when there are enough units and it would stand
// first: FIFO, when nobody waits; by priority, when all who wait have larger numbers; LIFO, always.
// release() hands units over at once: the units are the next one's at that moment, though it runs
// later at the same time.
//
// kPreemptive: a request for more units than are free takes units from holders whose priority
// number is larger than its own, the largest first, of equal ones the last comer; it has them at
// once, whoever waits in line. The holders are interrupted with the cause "preempted by PROCESS
// (RESOURCE)" and hold nothing of it any more; they must not release. Only another process that
// waits (in a delay, say) can be preempted: a request that finds no such holder joins the line, and
// preempts nobody later. What is freed beyond the request goes to the line.
//
// Priorities are those of the processes at the time of the request, unless it has its own.
class Resource : public Waitable {
 public:
  enum class Preemption { kNone, kPreemptive };

  Resource(World& world, std::string name, int capacity = 1,
           Discipline discipline = Discipline::kFifo, Preemption preemption = Preemption::kNone);

  WaitAwaiter acquire(int units = 1) { return {*this, static_cast<double>(units), 0, true}; }
  WaitAwaiter acquire(int units, int priority) {
    return {*this, static_cast<double>(units), priority, false};
  }
  // As acquire() when that need not wait or preempt; false, and nothing is done, otherwise.
  bool try_acquire(int units = 1);
  void release(int units = 1);
  // Units can be added and taken away; those in use stay until they are released. While the
  // capacity is 0, requests for any number wait.
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

  void check_amount(double amount) const override { checked_units(amount); }
  bool take_or_enlist(const Waiter& waiter, int priority) override;
  void withdraw(std::uint32_t slot, std::uint32_t index) override;
  void serve_line() final;

 private:
  struct Holder {
    ProcessRef process;
    int priority, units;
  };
  void occupy(const Waiter& waiter, int priority);
  // Throws ApiError unless so many can be asked for.
  int checked_units(double amount) const;
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
//
// Roundings make nobody wait: the level is summed without them, as the clock is, and what is
// missing by no more than 4 units in the last place of the capacity (get: of the highest level so
// far), nor than a billionth of the amount, counts as there. A level that comes that near to 0 by a
// get, or to the capacity by a put, is 0, or the capacity. So 0.1 ten times is 1.
class Container {
 public:
  Container(World& world, std::string name, double capacity, double level = 0);

  WaitAwaiter put(double amount) { return {put_, amount, 0, true}; }
  WaitAwaiter get(double amount) { return {get_, amount, 0, true}; }
  double level() const { return level_.t; }
  const random::TimeWeighted& levels() const { return levels_; }
  // The end of a warm-up.
  void reset_statistics() { levels_.reset(world_.now()); }

 private:
  class Side : public Waitable {
   public:
    Side(World& world, std::string name, Container& container)
        : Waitable(world, std::move(name)), container_(container) {}
    void check_amount(double amount) const override;
    bool take_or_enlist(const Waiter& waiter, int priority) override;
    void withdraw(std::uint32_t slot, std::uint32_t index) override {
      if (line.remove(slot, index)) world_.serve_later(*this);
    }
    void serve_line() final { container_.serve(); }
    WaitQueue line;

   private:
    Container& container_;
  };
  // What a difference may be, and count as none.
  double slack(const Side& side, double amount) const;
  bool fits(const Side& side, double amount) const;
  void move(const Side& side, double amount);
  void serve();

  World& world_;
  double capacity_;
  devs::Clock level_;  // a sum without roundings
  double highest_;     // level so far
  Side put_, get_;
  random::TimeWeighted levels_;
};

}  // namespace arges::process
