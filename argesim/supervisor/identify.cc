#include "argesim/supervisor/identify.h"

#include <cmath>

#include <Eigen/QR>

#include "arges/base/error.h"
#include "arges/linear/dense.h"

namespace arges::argesim::supervisor {

namespace {

using Matrix6 = Eigen::Matrix<double, 6, 6, Eigen::RowMajor>;
using Vector6 = Eigen::Matrix<double, 6, 1>;

Vector6 vector_of(const Theta& values) { return Vector6(values.data()); }

Theta theta_of(const Vector6& vector) {
  Theta theta;
  for (int i = 0; i < 6; ++i) theta[static_cast<std::size_t>(i)] = vector[i];
  return theta;
}

}  // namespace

Theta regressors(const Point& y) { return {1, y[0], 1 / y[1], y[2], y[3], y[3] * y[3]}; }

double concentration(const Theta& theta, const Point& y) {
  return vector_of(theta).dot(vector_of(regressors(y)));
}

Identification::Identification(const std::vector<Point>& samples, const std::vector<double>& z) {
  if (samples.size() < 6 || samples.size() != z.size())
    throw ApiError("six samples at least are needed, each with a value");
  Eigen::MatrixXd f(samples.size(), 6);
  for (std::size_t i = 0; i < samples.size(); ++i)
    f.row(static_cast<Eigen::Index>(i)) = vector_of(regressors(samples[i])).transpose();
  const Eigen::Map<const Eigen::VectorXd> values(z.data(), static_cast<Eigen::Index>(z.size()));
  const Eigen::HouseholderQR<Eigen::MatrixXd> qr(f);
  qr_ = theta_of(qr.solve(values));
  const Matrix6 r = qr.matrixQR().topRows<6>().triangularView<Eigen::Upper>();
  Eigen::Map<Matrix6>(r_.data()) = r;
  normal_ = theta_of(dense::solve_symmetric(f.transpose() * f, f.transpose() * values));
  const Eigen::VectorXd sigma = dense::singular_values(f).sigma;
  condition_ = sigma[0] / sigma[5];
}

double Identification::deviation(const Point& y) const {
  const Eigen::Map<const Matrix6> r(r_.data());
  return r.transpose().triangularView<Eigen::Lower>().solve(vector_of(regressors(y))).norm();
}

Theta Identification::draw(random::Stream& stream, double s) const {
  Vector6 normal;
  for (int i = 0; i < 6; ++i) normal[i] = stream.normal(0, s);
  const Eigen::Map<const Matrix6> r(r_.data());
  return theta_of(vector_of(qr_) + r.triangularView<Eigen::Upper>().solve(normal));
}

}  // namespace arges::argesim::supervisor
