// Memory of coroutine frames: from the arena of their world, where it is known.

#include <cstring>
#include <new>

#include "arges/process/world.h"

namespace arges::process {

namespace frame_memory {

void* allocate(std::size_t size, devs::Arena* arena) {
  const std::size_t total = size + kHeader;
  void* block = arena != nullptr ? arena->allocate(total, kHeader) : ::operator new(total);
  std::memcpy(block, &arena, sizeof arena);
  return static_cast<std::byte*>(block) + kHeader;
}

void release(void* frame, std::size_t size) noexcept {
  void* block = static_cast<std::byte*>(frame) - kHeader;
  devs::Arena* arena;
  std::memcpy(&arena, block, sizeof arena);
  if (arena != nullptr) {
    arena->release(block, size + kHeader, kHeader);
  } else {
    ::operator delete(block);
  }
}

devs::Arena& arena_of(World& world) { return world.frames_; }

}  // namespace frame_memory

}  // namespace arges::process
