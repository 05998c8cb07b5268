#include "arges/process/resource.h"

#include <algorithm>
#include <cmath>
#include <limits>

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

int Resource::checked_units(double amount) const {
  // A capacity of 0 says nothing yet about how many there will be.
  const int most = capacity_ > 0 ? capacity_ : std::numeric_limits<int>::max();
  const int units = amount >= 1 && amount <= most ? static_cast<int>(amount) : 0;
  if (units == 0 || units != amount) {
    throw ApiError(
        fmt::format("{} units of {} cannot be acquired: it has {}", amount, name(), capacity_));
  }
  return units;
}

bool Resource::try_acquire(int units) {
  checked_units(units);
  const std::uint32_t slot = world_.current().slot;
  const int priority = world_.priority_of(slot);
  if (units > available() || !line_.would_stand_first(priority)) return false;
  occupy({slot, 0, static_cast<double>(units)}, priority);
  waits_.add(0);
  return true;
}

bool Resource::take_or_enlist(const Waiter& waiter, int priority) {
  const int units = checked_units(waiter.amount);
  const bool preempted =
      preemptive_ && units > available() && preempt(units, priority, waiter.slot);
  if (preempted || (units <= available() && line_.would_stand_first(priority))) {
    occupy(waiter, priority);
    waits_.add(0);
    if (preempted) {
      world_.serve_later(*this);  // more may have become free than was asked for
      world_.serve_lines_left();
    }
    return true;
  }
  line_.join({waiter, priority, world_.now()});
  length_.set(world_.now(), static_cast<double>(line_.size()));
  return false;
}

void Resource::withdraw(std::uint32_t slot, std::uint32_t index) {
  if (!line_.remove(slot, index)) return;
  length_.set(world_.now(), static_cast<double>(line_.size()));
  world_.serve_later(*this);
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
      if (holder.priority <= priority || holder.process.slot == by) continue;
      if (!world_.is_waiting(holder.process)) continue;
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
  world_.serve(*this);
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
  world_.serve(*this);
}

void Resource::reset_statistics() {
  length_.reset(world_.now());
  usage_.reset(world_.now());
  waits_.reset();
}

Container::Container(World& world, std::string name, double capacity, double level)
    : world_(world),
      capacity_(capacity),
      level_{level, 0},
      highest_(level),
      put_(world, name + " (put)", *this),
      get_(world, name + " (get)", *this),
      levels_(world.now(), level) {
  if (!(level >= 0 && level <= capacity && std::isfinite(level))) {
    throw ApiError(fmt::format("{}: a level of {} with a capacity of {}", name, level, capacity));
  }
}

double Container::slack(const Side& side, double amount) const {
  constexpr double kUnits = 4 * std::numeric_limits<double>::epsilon();
  return std::min(kUnits * (&side == &put_ ? capacity_ : highest_), 1e-9 * amount);
}

bool Container::fits(const Side& side, double amount) const {
  const double there = &side == &put_ ? devs::Clock{capacity_, 0} - level_ : level_.t;
  return amount <= there + slack(side, amount);
}

void Container::move(const Side& side, double amount) {
  const double near = slack(side, amount);
  if (&side == &put_) {
    level_ = level_ + amount;
    if (level_.t >= capacity_ - near) level_ = {capacity_, 0};
    highest_ = std::max(highest_, level_.t);
  } else {
    level_ = level_ + -amount;
    if (level_.t <= near) level_ = {};
  }
  levels_.set(world_.now(), level_.t);
}

void Container::Side::check_amount(double amount) const {
  const double most = container_.capacity_ + container_.slack(container_.put_, amount);
  if (!(amount >= 0 && amount <= most && std::isfinite(amount))) {
    throw ApiError(fmt::format("{}: an amount of {} with a capacity of {}", name(), amount,
                               container_.capacity_));
  }
}

bool Container::Side::take_or_enlist(const Waiter& waiter, int priority) {
  const double amount = waiter.amount;
  check_amount(amount);
  if (line.empty() && container_.fits(*this, amount)) {
    container_.move(*this, amount);
    world_.serve(*this);
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
