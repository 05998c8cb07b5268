#pragma once
// Objective and constraints in units of their own: what a tolerance of theirs means.

#include <vector>

#include "arges/experiment/optimise.h"

namespace arges {

// How far from a point it is looked at how much objective and constraints change.
constexpr double kPartOfRange = 0.1;

// How far an appraisal is from satisfying its constraints.
struct Violation {
  double relative =
      0;  // as a part of the size of the constraint: what tolerances are compared with
  double absolute = 0;  // of that constraint, as the user wrote it
};

// The same constraint may be written in millimetres or in kilometres: methods and tolerances see it
// divided by how much it changes over a part of the range. So is the objective, by how much it
// would change over the whole range: methods weigh it against constraints, and steps by its slopes.
// A difference of two large numbers is not known better than these, so that its tolerance is a part
// of them. Before the first measure() all units are 1.
class ConstraintUnits {
 public:
  explicit ConstraintUnits(const OptimiseRequest& request);

  // From appraisals as the objective gives them, at a point and beside it; those that have no value
  // do not count. False when there are fewer than two of the others: nothing changes then.
  bool measure(const std::vector<Appraisal>& beside);
  void divide(Appraisal& appraisal) const;
  // Of one that is divided.
  Violation violation_of(const Appraisal& appraisal) const;
  // How many times the tolerance of a constraint is meant: 1 or more. Equalities come first.
  double slack(std::size_t constraint) const { return slack_[constraint]; }
  double of_value() const { return of_value_; }

 private:
  std::size_t equalities_;
  std::vector<double> unit_, slack_;  // equalities, then inequalities
  double of_value_ = 1;
};

// Value and constraints are numbers.
bool is_finite(const Appraisal& appraisal);

}  // namespace arges
