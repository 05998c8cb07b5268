#pragma once
// Where things are put and got: what stores and conveyors share.

#include <algorithm>
#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "arges/process/world.h"

namespace arges::process {

// A place for things of type T with three lines: of those who put, of those who get, and of those
// who look (the place itself in any_of: "there is something", nothing is taken; who finds nothing
// any more when its turn comes goes on waiting). put() waits while there is no room, get() while
// there is nothing that its filter accepts. Both lines are first come, first served, except that a
// filter that accepts nothing lets those behind it pass. When something has moved:
//
//   repeat  one getter is served, if there is something for one;
//           putters are served while there is room
//   until neither can be;  then those who look are called, if something is there
//
// The derived class says what room is, and which thing is the next; it calls serve() when either
// has changed by itself.
template <class T>
class Place : public Waitable {
 public:
  using Waitable::Waitable;
  using Filter = std::function<bool(const T&)>;

 private:
  struct Turn {
    std::uint32_t slot = 0, index = 0;
    bool waits = false;  // alone, not among several things
  };

 public:
  // co_await place.put(thing). For any_of and all_of it is kept in a variable: `item` has the
  // thing, as long as there was no room for it.
  class PutAwaiter : public Waitable {
   public:
    PutAwaiter(Place& place, T thing)
        : Waitable(place.world(), {}), item(std::move(thing)), place_(place) {}
    T item;

    const std::string& name() const override { return place_.name(); }
    bool await_ready() const noexcept { return false; }
    bool await_suspend(Process::Handle handle) { return place_.begin(*this, handle, at_); }
    void await_resume() {
      if (at_.waits) place_.world().end_wait_of(at_.slot);
    }
    bool take_or_enlist(const Waiter& waiter, int) override {
      at_ = {waiter.slot, waiter.index};
      if (place_.try_put(item)) return true;
      place_.putters_.push_back(this);
      return false;
    }
    void withdraw(std::uint32_t, std::uint32_t) override { std::erase(place_.putters_, this); }

   private:
    friend class Place;
    Place& place_;
    Turn at_;
  };
  // co_await place.get(). For any_of and all_of it is kept in a variable: `item` has the thing,
  // when one has come.
  class GetAwaiter : public Waitable {
   public:
    GetAwaiter(Place& place, Filter filter)
        : Waitable(place.world(), {}), place_(place), filter_(std::move(filter)) {}
    std::optional<T> item;

    const std::string& name() const override { return place_.name(); }
    bool await_ready() const noexcept { return false; }
    bool await_suspend(Process::Handle handle) { return place_.begin(*this, handle, at_); }
    T await_resume() {
      if (at_.waits) place_.world().end_wait_of(at_.slot);
      return std::move(*item);
    }
    bool take_or_enlist(const Waiter& waiter, int) override {
      at_ = {waiter.slot, waiter.index};
      item.reset();
      if (place_.take_at_once(filter_, item)) return true;
      place_.getters_.push_back(this);
      return false;
    }
    void withdraw(std::uint32_t, std::uint32_t) override { std::erase(place_.getters_, this); }

   private:
    friend class Place;
    Place& place_;
    Filter filter_;
    Turn at_;
  };
  PutAwaiter put(T item) { return PutAwaiter(*this, std::move(item)); }

  bool take_or_enlist(const Waiter& waiter, int) override {
    if (has_item()) return true;
    watchers_.push_back({waiter.slot, waiter.index, false});
    return false;
  }
  bool is_still_there(std::uint32_t slot, std::uint32_t index) override {
    const auto watcher = std::find_if(watchers_.begin(), watchers_.end(), [&](const Watcher& w) {
      return w.slot == slot && w.index == index;
    });
    if (watcher == watchers_.end()) return false;
    watcher->called = false;
    if (!has_item()) return false;
    watchers_.erase(watcher);
    return true;
  }
  void withdraw(std::uint32_t slot, std::uint32_t index) override {
    std::erase_if(watchers_, [&](const Watcher& w) { return w.slot == slot && w.index == index; });
  }
  void serve_line() final {
    for (bool moved = true; moved;) {
      moved = serve_one_getter();
      while (!putters_.empty() && has_room()) {
        PutAwaiter* putter = putters_.front();
        putters_.erase(putters_.begin());
        insert(std::move(putter->item));
        world_.grant(putter->at_.slot, putter->at_.index);
        moved = true;
      }
    }
    if (!watchers_.empty() && has_item()) {
      for (Watcher& watcher : watchers_) {
        if (!std::exchange(watcher.called, true)) world_.call(watcher.slot, watcher.index);
      }
    }
    served();
  }

 protected:
  // Without waiting; false, and the item is as it was, when there is no room or others wait.
  bool try_put(T& item) {
    if (!putters_.empty() || !has_room()) return false;
    insert(std::move(item));
    this->world_.serve(*this);
    return true;
  }
  // Without waiting; false when nothing is there that the filter accepts, or others wait for it.
  bool take_at_once(const Filter& filter, std::optional<T>& item) {
    // Whoever waits before with a filter has found nothing; one without is first.
    const bool free = std::all_of(getters_.begin(), getters_.end(),
                                  [](const GetAwaiter* g) { return bool(g->filter_); });
    if (!free || !take(filter, item)) return false;
    this->world_.serve(*this);
    return true;
  }

 private:
  // A process waits for this alone.
  template <class Awaiter>
  bool begin(Awaiter& awaiter, Process::Handle handle, Turn& at) {
    handle.promise().world->check_own(*this);
    const std::uint32_t slot = handle.promise().slot;
    if (awaiter.take_or_enlist({slot, 0, 1}, 0)) return false;
    at.waits = true;
    world_.wait_for(slot, awaiter);
    return true;
  }
  virtual bool has_room() = 0;
  virtual bool has_item() = 0;
  virtual void insert(T item) = 0;
  // The next thing that the filter accepts; an empty filter accepts all.
  virtual bool take(const Filter& filter, std::optional<T>& item) = 0;
  // All that could move has moved.
  virtual void served() {}

  bool serve_one_getter() {
    for (std::size_t g = 0; g < getters_.size(); ++g) {
      GetAwaiter* getter = getters_[g];
      if (take(getter->filter_, getter->item)) {
        getters_.erase(getters_.begin() + static_cast<std::ptrdiff_t>(g));
        world_.grant(getter->at_.slot, getter->at_.index);
        return true;
      }
      if (!getter->filter_) return false;
    }
    return false;
  }

  std::vector<PutAwaiter*> putters_;
  std::vector<GetAwaiter*> getters_;
  struct Watcher {
    std::uint32_t slot, index;
    bool called;  // has a turn
  };
  std::vector<Watcher> watchers_;
};

}  // namespace arges::process
