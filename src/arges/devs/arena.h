#pragma once
// Memory in which objects of many types stand side by side in the order of creation.

#include <cstddef>
#include <vector>

#include "arges/devs/large_pages.h"

namespace arges::devs {

// Blocks that grow from half a kilobyte to two megabytes, then large pages. Nothing is given back
// before the end, but what was released is used again for objects of the same size (unless their
// alignment is above 16).
class Arena {
 public:
  void* allocate(std::size_t size, std::size_t alignment);
  void release(void* memory, std::size_t size, std::size_t alignment);

 private:
  static constexpr std::size_t kUnit = 16, kFirstBlock = 512, kLargestBlock = kLargePage;
  static std::size_t units(std::size_t size) { return size / kUnit + 1; }

  std::vector<std::vector<std::byte, LargePageAllocator<std::byte>>> blocks_;
  std::size_t block_size_ = kFirstBlock;
  std::byte *next_ = nullptr, *end_ = nullptr;
  std::vector<void*> free_;  // by units: the first of a list through the memory itself
};

}  // namespace arges::devs
