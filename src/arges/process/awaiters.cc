// What processes wait with: things, ends of others, conditions, signals; and timers.

#include <utility>

#include "arges/process/world.h"

namespace arges::process {

bool WaitAwaiter::await_suspend(Process::Handle handle) {
  World& world = thing.world();
  handle.promise().world->check_own(thing);
  slot = handle.promise().slot;
  waited = false;
  const int own = use_own_priority ? world.priority_of(slot) : priority;
  if (thing.take_or_enlist({slot, 0, amount}, own)) return false;
  waited = true;
  world.begin_wait(slot);
  world.slots_[slot].source = &thing;
  return true;
}

bool JoinAwaiter::await_suspend(Process::Handle handle) {
  slot = handle.promise().slot;
  waited = false;
  handle.promise().world->check_same(world, "the end of a process");
  if (!world.add_joiner(other, slot, 0)) return false;
  waited = true;
  world.begin_wait(slot);
  world.slots_[slot].joined = other;
  return true;
}

void WhenAwaiter::await_suspend(Process::Handle handle) {
  world = handle.promise().world;
  slot = handle.promise().slot;
  world->begin_wait(slot);
  world->add_condition(slot, 0, condition);
}

Timer::Timer(World& world, std::function<void()> action) : world_(world), slot_(world.new_slot()) {
  world_.slots_[slot_].state = World::State::kTimer;
  world_.slots_[slot_].priority = 0;
  world_.slots_[slot_].action = std::move(action);
}

Timer::~Timer() {
  world_.unschedule(slot_);
  world_.slots_[slot_].action = nullptr;
  world_.free_slot(slot_);
}

void Timer::set_after(double span) {
  World::check_span(span);
  cancel();
  world_.schedule(slot_, span);
}

void Timer::cancel() {
  world_.unschedule(slot_);
  ++world_.slots_[slot_].waits;  // it may have its turn at this time, which it has no more
}

void Event::fire() {
  woken_.swap(waiters_);
  for (const Waiter& waiter : woken_) world_.grant(waiter.slot, waiter.index);
  woken_.clear();
  world_.serve_lines_left();
}

bool Event::take_or_enlist(const Waiter& waiter, int) {
  waiters_.push_back(waiter);
  return false;
}

void Event::withdraw(std::uint32_t slot, std::uint32_t index) {
  std::erase_if(waiters_,
                [&](const Waiter& waiter) { return waiter.slot == slot && waiter.index == index; });
}

}  // namespace arges::process
