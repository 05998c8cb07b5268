#pragma once
// Elementary functions that give the same double on every machine with IEEE arithmetic. The error
// is below one unit in the last place for log and exp.

namespace arges::random {

double portable_log(double x);  // x > 0, not subnormal
double portable_exp(double x);
double portable_log1p(double x);  // -1 < x
// Inverse of the standard normal distribution, 0 < p < 1 (Wichura 1988, AS 241, 1e-16).
double normal_quantile(double p);

}  // namespace arges::random
