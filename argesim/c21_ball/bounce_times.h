#pragma once
// Closed forms of the ball without drag, and the limit of a series of bounces.

#include <vector>

namespace arges::argesim {

// Dropped from x0: t_m = sqrt(2 x0/g) (-1 + 2 (1 + mu + ... + mu^(m-1))), m = 1 .. count.
std::vector<double> drag_free_bounces(double x0, double g, double mu, int count);
// Their limit, sqrt(2 x0/g) (1 + mu)/(1 - mu).
double drag_free_limit(double x0, double g, double mu);

// Where bounces accumulate: the last one plus the rest of the geometric series which the last gaps
// follow (with little drag left, successive gaps shrink by mu).
double accumulation_time(const std::vector<double>& bounces);

}  // namespace arges::argesim
