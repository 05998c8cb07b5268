#include "arges/experiment/delayed_model.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numbers>

#include <fmt/format.h>

#include "arges/linear/dense.h"

namespace arges {

namespace {

using Complex = std::complex<double>;
using Rows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

Eigen::MatrixXd copy(const Matrix& matrix) {
  return Eigen::Map<const Rows>(matrix.values.data(), matrix.rows, matrix.columns);
}

// The equations of x and z: M(s) [x; z] = [B; Dz] u. States are in units in which none dwarfs the
// others (dense::balanced).
class Loop {
 public:
  explicit Loop(const DelayedModel& model)
      : times_(model.times), n_(model.open.A.rows), k_(static_cast<int>(model.times.size())) {
    const Eigen::MatrixXd B = copy(model.open.B), C = copy(model.open.C), D = copy(model.open.D);
    const dense::Balanced balance = dense::balanced(copy(model.open.A));
    a_ = balance.a;
    b_ = balance.d.cwiseInverse().asDiagonal() * B;
    c_ = C * balance.d.asDiagonal();
    d_ = D;
  }

  Eigen::MatrixXcd matrix(Complex s) const {
    Eigen::MatrixXcd m = Eigen::MatrixXcd::Zero(n_ + k_, n_ + k_);
    m.topLeftCorner(n_, n_) = -a_.cast<Complex>();
    m.diagonal().head(n_).array() += s;
    m.diagonal().tail(k_).array() += 1.0;
    m.bottomLeftCorner(k_, n_) = -c_.bottomRows(k_).cast<Complex>();
    for (int j = 0; j < k_; ++j) {
      const Complex e = std::exp(-s * times_[static_cast<std::size_t>(j)]);
      m.col(n_ + j).head(n_) -= e * b_.col(b_.cols() - k_ + j).cast<Complex>();
      m.col(n_ + j).tail(k_) -= e * d_.bottomRightCorner(k_, k_).col(j).cast<Complex>();
    }
    return m;
  }

  Complex response(Complex s, int input, int output) const {
    Eigen::VectorXcd right(n_ + k_);
    right.head(n_) = b_.col(input).cast<Complex>();
    right.tail(k_) = d_.col(input).tail(k_).cast<Complex>();
    const std::optional<Eigen::VectorXcd> moves = dense::solve_if_regular(matrix(s), right);
    if (!moves) return std::numeric_limits<double>::infinity();
    Complex y = d_(output, input);
    for (int i = 0; i < n_; ++i) y += c_(output, i) * (*moves)[i];
    for (int j = 0; j < k_; ++j) {
      const Complex e = std::exp(-s * times_[static_cast<std::size_t>(j)]);
      y += d_(output, d_.cols() - k_ + j) * e * (*moves)[n_ + j];
    }
    return y;
  }

  // Where roots with Re s >= 0 can be; nothing: anywhere.
  std::optional<double> radius() const {
    const Eigen::MatrixXd around = d_.bottomRightCorner(k_, k_).cwiseAbs();
    const auto spectrum = dense::eigenvalues(around);
    if (!spectrum) return std::nullopt;
    for (const Complex value : *spectrum) {
      if (!(std::abs(value) < 1 - 1e-9)) return std::nullopt;
    }
    const Eigen::MatrixXd through =
        dense::solve(Eigen::MatrixXd::Identity(k_, k_) - around, c_.bottomRows(k_).cwiseAbs());
    const Eigen::MatrixXd all = a_.cwiseAbs() + b_.rightCols(k_).cwiseAbs() * through;
    return all.rowwise().sum().maxCoeff();
  }

  // The angle of the determinant; `small`: it is zero to rounding.
  double angle(Complex s, bool& small) const {
    Eigen::MatrixXcd m = matrix(s);
    double angle = 0;
    for (Eigen::Index j = 0; j < m.cols(); ++j) {
      const double size = m.row(j).tail(m.cols() - j).cwiseAbs().maxCoeff();
      Eigen::Index pivot;
      const double largest = m.col(j).tail(m.rows() - j).cwiseAbs().maxCoeff(&pivot);
      if (!(largest > kRounding * size)) small = true;
      if (!(largest > 0)) return angle;
      if (pivot != 0) {
        m.row(j).swap(m.row(j + pivot));
        angle += std::numbers::pi;
      }
      angle += std::arg(m(j, j));
      for (Eigen::Index i = j + 1; i < m.rows(); ++i)
        m.row(i) -= (m(i, j) / m(j, j)) * m.row(j).eval();
    }
    return angle;
  }

