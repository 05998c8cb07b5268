#pragma once
// Memory for large arrays that are read here and there.

#include <sys/mman.h>

#include <cstddef>
#include <new>

namespace arges::devs {

// Arrays of some megabytes stand on pages of two megabytes where the system has such pages to give:
// an access to any place then rarely has to look up its page first.
inline constexpr std::size_t kLargePage = std::size_t{1} << 21;

inline void* allocate_large(std::size_t bytes) {
  void* memory = ::operator new(bytes, std::align_val_t(kLargePage));
  (void)::madvise(memory, bytes, MADV_HUGEPAGE);  // a wish: without it all works as well
  return memory;
}

inline void release_large(void* memory) { ::operator delete(memory, std::align_val_t(kLargePage)); }

template <class T>
struct LargePageAllocator {
  using value_type = T;
  LargePageAllocator() = default;
  template <class U>
  // NOLINTNEXTLINE(google-explicit-constructor): allocators convert.
  LargePageAllocator(const LargePageAllocator<U>&) {}

  T* allocate(std::size_t count) {
    const std::size_t bytes = count * sizeof(T);
    if (bytes >= kLargePage) return static_cast<T*>(allocate_large(bytes));
    return static_cast<T*>(::operator new(bytes, std::align_val_t(kAlignment)));
  }
  void deallocate(T* memory, std::size_t count) {
    if (count * sizeof(T) >= kLargePage) {
      release_large(memory);
    } else {
      ::operator delete(memory, std::align_val_t(kAlignment));
    }
  }
  friend bool operator==(const LargePageAllocator&, const LargePageAllocator&) { return true; }

 private:
  static constexpr std::size_t kAlignment = alignof(T) > 16 ? alignof(T) : 16;
};

}  // namespace arges::devs
