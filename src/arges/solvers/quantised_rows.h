#pragma once
// The equations of a solver, row by row, for the quantised-state methods.

#include <vector>

#include "arges/qss/quantised_equations.h"
#include "arges/solvers/equations.h"

namespace arges {

// Offers explicit Equations as QuantisedEquations. What the equations do not have themselves is
// made from what they have: coefficients along polynomials by differences in time (two evaluations
// for order 2, three for order 3), single rows by evaluating all of them. The difference is so
// short that no state changes by more than a quantum. Who reads whom is the sparsity pattern;
// without one, everybody reads everybody.
class QuantisedRows final : public QuantisedEquations {
 public:
  explicit QuantisedRows(const Equations& equations);

  int size() const override { return equations_.size(); }
  bool autonomous() const override { return equations_.autonomous(); }
  std::span<const int> readers(int j) const override;
  std::span<const int> reads(int i) const override;
  void series(std::span<const int> rows, int order, double t, const double* q, double scale,
              double* f) const override;

  // Evaluations of f, a part of it counted as one.
  std::int64_t evaluations() const { return evaluations_; }

 private:
  void differences(std::span<const int> rows, int order, double t, const double* q, double scale,
                   double* f) const;
  double increment(std::span<const int> states, int order, double t, const double* q,
                   double scale) const;
  // f of the rows with all states s further along their polynomials, into values_[node].
  void evaluate_at(std::span<const int> rows, std::span<const int> states, int order, double t,
                   double s, const double* q, int node) const;
  bool evaluate_aside(std::span<const int> rows, std::span<const int> states, int order, double t,
                      double s, const double* q, int node) const;
  std::span<const int> states_read(std::span<const int> rows) const;

  const Equations& equations_;
  std::vector<int> row_start_, columns_;  // the pattern by rows
  std::vector<int> all_;
  mutable std::vector<int> states_;
  mutable std::vector<double> x_, whole_;
  mutable std::vector<double> values_[3];
  mutable std::int64_t evaluations_ = 0;
};

}  // namespace arges
