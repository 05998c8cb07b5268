#pragma once
// Which code runs the programs of a model: the register machine, or native code.

#include <atomic>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "arges/compile/native.h"

namespace arges {

// kVm: the register machine only. kJit: native code before the first evaluation. kAuto: the machine
// at once, native code when the run is long enough to pay for it.
enum class Tier { kVm, kAuto, kJit };

namespace vm {

// Decides when programs are compiled, in a thread of its own, and hands the code over with one
// atomic pointer: evaluations that have begun end with the code they began with. All tiers give the
// same bits, so that it does not matter when that happens.
//
//   machine: counts its instructions. When the time that they took is that which compiling takes
//            (so that at most twice the best possible time is spent), the thread starts:
//   thread:  fast code; hand over
//            wait as long as compiling with optimisation takes
//            optimised code; hand over
//
// Without the plugin arges_jit.so or when it fails, everything stays on the machine;
// problem() says why.
class NativeTier {
 public:
  NativeTier(Tier tier, NativeInput input);
  // Waits for the module that is being compiled.
  ~NativeTier();
  NativeTier(const NativeTier&) = delete;
  NativeTier& operator=(const NativeTier&) = delete;

  // Null: the machine runs everything.
  const NativeImage* image() const { return image_.load(std::memory_order_acquire); }
  // Code for the whole of program 0, if it is there and needs neither workspace nor host.
  NativePart direct() const { return direct_.load(std::memory_order_acquire); }
  const Segments& segments() const { return input_.segments; }
  // A workspace reports the number of instructions that it has run so far; returns the number at
  // which it shall report again.
  std::uint64_t executed(std::uint64_t instructions);
  // Compiles in this thread. False: see problem().
  bool compile_now(NativeLevel level);
  std::string problem() const;

 private:
  void start();
  void work();
  bool load();
  bool compile(NativeLevel level);
  void fail(const std::string& what);

  const Tier tier_;
  NativeInput input_;
  std::uint64_t size_ = 0;  // instructions of all programs
  std::atomic<const NativeImage*> image_{nullptr};
  std::atomic<NativePart> direct_{nullptr};
  std::mutex compiling_;      // held while the compiler works
  mutable std::mutex mutex_;  // of what follows
  std::condition_variable wake_;
  std::unique_ptr<NativeCompiler> compiler_;
  std::vector<std::unique_ptr<NativeImage>> images_;  // old ones may still run
  std::string problem_;
  std::atomic<bool> stop_{false}, started_{false};
  std::thread thread_;
};

// The functions that native code must call to give the machine's bits.
std::vector<NativeMath> native_math();

// Where compiled code is kept: $ARGES_CACHE_DIR, $XDG_CACHE_HOME/arges or ~/.cache/arges; "" when
// none of these is set, or ARGES_CACHE_DIR is empty.
std::string cache_folder();

}  // namespace vm
}  // namespace arges
