#include "arges/devs/arena.h"

#include <algorithm>
#include <cstdint>
#include <cstring>

namespace arges::devs {

void* Arena::allocate(std::size_t size, std::size_t alignment) {
  const std::size_t count = units(size == 0 ? 0 : size - 1);
  if (alignment <= kUnit && count < free_.size() && free_[count] != nullptr) {
    void* memory = free_[count];
    std::memcpy(&free_[count], memory, sizeof memory);
    return memory;
  }
  alignment = std::max(alignment, kUnit);
  const std::size_t bytes = count * kUnit;
  const auto aligned = [&] {
    const auto at = reinterpret_cast<std::uintptr_t>(next_);
    return (at + alignment - 1) / alignment * alignment;
  };
  if (next_ == nullptr || aligned() + bytes > reinterpret_cast<std::uintptr_t>(end_)) {
    const std::size_t block = std::max(block_size_, bytes + alignment);
    blocks_.emplace_back(block);
    next_ = blocks_.back().data();
    end_ = next_ + block;
    block_size_ = std::min(2 * block_size_, kLargestBlock);
  }
  std::byte* begin = next_ + (aligned() - reinterpret_cast<std::uintptr_t>(next_));
  next_ = begin + bytes;
  return begin;
}

void Arena::release(void* memory, std::size_t size, std::size_t alignment) {
  if (alignment > kUnit) return;
  const std::size_t count = units(size == 0 ? 0 : size - 1);
  if (count >= free_.size()) free_.resize(count + 1);
  std::memcpy(memory, &free_[count], sizeof memory);
  free_[count] = memory;
}

}  // namespace arges::devs
