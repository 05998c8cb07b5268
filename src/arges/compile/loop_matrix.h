#pragma once
// The matrix of an algebraic loop. For .cc files only: Eigen comes along.

#include <vector>

#include <Eigen/Core>

#include "arges/compile/program.h"

namespace arges::vm {

// From the values of the Jacobian, dense.
Eigen::MatrixXd matrix_of(const Loop& loop, const std::vector<double>& values);

}  // namespace arges::vm
