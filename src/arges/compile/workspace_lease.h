#pragma once
// How the functions of a compiled system come to their registers.

#include "arges/compile/compiled_system.h"

namespace arges {

// A workspace for the time of one call: the idle one, or a new one when another thread has it.
class CompiledSystem::Lease {
 public:
  explicit Lease(const CompiledSystem& system)
      : system_(system), w_(system.idle_.exchange(nullptr)) {
    if (w_ == nullptr) w_ = new vm::Workspace(system.code_.tables, system.native_.get());
  }
  ~Lease() { delete system_.idle_.exchange(w_); }
  Lease(const Lease&) = delete;
  Lease& operator=(const Lease&) = delete;
  vm::Workspace& operator*() { return *w_; }

 private:
  const CompiledSystem& system_;
  vm::Workspace* w_;
};

}  // namespace arges
