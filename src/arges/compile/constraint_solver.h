#pragma once
// Constraints among the states of a compiled model.

#include <span>
#include <vector>

#include "arges/compile/model_code.h"

namespace arges {

// Solves h(X) = 0, the m constraints among the n states X (those that take part), in one of two
// ways (docs/math/higher-index.md):
//
//   correct   keeps n - m of the states, and solves for the other m by Newton's method; which ones
//             is written in the flags of the constraint sets, in the registers
//   project   moves all states by the least change, by Gauss-Newton steps
//
// A choice of states is as good as the matrix that is solved with is regular. With H = dh/dX, its
// columns D those of the computed states, B = H_D^-1 H_S says how far computed states move with the
// kept ones. No entry of B is larger than one for the best choice; exchanging column i for column j
// multiplies |det H_D| by |B_ij|. When an entry has grown, the exchange is due.
//
// All functions work on the registers of a workspace that holds time, parameters, discretes and
// states. They throw EvaluationError when no solution is near.
class ConstraintSolver {
 public:
  // The model and its code must outlive the solver; `nominal` is of the states.
  ConstraintSolver(const CausalModel& model, const ModelCode& code,
                   std::span<const double> nominal);
  bool empty() const { return columns_.empty(); }

  void correct(vm::Workspace& w) const;
  void project(vm::Workspace& w) const;
  // The largest entry of B of a set, in nominal units.
  double degeneracy(vm::Workspace& w, std::size_t set) const;
  // Sets the flags of a set to the best choice. `kept` (by number of the state; may be empty) marks
  // states that shall not be computed unless it must be.
  void choose(vm::Workspace& w, std::size_t set, std::span<const char> kept = {}) const;
  // States that are computed now.
  bool is_solved(vm::Workspace& w, std::size_t column) const;
  std::span<const std::int32_t> columns() const { return columns_; }  // numbers of states

 private:
  struct Linear;  // h and H
  void linearise(vm::Workspace& w, Linear& at) const;
  void differences(vm::Workspace& w, Linear& at) const;
  template <class Step>
  void iterate(vm::Workspace& w, Step step) const;
  double& state(vm::Workspace& w, std::size_t column) const {
    return w[code_.state_at + static_cast<std::uint32_t>(columns_[column])];
  }
  std::string description() const;

  const CausalModel& model_;
  const ModelCode& code_;
  std::vector<std::int32_t> columns_;  // the states that take part
  std::vector<std::int32_t> column_;   // state -> its place in columns_, or -1
  std::vector<double> nominal_;        // of columns_
  std::vector<std::uint32_t> flag_;    // registers, of columns_
};

}  // namespace arges
