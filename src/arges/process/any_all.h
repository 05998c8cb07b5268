#pragma once
// Waiting for several things at once.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "arges/process/world.h"

namespace arges::process {

// co_await any_of(after(5), door, desk): goes on when the first has come, gives its index; the
// process then no longer waits for the others. co_await all_of(...): when all have come, gives the
// index of the last. Things are spans of time, all that can be waited for (a resource with
// desk.acquire(2), a container with tank.get(3.5)), conditions, ends of processes, and any_of and
// all_of themselves:
//
//   co_await any_of(all_of(first, second), when([&] { return level > 3; }), end_of(world, other))
//
// They are asked for from left to right; any_of asks for no more when one is there at once. What is
// there at once, or comes, is the process's at that moment, although others of all_of are still
// missing; and it stays so when a group does not become whole, because another thing ends the wait:
// the awaiter, kept in a variable, says what came.
//
//   auto seat = any_of(all_of(desk, chair), after(5));
//   if (co_await seat == 1) {
//     if (seat.came(0)) desk.release();
//     if (seat.came(1)) chair.release();
//   }
//
// A condition of all_of has come when it has held once. Others who can go on because of
// what the process asked for (it put what they wait to get) are served when it has asked for all.
// When it waits no more it leaves all lines, and then these are served, in the order in which they
// were named. The same object can be awaited again. What cannot be waited for (an amount above the
// capacity, a thing of another world, a group of nothing) is an ApiError before anything is taken.
class ManyAwaiter {
 public:
  explicit ManyAwaiter(bool all) { groups_.push_back({all, 0, 0}); }

  void add(Waitable& thing) { add(WaitFor(thing)); }
  void add(const WaitFor& thing);
  void add(const WaitAwaiter& thing);
  void add(const DelayAwaiter& span) { add(WaitFor(span.span)); }
  void add(const WhenAwaiter& when);
  void add(const JoinAwaiter& end);
  void add(const ManyAwaiter& inner);

  bool await_ready() const noexcept { return false; }
  bool await_suspend(Process::Handle handle);
  std::size_t await_resume();

  // What came in the last wait, also in groups that did not become whole: the numbers of the single
  // things, counted from 0 from left to right through all groups. Of what is taken by waiting
  // (units, amounts) that is what the process now has; what was preempted in that wait is not among
  // it.
  std::vector<std::size_t> came() const;
  bool came(std::size_t single) const;

 private:
  friend class World;

  enum class Kind : std::uint8_t { kThing, kTime, kCondition, kEnd };
  enum class State : std::uint8_t { kNew, kWaited, kCalled, kCome, kGone };  // kCalled: has a turn
  struct Leaf {
    Kind kind = Kind::kThing;
    State state = State::kNew;
    std::uint32_t group = 0, index = 0;  // its group, and its place there
    Waitable* thing = nullptr;
    double amount = 1;  // or the span of time
    int priority = 0;
    bool use_own_priority = true;
    devs::Clock due;
    std::uint64_t sequence = 0;  // when the delay began
    std::function<bool()> condition;
    ProcessRef process;
    const World* world = nullptr;  // of that process
  };
  struct Group {  // any_of or all_of; the first is the outermost
    bool all;
    std::uint32_t parent, index;
    std::uint32_t size = 0, missing = 0;
    bool done = false;
  };

  Leaf& new_leaf(Kind kind);
  void check() const;
  bool enlist(std::uint32_t leaf);
  void stop_asking(bool withdraws);
  // The leaf has come; true when that was all that the process waits for.
  bool come(std::uint32_t leaf);
  bool is_below(const Leaf& leaf, std::uint32_t group) const;
  bool is_settled(const Leaf& leaf) const;
  void withdraw(std::uint32_t leaf);
  void withdraw_all();
  // The delay in the schedule has ended.
  void call_timer() { leaves_[timer_].state = State::kCalled; }
  // Its turn; true when that was all that the process waits for.
  bool time_has_come();
  void set_timer();
  double remaining() const;
  // The process holds nothing of that thing any more.
  void lose(const Waitable& thing);
  Waitable* thing(std::uint32_t leaf) const { return leaves_[leaf].thing; }
  std::string describe_missing(std::uint32_t group = 0) const;

  std::vector<Leaf> leaves_;
  std::vector<Group> groups_;
  World* world_ = nullptr;
  std::uint32_t slot_ = 0;
  std::uint32_t timer_ = 0;  // the leaf whose time ends first
  std::size_t result_ = 0;
  bool asking_ = false, waited_ = false;
};

// What is got or put would be gone with a temporary:
//
//   auto part = store.get();
//   if (co_await any_of(part, after(5)) == 0) use(*part.item);
template <class Thing>
inline constexpr bool kStays =
    std::is_lvalue_reference_v<Thing> || !std::is_base_of_v<Waitable, std::remove_cvref_t<Thing>>;

template <class... Things>
ManyAwaiter any_of(Things&&... things) {
  static_assert(sizeof...(things) > 0, "any_of nothing never comes");
  static_assert((kStays<Things> && ...), "what is waited for is kept in a variable");
  ManyAwaiter many(false);
  (many.add(things), ...);
  return many;
}
template <class... Things>
ManyAwaiter all_of(Things&&... things) {
  static_assert(sizeof...(things) > 0, "all_of nothing is no waiting");
  static_assert((kStays<Things> && ...), "what is waited for is kept in a variable");
  ManyAwaiter many(true);
  (many.add(things), ...);
  return many;
}

}  // namespace arges::process
