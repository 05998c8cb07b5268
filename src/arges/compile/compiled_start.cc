// The start of a compiled system, and of a mode that a run comes to.

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "arges/base/error.h"
#include "arges/compile/compiled_system.h"
#include "arges/compile/workspace_lease.h"
#include "arges/hybrid/update.h"
#include "arges/linear/lu_solver.h"

namespace arges {

namespace {

constexpr int kMaxRelationRounds = 100, kMaxCorrections = 20;
// Of homotopy(), from simplified to actual.
constexpr double kLargestHomotopyStep = 0.25, kSmallestHomotopyStep = 1e-4;
constexpr double kRedundantTolerance = 1e-6;
constexpr int kMaxProjections = 20;
constexpr double kProjected = 1e-9;

// Of relations, then of floors.
std::vector<double> relation_values(const CausalModel& model, const ModelCode& code,
                                    vm::Workspace& w) {
  std::vector<double> values;
  const auto add = [&](VarId v) {
    values.push_back(w[code.slot[static_cast<std::size_t>(v.index)]]);
  };
  for (const Relation& r : model.relations) add(r.var);
  for (const FloorMemory& f : model.floors) add(f.var);
  return values;
}

}  // namespace

// Sets relations and floors to what holds, apart from those that are known. Whether any was
// different.
bool CompiledSystem::update_relations(vm::Workspace& w, std::span<const char> known) const {
  // On the way from simplified equations to actual ones those of the run do not hold yet.
  w.run(w[code_.lambda] < 1 ? code_.start_relation_program : code_.relation_program);
  bool changed = false;
  const auto set = [&](VarId v, std::size_t i) {
    if (i < known.size() && known[i] != 0) return;
    // What cannot be said yet, or does not matter, is false.
    const double exact = std::isnan(w[code_.exact[i]]) ? 0 : w[code_.exact[i]];
    changed = changed || at(w, v) != exact;
    at(w, v) = exact;
  };
  const std::size_t relations = model_.relations.size();
  for (std::size_t i = 0; i < relations; ++i) set(model_.relations[i].var, i);
  for (std::size_t i = 0; i < model_.floors.size(); ++i) set(model_.floors[i].var, relations + i);
  return changed;
}

// The registers as they were before anything was solved, but for the relations, and for how far
// homotopy() has come.
void CompiledSystem::back_to_start(vm::Workspace& w) const {
  const std::vector<double> relations = relation_values(model_, code_, w);
  const double lambda = w[code_.lambda];
  w.back_to_start();
  w[code_.lambda] = lambda;
  std::size_t i = 0;
  for (const Relation& r : model_.relations) at(w, r.var) = relations[i++];
  for (const FloorMemory& f : model_.floors) at(w, f.var) = relations[i++];
}

void CompiledSystem::check_redundant(vm::Workspace& w) const {
  for (std::size_t i = 0; i < model_.redundant_initial.size(); ++i) {
    const double lhs = w[code_.redundant[2 * i]], rhs = w[code_.redundant[2 * i + 1]];
    if (std::abs(lhs - rhs) <= kRedundantTolerance * (1 + std::abs(lhs) + std::abs(rhs))) continue;
    throw EvaluationError(
        fmt::format(
            "initial equations contradict each other: {}, where the left side is {:.9g} and "
            "the right side {:.9g} by the others",
            model_.describe(model_.redundant_initial[i]), lhs, rhs),
        false);
  }
}

// Parameters and discrete variables, which no step of a solver looks at. `free`: parameters that
// the initial system computes.
void CompiledSystem::refuse_non_finite(vm::Workspace& w, const std::vector<VarId>& variables,
                                       bool free) const {
  for (const VarId v : variables) {
    const FlatVariable& variable = model_.flat[v];
    if (model_.is_found_at_start(v) != free) continue;
    if (variable.hidden || variable.type == ScalarType::kString || std::isfinite(at(w, v)))
      continue;
    throw EvaluationError(
        fmt::format("'{}' is not finite at the start: look for a division by zero or a function "
                    "outside its domain{}",
                    variable.name, place_text(model_.flat.pool, variable.origin)),
        false);
  }
}

void CompiledSystem::initialize(Update& now) const {
  // A workspace of its own: the start must not depend on runs before.
  vm::Workspace w(code_.tables, native_.get());
  load(w, now.point());
  // A dependent parameter that is not what the declaration says was set by the user.
  for (std::size_t k = 0; k < model_.parameter_order.size(); ++k) {
    const VarId v = model_.parameter_order[k];
    const std::size_t i = code_.slot[static_cast<std::size_t>(v.index)] - code_.parameter_at;
    w[code_.computed[k]] = at(w, v) == schema_.parameters[i].start ? 1 : 0;
  }
  w.run(code_.parameter_program);
  // What a start that fails has been tried with is told as the last values.
  copy_parameters(w, now);
  refuse_non_finite(w, code_.parameters, false);
  check_limits(w, false);
  w.run(code_.start_program);
  const std::size_t states = code_.states.size();
  for (std::size_t i = 0; i < default_start_.size(); ++i) {
    const bool is_state = i < states;
    const VarId v = is_state ? code_.states[i] : code_.discretes[i - states];
    const double set = is_state ? now.context().x[i] : now.context().z[i - states];
    double& start = w[code_.start_slot[static_cast<std::size_t>(v.index)]];
    if (set != default_start_[i]) start = set;
    at(w, v) = start;
  }
  for (const VarId v : code_.given_others)
    at(w, v) = w[code_.start_slot[static_cast<std::size_t>(v.index)]];
  if (model_.initial_flag.valid()) at(w, model_.initial_flag) = 1;
  copy_parameters(w, now);
  copy_variables(w, now);
  find_memory(w);
  forget_warnings();
  w.remember_start();
  begin(w, code_.initial_program, model_.initial_in_turn, now.t());
  check_redundant(w);
  check_limits(w, true);
  refuse_non_finite(w, code_.parameters, true);
  refuse_non_finite(w, code_.discretes, false);
  w.run(code_.start_check_program);
  for (const std::uint32_t i : code_.start_checks) check(w, now, i);
  if (model_.initial_flag.valid()) at(w, model_.initial_flag) = 0;
  finish_start(w, now, {});
  Lease::keep(*this, std::move(w));
}

// The system has no solution for the relations as they are. What was computed before it failed may
// show that they are others. False: it does not.
bool CompiledSystem::correct_relations(vm::Workspace& w) const {
  try {
    if (!update_relations(w)) return false;
  } catch (const EvaluationError&) {
    return false;
  }
  back_to_start(w);
  return true;
}

// The way from the simplified equations to the actual ones decides which of several solutions is
// meant, and is gone first, in steps that shrink where they fail. Where it does not exist (the
// simplified equations need not have a solution), the actual ones are solved from the start values.
void CompiledSystem::begin(vm::Workspace& w, const vm::Program& system,
                           std::span<const char> in_turn, double t) const {
  const auto settle = [&](double lambda) {
    w[code_.lambda] = lambda;
    settle_start(w, system, in_turn, t, {});
  };
  if (code_.has_homotopy) {
    try {
      settle(0);
      double step = kLargestHomotopyStep;
      for (double solved = 0; solved < 1;) {
        const std::vector<double> good = w.values();
        const double next = std::min(1.0, solved + step);
        try {
          settle(next);
          solved = next;
          step = std::min(2 * step, kLargestHomotopyStep);
        } catch (const EvaluationError&) {
          step /= 4;
          if (step < kSmallestHomotopyStep) throw;
          w.set_values(good);
        }
      }
      return;
    } catch (const EvaluationError&) {
      w.back_to_start();
    }
  }
  settle(1);
}

// Relations and the system until they agree. (Those in turn agree with it by themselves; computed
// again from the states, rounding may have them on the other side.)
void CompiledSystem::settle_start(vm::Workspace& w, const vm::Program& system,
                                  std::span<const char> in_turn, double t,
                                  std::span<const Past> pasts) const {
  const auto forget_nan = [&] {
    for (const Relation& r : model_.relations) {
      if (std::isnan(at(w, r.var))) at(w, r.var) = 0;
    }
  };
  for (int round = 0;; ++round) {
    const std::vector<double> before = relation_values(model_, code_, w);
    try {
      w.run(system);
    } catch (const EvaluationError&) {
      if (round >= kMaxCorrections) throw;
      // Loops may have guessed relations after something was computed from these.
      const std::vector<double> after = relation_values(model_, code_, w);
      bool guessed = false;
      for (std::size_t i = 0; i < after.size(); ++i)
        guessed = guessed || ((i >= in_turn.size() || in_turn[i] == 0) && after[i] != before[i]);
      if (guessed)
        back_to_start(w);
      else if (!correct_relations(w))
        throw;
      continue;
    }
    begin_histories(w, t, pasts);
    // Loops that were solved from afar are solved once more, from their solution: relations and
    // assertions look at the last digit.
    const bool is_from_afar = round == 0 && iterates_;
    if (!update_relations(w, in_turn) && !is_from_afar) return forget_nan();
    if (round == kMaxRelationRounds)
      throw EvaluationError(
          "the relations at the start do not settle: each solution of the initial equations "
          "contradicts them",
          false);
  }
}

void CompiledSystem::copy_parameters(vm::Workspace& w, Update& now) const {
  std::copy_n(w.registers() + code_.parameter_at, code_.parameters.size(), now.context().p.begin());
}

void CompiledSystem::copy_variables(vm::Workspace& w, Update& now) const {
  const double* r = w.registers();
  std::copy_n(r + code_.discrete_at, code_.discretes.size(), now.context().z.begin());
  std::copy_n(r + code_.state_at, code_.states.size(), now.context().x.begin());
}

// What was found goes to the run.
void CompiledSystem::finish_start(vm::Workspace& w, Update& now,
                                  std::span<const Past> pasts) const {
  tell_open(w.open_loops(), now.t());
  for (const PreLink& p : model_.pres) at(w, p.pre) = at(w, p.of);
  if (constraints_) choose_states(w);

  copy_parameters(w, now);
  copy_variables(w, now);
  w.run(code_.sample_program);
  for (std::size_t j = 0; j < model_.samples.size(); ++j) {
    const double start = w[code_.sample_start[j]], interval = w[code_.sample_interval[j]];
    if (!(interval > 0))
      throw EvaluationError(
          fmt::format("'{}': the interval {} is not positive", schema_.timers[j].name, interval),
          false);
    const double k = start >= now.t() ? 0 : std::ceil((now.t() - start) / interval);
    now.schedule(TimerId{static_cast<std::int32_t>(j)}, start + k * interval);
  }
  begin_histories(w, now.t(), pasts);
  // The guesses found here are those the run begins with.
  w.remember_start();
}

void CompiledSystem::forget_warnings() const {
  const std::lock_guard lock(warned_mutex_);
  warned_.assign(model_.checks.size(), 0);
  warned_open_.clear();
}

void CompiledSystem::tell_open(std::span<const std::uint32_t> loops, double t) const {
  for (const std::uint32_t i : loops) {
    const std::string& what = code_.tables.loops[i].description;
    {
      const std::lock_guard lock(warned_mutex_);
      if (!warned_open_.insert(what).second) continue;
    }
    code_.tables.environment->print(
        fmt::format("warning: t = {:.9g}: more than one solution, of which one near the values "
                    "before is taken: {}",
                    t, what));
  }
}

void CompiledSystem::enter(std::size_t entry, std::span<const double> given, Update& now) const {
  Lease lease(*this);
  vm::Workspace& w = *lease;
  w.reset();
  load(w, now.point());
  w.run(code_.start_program);
  const EntrySystem& system = model_.entries[entry];
  for (std::size_t i = 0; i < system.given.size(); ++i)
    w[code_.start_slot[static_cast<std::size_t>(system.given[i].index)]] = given[i];
  for (const auto* list : {&code_.states, &code_.discretes, &code_.given_others}) {
    for (const VarId v : *list) at(w, v) = w[code_.start_slot[static_cast<std::size_t>(v.index)]];
  }
  find_memory(w);
  resume_histories(w, now.t(), system.pasts);
  w.remember_start();
  settle_start(w, code_.entry_programs[entry], system.in_turn, now.t(), system.pasts);
  if (!model_.invariants.empty()) {
    obey_constraints(w);
    w.run(code_.output_program);
    update_relations(w);
  }
  const std::vector<StateJump> jumps = come_true(w, now, system, given);
  finish_start(w, now, system.pasts);
  jump(w, now, jumps);
}

// What a `when` of the model around the new block waits for may have come true by the transition:
// the equations once more, with its left limit in the old mode.
std::vector<CompiledSystem::StateJump> CompiledSystem::come_true(
    vm::Workspace& w, Update& now, const EntrySystem& system, std::span<const double> given) const {
  bool any = false;
  for (std::size_t i = 0; i < system.given.size(); ++i) {
    for (const PreLink& p : model_.pres) {
      if (p.of != system.given[i] || !p.held_at_start || at(w, p.pre) == given[i]) continue;
      at(w, p.pre) = given[i];
      any = true;
    }
  }
  if (!any) return {};
  w.run(code_.update_program);
  check(w, now);
  return fired_reinits(w);
}

// Newton's method with the least change: dx = -J' (J J')^-1 g, with J by differences.
void CompiledSystem::obey_constraints(vm::Workspace& w) const {
  const std::size_t m = code_.invariants.size(), n = code_.states.size();
  double* x = w.registers() + code_.state_at;
  const auto residuals = [&] {
    w.run(code_.invariant_program);
    std::vector<double> g(m);
    for (std::size_t i = 0; i < m; ++i) g[i] = w[code_.invariants[i]];
    return g;
  };
  const auto lu = make_lu_solver(static_cast<int>(m), nullptr);
  double before = std::numeric_limits<double>::infinity();
  for (int iteration = 0; iteration < kMaxProjections; ++iteration) {
    std::vector<double> g = residuals();
    double open = 0;
    for (const double value : g) open = std::max(open, std::abs(value));
    // Rounding is reached when it becomes no smaller.
    if (open == 0 || (open >= before / 2 && open < kProjected)) return;
    before = open;
    std::vector<double> jacobian(m * n), square(m * m, 0.0);
    for (std::size_t j = 0; j < n; ++j) {
      const double at_x = x[j], h = 1e-6 * std::max(1.0, std::abs(at_x));
      x[j] = at_x + h;
      const std::vector<double> above = residuals();
      x[j] = at_x - h;
      const std::vector<double> below = residuals();
      x[j] = at_x;
      for (std::size_t i = 0; i < m; ++i) jacobian[i * n + j] = (above[i] - below[i]) / (2 * h);
    }
    for (std::size_t i = 0; i < m; ++i) {
      for (std::size_t k = 0; k < m; ++k) {
        for (std::size_t j = 0; j < n; ++j)
          square[i + m * k] += jacobian[i * n + j] * jacobian[k * n + j];
      }
    }
    if (lu->factor(square.data()) >= 0) break;
    lu->solve(g.data());
    for (std::size_t j = 0; j < n; ++j) {
      for (std::size_t i = 0; i < m; ++i) x[j] -= jacobian[i * n + j] * g[i];
    }
  }
  if (before < kProjected) return;
  throw EvaluationError(
      fmt::format("no values near those handed over fulfil the constraints of the "
                  "mode: {}",
                  model_.describe(model_.invariants.front())),
      false);
}

void CompiledSystem::values_at(const Point& p, std::span<const VarId> variables,
                               double* values) const {
  Lease w(*this);
  load(*w, p);
  (*w).run(code_.output_program);
  for (std::size_t i = 0; i < variables.size(); ++i) values[i] = at(*w, variables[i]);
}

bool CompiledSystem::is_true(VarId v, const Point& p) const {
  const std::uint32_t slot = code_.slot[static_cast<std::size_t>(v.index)];
  if (slot >= code_.discrete_at) return p.z[slot - code_.discrete_at] != 0;
  return slot >= code_.input_at ? p.u[slot - code_.input_at] != 0
                                : p.p[slot - code_.parameter_at] != 0;
}

}  // namespace arges
