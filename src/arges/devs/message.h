#pragma once
// Messages on their way: what an output function sends, and the bag that a transition reads.

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <new>
#include <type_traits>
#include <utility>
#include <vector>

#include "arges/devs/port.h"

namespace arges::devs {

inline constexpr std::uint32_t kNone = 0xffffffff;

// Eight bytes: the value itself when it is small and plain, else the address of the value in the
// PayloadStore.
struct MessageWord {
  alignas(8) std::byte bytes[8];
};

template <class T>
inline constexpr bool kFitsWord = std::is_trivially_copyable_v<T> &&
                                  sizeof(T) <= sizeof(MessageWord) && alignof(T) <= 8;

// One message in the bag of one receiver; bags are lists through the pool of the step.
struct Message {
  MessageWord word;
  std::uint32_t next;
  std::uint16_t port;
};

// The values of one step that do not fit a word. Memory is kept from step to step.
class PayloadStore {
 public:
  PayloadStore() = default;
  PayloadStore(const PayloadStore&) = delete;
  PayloadStore& operator=(const PayloadStore&) = delete;
  ~PayloadStore() { clear(); }

  template <class T>
  const T* keep(const T& value) {
    void* memory = allocate(sizeof(T), alignof(T));
    const T* kept = ::new (memory) T(value);
    if constexpr (!std::is_trivially_destructible_v<T>) {
      to_destroy_.push_back({memory, [](void* object) { static_cast<T*>(object)->~T(); }});
    }
    return kept;
  }
  // Destroys all values.
  void clear() noexcept;
  bool empty() const { return block_ == 0 && used_ == 0; }

 private:
  void* allocate(std::size_t size, std::size_t alignment);

  struct Block {
    std::vector<std::byte> bytes;
  };
  struct Destroy {
    void* object;
    void (*destroy)(void*);
  };
  std::vector<Block> blocks_;
  std::size_t block_ = 0, used_ = 0;
  std::vector<Destroy> to_destroy_;
};

// The messages that reach one component in one step, in the order (sender, order of sending). Only
// valid during the transition that gets it; a transition copies what it wants to keep.
class Bag {
 public:
  // `count`: the number of messages when all are on one port, else 0.
  Bag(const Model& receiver, const Message* pool, std::uint32_t first, std::uint32_t count)
      : receiver_(&receiver), pool_(pool), first_(first), count_(count) {}

  bool empty() const { return first_ == kNone; }

  template <class T>
  class Iterator {
   public:
    using iterator_category = std::forward_iterator_tag;
    using value_type = T;
    using difference_type = std::ptrdiff_t;
    using pointer = const T*;
    using reference = const T&;

    Iterator() = default;
    Iterator(const Message* pool, std::uint32_t at, std::uint16_t port)
        : pool_(pool), at_(at), port_(port) {
      skip();
    }
    const T& operator*() const {
      const std::byte* bytes = pool_[at_].word.bytes;
      if constexpr (kFitsWord<T>) {
        return *std::launder(reinterpret_cast<const T*>(bytes));
      } else {
        const T* value;
        std::memcpy(&value, bytes, sizeof value);
        return *value;
      }
    }
    const T* operator->() const { return &**this; }
    Iterator& operator++() {
      at_ = pool_[at_].next;
      skip();
      return *this;
    }
    Iterator operator++(int) {
      Iterator before = *this;
      ++*this;
      return before;
    }
    friend bool operator==(const Iterator& a, const Iterator& b) { return a.at_ == b.at_; }

   private:
    void skip() {
      while (at_ != kNone && pool_[at_].port != port_) at_ = pool_[at_].next;
    }
    const Message* pool_ = nullptr;
    std::uint32_t at_ = kNone;
    std::uint16_t port_ = 0;
  };

  template <class T>
  struct Range {
    Iterator<T> first;
    std::uint32_t count;  // 0: not known
    Iterator<T> begin() const { return first; }
    Iterator<T> end() const { return {}; }
    bool empty() const { return first == Iterator<T>{}; }
    std::size_t size() const {
      if (empty()) return 0;
      return count > 0 ? count : static_cast<std::size_t>(std::distance(begin(), end()));
    }
    const T& front() const { return *first; }
  };

  // The values on one of the receiver's own ports:  for (const Job& job : x.on(in)) ... Throws
  // ApiError for a port of another model.
  template <class T>
  Range<T> on(const In<T>& port) const {
    if (&port.owner() != receiver_) [[unlikely]]
      not_own_port(port);
    return {Iterator<T>(pool_, first_, port.index()), count_};
  }
  template <class T>
  bool has(const In<T>& port) const {
    return !on(port).empty();
  }

 private:
  [[noreturn]] void not_own_port(const Port& port) const;
  const Model* receiver_;
  const Message* pool_;
  std::uint32_t first_, count_;
};

}  // namespace arges::devs
