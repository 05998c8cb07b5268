#include "arges/solvers/equations.h"

#include "arges/base/error.h"

namespace arges {

void Equations::rhs_rows(std::span<const int>, double, const double*, double*) const {
  throw ApiError("these equations offer no single rows");
}

void Equations::rhs_series(std::span<const int>, int, double, const double*, double*) const {
  throw ApiError("these equations offer no rows along polynomials");
}

void Equations::constraints(double, const double*, double*) const {}

bool Equations::constraint_jacobian(double, const double*, double*) const { return false; }

void Equations::conditions(double, const double*, double*) const {}

}  // namespace arges
