#pragma once
// All programs of a model.

#include <memory>

#include "arges/causalize/causal_model.h"
#include "arges/compile/guard_logic.h"
#include "arges/compile/native.h"

namespace arges {

// Registers, in this order:
//
//   time | parameters | inputs | discretes | states | derivatives | others | constants |
//   temporaries
//
// so that what the kernel hands over is copied in five pieces.
struct ModelCode {
  vm::Tables tables;
  std::vector<VarId> parameters, inputs, discretes, states, others;
  std::uint32_t parameter_at = 0, input_at = 0, discrete_at = 0, state_at = 0, rate_at = 0;
  std::uint32_t other_at = 0, lambda = 0;
  bool has_homotopy = false;  // the initial system depends on lambda
  std::uint32_t constant_at = 0, constant_end = 0;
  std::vector<std::uint32_t> slot;  // by VarId
  // Of states and discretes, and of what a transition hands over: the start value, else 0.
  std::vector<std::uint32_t> start_slot;
  std::vector<VarId> given_others;      // others that have one
  std::vector<std::uint32_t> computed;  // for parameter_order: 0 keeps what was set from outside

  vm::Program parameter_program;  // dependent parameters, in order
  vm::Program start_program;      // start values: of states and discretes into start_slot
  vm::Program rate_program;       // the derivatives of the states, and what they need
  vm::Program output_program;     // everything continuous
  vm::Program condition_program;  // g of relations and floors, into `conditions`
  vm::Program update_program;     // everything, discrete too; reinits and checks
  // Checks that look at initial(), and the program that computes them.
  std::vector<std::uint32_t> start_checks;
  vm::Program start_check_program;
  vm::Program initial_program;  // the initial system; then checks of redundant equations
  std::vector<vm::Program> entry_programs;  // CausalModel::entries
  vm::Program invariant_program;            // constraints among states, into `invariants`
  vm::Program relation_program;             // relations and floors exactly, into `exact`
  vm::Program start_relation_program;       // the same of a solved initial system
  vm::Program guard_program;                // over what changes at events only, into `guards`
  vm::Program scale_program;      // sizes of what relations and floors compare, into `scales`
  vm::Program jacobian_program;   // df/dx and df/dt, into jacobian[].slot; empty: by differences
  vm::Program sample_program;     // start and interval of samples
  vm::Program threshold_program;  // of time relations, into `thresholds`

  GuardLogic guard_logic;
  std::vector<std::uint32_t> conditions;  // one for each relation, two for each floor; then
                                          // whether each relation matters
  std::vector<std::uint32_t> guards;      // GuardLogic::inputs()
  std::vector<std::uint32_t> exact;       // of relations, then floors
  std::vector<std::uint32_t> scales;      // of relations, then floors, for hysteresis
  std::vector<std::uint32_t> reinit_fires, reinit_values;
  std::vector<std::uint32_t> check_violated;
  std::vector<std::uint32_t> check_texts;  // strings, each made by its program when needed
  std::vector<vm::Program> check_messages;
  std::vector<std::uint32_t> watched;  // checks that are looked at without events, too
  vm::Program watch_program;           // of these, into check_violated
  std::vector<std::uint32_t> sample_start, sample_interval;
  std::vector<std::uint32_t>
      thresholds;                        // of time relations, durations of delays, initial profiles
  std::vector<std::uint32_t> redundant;  // both sides of each
  std::vector<std::uint32_t> invariants;  // residuals

  struct JacobianSlot {
    int row, column;  // column = number of states: df/dt
    std::uint32_t slot;
  };
  std::vector<JacobianSlot> jacobian;

  vm::Program constraint_program;  // the residuals of constraints among states, and the entries
  std::vector<std::uint32_t> constraint_residuals;
  std::vector<JacobianSlot> constraint_entries;  // d residual / d state; empty: by differences

  // Which state's rate depends on which state: (row, column); has_sparsity false: too many to tell.
  std::vector<std::pair<int, int>> sparsity;
  bool has_sparsity = false;
};

// Adds expressions to the model's pool. `libraries`: where external functions may come from besides
// those that are built in. `environment`: shared with the other modes of a model, or null.
ModelCode compile(CausalModel& model,
                  std::shared_ptr<const external::SharedLibraries> libraries = nullptr,
                  std::shared_ptr<external::Environment> environment = nullptr);

// The programs that run again and again, numbered for native code. What is called now and then (at
// outputs, at events) is left out when it is large. Refers to `code`.
vm::NativeInput native_input(ModelCode& code);

}  // namespace arges
