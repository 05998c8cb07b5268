#pragma once
// The methods of NLopt, on the points of a Ledger.

#include <vector>

#include "arges/experiment/ledger.h"
#include "arges/experiment/optimise.h"

namespace arges {

struct NloptWish {
  double tolerance = 0;     // of the variables, as a part of their range; 0: that of the request
  double first_step = 0.1;  // likewise
  bool keeps_integers = false;  // whole numbers stay as they are at the start
  bool exact_slopes = false;    // from five points each instead of two
};

// One method, from a point of the unit cube. Throws SearchEnded when it is not the method that came
// to its end, and UserError when it cannot be used.
struct NloptEnd {
  bool content;  // the method, and not stopped by rounding
  // Where: the last iterate of a method with slopes, which is nearer to the minimum than the point
  // with the lowest value among those that violate the constraints as far as they may.
  std::vector<double> unit;
};
NloptEnd run_nlopt(const OptimiserInfo& info, Ledger& ledger, const OptimiseRequest& request,
                   std::vector<double> start, const NloptWish& wish = {});

// A local method, to all digits that are asked for. The linear models of `cobyla` come near a
// constrained minimum, but creep the rest of the way, so that this has four parts:
//   cobyla, to a part in 10^4 of the ranges, with at most a quarter of the evaluations
//   a point that satisfies the constraints, where there is none yet (feasibility.h)
//   slsqp from the best point, with slopes by differences of high order; then Newton's method
//   (kkt_polish.h)
//   cobyla again, with short steps, when neither was content: where the objective has a kink
// Likewise `slsqp`, which begins with the cheapest slopes. Throws as above.
void run_local(const OptimiserInfo& info, Ledger& ledger, const OptimiseRequest& request,
               const std::vector<double>& start, bool keeps_integers = false);

}  // namespace arges
