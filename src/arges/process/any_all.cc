#include "arges/process/any_all.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "arges/base/error.h"

namespace arges::process {

ManyAwaiter::Leaf& ManyAwaiter::new_leaf(Kind kind) {
  Leaf& leaf = leaves_.emplace_back();
  leaf.kind = kind;
  leaf.index = groups_[0].size++;
  return leaf;
}

void ManyAwaiter::add(const WaitFor& thing) {
  Leaf& leaf = new_leaf(thing.what != nullptr ? Kind::kThing : Kind::kTime);
  leaf.thing = thing.what;
  leaf.amount = thing.what != nullptr ? thing.amount : thing.delay;
}

void ManyAwaiter::add(const WaitAwaiter& thing) {
  Leaf& leaf = new_leaf(Kind::kThing);
  leaf.thing = &thing.thing;
  leaf.amount = thing.amount;
  leaf.priority = thing.priority;
  leaf.use_own_priority = thing.use_own_priority;
}

void ManyAwaiter::add(const WhenAwaiter& when) {
  new_leaf(Kind::kCondition).condition = when.condition;
}

void ManyAwaiter::add(const JoinAwaiter& end) {
  Leaf& leaf = new_leaf(Kind::kEnd);
  leaf.process = end.other;
  leaf.world = &end.world;
}

void ManyAwaiter::add(const ManyAwaiter& inner) {
  const auto shift = static_cast<std::uint32_t>(groups_.size());
  for (Group group : inner.groups_) {
    group.parent += shift;
    groups_.push_back(group);
  }
  groups_[shift].parent = 0;
  groups_[shift].index = groups_[0].size++;
  for (const Leaf& leaf : inner.leaves_) {
    leaves_.push_back(leaf);
    leaves_.back().group += shift;
  }
}

// Throws ApiError when something cannot be waited for: before anything is asked for, so that
// nothing is taken that nobody knows of.
void ManyAwaiter::check() const {
  for (const Group& group : groups_) {
    if (group.size == 0) throw ApiError("any_of or all_of of nothing is waited for");
  }
  for (const Leaf& leaf : leaves_) {
    switch (leaf.kind) {
      case Kind::kThing:
        world_->check_own(*leaf.thing);
        leaf.thing->check_amount(leaf.amount);
        break;
      case Kind::kTime:
        World::check_span(leaf.amount);
        break;
      case Kind::kCondition:
        break;
      case Kind::kEnd:
        world_->check_same(*leaf.world, "the end of a process");
        world_->check_other(leaf.process, slot_);
        break;
    }
  }
}

bool ManyAwaiter::await_suspend(Process::Handle handle) {
  world_ = handle.promise().world;
  slot_ = handle.promise().slot;
  check();
  for (Leaf& leaf : leaves_) leaf.state = State::kNew;  // it may have been waited with before
  for (Group& group : groups_) {
    group.missing = group.all ? group.size : 1;
    group.done = false;
  }
  waited_ = false;
  world_->begin_wait(slot_);
  world_->slots_[slot_].many = this;
  asking_ = world_->deferring_ = true;
  try {
    for (std::uint32_t i = 0; i < leaves_.size() && !groups_[0].done; ++i) {
      if (is_settled(leaves_[i])) continue;
      leaves_[i].state = State::kWaited;
      if (enlist(i)) come(i);
    }
  } catch (...) {
    stop_asking(true);
    world_->go_on_running(slot_);
    throw;
  }
  stop_asking(groups_[0].done);
  if (groups_[0].done) {
    world_->go_on_running(slot_);
    return false;
  }
  set_timer();
  waited_ = true;
  return true;
}

// What it has asked for moved others, whose lines were left; serving these may still bring what it
// waits for.
void ManyAwaiter::stop_asking(bool withdraws) {
  if (withdraws) withdraw_all();
  world_->deferring_ = false;
  world_->serve_lines_left();
  asking_ = false;
}

std::size_t ManyAwaiter::await_resume() {
  if (waited_) world_->end_wait(slot_);
  return result_;
}

// True: it is there at once.
bool ManyAwaiter::enlist(std::uint32_t i) {
  Leaf& leaf = leaves_[i];
  switch (leaf.kind) {
    case Kind::kThing:
      return leaf.thing->take_or_enlist({slot_, i, leaf.amount}, leaf.use_own_priority
                                                                     ? world_->priority_of(slot_)
                                                                     : leaf.priority);
    case Kind::kTime:
      leaf.sequence = world_->sequence_++;
      if (leaf.amount < devs::kInfinity) {
        leaf.due = world_->clock_ + leaf.amount;
      } else {
        leaf.due = {devs::kInfinity, 0};
      }
      return false;
    case Kind::kCondition:
      if (leaf.condition()) return true;
      world_->add_condition(slot_, i, leaf.condition);
      return false;
    case Kind::kEnd:
      return !world_->add_joiner(leaf.process, slot_, i);
  }
  return false;
}

bool ManyAwaiter::is_below(const Leaf& leaf, std::uint32_t group) const {
  for (std::uint32_t at = leaf.group;; at = groups_[at].parent) {
    if (at == group) return true;
    if (at == 0) return false;
  }
}

// Whether it has come, or is not asked for any more.
bool ManyAwaiter::is_settled(const Leaf& leaf) const {
  if (leaf.state == State::kCome || leaf.state == State::kGone) return true;
  for (std::uint32_t at = leaf.group;; at = groups_[at].parent) {
    if (groups_[at].done) return true;
    if (at == 0) return false;
  }
}

bool ManyAwaiter::come(std::uint32_t i) {
  if (is_settled(leaves_[i])) return false;
  leaves_[i].state = State::kCome;
  std::uint32_t index = leaves_[i].index;
  for (std::uint32_t at = leaves_[i].group;;) {
    Group& group = groups_[at];
    if (--group.missing > 0) return false;
    group.done = true;
    if (at == 0) {
      result_ = index;
      return true;
    }
    for (std::uint32_t k = 0; k < leaves_.size(); ++k) {
      if (is_below(leaves_[k], at)) withdraw(k);
    }
    index = group.index;
    at = group.parent;
  }
}

void ManyAwaiter::withdraw(std::uint32_t i) {
  Leaf& leaf = leaves_[i];
  const bool waits = leaf.state == State::kWaited || leaf.state == State::kCalled;
  if (leaf.state != State::kCome) leaf.state = State::kGone;
  if (!waits) return;
  switch (leaf.kind) {
    case Kind::kThing:
      leaf.thing->withdraw(slot_, i);
      break;
    case Kind::kTime:
      if (!asking_) set_timer();
      break;
    case Kind::kCondition:
      world_->remove_condition(slot_, i);
      break;
    case Kind::kEnd:
      world_->remove_joiner(leaf.process, slot_, i);
      break;
  }
}

void ManyAwaiter::withdraw_all() {
  const bool asking = std::exchange(asking_, true);  // the timer goes at the end
  for (std::uint32_t i = 0; i < leaves_.size(); ++i) withdraw(i);
  world_->unschedule(slot_);
  asking_ = asking;
}

// The delays of one wait that end at one time share a turn: they began together.
bool ManyAwaiter::time_has_come() {
  for (;;) {
    if (leaves_[timer_].state == State::kCalled && come(timer_)) return true;
    set_timer();
    if (!world_->ends_now(slot_)) return false;
    world_->unschedule(slot_);
    call_timer();
  }
}

// One delay is in the schedule at a time: the one that ends first, of equal ones the first named.
void ManyAwaiter::set_timer() {
  std::uint32_t first = static_cast<std::uint32_t>(leaves_.size());
  for (std::uint32_t i = 0; i < leaves_.size(); ++i) {
    const Leaf& leaf = leaves_[i];
    if (leaf.kind != Kind::kTime) continue;
    if (leaf.state == State::kCalled) return;  // its turn is still to come
    if (leaf.state != State::kWaited || !(leaf.due.t < devs::kInfinity)) continue;
    if (first == leaves_.size() || leaf.due < leaves_[first].due) first = i;
  }
  if (first == leaves_.size()) return world_->unschedule(slot_);
  timer_ = first;
  world_->schedule_at(slot_, leaves_[first].due, leaves_[first].sequence);
}

// Of the delays: until the first ends (any_of), or the last (all_of).
double ManyAwaiter::remaining() const {
  double rest = 0;
  bool any = false;
  for (const Leaf& leaf : leaves_) {
    const bool waits = leaf.state == State::kWaited || leaf.state == State::kCalled;
    if (leaf.kind != Kind::kTime || !waits) continue;
    const double own =
        leaf.due.t < devs::kInfinity ? std::max(leaf.due - world_->clock_, 0.0) : devs::kInfinity;
    rest = !any ? own : groups_[0].all ? std::max(rest, own) : std::min(rest, own);
    any = true;
  }
  return rest;
}

std::vector<std::size_t> ManyAwaiter::came() const {
  std::vector<std::size_t> numbers;
  for (std::size_t i = 0; i < leaves_.size(); ++i) {
    if (leaves_[i].state == State::kCome) numbers.push_back(i);
  }
  return numbers;
}

bool ManyAwaiter::came(std::size_t single) const {
  if (single >= leaves_.size()) {
    throw ApiError(fmt::format("came({}) of a wait for {} things", single, leaves_.size()));
  }
  return leaves_[single].state == State::kCome;
}

void ManyAwaiter::lose(const Waitable& thing) {
  for (Leaf& leaf : leaves_) {
    if (leaf.thing == &thing && leaf.state == State::kCome) leaf.state = State::kGone;
  }
}

// "any of (door, a delay)", "all of (desk, any of (a condition, the end of clerk#2))".
std::string ManyAwaiter::describe_missing(std::uint32_t of) const {
  std::vector<std::pair<std::uint32_t, std::string>> missing;
  for (const Leaf& leaf : leaves_) {
    if (leaf.group != of || leaf.state == State::kCome || leaf.state == State::kGone) continue;
    missing.emplace_back(leaf.index, leaf.kind == Kind::kThing  ? leaf.thing->name()
                                     : leaf.kind == Kind::kTime ? "a delay without end"
                                     : leaf.kind == Kind::kCondition
                                         ? "a condition"
                                         : "the end of " + world_->describe(leaf.process.slot));
  }
  for (std::uint32_t g = 1; g < groups_.size(); ++g) {
    if (groups_[g].parent == of && !groups_[g].done)
      missing.emplace_back(groups_[g].index, describe_missing(g));
  }
  std::sort(missing.begin(), missing.end());
  std::string text = groups_[of].all ? "all of (" : "any of (";
  for (const auto& each : missing) text += (&each == &missing.front() ? "" : ", ") + each.second;
  return text + ")";
}

}  // namespace arges::process
