#pragma once
// Belts that carry things, and block.

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "arges/base/error.h"
#include "arges/process/world.h"

namespace arges::process {

// Where things stand on an accumulating belt of given length and speed: fronts at positions
// 0 .. length, at least `pitch` apart. The belt always runs; a thing at the end, or right behind
// one that stands, stands. So with things in order p_0 > p_1 > ..., after a time dt
//
//   p_0 <- min(p_0 + v dt, length),   p_i <- min(p_i + v dt, p_{i-1} - pitch),
//
// exactly: when the first is taken off, all that stand behind it move at once.
class BeltPositions {
 public:
  BeltPositions(double length, double speed, double pitch);
  void advance_to(double time);
  void enter() { positions_.push_back(0); }
  void leave_first() { positions_.erase(positions_.begin()); }
  bool empty() const { return positions_.empty(); }
  std::size_t size() const { return positions_.size(); }
  double operator[](std::size_t i) const { return positions_[i]; }
  bool first_is_at_end() const { return !empty() && reaches(positions_.front(), length_); }
  // The last one has left the place at the entry.
  bool has_room() const { return empty() || reaches(positions_.back(), pitch_); }
  // Until the first is at the end, or the entry is free; infinity when neither will be by itself.
  double time_to_change() const;

 private:
  // Up to roundings of 1e-9 of the length.
  bool reaches(double position, double goal) const { return position >= goal - 1e-9 * length_; }
  double length_, speed_, pitch_;
  double time_ = 0;
  std::vector<double> positions_;
};

// A conveyor of things of type T. put() waits until the entry is free (the thing before has moved
// by one pitch), get() until a thing has come to the end; both first come, first served. A thing at
// the end stays there, and blocks, until it is got.
template <class T>
class Conveyor : public Waitable {
 public:
  Conveyor(World& world, std::string name, double length, double speed, double pitch)
      : Waitable(world, std::move(name)),
        belt_(length, speed, pitch),
        timer_(world, [this] { update(); }) {
    belt_.advance_to(world.now());
  }

  struct PutAwaiter {
    Conveyor& conveyor;
    T item;
    std::uint32_t slot = 0;
    bool waited = false;
    bool await_ready() const noexcept { return false; }
    bool await_suspend(Process::Handle handle) {
      slot = handle.promise().slot;
      conveyor.belt_.advance_to(conveyor.world_.now());
      if (conveyor.putters_.empty() && conveyor.belt_.has_room()) {
        conveyor.enter(*this);
        conveyor.update();
        return false;
      }
      waited = true;
      conveyor.putters_.push_back(this);
      conveyor.world_.wait_for(slot, conveyor);
      return true;
    }
    void await_resume() {
      if (waited) conveyor.world_.end_wait_of(slot);
    }
  };
  struct GetAwaiter {
    Conveyor& conveyor;
    std::optional<T> item;
    std::uint32_t slot = 0;
    bool waited = false;
    bool await_ready() const noexcept { return false; }
    bool await_suspend(Process::Handle handle) {
      slot = handle.promise().slot;
      conveyor.belt_.advance_to(conveyor.world_.now());
      if (conveyor.getters_.empty() && conveyor.belt_.first_is_at_end()) {
        conveyor.leave(*this);
        conveyor.update();
        return false;
      }
      waited = true;
      conveyor.getters_.push_back(this);
      conveyor.world_.wait_for(slot, conveyor);
      return true;
    }
    T await_resume() {
      if (waited) conveyor.world_.end_wait_of(slot);
      return std::move(*item);
    }
  };
  PutAwaiter put(T item) { return {*this, std::move(item)}; }
  GetAwaiter get() { return {*this, std::nullopt}; }
  std::size_t size() const { return items_.size(); }
  const BeltPositions& belt() const { return belt_; }

  // In any_of: something is at the end; it is not taken.
  bool take_or_enlist(const Waiter& waiter, int) override {
    belt_.advance_to(world_.now());
    if (belt_.first_is_at_end()) return true;
    watchers_.push_back(waiter);
    return false;
  }
  void withdraw(std::uint32_t slot) override {
    std::erase_if(putters_, [&](const PutAwaiter* p) { return p->slot == slot; });
    std::erase_if(getters_, [&](const GetAwaiter* g) { return g->slot == slot; });
    std::erase_if(watchers_, [&](const Waiter& w) { return w.slot == slot; });
  }

 private:
  void enter(PutAwaiter& putter) {
    items_.push_back(std::move(putter.item));
    belt_.enter();
  }
  void leave(GetAwaiter& getter) {
    getter.item = std::move(items_.front());
    items_.erase(items_.begin());
    belt_.leave_first();
  }
  void update() {
    belt_.advance_to(world_.now());
    for (bool moved = true; moved;) {
      moved = false;
      if (belt_.first_is_at_end() && !getters_.empty()) {
        GetAwaiter* getter = getters_.front();
        getters_.erase(getters_.begin());
        leave(*getter);
        world_.grant(getter->slot, 0);
        moved = true;
      }
      if (belt_.has_room() && !putters_.empty()) {
        PutAwaiter* putter = putters_.front();
        putters_.erase(putters_.begin());
        enter(*putter);
        world_.grant(putter->slot, 0);
        moved = true;
      }
    }
    if (belt_.first_is_at_end() && !watchers_.empty()) {
      const std::vector<Waiter> watchers = std::exchange(watchers_, {});
      for (const Waiter& watcher : watchers) world_.grant(watcher.slot, watcher.index);
    }
    timer_.set_after(belt_.time_to_change());
  }

  BeltPositions belt_;
  Timer timer_;
  std::vector<T> items_;
  std::vector<PutAwaiter*> putters_;
  std::vector<GetAwaiter*> getters_;
  std::vector<Waiter> watchers_;
};

}  // namespace arges::process
