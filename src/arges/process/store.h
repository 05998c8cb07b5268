#pragma once
// Places for things: stores.

#include <algorithm>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "arges/base/error.h"
#include "arges/process/place.h"
#include "arges/random/statistics.h"

namespace arges::process {

// Holds up to `capacity` items. put() waits while it is full; get() waits until there is an item,
// of those that a filter accepts if one is given, and takes the first: the oldest, or with an order
// the one that goes before all others, of equal ones the oldest. Who goes first: Place.
template <class T>
class Store : public Place<T> {
 public:
  using Filter = typename Place<T>::Filter;
  using GetAwaiter = typename Place<T>::GetAwaiter;
  using Order = std::function<bool(const T&, const T&)>;  // whether the first goes before

  explicit Store(World& world, std::string name,
                 std::size_t capacity = std::numeric_limits<std::size_t>::max(), Order order = {})
      : Place<T>(world, std::move(name)),
        capacity_(capacity),
        order_(std::move(order)),
        sizes_(world.now()) {
    if (capacity == 0) throw ApiError(this->name() + ": a store has room for one item at least");
  }

  GetAwaiter get(Filter filter = {}) { return GetAwaiter(*this, std::move(filter)); }
  // Without waiting; false when it is full or others wait.
  bool try_put(T item) { return Place<T>::try_put(item); }
  // Without waiting; empty when nothing is there that the filter accepts, or others wait for it.
  std::optional<T> try_get(const Filter& filter = {}) {
    std::optional<T> item;
    this->take_at_once(filter, item);
    return item;
  }

  std::size_t size() const { return items_.size(); }
  const std::vector<T>& items() const { return items_; }
  const random::TimeWeighted& sizes() const { return sizes_; }
  // The end of a warm-up.
  void reset_statistics() { sizes_.reset(this->world_.now()); }

 private:
  bool has_room() override { return items_.size() < capacity_; }
  bool has_item() override { return !items_.empty(); }
  void insert(T item) override {
    const auto behind =
        order_ ? std::upper_bound(items_.begin(), items_.end(), item, order_) : items_.end();
    items_.insert(behind, std::move(item));
    note_size();
  }
  bool take(const Filter& filter, std::optional<T>& item) override {
    for (std::size_t i = 0; i < items_.size(); ++i) {
      if (filter && !filter(items_[i])) continue;
      item = std::move(items_[i]);
      items_.erase(items_.begin() + static_cast<std::ptrdiff_t>(i));
      note_size();
      return true;
    }
    return false;
  }
  void note_size() { sizes_.set(this->world_.now(), static_cast<double>(items_.size())); }

  std::size_t capacity_;
  Order order_;
  std::vector<T> items_;
  random::TimeWeighted sizes_;
};

}  // namespace arges::process
