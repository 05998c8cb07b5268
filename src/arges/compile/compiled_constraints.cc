// What a compiled system does with constraints among its states.

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "arges/compile/compiled_system.h"
#include "arges/compile/workspace_lease.h"
#include "arges/hybrid/update.h"

namespace arges {

namespace {

// The choice of states changes when a computed state moves so many times as fast as a kept one.
constexpr double kDegenerate = 3;
// The kernel's values of computed states are only guesses. What they are off dies away, so many
// times in the time of the experiment, or in the time so far when that is longer: a run may be
// asked to go on for a million times as long as the text says, and the decay must not become its
// fastest motion.
constexpr double kDecays = 10;

}  // namespace

void CompiledSystem::declare_invariants() {
  if (model_.invariants.empty()) return;
  for (const ConstraintSet& set : model_.constraint_sets) {
    std::vector<std::string> names;
    for (const std::int32_t j : set.candidates)
      names.push_back(model_.flat[model_.states[static_cast<std::size_t>(j)].state].name);
    const EventId event =
        declare_event(fmt::format("states among {}", fmt::join(names, ", ")), Direction::kRising);
    declare_kind(event, EventKind::kStructure);
    schema_.events[static_cast<std::size_t>(event.index)].bookkeeping = true;
  }
  constraints_ = std::make_unique<ConstraintSolver>(model_, code_, schema_.modes[0].nominal);
  const FlatExperiment& experiment = model_.flat.experiment;
  const double begin = experiment.start_time.value_or(0);
  const double span = std::abs(experiment.stop_time.value_or(begin + 1) - begin);
  decay_from_ = begin;
  decay_span_ = span > 0 ? span : 1;
  set_constraints(policy_);
}

void CompiledSystem::set_constraints(ConstraintPolicy policy) {
  policy_ = policy;
  if (!constraints_) return;
  schema_.projection = selects() ? Projection::kRows : Projection::kSteps;
  // Rates with constraints solved inside of them are differentiated by differences.
  schema_.modes[0].has_jacobian = !selects() && !jacobian_at_.empty();
  schema_.modes[0].constraints = selects() ? 0 : static_cast<int>(model_.invariants.size());
}

void CompiledSystem::constraints(const Point& p, double* c) const {
  Lease w(*this);
  place(*w, p);
  (*w).run(code_.constraint_program);
  for (std::size_t i = 0; i < code_.constraint_residuals.size(); ++i)
    c[i] = (*w)[code_.constraint_residuals[i]];
}

bool CompiledSystem::constraint_jacobian(const Point& p, double* values) const {
  if (code_.constraint_entries.empty()) return false;
  Lease w(*this);
  place(*w, p);
  (*w).run(code_.constraint_program);
  const std::size_t rows = code_.constraint_residuals.size();
  std::fill_n(values, rows * code_.states.size(), 0.0);
  for (const ModelCode::JacobianSlot& e : code_.constraint_entries)
    values[static_cast<std::size_t>(e.row) + rows * static_cast<std::size_t>(e.column)] =
        (*w)[e.slot];
  return true;
}

void CompiledSystem::load(vm::Workspace& w, const Point& p) const {
  place(w, p);
  if (selects()) constraints_->correct(w);
}

void CompiledSystem::project(const Point& p, double* x) const {
  if (!constraints_) return;
  Lease w(*this);
  place(*w, p);
  selects() ? constraints_->correct(*w) : constraints_->project(*w);
  std::copy_n((*w).registers() + code_.state_at, code_.states.size(), x);
}

void CompiledSystem::compute_constrained_rates(const Point& p, Rates xdot) const {
  Lease w(*this);
  const auto evaluate = [&] {
    load(*w, p);
    (*w).run(code_.rate_program);
  };
  try {
    evaluate();
  } catch (const EvaluationError&) {  // as without constraints: once more from the last row
    (*w).back_to_start();
    evaluate();
  }
  std::copy_n((*w).registers() + code_.rate_at, code_.states.size(), xdot.data());
  const auto columns = constraints_->columns();
  const double decay = kDecays / (decay_span_ + std::abs(p.t - decay_from_));
  for (std::size_t k = 0; k < columns.size(); ++k) {
    const auto i = static_cast<std::size_t>(columns[k]);
    if (constraints_->is_solved(*w, k))
      xdot.data()[i] -= decay * (p.x[i] - (*w)[code_.state_at + static_cast<std::uint32_t>(i)]);
  }
}

void CompiledSystem::choose_states(vm::Workspace& w, std::span<const char> kept) const {
  for (std::size_t i = 0; i < model_.constraint_sets.size(); ++i) constraints_->choose(w, i, kept);
}

double CompiledSystem::selection_condition(vm::Workspace& w, std::size_t set) const {
  if (!selects()) return -1;
  return std::log(std::max(constraints_->degeneracy(w, set), 1e-3) / kDegenerate);
}

void CompiledSystem::select_states(std::size_t set, Update& now) const {
  Lease w(*this);
  load(*w, now.point());
  constraints_->choose(*w, set);
  const double* r = (*w).registers();
  std::copy_n(r + code_.discrete_at, code_.discretes.size(), now.context().z.begin());
  std::copy_n(r + code_.state_at, code_.states.size(), now.context().x.begin());
}

// States were set by reinit(): those are kept, and others computed from them.
void CompiledSystem::keep_set_states(vm::Workspace& w, Update& now) const {
  std::vector<char> kept(code_.states.size(), 0);
  for (std::size_t i = 0; i < model_.reinits.size(); ++i) {
    const VarId v = model_.reinits[i].state;
    if (w[code_.reinit_fires[i]] != 0)
      kept[code_.slot[static_cast<std::size_t>(v.index)] - code_.state_at] = 1;
  }
  place(w, now.point());
  choose_states(w, kept);
  constraints_->correct(w);
  const double* r = w.registers();
  std::copy_n(r + code_.discrete_at, code_.discretes.size(), now.context().z.begin());
  std::copy_n(r + code_.state_at, code_.states.size(), now.context().x.begin());
}

}  // namespace arges
