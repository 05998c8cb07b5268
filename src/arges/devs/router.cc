#include "arges/devs/router.h"

#include <algorithm>
#include <bit>

namespace arges::devs {

std::uint32_t Router::add_lists(std::size_t ports) {
  if (ports == 0) return 0;
  if (ports < free_lists_.size() && !free_lists_[ports].empty()) {
    const std::uint32_t first = free_lists_[ports].back();
    free_lists_[ports].pop_back();
    return first;
  }
  const auto first = static_cast<std::uint32_t>(lists_.size());
  lists_.resize(lists_.size() + ports);
  return first;
}

void Router::remove_lists(std::uint32_t first, std::size_t ports) {
  if (ports == 0) return;
  for (std::size_t i = 0; i < ports; ++i) set_routes(first + static_cast<std::uint32_t>(i), {});
  if (ports >= free_lists_.size()) free_lists_.resize(ports + 1);
  free_lists_[ports].push_back(first);
}

std::uint32_t Router::take_block(std::uint32_t capacity) {
  const auto size_class = static_cast<std::size_t>(std::countr_zero(capacity));
  if (size_class < free_blocks_.size() && !free_blocks_[size_class].empty()) {
    const std::uint32_t begin = free_blocks_[size_class].back();
    free_blocks_[size_class].pop_back();
    return begin;
  }
  const auto begin = static_cast<std::uint32_t>(routes_.size());
  routes_.resize(routes_.size() + capacity);
  return begin;
}

void Router::set_routes(std::uint32_t list, std::span<const Route> routes) {
  List& entry = lists_[list];
  const auto count = static_cast<std::uint32_t>(routes.size());
  if (count > entry.capacity || count == 0) {
    if (entry.capacity > 0) {
      const auto size_class = static_cast<std::size_t>(std::countr_zero(entry.capacity));
      if (size_class >= free_blocks_.size()) free_blocks_.resize(size_class + 1);
      free_blocks_[size_class].push_back(entry.begin);
    }
    entry = {};
    if (count == 0) return;
    entry.capacity = std::bit_ceil(count);
    entry.begin = take_block(entry.capacity);
  }
  entry.count = count;
  std::copy(routes.begin(), routes.end(), routes_.begin() + entry.begin);
}

void Router::resize(std::size_t count) {
  inboxes_.resize(count);
  receivers_.resize(count);
}

// append() to each. All that the loop needs is in registers: messages are bytes, which might
// overlay anything for all that a compiler knows.
void Router::append_to_all(std::span<const Route> routes, MessageWord word) {
  Message* const pool = pool_.data();
  Inbox* const inboxes = inboxes_.data();
  std::uint32_t at = used_;
  for (const Route& to : routes) {
    pool[at] = {word, kNone, to.port};
    Inbox& inbox = inboxes[to.component];
    if (inbox.first == kNone) {
      inbox = {at, at, 1, to.port, 0};
      receivers_[receiver_count_++] = to.component;
    } else {
      pool[inbox.last].next = at;
      inbox.last = at;
      ++inbox.count;
      inbox.mixed |= inbox.port ^ to.port;
    }
    ++at;
  }
  used_ = at;
}

void Router::grow(std::uint32_t count) {
  pool_.resize(std::max<std::size_t>(2 * pool_.size(), std::size_t{used_} + count + 64));
}

void Router::tell_listener(const List& list, std::uint32_t from, std::uint16_t port,
                           const MessageWord& word) const {
  for (std::uint32_t i = 0; i < list.count; ++i) {
    listener_->on_message(from, port, routes_[list.begin + i], word);
  }
}

void Router::deliver(const Route& to, const MessageWord& word) {
  if (used_ == pool_.size()) grow(1);
  append(to, word);
  if (listener_ != nullptr) listener_->on_message(kNone, 0, to, word);
}

Bag Router::take_first(std::uint32_t component, const Model& model) {
  Inbox& inbox = inboxes_[component];
  const std::uint32_t first = inbox.first;
  inbox.first = pool_[first].next;
  pool_[first].next = kNone;
  return {model, pool_.data(), first, 1};
}

}  // namespace arges::devs
