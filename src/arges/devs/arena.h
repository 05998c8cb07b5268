#pragma once
// Memory in which objects of many types stand side by side in the order of creation.

#include <cstddef>
#include <memory>
#include <vector>

namespace arges::devs {

// Blocks that grow from half a kilobyte to 64. Nothing is given back before the end, but what was
// released is used again for objects of the same size (unless their alignment is above 16).
class Arena {
 public:
  void* allocate(std::size_t size, std::size_t alignment);
  void release(void* memory, std::size_t size, std::size_t alignment);

 private:
  static constexpr std::size_t kUnit = 16, kFirstBlock = 512, kLargestBlock = std::size_t{1} << 16;
  static std::size_t units(std::size_t size) { return size / kUnit + 1; }

  std::vector<std::unique_ptr<std::byte[]>> blocks_;
  std::size_t block_size_ = kFirstBlock;
  std::byte *next_ = nullptr, *end_ = nullptr;
  std::vector<std::vector<void*>> free_;  // by units
};

}  // namespace arges::devs
