#pragma once
// A model as a function: values go in, a run is done, observables come out.

#include <span>
#include <string>
#include <vector>

#include "arges/base/run_status.h"
#include "arges/experiment/observable.h"
#include "arges/hybrid/run_options.h"
#include "arges/hybrid/simulator.h"
#include "arges/hybrid/system.h"

namespace arges {

// Evaluates with the same solver and buffers again and again; one object for each thread.
class RunFunction {
 public:
  struct Result {
    std::vector<double> observables;  // NaN for what the run did not get to
    RunReason status = RunReason::kFinished;
  };

  // `names` are what the function is one of; all else begins as in `start`. Throws UserError when a
  // name or an observable is not one of the model. The model must live as long.
  RunFunction(const HybridSystem& model, Context start, const RunOptions& options,
              std::vector<std::string> names, const std::vector<Observable>& observables);

  Result operator()(std::span<const double> values);

 private:
  const HybridSystem& model_;
  Context start_;
  std::vector<std::string> names_;
  Observer observer_;
  Simulator simulator_;
};

// Formulas of a run, over one RunFunction: the observables of all of them are noted together. A
// name that is varied stands for the value that it is given.
class RunFormulas {
 public:
  // The names come first in the values of leaves. Throws UserError with the place.
  explicit RunFormulas(std::vector<std::string> names) : names_(std::move(names)) {}

  // Registers a formula; returns its number.
  std::size_t add(const Formula& formula);
  const std::vector<Observable>& observables() const { return observables_; }
  const std::vector<std::string>& names() const { return names_; }
  // Of formula `number`, from what was put in and what came out.
  double value(std::size_t number, std::span<const double> values,
               std::span<const double> observables) const;

 private:
  std::vector<std::string> names_;
  std::vector<Observable> observables_;
  std::vector<Formula> formulas_;
  std::vector<std::vector<std::size_t>> leaves_;  // of each formula: among names, then observables
};

}  // namespace arges
