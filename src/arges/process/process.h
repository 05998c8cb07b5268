#pragma once
// Processes: coroutines that live in simulated time.

#include <coroutine>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <exception>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "arges/devs/arena.h"

namespace arges::process {

class World;

// Memory of coroutine frames: from the world's arena, when the coroutine has a World& among its
// first two parameters (an object of which it is a member may stand first), else from the heap. The
// word before a frame tells where it came from.
namespace frame_memory {
inline constexpr std::size_t kHeader = 16;
void* allocate(std::size_t size, devs::Arena* arena);
void release(void* frame, std::size_t size) noexcept;
devs::Arena& arena_of(World& world);
}  // namespace frame_memory

// What a process function returns. It does nothing until World::start takes it:
//
//   Process customer(World& world, Resource& desk) {
//     co_await desk.acquire();
//     co_await delay(2.5);
//     desk.release();
//   }
//   world.start(customer(world, desk), "customer");
//
// A coroutine keeps copies of its parameters, and references as references: what they refer to
// must live as long as the process.
class Process {
 public:
  // NOLINTNEXTLINE(readability-identifier-naming): the language asks for this name
  struct promise_type {
    World* world = nullptr;  // before it is started: the one among the parameters, if there is one
    std::uint32_t slot = 0;
    std::exception_ptr error;

    promise_type() = default;
    template <class... Rest>
    explicit promise_type(World& first, Rest&...) : world(&first) {}
    template <class Object, class... Rest>
    requires(!std::is_same_v<Object, World>) promise_type(Object&, World& second, Rest&...)
        : world(&second) {}

    Process get_return_object() {
      return Process(std::coroutine_handle<promise_type>::from_promise(*this));
    }
    std::suspend_always initial_suspend() noexcept { return {}; }
    std::suspend_always final_suspend() noexcept { return {}; }
    void return_void() {}
    void unhandled_exception() { error = std::current_exception(); }

    template <class... Rest>
    void* operator new(std::size_t size, World& first, Rest&...) {
      return frame_memory::allocate(size, &frame_memory::arena_of(first));
    }
    template <class Object, class... Rest>
    requires(!std::is_same_v<Object, World>) void* operator new(std::size_t size, Object&,
                                                                World& second, Rest&...) {
      return frame_memory::allocate(size, &frame_memory::arena_of(second));
    }
    void* operator new(std::size_t size) { return frame_memory::allocate(size, nullptr); }
    void operator delete(void* frame, std::size_t size) noexcept {
      frame_memory::release(frame, size);
    }
  };
  using Handle = std::coroutine_handle<promise_type>;

  explicit Process(Handle handle) : handle_(handle) {}
  Process(Process&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
  Process& operator=(Process&&) = delete;
  ~Process() {
    if (handle_) handle_.destroy();
  }
  Handle handle() const { return handle_; }  // null: it has been started, or moved
  // The caller is responsible for the coroutine from now on.
  Handle release() { return std::exchange(handle_, nullptr); }

 private:
  Handle handle_;
};

// A process that was started, running or not any more.
struct ProcessRef {
  std::uint32_t slot = 0xffffffff, generation = 0;
  friend bool operator==(const ProcessRef&, const ProcessRef&) = default;
};

// Thrown out of the co_await at which a process waits when it is interrupted.
class Interrupted : public std::exception {
 public:
  Interrupted(std::string cause, double remaining, std::vector<std::size_t> came = {})
      : cause_(std::move(cause)), remaining_(remaining), came_(std::move(came)) {}
  const char* what() const noexcept override { return cause_.c_str(); }
  const std::string& cause() const { return cause_; }
  // Of the delay in which it was; 0 when it did not wait for a time. In any_of until the first
  // delay ends, in all_of until the last does.
  double remaining() const { return remaining_; }
  // Of any_of and all_of: what had come, as ManyAwaiter::came() says it. It stays the process's;
  // what was preempted is not among it.
  const std::vector<std::size_t>& came() const { return came_; }

 private:
  std::string cause_;
  double remaining_;
  std::vector<std::size_t> came_;
};

}  // namespace arges::process
