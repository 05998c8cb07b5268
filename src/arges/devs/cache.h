#pragma once
// Telling the processor what will be needed.

namespace arges::devs {

// Starts to fetch the cache line of an address that need not be valid. The empty statement keeps
// the call: g++ takes a function that does nothing but prefetch for one without effect, and leaves
// it out.
inline void fetch_into_cache(const void* address) {
  __builtin_prefetch(address);
  asm volatile("");
}

}  // namespace arges::devs
