#pragma once
// Do the units of a flat model fit together?
//
// Each expression has a unit, or none that is known: a variable without `unit`, the result of a
// function, a number that is no simple fraction. Unknown units fit everything. What is known must
// agree: both sides of equations and relations, terms of sums, cases, values of parameters. The
// factor of prefixes counts (mm is not m) until a number is multiplied. Differences are warnings
// (W0302), one for each place in the text.
//
// Constants have become numbers in the flat model, and functions may be in place. Where the text of
// an equation names either, what looks like a difference may be none, and nothing is said.

#include "arges/elaborate/class_tree.h"
#include "arges/flat/flat_model.h"

namespace arges::lang {

void check_units(const FlatModel& model, ClassTree& tree);

}  // namespace arges::lang
