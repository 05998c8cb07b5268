#include "arges/solvers/sundials_multistep.h"

#include <algorithm>
#include <cmath>

namespace arges {

SundialsMultistep::SundialsMultistep(std::string_view name, const Equations& equations,
                                     const SolverOptions& options)
    : SundialsStepper(name, equations, options),
      rtol_(options.rtol),
      atol_(static_cast<std::size_t>(equations.size()), options.effective_atol()),
      careful_(equations.size(), options.rtol) {
  for (std::size_t i = 0; i < equations.nominal().size(); ++i)
    atol_[i] *= std::abs(equations.nominal()[i]);
}

double SundialsMultistep::share(double rtol, double exponent) {
  return std::clamp(1e-14 / rtol, std::pow(std::min(rtol / 1e-2, 1.0), exponent), 1.0);
}

void SundialsMultistep::care_for_start(bool wanted) {
  careful_.end();
  if (wanted && first_h_ == 0) first_h_ = careful_.begin(calls_, t_, x_, atol_);
}

int SundialsMultistep::advance_with_care(double limit, double& reached) {
  const int flag = advance(limit, reached);
  if (!careful_.active()) return flag;
  careful_.step_done();
  if (flag >= 0 && reached > t_) return flag;
  careful_.end();
  first_h_ = 0;
  prepare_second_try();
  restart();
  return advance(limit, reached);
}

int SundialsMultistep::fill_weights(N_Vector x, N_Vector weights, double share) const {
  const double *from = N_VGetArrayPointer(x), *atol = atol_.data();
  double* to = N_VGetArrayPointer(weights);
  const bool careful = careful_.active();
  double least = 1;
  for (std::size_t i = 0; i < atol_.size(); ++i) {
    double tolerance = share * (rtol_ * std::abs(from[i]) + atol[i]);
    if (careful) tolerance = careful_.tolerance(i, from[i], tolerance);
    least = std::min(least, tolerance);
    to[i] = 1 / tolerance;
  }
  return least > 0 ? 0 : -1;
}

}  // namespace arges
