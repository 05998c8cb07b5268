#pragma once
// Calls of functions whose arguments are known before the run.

#include <memory>
#include <optional>
#include <vector>

#include "arges/external/environment.h"
#include "arges/flat/flat_model.h"

namespace arges {

// Runs functions of a flat model on literals, as the model itself would: on the register machine,
// with the external functions that are built in. Functions are compiled when they are called first.
class CallEvaluator {
 public:
  explicit CallEvaluator(const FlatModel& flat);
  ~CallEvaluator();
  CallEvaluator(const CallEvaluator&) = delete;
  CallEvaluator& operator=(const CallEvaluator&) = delete;

  // The scalars that `f` gives, in the order of its outputs; strings are numbers of the
  // environment. Nothing when the call fails (an assertion, a function that is not built in), takes
  // longer than a second, or when it would do more than compute: call a function that is impure or
  // makes an object.
  std::optional<std::vector<double>> operator()(FunctionId f, const std::vector<double>& arguments);
  external::Environment& environment();

 private:
  struct State;
  bool compile(FunctionId f);
  std::unique_ptr<State> state_;
};

}  // namespace arges
