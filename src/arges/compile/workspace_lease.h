#pragma once
// How the functions of a compiled system come to their registers.

#include <atomic>
#include <cstddef>
#include <utility>

#include "arges/compile/compiled_system.h"

namespace arges {

// A workspace for the time of one call: the idle one of the thread's place, or a new one when
// another thread, which shares the place, has it.
class CompiledSystem::Lease {
 public:
  explicit Lease(const CompiledSystem& system)
      : place_(system.idle_[place_of_thread()].workspace), w_(place_.exchange(nullptr)) {
    if (w_ == nullptr) w_ = new vm::Workspace(system.code_.tables, system.native_.get());
  }
  ~Lease() { delete place_.exchange(w_); }
  Lease(const Lease&) = delete;
  Lease& operator=(const Lease&) = delete;
  vm::Workspace& operator*() { return *w_; }
  // Makes this one the idle workspace of the thread.
  static void keep(const CompiledSystem& system, vm::Workspace&& w) {
    delete system.idle_[place_of_thread()].workspace.exchange(new vm::Workspace(std::move(w)));
  }

 private:
  static std::size_t place_of_thread() {
    static std::atomic<std::size_t> threads = 0;
    thread_local const std::size_t place = threads++ % kPlaces;
    return place;
  }
  std::atomic<vm::Workspace*>& place_;
  vm::Workspace* w_;
};

}  // namespace arges
