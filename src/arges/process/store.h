#pragma once
// Places for things: stores, and conveyors.

#include <algorithm>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "arges/base/error.h"
#include "arges/process/world.h"
#include "arges/random/statistics.h"

namespace arges::process {

// Holds up to `capacity` items. put() waits while it is full; get() waits until there is an item,
// of those that a filter accepts if one is given, and takes the oldest. Both lines are first come,
// first served, except that a filter that accepts nothing lets those behind it pass. In any_of, a
// store stands for "there is an item", and takes none.
template <class T>
class Store : public Waitable {
 public:
  explicit Store(World& world, std::string name,
                 std::size_t capacity = std::numeric_limits<std::size_t>::max())
      : Waitable(world, std::move(name)), capacity_(capacity), sizes_(world.now()) {
    if (capacity == 0) throw ApiError(this->name() + ": a store has room for one item at least");
  }
  using Filter = std::function<bool(const T&)>;

  struct PutAwaiter {
    Store& store;
    T item;
    std::uint32_t slot = 0;
    bool waited = false;
    bool await_ready() const noexcept { return false; }
    bool await_suspend(Process::Handle handle) {
      slot = handle.promise().slot;
      if (store.putters_.empty() && store.items_.size() < store.capacity_) {
        store.insert(std::move(item));
        store.serve();
        return false;
      }
      waited = true;
      store.putters_.push_back(this);
      store.world_.wait_for(slot, store);
      return true;
    }
    void await_resume() {
      if (waited) store.world_.end_wait_of(slot);
    }
  };
  struct GetAwaiter {
    Store& store;
    Filter filter;
    std::optional<T> item;
    std::uint32_t slot = 0;
    bool waited = false;
    bool await_ready() const noexcept { return false; }
    bool await_suspend(Process::Handle handle) {
      slot = handle.promise().slot;
      // Whoever waits before with a filter has found nothing; one without is first.
      const bool free = std::all_of(store.getters_.begin(), store.getters_.end(),
                                    [](const GetAwaiter* g) { return bool(g->filter); });
      if (free && store.take(*this)) {
        store.serve();
        return false;
      }
      waited = true;
      store.getters_.push_back(this);
      store.world_.wait_for(slot, store);
      return true;
    }
    T await_resume() {
      if (waited) store.world_.end_wait_of(slot);
      return std::move(*item);
    }
  };

  PutAwaiter put(T item) { return {*this, std::move(item)}; }
  GetAwaiter get(Filter filter = {}) { return {*this, std::move(filter), std::nullopt}; }
  // Without waiting; false when it is full or others wait.
  bool try_put(T item) {
    if (!putters_.empty() || items_.size() >= capacity_) return false;
    insert(std::move(item));
    serve();
    return true;
  }

  std::size_t size() const { return items_.size(); }
  const std::vector<T>& items() const { return items_; }
  const random::TimeWeighted& sizes() const { return sizes_; }

  bool take_or_enlist(const Waiter& waiter, int) override {
    if (!items_.empty()) return true;
    watchers_.push_back(waiter);
    return false;
  }
  void withdraw(std::uint32_t slot) override {
    std::erase_if(putters_, [&](const PutAwaiter* p) { return p->slot == slot; });
    std::erase_if(getters_, [&](const GetAwaiter* g) { return g->slot == slot; });
    std::erase_if(watchers_, [&](const Waiter& w) { return w.slot == slot; });
  }

 private:
  void insert(T item) {
    items_.push_back(std::move(item));
    sizes_.set(world_.now(), static_cast<double>(items_.size()));
  }
  // The oldest item that it accepts.
  bool take(GetAwaiter& getter) {
    for (std::size_t i = 0; i < items_.size(); ++i) {
      if (getter.filter && !getter.filter(items_[i])) continue;
      getter.item = std::move(items_[i]);
      items_.erase(items_.begin() + static_cast<std::ptrdiff_t>(i));
      sizes_.set(world_.now(), static_cast<double>(items_.size()));
      return true;
    }
    return false;
  }
  bool serve_one_getter() {
    for (std::size_t g = 0; g < getters_.size(); ++g) {
      GetAwaiter* getter = getters_[g];
      if (take(*getter)) {
        getters_.erase(getters_.begin() + static_cast<std::ptrdiff_t>(g));
        world_.grant(getter->slot, 0);
        return true;
      }
      if (!getter->filter) return false;
    }
    return false;
  }
  void serve() {
    for (bool moved = true; moved;) {
      moved = serve_one_getter();
      while (!putters_.empty() && items_.size() < capacity_) {
        PutAwaiter* putter = putters_.front();
        putters_.erase(putters_.begin());
        insert(std::move(putter->item));
        world_.grant(putter->slot, 0);
        moved = true;
      }
    }
    if (items_.empty() || watchers_.empty()) return;
    const std::vector<Waiter> watchers = std::exchange(watchers_, {});
    for (const Waiter& watcher : watchers) world_.grant(watcher.slot, watcher.index);
  }

  std::size_t capacity_;
  std::vector<T> items_;
  std::vector<PutAwaiter*> putters_;
  std::vector<GetAwaiter*> getters_;
  std::vector<Waiter> watchers_;
  random::TimeWeighted sizes_;
};

}  // namespace arges::process
