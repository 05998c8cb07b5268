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
// who look (any_of: "there is something", nothing is taken; who finds nothing any more when its
// turn comes goes on waiting). put() waits while there is no room, get() while there is nothing
// that its filter accepts. Both lines are first come, first served, except that a filter that
// accepts nothing lets those behind it pass. When something has moved:
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

  struct PutAwaiter {
    Place& place;
    T item;
    std::uint32_t slot = 0;
    bool waited = false;
    bool await_ready() const noexcept { return false; }
    bool await_suspend(Process::Handle handle) {
      slot = handle.promise().slot;
      handle.promise().world->check_own(place);
      if (place.try_put(item)) return false;
      waited = true;
      place.putters_.push_back(this);
      place.world_.wait_for(slot, place);
      return true;
    }
    void await_resume() {
      if (waited) place.world_.end_wait_of(slot);
    }
  };
  struct GetAwaiter {
    Place& place;
    Filter filter;
    std::optional<T> item;
    std::uint32_t slot = 0;
    bool waited = false;
    bool await_ready() const noexcept { return false; }
    bool await_suspend(Process::Handle handle) {
      slot = handle.promise().slot;
      handle.promise().world->check_own(place);
      // Whoever waits before with a filter has found nothing; one without is first.
      const bool free = std::all_of(place.getters_.begin(), place.getters_.end(),
                                    [](const GetAwaiter* g) { return bool(g->filter); });
      if (free && place.take(filter, item)) {
        place.serve();
        return false;
      }
      waited = true;
      place.getters_.push_back(this);
      place.world_.wait_for(slot, place);
      return true;
    }
    T await_resume() {
      if (waited) place.world_.end_wait_of(slot);
      return std::move(*item);
    }
  };
  PutAwaiter put(T item) { return {*this, std::move(item)}; }

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
    std::erase_if(putters_, [&](const PutAwaiter* p) { return p->slot == slot; });
    std::erase_if(getters_, [&](const GetAwaiter* g) { return g->slot == slot; });
    std::erase_if(watchers_, [&](const Watcher& w) { return w.slot == slot && w.index == index; });
  }

 protected:
  // Without waiting; false, and the item is as it was, when there is no room or others wait.
  bool try_put(T& item) {
    if (!putters_.empty() || !has_room()) return false;
    insert(std::move(item));
    serve();
    return true;
  }
  void serve() {
    for (bool moved = true; moved;) {
      moved = serve_one_getter();
      while (!putters_.empty() && has_room()) {
        PutAwaiter* putter = putters_.front();
        putters_.erase(putters_.begin());
        insert(std::move(putter->item));
        world_.grant(putter->slot, 0);
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

 private:
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
      if (take(getter->filter, getter->item)) {
        getters_.erase(getters_.begin() + static_cast<std::ptrdiff_t>(g));
        world_.grant(getter->slot, 0);
        return true;
      }
      if (!getter->filter) return false;
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
