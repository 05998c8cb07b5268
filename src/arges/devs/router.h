#pragma once
// The way of messages: from an output port straight into the bags of the atomics that it reaches.

#include <bit>
#include <cstdint>
#include <span>
#include <vector>

#include "arges/devs/message.h"

namespace arges::devs {

// A destination: an input port of a component (its number in the simulator).
struct Route {
  std::uint32_t component;
  std::uint16_t port;
  friend bool operator==(const Route&, const Route&) = default;
};

// Told of each message on its way; for traces.
class MessageListener {
 public:
  virtual void on_message(std::uint32_t from, std::uint16_t from_port, const Route& to,
                          const MessageWord& word) = 0;

 protected:
  ~MessageListener() = default;
};

// Holds, for each output port of each component, the flat list of its destinations, and the bags of
// the present step. Lists live in one pool, in blocks of powers of two that are used again.
class Router {
 public:
  Router() = default;
  Router(const Router&) = delete;
  Router& operator=(const Router&) = delete;

  // Makes room for the bags of components 0 .. count-1.
  void resize(std::size_t count);

  // Lists for `ports` output ports, empty; returns the number of the first.
  std::uint32_t add_lists(std::size_t ports);
  void remove_lists(std::uint32_t first, std::size_t ports);
  void set_routes(std::uint32_t list, std::span<const Route> routes);
  std::span<const Route> routes(std::uint32_t list) const {
    return {routes_.data() + lists_[list].begin, lists_[list].count};
  }

  // Sends along the routes of a list, which belongs to output port `port` of component `from`.
  void route(std::uint32_t list, std::uint32_t from, std::uint16_t port, MessageWord word) {
    const List& entry = lists_[list];
    if (entry.count > pool_.size() - used_) grow(entry.count);
    if (entry.count == 1) {
      append(routes_[entry.begin], word);
    } else {
      append_to_all({routes_.data() + entry.begin, entry.count}, word);
    }
    if (listener_ != nullptr) [[unlikely]]
      tell_listener(entry, from, port, word);
  }
  // A message from outside.
  void deliver(const Route& to, const MessageWord& word);
  PayloadStore& payloads() { return payloads_; }

  // Components with a bag, in the order of their first message.
  std::span<const std::uint32_t> receivers() const { return {receivers_.data(), receiver_count_}; }
  bool has_bag(std::uint32_t component) const { return inboxes_[component].first != kNone; }
  // The bag, which the component then no longer has; it can be read until clear().
  Bag take_bag(std::uint32_t component, const Model& model) {
    const Inbox inbox = inboxes_[component];
    inboxes_[component].first = kNone;
    return {model, pool_.data(), inbox.first, inbox.mixed ? 0 : inbox.count};
  }
  // Splits off the first message of a bag: a bag of one.
  Bag take_first(std::uint32_t component, const Model& model);
  // Forgets all messages; no bag may be left.
  void clear() {
    messages_ += used_;
    used_ = 0;
    receiver_count_ = 0;
    if (!payloads_.empty()) payloads_.clear();
  }
  std::int64_t messages() const { return messages_; }
  void set_listener(MessageListener* listener) { listener_ = listener; }

 private:
  struct Inbox {
    std::uint32_t first = kNone, last = kNone;
    std::uint32_t count = 0;
    std::uint16_t port = 0,
                  mixed = 0;  // of the first message; whether another came to another port
  };
  struct List {
    std::uint32_t begin = 0, count = 0;
    std::uint32_t capacity = 0;
  };
  void append(const Route& to, MessageWord word) {
    const std::uint32_t at = used_++;
    pool_[at] = {word, kNone, to.port};
    Inbox& inbox = inboxes_[to.component];
    if (inbox.first == kNone) {
      inbox = {at, at, 1, to.port, 0};
      receivers_[receiver_count_++] = to.component;
    } else {
      pool_[inbox.last].next = at;
      inbox.last = at;
      ++inbox.count;
      inbox.mixed |= inbox.port ^ to.port;
    }
  }
  void append_to_all(std::span<const Route> routes, MessageWord word);
  void grow(std::uint32_t count);
  void tell_listener(const List& list, std::uint32_t from, std::uint16_t port,
                     const MessageWord& word) const;
  std::uint32_t take_block(std::uint32_t capacity);

  std::vector<List> lists_;
  std::vector<Route> routes_;
  std::vector<std::vector<std::uint32_t>> free_blocks_;  // by log2 of the capacity
  std::vector<std::vector<std::uint32_t>> free_lists_;   // by number of ports
  std::vector<Inbox> inboxes_;
  std::vector<Message> pool_;  // the first used_ are in use
  std::uint32_t used_ = 0;
  std::vector<std::uint32_t> receivers_;  // room for all components
  std::size_t receiver_count_ = 0;
  PayloadStore payloads_;
  std::int64_t messages_ = 0;
  MessageListener* listener_ = nullptr;
};

// What an output function sends to.
class Output {
 public:
  // `first_list`: the routes of the sender's output port 0; those of the others follow.
  Output(Router& router, const Model& sender, std::uint32_t component, std::uint32_t first_list)
      : router_(router), sender_(&sender), component_(component), first_list_(first_list) {}

  // Sends `value` through one of the model's own output ports. Several messages a port are allowed.
  template <class T>
  void send(const Out<T>& port, const std::type_identity_t<T>& value) {
    if (&port.owner() != sender_) not_own_port(port);
    std::uint64_t bits = 0;  // a whole word, which can travel in a register
    if constexpr (kFitsWord<T>) {
      std::memcpy(&bits, &value, sizeof value);
    } else {
      const T* kept = router_.payloads().keep(value);
      std::memcpy(&bits, &kept, sizeof kept);
    }
    router_.route(first_list_ + port.index(), component_, port.index(),
                  std::bit_cast<MessageWord>(bits));
  }
  void send(const Out<Signal>& port) { send(port, Signal{}); }

 private:
  [[noreturn]] void not_own_port(const Port& port) const;
  Router& router_;
  const Model* sender_;
  std::uint32_t component_, first_list_;
};

}  // namespace arges::devs
