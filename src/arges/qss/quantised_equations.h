#pragma once
// What a quantised-state integrator sees of a model: single rates, along polynomials.

#include <span>

namespace arges {

// x_i' = f_i(t, x), i = 0 .. size() - 1, row by row.
//
// A polynomial of `order` coefficients stands for the function c[0] + c[1] s + c[2] s^2 of the time
// s from now. series() writes the first `order` coefficients of f_i(t + s, q(t + s)) for each row
// that it is asked for, where q_j(t + s) is q[j * order ...]; with order 1 these are the plain
// values. Of q only the entries that the rows read are up to date.
class QuantisedEquations {
 public:
  virtual ~QuantisedEquations() = default;

  virtual int size() const = 0;
  // f does not depend on t explicitly.
  virtual bool autonomous() const = 0;
  // The rows that read x_j, j itself included: whoever changes is looked at again. Ascending; valid
  // until the next call.
  virtual std::span<const int> readers(int j) const = 0;
  // The states that row i reads. Valid until the next call.
  virtual std::span<const int> reads(int i) const = 0;
  // Writes f[k * order ...] for rows[k]. `scale` is the time over which the result will be used;
  // differences may take it for their increment. May throw EvaluationError.
  virtual void series(std::span<const int> rows, int order, double t, const double* q, double scale,
                      double* f) const = 0;
};

}  // namespace arges
