#pragma once
// What the simulator keeps for each mode.

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "arges/hybrid/activity.h"
#include "arges/hybrid/simulator.h"

namespace arges {

// Made when the mode is entered for the first time, then kept: going to a mode again costs no
// allocation.
struct Simulator::ModeRuntime {
  ModeRuntime(const HybridSystem& system, const Context& context, ModeId mode)
      : equations(system, context, mode) {
    if (equations.form() != EquationForm::kExplicit)
      consistency = std::make_unique<ConsistencySolver>(equations);
  }

  struct Method {
    std::unique_ptr<Stepper> stepper;
    SolverStatistics before_run;                      // counters go on over runs
    bool used = false;                                // in this run
    std::vector<std::int64_t> moves_before_run = {};  // of each state, when activity is wanted
  };

  ModeEquations equations;
  std::unique_ptr<ConsistencySolver> consistency;
  std::map<std::string, Method, std::less<>> methods;
  std::pair<const std::string, Method>* latest = nullptr;  // of them, that was asked for
  std::unique_ptr<ActivityMeter> meter;                    // when activity is wanted
};

}  // namespace arges
