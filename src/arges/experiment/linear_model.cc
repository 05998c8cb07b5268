// What the eigenvalues of a linear model say.

#include <algorithm>
#include <cmath>
#include <limits>

#include "arges/experiment/linearise.h"
#include "arges/linear/dense.h"

namespace arges {

void set_spectrum(LinearModel& model) {
  if (model.A.rows == 0) return;
  using Rows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  const dense::Matrix A =
      Eigen::Map<const Rows>(model.A.values.data(), model.A.rows, model.A.columns);
  const std::optional<Eigen::VectorXcd> values = dense::eigenvalues(A);
  if (!values) throw EvaluationError("the eigenvalues did not converge: is an entry not finite?");
  model.eigenvalues.assign(values->begin(), values->end());
  std::ranges::sort(model.eigenvalues, [](std::complex<double> a, std::complex<double> b) {
    return a.real() != b.real() ? a.real() < b.real() : a.imag() < b.imag();
  });
  double fastest = 0, slowest = std::numeric_limits<double>::infinity();
  int decaying = 0;
  for (const std::complex<double> value : model.eigenvalues) {
    if (!(value.real() < 0)) continue;
    ++decaying;
    fastest = std::max(fastest, -value.real());
    slowest = std::min(slowest, -value.real());
  }
  if (decaying > 0) model.stiffness = fastest / slowest;
}

bool LinearModel::neutral() const {
  double size = 0;
  std::complex<double> rightmost = -std::numeric_limits<double>::infinity();
  for (const std::complex<double> value : eigenvalues) {
    size = std::max(size, std::abs(value));
    if (value.real() > rightmost.real()) rightmost = value;
  }
  // Of an eigenvalue itself, by the entries of A, and of the largest one, by the method.
  constexpr double kOfEntries = 1e-10, kOfMethod = 1e-13;
  return !eigenvalues.empty() &&
         std::abs(rightmost.real()) <= std::max(kOfEntries * std::abs(rightmost), kOfMethod * size);
}

bool LinearModel::stable() const {
  return !neutral() &&
         std::ranges::all_of(eigenvalues, [](auto value) { return value.real() < 0; });
}

}  // namespace arges
