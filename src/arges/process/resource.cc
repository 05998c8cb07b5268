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
  const bool preempted = preemptive_ && units > available() && preempt(units, priority);
  if (preempted || (units <= available() && line_.empty())) {
    occupy(waiter, priority);
    waits_.add(0);
    return true;
  }
  line_.join({waiter, priority, world_.now()});
  length_.set(world_.now(), static_cast<double>(line_.size()));
  return false;
}

void Resource::withdraw(std::uint32_t slot) {
  if (!line_.remove(slot)) return;
  length_.set(world_.now(), static_cast<double>(line_.size()));
  serve_line();
}

bool Resource::preempt(int units, int priority) {
  // Nothing is taken unless it is enough.
  std::vector<std::size_t> victims;
  int freed = available();
  while (freed < units) {
    std::size_t worst = holders_.size();
    for (std::size_t i = 0; i < holders_.size(); ++i) {
      if (holders_[i].priority <= priority) continue;
      if (std::find(victims.begin(), victims.end(), i) != victims.end()) continue;
      if (!world_.is_waiting(holders_[i].process)) continue;
      if (worst == holders_.size() || holders_[i].priority >= holders_[worst].priority) worst = i;
    }
    if (worst == holders_.size()) return false;
    victims.push_back(worst);
    freed += holders_[worst].units;
  }
  std::sort(victims.rbegin(), victims.rend());
  for (const std::size_t i : victims) {
    const Holder holder = holders_[i];
    holders_.erase(holders_.begin() + static_cast<std::ptrdiff_t>(i));
    in_use_ -= holder.units;
    world_.interrupt(holder.process, "preempted by " + name());
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
    const auto held = std::find_if(holders_.begin(), holders_.end(), [&](const Holder& holder) {
      return holder.process == self && holder.units >= units;
    });
    if (held == holders_.end()) {
      throw ApiError(
          fmt::format("{} is released by a process that does not hold it (any more)", name()));
    }
    held->units -= units;
    if (held->units == 0) holders_.erase(held);
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
