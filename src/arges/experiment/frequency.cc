#include "arges/experiment/frequency.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <optional>
#include <utility>

#include "arges/linear/dense.h"

namespace arges {

namespace {

using Real = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

Eigen::Map<const Real> view(const Matrix& matrix) {
  return {matrix.values.data(), matrix.rows, matrix.columns};
}

// x' = A x + b u, y = c x + d u: one path through a linear model, its states in units in which none
// dwarfs the others (dense::balanced).
struct Path {
  Path(const LinearModel& model, int input, int output)
      : b(view(model.B).col(input)), c(view(model.C).row(output)), d(model.D(output, input)) {
    dense::Balanced balance = dense::balanced(view(model.A));
    A = std::move(balance.a);
    b.array() /= balance.d.array();
    c.array() *= balance.d.array();
  }

  // Turns the states so that y reads the last one alone. Where y is zero, so is that state, and its
  // equation is what the path of the other states must bring to zero.
  void hold_output_at_zero() {
    const Eigen::Index last = A.rows() - 1;
    read_most_from_the_last();
    Eigen::VectorXd mirror = c;
    mirror[last] += std::copysign(c.norm(), c[last]);
    mirror.normalize();
    set_rounding(mirror);
    A -= 2 * mirror * (mirror.transpose() * A).eval();
    A -= 2 * (A * mirror).eval() * mirror.transpose();
    b -= 2 * mirror.dot(b) * mirror;
    d = b[last];
    c = A.row(last).head(last);
    A = A.topLeftCorner(last, last).eval();
    b = b.head(last).eval();
  }

  // So that only states are mixed that y reads together: others may be of any size.
  void read_most_from_the_last() {
    const Eigen::Index last = A.rows() - 1;
    Eigen::Index most;
    c.cwiseAbs().maxCoeff(&most);
    A.row(most).swap(A.row(last));
    A.col(most).swap(A.col(last));
    std::swap(b[most], b[last]);
    std::swap(c[most], c[last]);
  }

  // Of the last entry of b, and of the last row of A, when both are mirrored: by the sizes of the
  // terms that they are sums of.
  void set_rounding(const Eigen::VectorXd& mirror) {
    const Eigen::Index last = A.rows() - 1;
    const Eigen::RowVectorXd share = mirror.cwiseAbs().transpose();
    Eigen::RowVectorXd terms = 2 * share[last] * share;
    terms[last] += 1;
    rounding_of_d = kRounding * terms.dot(b.cwiseAbs());
    terms = (terms * A.cwiseAbs()).eval();
    terms += 2 * terms.dot(share) * share;
    rounding_of_c = kRounding * terms.head(last).norm();
  }

  static constexpr double kRounding = 1e-12;
  Eigen::MatrixXd A;
  Eigen::VectorXd b, c;
  double d;
  double rounding_of_c = 0, rounding_of_d = 0;  // below these, they are zero
};

}  // namespace

std::vector<std::complex<double>> frequency_response(const LinearModel& model, int input,
                                                     int output, std::span<const double> omega) {
  const Path path(model, input, output);
  const Eigen::Index n = path.A.rows();
  std::vector<std::complex<double>> response;
  const Eigen::MatrixXcd A = path.A.cast<std::complex<double>>();
  const Eigen::VectorXcd b = path.b.cast<std::complex<double>>();
  for (const double w : omega) {
    if (n == 0) {
      response.emplace_back(path.d);
      continue;
    }
    const Eigen::MatrixXcd M = std::complex<double>(0, w) * Eigen::MatrixXcd::Identity(n, n) - A;
    const std::optional<Eigen::VectorXcd> x = dense::solve_if_regular(M, b);
    if (!x) {
      response.emplace_back(std::numeric_limits<double>::infinity());
      continue;
    }
    response.push_back(path.c.cast<std::complex<double>>().dot(*x) + path.d);
  }
  return response;
}

// While u does not reach y directly, y = 0 takes one state out of the path; when it does, u = -c x
// / d keeps y at zero, and the zeros are how the states move then.
std::vector<std::complex<double>> transmission_zeros(const LinearModel& model, int input,
                                                     int output) {
  Path path(model, input, output);
  // A smaller d stands for a zero that is out of all proportion to the model.
  const double fastest = std::max(1.0, path.A.norm());
  path.rounding_of_d = Path::kRounding * path.b.norm() * path.c.norm() / fastest;
  while (!(std::abs(path.d) > path.rounding_of_d)) {
    if (!(path.c.norm() > path.rounding_of_c)) return {};  // nothing is transmitted at all
    path.hold_output_at_zero();
  }
  const auto found = dense::eigenvalues(path.A - path.b * path.c.transpose() / path.d);
  if (!found) return {};
  std::vector<std::complex<double>> zeros(found->begin(), found->end());
  std::ranges::sort(zeros, [](std::complex<double> a, std::complex<double> b) {
    return std::abs(a) != std::abs(b) ? std::abs(a) < std::abs(b) : a.imag() < b.imag();
  });
  return zeros;
}

std::vector<double> frequencies_of_interest(const LinearModel& model, int per_decade) {
  double lowest = std::numeric_limits<double>::infinity(), highest = 0;
  for (const std::complex<double> value : model.eigenvalues) {
    if (!(std::abs(value) > 0)) continue;
    lowest = std::min(lowest, std::abs(value));
    highest = std::max(highest, std::abs(value));
  }
  if (!(highest > 0)) lowest = highest = 1;
  const double from = std::floor(std::log10(lowest)) - 1, to = std::ceil(std::log10(highest)) + 1;
  const int count = static_cast<int>((to - from) * per_decade) + 1;
  std::vector<double> omega(count);
  for (int i = 0; i < count; ++i)
    omega[i] = std::pow(10.0, from + static_cast<double>(i) / per_decade);
  return omega;
}

std::vector<double> unwrapped_phase(std::span<const std::complex<double>> response) {
  std::vector<double> phase;
  double turns = 0;
  for (const std::complex<double> value : response) {
    double degrees = std::arg(value) * 180 / std::numbers::pi + turns;
    if (!phase.empty()) {
      const double jump = std::round((degrees - phase.back()) / 360) * 360;
      degrees -= jump;
      turns -= jump;
    }
    phase.push_back(degrees);
  }
  return phase;
}

}  // namespace arges
