#pragma once
// What is known of values before the run.

#include <limits>
#include <memory>
#include <vector>

#include "arges/flat/flat_model.h"

namespace arges {

// Values that follow from the bindings of parameters; NaN stands for what is not known. A function
// of which only some arguments are known is run on these: a capacitance that is a parameter C = 0
// times something of the voltages is 0, whatever the voltages are.
//
//   x := e           the value of e, or unknown (expr/evaluate.h, evaluate_known)
//   if c ...         c known: that branch; else all of them, and what they agree on is known
//   for, while       only with bounds and conditions that are known
//   anything else    nothing is known of the results
//
// Nothing is known, either, of what takes long to find out.
class KnownValues {
 public:
  explicit KnownValues(const FlatModel& flat);
  ~KnownValues();
  KnownValues(const KnownValues&) = delete;
  KnownValues& operator=(const KnownValues&) = delete;

  // Of a parameter or constant; unknown for all other variables.
  double operator()(VarId v);
  // Of an expression over variables: ExprPool::result(call, i), for instance.
  double operator()(ExprId e);

 private:
  class State;
  std::unique_ptr<State> state_;
};

}  // namespace arges
