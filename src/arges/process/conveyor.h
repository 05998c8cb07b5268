#pragma once
// Belts that carry things, and block.

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "arges/base/error.h"
#include "arges/process/place.h"

namespace arges::process {

// Where things stand on an accumulating belt of given length and speed: fronts at positions
// 0 .. length, at least `pitch` apart. The belt always runs; a thing at the end, or right behind
// one that stands, stands. So with things in order p_0 > p_1 > ..., after a time dt
//
//   p_0 <- min(p_0 + v dt, length),   p_i <- min(p_i + v dt, p_{i-1} - pitch),
//
// exactly: when the first is taken off, all that stand behind it move at once.
//
// A thing that moves freely is where the time since it began to move says, however often one has
// looked: so it arrives when it is meant to.
class BeltPositions {
 public:
  BeltPositions(double length, double speed, double pitch);
  void advance_to(double time);
  void enter() { things_.push_back({0, 0, time_}); }
  void leave_first() { things_.erase(things_.begin()); }
  bool empty() const { return things_.empty(); }
  std::size_t size() const { return things_.size(); }
  double operator[](std::size_t i) const { return things_[i].position; }
  bool first_is_at_end() const { return !empty() && reaches(things_.front().position, length_); }
  // The last one has left the place at the entry.
  bool has_room() const { return empty() || reaches(things_.back().position, pitch_); }
  // Until the first is at the end, or the entry is free; infinity when neither will be by itself.
  double time_to_change() const;

 private:
  struct Thing {
    double position;
    double from, since;  // where and when it began to move freely
  };
  // Up to roundings of 1e-9 of the length.
  bool reaches(double position, double goal) const { return position >= goal - 1e-9 * length_; }
  double time_to(const Thing& thing, double goal) const {
    return (thing.since - time_) + (goal - thing.from) / speed_;
  }
  double length_, speed_, pitch_;
  double time_ = 0;
  std::vector<Thing> things_;
};

// A conveyor of things of type T. put() waits until the entry is free (the thing before has moved
// by one pitch), get() until a thing has come to the end; both first come, first served. A thing at
// the end stays there, and blocks, until it is got. In any_of, the conveyor itself stands for
// "something is at the end", and nothing is taken.
template <class T>
class Conveyor : public Place<T> {
 public:
  using Filter = typename Place<T>::Filter;
  using GetAwaiter = typename Place<T>::GetAwaiter;

  Conveyor(World& world, std::string name, double length, double speed, double pitch)
      : Place<T>(world, std::move(name)),
        belt_(length, speed, pitch),
        timer_(world, [this] { this->world_.serve(*this); }) {
    belt_.advance_to(world.now());
  }

  GetAwaiter get() { return GetAwaiter(*this, Filter{}); }
  std::size_t size() const { return items_.size(); }
  const BeltPositions& belt() const { return belt_; }

 private:
  bool has_room() override { return belt_now().has_room(); }
  bool has_item() override { return belt_now().first_is_at_end(); }
  void insert(T item) override {
    items_.push_back(std::move(item));
    belt_.enter();
  }
  bool take(const Filter&, std::optional<T>& item) override {
    if (!has_item()) return false;
    item = std::move(items_.front());
    items_.erase(items_.begin());
    belt_.leave_first();
    return true;
  }
  void served() override { timer_.set_after(belt_now().time_to_change()); }
  BeltPositions& belt_now() {
    belt_.advance_to(this->world_.now());
    return belt_;
  }

  BeltPositions belt_;
  Timer timer_;
  std::vector<T> items_;
};

}  // namespace arges::process
