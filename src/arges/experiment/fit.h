#pragma once
// Models and recorded data.

#include <string>
#include <vector>

#include "arges/experiment/least_squares.h"
#include "arges/experiment/run_function.h"
#include "arges/hybrid/run_options.h"
#include "arges/hybrid/system.h"

namespace arges {

// What was measured of one variable.
struct MeasuredSeries {
  std::string variable;
  std::vector<double> values;  // one a time; NaN: nothing was measured
  double deviation = 0;        // of the measurements; 0: not known
};

struct FitRequest {
  std::vector<double> times;  // ascending, within the run
  std::vector<MeasuredSeries> series;
  std::vector<SearchVariable> variables;
  SearchLimits limits;
  double level = 0.95;  // of the confidence intervals
};

struct FitResult : LeastSquaresResult {  // value: weighted sum of squares; residual: its root mean
  std::int64_t measurements = 0, degrees = 0;  // degrees of freedom that are left
  double explained =
      0;  // R^2: 1 - the sum of squares over that around the means; NaN: no variation
  std::vector<double> deviations;                     // of the estimates
  std::vector<std::pair<double, double>> confidence;  // intervals; infinite where there is none
  std::vector<bool> determined;                       // by the data
  // Of each that is not: with which others together it is (a sum or a product of them).
  std::vector<std::vector<std::size_t>> tied;
};

// Minimises the sum of ((x(t_k) - measured_k)/s)^2. s is the deviation of the series; when that is
// not known, the largest measured magnitude of the series (which makes series of different units
// comparable).
//
// The intervals are those of the linearised problem: the covariance is s^2 (J'J)^-1, with s^2 the
// sum of squares over the degrees of freedom; Student's t gives the width. Directions in which J
// has singular values of zero, but for the noise of runs, are left out: variables that take part in
// one are not determined, the others are. Where no degree of freedom is left there are no
// intervals.
//
// Where that leaves more than half of what the data vary by, other first guesses are tried, as far
// as there are evaluations left. kNotFound, with a message, when the model explains the data worse
// than their mean does even so: it got stuck. kFound with a message where it explains less than
// half. Throws UserError for names that the model does not have, and when there are fewer
// measurements than variables.
//
// `run` gives the observables of fit_observables() at values of the variables.
using RunAt = std::function<ModelFunction::Result(std::span<const double> values)>;
FitResult fit_runs(const RunAt& run, const FitRequest& request);
std::vector<Observable> fit_observables(const FitRequest& request);
// On one thread.
FitResult fit_model(const HybridSystem& model, const Context& start, const RunOptions& options,
                    const FitRequest& request);

// y_k + a_1 y_{k-1} + ... + a_na y_{k-na} = b_0 u_{k-nk} + ... + b_{nb-1} u_{k-nk-nb+1} + e_k
struct ArxOrders {
  int na = 1, nb = 1, nk = 1;
};
struct ArxModel {
  std::vector<double> a, b;                        // a_1 ... a_na; b_0 ... b_{nb-1}
  std::vector<double> a_deviations, b_deviations;  // of the estimates
  double noise = 0;                                // deviation of e
  double fit = 0;  // 1 - |y - simulated| / |y - mean|: 1 is a model that explains everything
  std::int64_t equations = 0;
  std::vector<double> simulated;  // y from its first samples and u, without looking at later y
};

// Least squares by orthogonal transformation. Throws UserError when there are too few samples, or
// when they do not determine the coefficients.
ArxModel identify_arx(const std::vector<double>& u, const std::vector<double>& y, ArxOrders orders);

}  // namespace arges
