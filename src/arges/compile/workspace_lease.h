#pragma once
// How the functions of a compiled system come to their registers.

#include <utility>

#include "arges/compile/compiled_system.h"

namespace arges {

// A workspace for the time of one call: the idle one of the thread, or a new one.
class CompiledSystem::Lease {
 public:
  explicit Lease(const CompiledSystem& system) : system_(system), w_(system.idle_.take()) {
    if (w_ == nullptr) w_ = new vm::Workspace(system.code_.tables, system.native_.get());
  }
  ~Lease() { system_.idle_.give_back(w_); }
  Lease(const Lease&) = delete;
  Lease& operator=(const Lease&) = delete;
  vm::Workspace& operator*() { return *w_; }
  // Makes this one the idle workspace of the thread.
  static void keep(const CompiledSystem& system, vm::Workspace&& w) {
    system.idle_.give_back(new vm::Workspace(std::move(w)));
  }

 private:
  const CompiledSystem& system_;
  vm::Workspace* w_;
};

}  // namespace arges
