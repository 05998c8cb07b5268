#pragma once
// A model as a function: values go in, a run is done, observables come out.

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "arges/base/run_status.h"
#include "arges/experiment/observable.h"
#include "arges/hybrid/run_options.h"
#include "arges/hybrid/simulator.h"
#include "arges/hybrid/system.h"

namespace arges {

// Any model: continuous (RunFunction), of discrete events (driver/discrete_study.h), on another
// rank (RunPool). One object for each thread; what comes out depends on what goes in alone.
class ModelFunction {
 public:
  struct Result {
    std::vector<double> observables;  // NaN for what the run did not get to
    RunReason status = RunReason::kFinished;
    std::string message{};  // why it did not get to its end

    // Events that accumulate are an end like others.
    bool ended() const {
      return status == RunReason::kFinished || status == RunReason::kStopped ||
             status == RunReason::kZeno;
    }
  };
  virtual ~ModelFunction() = default;
  virtual Result operator()(std::span<const double> values) = 0;
};
using ModelFunctions = std::function<std::unique_ptr<ModelFunction>()>;

// Why a run did not get to its end; "" when it did.
std::string reason_of(RunStatus status);

// Throws UserError when runs from `start` cannot be given values of this name.
void check_varied_name(const HybridSystem& model, Context start, const std::string& name);

// Evaluates with the same solver and buffers again and again.
class RunFunction final : public ModelFunction {
 public:
  // `names` are what the function is one of; all else begins as in `start`. Throws UserError when a
  // name or an observable is not one of the model. The model must live as long.
  RunFunction(const HybridSystem& model, Context start, const RunOptions& options,
              std::vector<std::string> names, const std::vector<Observable>& observables);

  Result operator()(std::span<const double> values) override;

 private:
  const HybridSystem& model_;
  Context start_;
  std::vector<std::string> names_;
  Observer observer_;
  Simulator simulator_;
};

// What a study notes of each run, as a user writes it: an observable, or a formula of observables,
// as in max(x) - min(x) or x@2/y@2. Throws UserError with the place.
Formula parse_noted(const std::string& text);

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
  std::size_t size() const { return formulas_.size(); }
  // Each formula is the observable of its number.
  bool are_observables() const;
  // Of formula `number`, from what was put in and what came out.
  double value(std::size_t number, std::span<const double> values,
               std::span<const double> observables) const;

 private:
  std::vector<std::string> names_;
  std::vector<Observable> observables_;
  std::vector<Formula> formulas_;
  std::vector<std::vector<std::size_t>> leaves_;  // of each formula: among names, then observables
};

// Functions whose observables are the formulas, then what comes out of `make` beyond the
// observables of the formulas. `names` are those of the values that go in. The formulas must live
// as long.
ModelFunctions with_formulas(ModelFunctions make, const RunFormulas& formulas,
                             const std::vector<std::string>& names);

}  // namespace arges