  double longest() const {
    double sum = 0;
    for (const double time : times_) sum += time;
    return sum;
  }

 private:
  static constexpr double kRounding = 1e-13;
  std::vector<double> times_;
  int n_, k_;
  Eigen::MatrixXd a_, b_, c_, d_;
};

// How far the determinant turns along a path, followed so finely that it turns little at once.
class Turning {
 public:
  Turning(const Loop& loop, const std::function<Complex(double)>& path)
      : loop_(loop), path_(path) {}

  double along(int pieces) {
    double sum = 0, last = at(0);
    for (int k = 1; k <= pieces; ++k) {
      const double from = static_cast<double>(k - 1) / pieces;
      const double to = static_cast<double>(k) / pieces;
      const double next = at(to);
      sum += between(from, last, to, next, 0);
      last = next;
    }
    return sum;
  }
  bool met_zero() const { return met_zero_; }

 private:
  double at(double place) { return loop_.angle(path_(place), met_zero_); }

  static double turn(double from, double to) {
    return std::remainder(to - from, 2 * std::numbers::pi);
  }

  double between(double from, double first, double to, double last, int depth) {
    constexpr double kLittle = 0.3;
    constexpr int kDeepest = 40;
    const double middle = from + (to - from) / 2, angle = at(middle);
    const double left = turn(first, angle), right = turn(angle, last);
    if (std::abs(left) < kLittle && std::abs(right) < kLittle) return left + right;
    if (depth == kDeepest) {  // half a turn at one place: a root on the path
      met_zero_ = true;
      return left + right;
    }
    return between(from, first, middle, angle, depth + 1) +
           between(middle, angle, to, last, depth + 1);
  }

  const Loop& loop_;
  const std::function<Complex(double)>& path_;
  bool met_zero_ = false;
};

}  // namespace

std::vector<Complex> frequency_response(const DelayedModel& model, int input, int output,
                                        std::span<const double> omega) {
  const Loop loop(model);
  std::vector<Complex> response;
  for (const double w : omega) response.push_back(loop.response({0, w}, input, output));
  return response;
}

std::optional<UnstableRoots> count_unstable_roots(const DelayedModel& model, std::string* why) {
  const auto cannot = [&](std::string reason) -> std::optional<UnstableRoots> {
    if (why != nullptr) *why = std::move(reason);
    return std::nullopt;
  };
  constexpr double kMostPieces = 1e5;
  const Loop loop(model);
  const std::optional<double> bound = loop.radius();
  if (!bound)
    return cannot("delays in a loop without states, which does not lessen what goes around");
  if (!std::isfinite(*bound)) return cannot("the linear model has values that are not finite");
  if (*bound == 0) return UnstableRoots{0, model.open.A.rows > 0};
  const double radius = 1.1 * *bound;
  const double pieces = 64 + 4 * radius * loop.longest();
  if (!(pieces < kMostPieces))
    return cannot(
        fmt::format("growing modes could be as fast as {:.3g} rad/s, and with delays of {:.3g} s "
                    "altogether that is too much to be searched through",
                    radius, loop.longest()));
  // The upper half of the edge, against the clock: from the real axis to the imaginary one, and
  // down to zero. The lower half is its mirror image.
  const std::function<Complex(double)> arc = [&](double place) {
    return std::polar(radius, place * std::numbers::pi / 2);
  };
  const std::function<Complex(double)> axis = [&](double place) {
    return Complex(0, radius * (1 - place));
  };
  Turning on_arc(loop, arc), on_axis(loop, axis);
  const double turned =
      on_arc.along(static_cast<int>(pieces)) + on_axis.along(static_cast<int>(pieces));
  UnstableRoots roots;
  roots.neutral = on_axis.met_zero();
  roots.count = std::max(0, static_cast<int>(std::lround(turned / std::numbers::pi)));
  return roots;
}

}  // namespace arges
