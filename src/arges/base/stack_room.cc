#include "arges/base/stack_room.h"

#include <pthread.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace arges {

namespace {

std::uintptr_t here() { return reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0)); }

// The address below which the stack counts as short; stacks grow downwards.
std::uintptr_t shortage() {
  constexpr std::size_t kMost = std::size_t{64} << 20;  // with `ulimit -s unlimited`
  pthread_attr_t attributes;
  if (pthread_getattr_np(pthread_self(), &attributes) != 0) return 0;
  void* lowest = nullptr;
  std::size_t size = 0;
  pthread_attr_getstack(&attributes, &lowest, &size);
  pthread_attr_destroy(&attributes);
  const std::uintptr_t top = reinterpret_cast<std::uintptr_t>(lowest) + size;
  return top - std::min(size, kMost) / 4 * 3;
}

}  // namespace

bool stack_is_short() {
  thread_local const std::uintptr_t short_below = shortage();
  return here() < short_below;
}

}  // namespace arges
