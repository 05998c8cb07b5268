#include "arges/process/resource.h"

#include <algorithm>

#include <fmt/format.h>

#include "arges/base/error.h"

namespace arges::process {

Resource::Resource(World& world, std::string name, int capacity, Discipline discipline,
                   Preemption preemption)
    : Waitable(world, std::move(name)),
      capacity_(capacity),
      preemptive_(preemption == Preemption::kPreemptive),
      line_(discipline),
      length_(world.now()),
      usage_(world.now()) {
  if (capacity < 0) throw ApiError(fmt::format("{}: a capacity of {}", this->name(), capacity));
}

void Resource::occupy(const Waiter& waiter, int priority) {
  const int units = static_cast<int>(waiter.amount);
  in_use_ += units;
  usage_.set(world_.now(), in_use_);
  if (preemptive_) holders_.push_back({world_.reference(waiter.slot), priority, units});
}

bool Resource::try_acquire(int units) {
  if (!line_.empty() || units > available()) return false;
  occupy({world_.current().slot, 0, static_cast<double>(units)},
         world_.priority_of(world_.current().slot));
  waits_.add(0);
  return true;
}

bool Resource::take_or_enlist(const Waiter& waiter, int priority) {
  const int units = static_cast<int>(waiter.amount);
  if (units < 1 || (units > capacity_ && capacity_ > 0)) {
    throw ApiError(
        fmt::format("{} units of {} cannot be acquired: it has {}", units, name(), capacity_));
  }
  const bool preempted =
      preemptive_ && units > available() && preempt(units, priority, waiter.slot);
  if (preempted || (units <= available() && line_.empty())) {
    occupy(waiter, priority);
    waits_.add(0);
    if (preempted) serve_line();  // more may have become free than was asked for
    return true;
  }
  line_.join({waiter, priority, world_.now()});
  length_.set(world_.now(), static_cast<double>(line_.size()));
  return false;
}

void Resource::withdraw(std::uint32_t slot, std::uint32_t index) {
  if (!line_.remove(slot, index)) return;
  length_.set(world_.now(), static_cast<double>(line_.size()));
  serve_line();
}

// How much a process holds.
int Resource::held_by(ProcessRef process) const {
  int units = 0;
  for (const Holder& holder : holders_) {
    if (holder.process == process) units += holder.units;
  }
  return units;
}

bool Resource::preempt(int units, int priority, std::uint32_t by) {
  // Nothing is taken unless it is enough.
  std::vector<ProcessRef> victims;
  int freed = available();
  while (freed < units) {
    const Holder* worst = nullptr;
    for (const Holder& holder : holders_) {
      if (holder.priority <= priority || !world_.is_waiting(holder.process)) continue;
      if (std::find(victims.begin(), victims.end(), holder.process) != victims.end()) continue;
      if (worst == nullptr || holder.priority >= worst->priority) worst = &holder;
    }
    if (worst == nullptr) return false;
    victims.push_back(worst->process);
    freed += held_by(worst->process);
  }
  for (const ProcessRef victim : victims) {
    in_use_ -= held_by(victim);
    std::erase_if(holders_, [&](const Holder& holder) { return holder.process == victim; });
    world_.take_away(victim, fmt::format("preempted by {} ({})", world_.describe(by), name()),
                     *this);
  }
  usage_.set(world_.now(), in_use_);
  return true;
}

void Resource::release(int units) {
  if (units < 1 || units > in_use_) {
    throw ApiError(
        fmt::format("{} units of {} are released, {} are in use", units, name(), in_use_));
  }
  if (preemptive_) {
    const ProcessRef self = world_.current();
    if (held_by(self) < units) {
      throw ApiError(
          fmt::format("{} is released by a process that does not hold it (any more)", name()));
    }
    int left = units;  // what came last goes first
    for (std::size_t i = holders_.size(); i-- > 0 && left > 0;) {
      if (holders_[i].process != self) continue;
      const int given = std::min(left, holders_[i].units);
      left -= given;
      holders_[i].units -= given;
    }
    std::erase_if(holders_, [](const Holder& holder) { return holder.units == 0; });
  }
  in_use_ -= units;
  usage_.set(world_.now(), in_use_);
  serve_line();
}

void Resource::serve_line() {
  while (!line_.empty() && static_cast<int>(line_.front().waiter.amount) <= available()) {
    const Request next = line_.take_front();
    length_.set(world_.now(), static_cast<double>(line_.size()));
    waits_.add(world_.now() - next.since);
    occupy(next.waiter, next.priority);
    world_.grant(next.waiter.slot, next.waiter.index);
  }
}

void Resource::set_capacity(int capacity) {
  if (capacity < 0) throw ApiError(fmt::format("{}: a capacity of {}", name(), capacity));
  capacity_ = capacity;
  serve_line();
}

void Resource::reset_statistics() {
  length_.reset(world_.now());
  usage_.reset(world_.now());
  waits_.reset();
}

Container::Container(World& world, std::string name, double capacity, double level)
    : world_(world),
      capacity_(capacity),
      level_(level),
      put_(world, name + " (put)", *this),
      get_(world, name + " (get)", *this),
      levels_(world.now(), level) {
  if (!(level >= 0 && level <= capacity)) {
    throw ApiError(fmt::format("{}: a level of {} with a capacity of {}", name, level, capacity));
  }
}

bool Container::fits(const Side& side, double amount) const {
  return &side == &put_ ? level_ + amount <= capacity_ : amount <= level_;
}

void Container::move(const Side& side, double amount) {
  level_ += &side == &put_ ? amount : -amount;
  levels_.set(world_.now(), level_);
}

bool Container::Side::take_or_enlist(const Waiter& waiter, int priority) {
  if (!(waiter.amount >= 0 && waiter.amount <= container_.capacity_)) {
    throw ApiError(fmt::format("{}: an amount of {} with a capacity of {}", name(), waiter.amount,
                               container_.capacity_));
  }
  if (line.empty() && container_.fits(*this, waiter.amount)) {
    container_.move(*this, waiter.amount);
    container_.serve();
    return true;
  }
  line.join({waiter, priority, world_.now()});
  return false;
}

void Container::serve() {
  for (bool moved = true; moved;) {
    moved = false;
    for (Side* side : {&put_, &get_}) {
      while (!side->line.empty() && fits(*side, side->line.front().waiter.amount)) {
        const Request next = side->line.take_front();
        move(*side, next.waiter.amount);
        world_.grant(next.waiter.slot, next.waiter.index);
        moved = true;
      }
    }
  }
}

}  // namespace arges::process
