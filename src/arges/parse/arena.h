#pragma once
// Memory for nodes that live and die together.

#include <cstddef>
#include <cstring>
#include <memory>
#include <new>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

namespace arges::lang {

// A bump allocator: objects are never destroyed one by one, so only trivially destructible types
// can live here. Addresses are stable for the life of the arena.
class Arena {
 public:
  template <class T, class... Args>
  T* make(Args&&... args) {
    static_assert(std::is_trivially_destructible_v<T>);
    return new (allocate(sizeof(T), alignof(T))) T{std::forward<Args>(args)...};
  }

  template <class T>
  std::span<const T> copy(const T* first, std::size_t count) {
    static_assert(std::is_trivially_destructible_v<T> && std::is_trivially_copyable_v<T>);
    if (count == 0) return {};
    void* to = allocate(count * sizeof(T), alignof(T));
    std::memcpy(to, first, count * sizeof(T));
    return {static_cast<const T*>(to), count};
  }

  // Bytes asked for so far.
  std::size_t used() const { return used_; }

 private:
  void* allocate(std::size_t size, std::size_t alignment) {
    used_ += size;
    std::size_t skip =
        (alignment - reinterpret_cast<std::uintptr_t>(next_) % alignment) % alignment;
    if (size + skip > static_cast<std::size_t>(end_ - next_)) {
      // Blocks grow with the tree: a small file stays small, a large one needs few blocks.
      block_ = std::max(std::min(block_ * 2, kMaxBlock), size + alignment);
      blocks_.push_back(std::make_unique_for_overwrite<std::byte[]>(block_));
      next_ = blocks_.back().get();
      end_ = next_ + block_;
      skip = 0;
    }
    std::byte* at = next_ + skip;
    next_ = at + size;
    return at;
  }

  static constexpr std::size_t kMaxBlock = std::size_t{1} << 20U;
  std::size_t block_ = 1024;
  std::byte* next_ = nullptr;
  std::byte* end_ = nullptr;
  std::size_t used_ = 0;
  std::vector<std::unique_ptr<std::byte[]>> blocks_;
};

}  // namespace arges::lang
