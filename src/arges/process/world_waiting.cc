// Who waits for what, and how waiting ends.

#include <algorithm>
#include <utility>

#include "arges/base/error.h"
#include "arges/process/any_all.h"
#include "arges/process/world.h"

namespace arges::process {

void World::go_on_running(std::uint32_t id) {
  slots_[id].many = nullptr;
  slots_[id].checks_condition = false;
  slots_[id].state = State::kRunning;
}

void World::add_condition(std::uint32_t id, std::uint32_t index,
                          const std::function<bool()>& holds) {
  slots_[id].checks_condition = true;
  const auto behind = std::find_if(conditions_.begin(), conditions_.end(), [&](const Condition& c) {
    return slots_[c.slot].priority > slots_[id].priority;
  });
  conditions_.insert(behind, {id, index, sequence_++, &holds, false});
}

void World::sort_conditions() {
  std::sort(conditions_.begin(), conditions_.end(), [&](const Condition& a, const Condition& b) {
    const int first = slots_[a.slot].priority, second = slots_[b.slot].priority;
    return first != second ? first < second : a.order < b.order;
  });
}

void World::remove_condition(std::uint32_t id, std::uint32_t index) {
  std::erase_if(conditions_, [&](const Condition& c) { return c.slot == id && c.index == index; });
}

void World::check_other(ProcessRef process, std::uint32_t id) const {
  if (is_alive(process) && process.slot == id) {
    throw ApiError("a process cannot wait for its own end");
  }
}

bool World::add_joiner(ProcessRef process, std::uint32_t id, std::uint32_t index) {
  check_other(process, id);
  if (!is_alive(process)) return false;
  slots_[process.slot].joiners.push_back({id, index});
  return true;
}

void World::remove_joiner(ProcessRef process, std::uint32_t id, std::uint32_t index) {
  if (is_alive(process)) std::erase(slots_[process.slot].joiners, Joiner{id, index});
}

// Out of all lists; the lines are served later.
void World::stop_waiting(std::uint32_t id) {
  Slot& slot = slots_[id];
  if (slot.many != nullptr) {
    std::exchange(slot.many, nullptr)->withdraw_all();
    slot.checks_condition = false;
    return;
  }
  unschedule(id);
  if (slot.source != nullptr) std::exchange(slot.source, nullptr)->withdraw(id, 0);
  remove_joiner(std::exchange(slot.joined, {}), id, 0);
  if (std::exchange(slot.checks_condition, false)) remove_condition(id, 0);
}

void World::serve_all_left() {
  deferring_ = true;
  for (std::size_t i = 0; i < left_.size(); ++i) left_[i]->serve_line();  // it grows meanwhile
  left_.clear();
  deferring_ = false;
}

void World::grant(std::uint32_t id, std::uint32_t index) {
  Slot& slot = slots_[id];
  if (slot.state != State::kWaiting) return;  // something else has come at the same time
  if (slot.many != nullptr) {
    if (!slot.many->come(index)) return;
    if (slot.many->asking_) return slot.many->withdraw_all();  // it has not begun to wait
    stop_waiting(id);
  }
  slot.source = nullptr;
  slot.joined = {};
  make_ready(id);
}

bool World::interrupt(ProcessRef process, std::string cause) {
  const bool done = interrupt(process, std::move(cause), nullptr);
  serve_lines_left();
  return done;
}

void World::take_away(ProcessRef process, std::string cause, const Waitable& thing) {
  interrupt(process, std::move(cause), &thing);
}

bool World::interrupt(ProcessRef process, std::string cause, const Waitable* lost) {
  if (!is_alive(process) || process.slot == current_) return false;
  Slot& slot = slots_[process.slot];
  if (slot.state != State::kWaiting) return false;
  slot.remaining = remaining_delay(process.slot);
  slot.came.clear();
  if (slot.many != nullptr) {
    if (lost != nullptr) slot.many->lose(*lost);
    slot.came = slot.many->came();
  }
  stop_waiting(process.slot);
  slot.interrupted = true;
  slot.cause = std::move(cause);
  make_ready(process.slot);
  return true;
}

double World::remaining_delay(std::uint32_t id) const {
  const Slot& slot = slots_[id];
  if (slot.many != nullptr) return slot.many->remaining();
  if (slot.queued) return slot.due - clock_;
  const bool waits_for_time =
      slot.source == nullptr && !slot.checks_condition && slot.joined == ProcessRef{};
  return waits_for_time ? devs::kInfinity : 0;  // a delay without end is not in the schedule
}

bool World::sees_it_hold(const Ready& turn) {
  const auto found = std::find_if(conditions_.begin(), conditions_.end(), [&](const Condition& c) {
    return c.slot == turn.slot && c.index == turn.index;
  });
  if (found == conditions_.end()) return false;
  found->called = false;
  current_ = turn.slot;
  const bool holds = (*found->holds)();
  current_ = kNoIndex;
  if (holds) conditions_.erase(found);
  return holds;
}

bool World::finds_it(const Ready& turn) {
  const Slot& slot = slots_[turn.slot];
  Waitable* thing = slot.many != nullptr ? slot.many->thing(turn.index) : slot.source;
  return thing != nullptr && thing->is_still_there(turn.slot, turn.index);
}

void World::check_conditions() {
  for (Condition& condition : conditions_) {
    if (condition.called) continue;
    current_ = condition.slot;
    if ((*condition.holds)()) {
      condition.called = true;
      enqueue(condition.slot, Turn::kCondition, condition.index);
    }
  }
  current_ = kNoIndex;
}

void World::wake_joiners(std::uint32_t id) {
  const std::vector<Joiner> joiners = std::exchange(slots_[id].joiners, {});
  for (const Joiner& joiner : joiners) grant(joiner.slot, joiner.index);
  serve_lines_left();
}

}  // namespace arges::process
