#pragma once
// Memory that costs nothing until it is touched.

#include <cstddef>
#include <cstdlib>
#include <memory>
#include <new>
#include <type_traits>

namespace arges {

// A fixed number of zeroed values. Large blocks come from the system as pages that exist only once
// they are written to, so a sparse use of many values takes memory for what is used.
template <class T>
class ZeroedArray {
  static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>);

 public:
  explicit ZeroedArray(std::size_t size = 0)
      : values_(static_cast<T*>(std::calloc(size > 0 ? size : 1, sizeof(T)))) {
    if (!values_) throw std::bad_alloc();
  }
  T& operator[](std::size_t i) { return values_[i]; }
  const T& operator[](std::size_t i) const { return values_[i]; }
  T* data() { return values_.get(); }
  const T* data() const { return values_.get(); }

 private:
  // NOLINTNEXTLINE(cppcoreguidelines-no-malloc): new[] would write to every page
  struct Free {
    void operator()(T* values) const { std::free(values); }
  };
  std::unique_ptr<T[], Free> values_;
};

}  // namespace arges
