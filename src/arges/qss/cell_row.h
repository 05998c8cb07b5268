#pragma once
// A row of cells that exchange something: the smallest model of many states.

#include <algorithm>
#include <span>

#include "arges/qss/quantised_equations.h"

namespace arges {

// x_i' = k (x_(i-1) - 2 x_i + x_(i+1)), zero beyond both ends. Neighbours are computed, not stored,
// so that the row takes no memory however long it is.
class CellRow final : public QuantisedEquations {
 public:
  CellRow(int cells, double k) : n_(cells), k_(k) {}
  int size() const override { return n_; }
  bool autonomous() const override { return true; }
  std::span<const int> readers(int j) const override { return around(j, readers_); }
  std::span<const int> reads(int i) const override { return around(i, reads_); }
  void series(std::span<const int> rows, int order, double, const double* q, double,
              double* f) const override {
    for (std::size_t k = 0; k < rows.size(); ++k) {
      for (int c = 0; c < order; ++c) {
        const double* at = q + static_cast<std::ptrdiff_t>(rows[k]) * order + c;
        const double left = rows[k] > 0 ? at[-order] : 0;
        const double right = rows[k] < n_ - 1 ? at[order] : 0;
        f[k * order + c] = k_ * (left + right - 2 * at[0]);
      }
    }
  }

 private:
  std::span<const int> around(int i, int* buffer) const {
    int count = 0;
    for (int j = std::max(0, i - 1); j <= std::min(n_ - 1, i + 1); ++j) buffer[count++] = j;
    return {buffer, static_cast<std::size_t>(count)};
  }
  int n_;
  double k_;
  mutable int readers_[3], reads_[3];
};

}  // namespace arges
