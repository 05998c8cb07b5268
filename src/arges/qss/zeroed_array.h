#pragma once
// Memory that costs nothing until it is touched.

#include <sys/mman.h>

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <memory>
#include <new>
#include <type_traits>

namespace arges {

// A fixed number of zeroed values. Large blocks come from the system as pages that exist only once
// they are written to, so a sparse use of many values takes memory for what is used. (calloc() does
// so for the first such block only: it zeroes by hand what has been used before.)
template <class T>
class ZeroedArray {
  static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>);

 public:
  explicit ZeroedArray(std::size_t size = 0) {
    const std::size_t bytes = std::max<std::size_t>(size, 1) * sizeof(T);
    if (bytes < kLarge) {
      values_ = {static_cast<T*>(std::calloc(bytes, 1)), Free{0}};
      if (!values_) throw std::bad_alloc();
      return;
    }
    void* pages = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (pages == MAP_FAILED) throw std::bad_alloc();
    values_ = {static_cast<T*>(pages), Free{bytes}};
  }
  T& operator[](std::size_t i) { return values_[i]; }
  const T& operator[](std::size_t i) const { return values_[i]; }
  T* data() { return values_.get(); }
  const T* data() const { return values_.get(); }

 private:
  static constexpr std::size_t kLarge = 1 << 16;
  struct Free {
    std::size_t mapped = 0;  // bytes; 0: from calloc
    void operator()(T* values) const {
      if (mapped > 0) {
        munmap(values, mapped);
      } else {
        std::free(values);  // NOLINT(cppcoreguidelines-no-malloc)
      }
    }
  };
  std::unique_ptr<T[], Free> values_;
};

}  // namespace arges
