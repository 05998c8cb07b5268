#pragma once
// Which variables an event may let jump: these take no state's place.

#include <vector>

#include "arges/causalize/causal_model.h"
#include "arges/expr/walk.h"

namespace arges {

// A variable may jump where an equation has a discrete variable, or a variable that reinit() sets.
// (Not in calls of functions: the properties of water depend on its phase, and are continuous. That
// is looked at during the run.) Both questions are about a model after reduce_index().
class Jumps {
 public:
  explicit Jumps(const CausalModel& model);

  // A differentiated equation may let v jump, or one that shares variables with those of v.
  bool near(VarId v);
  // Such an equation is among those from which v is computed, the states being given.
  bool in_computing(VarId v);

 private:
  int root(int v);
  void connect();
  void match();
  bool has_discrete(ExprId e) const;
  bool is_continuous(int v) const;
  // The continuous variables of an equation.
  std::vector<int> variables_of(const CausalEquation& e);
  bool jumps(const CausalEquation& e);

  const CausalModel& model_;
  ExprWalker walker_;
  std::vector<char> is_set_;  // by reinit()
  std::vector<int> parent_;   // of variables: sets that equations connect; empty: not yet made
  std::vector<char> may_jump_;
  std::vector<int> equation_of_;  // of variables, or -1; empty: not yet made
  bool is_matched_ = false;
};

}  // namespace arges
