#include <algorithm>
#include <cmath>
#include <vector>

#include "arges/linear/lu_kinds.h"
#include "arges/linear/small_lu.h"

namespace arges {

namespace {

// Where the values of a pattern stand in the dense column-major matrix.
std::vector<int> dense_positions(const SparsityPattern& pattern) {
  std::vector<int> positions(pattern.nonzeros());
  for (int j = 0; j < pattern.n; ++j) {
    for (int p = pattern.column_start[j]; p < pattern.column_start[j + 1]; ++p)
      positions[p] = j * pattern.n + pattern.row[p];
  }
  return positions;
}

// Spreads the values into `a` when there is a pattern, copies them otherwise.
void load_dense(const std::vector<int>& positions, bool sparse, const double* values,
                std::vector<double>& a) {
  if (!sparse) {
    std::copy_n(values, a.size(), a.begin());
    return;
  }
  std::fill(a.begin(), a.end(), 0.0);
  for (std::size_t p = 0; p < positions.size(); ++p) a[positions[p]] = values[p];
}

template <int N>
class StaticDenseLu : public LuSolver {
 public:
  explicit StaticDenseLu(const SparsityPattern* pattern) : sparse_(pattern != nullptr), a_(N * N) {
    if (sparse_) positions_ = dense_positions(*pattern);
  }
  int factor(const double* values) override {
    load_dense(positions_, sparse_, values, a_);
    return lu_.factor(a_.data());
  }
  void solve(double* b) override { lu_.solve(b, b); }
  std::string_view kind() const override { return "dense"; }

 private:
  bool sparse_;
  std::vector<int> positions_;
  std::vector<double> a_;
  SmallLu<N> lu_;
};

// Right-looking, column by column: the inner loops run along columns and vectorise.
class DenseLu : public LuSolver {
 public:
  DenseLu(int n, const SparsityPattern* pattern)
      : n_(n), sparse_(pattern != nullptr), a_(static_cast<std::size_t>(n) * n), pivot_(n) {
    if (sparse_) positions_ = dense_positions(*pattern);
  }

  int factor(const double* values) override {
    load_dense(positions_, sparse_, values, a_);
    for (int k = 0; k < n_; ++k) {
      double* pivot_column = column(k);
      int q = k;
      for (int i = k + 1; i < n_; ++i) {
        if (std::abs(pivot_column[i]) > std::abs(pivot_column[q])) q = i;
      }
      pivot_[k] = q;
      if (!(std::abs(pivot_column[q]) > 0)) return k;
      std::swap(pivot_column[k], pivot_column[q]);
      const double inverse = 1 / pivot_column[k];
      for (int i = k + 1; i < n_; ++i) pivot_column[i] *= inverse;
      for (int j = k + 1; j < n_; ++j) {
        double* other = column(j);
        std::swap(other[k], other[q]);
        const double factor = other[k];
        if (factor == 0) continue;
        for (int i = k + 1; i < n_; ++i) other[i] -= factor * pivot_column[i];
      }
    }
    return -1;
  }

  void solve(double* b) override {
    // Row exchanges were not applied to earlier columns of L, so they go along with them here.
    for (int k = 0; k < n_; ++k) {
      std::swap(b[k], b[pivot_[k]]);
      const double value = b[k];
      const double* l = column(k);
      for (int i = k + 1; i < n_; ++i) b[i] -= value * l[i];
    }
    for (int k = n_ - 1; k >= 0; --k) {
      const double* u = column(k);
      const double value = b[k] /= u[k];
      for (int i = 0; i < k; ++i) b[i] -= value * u[i];
    }
  }
  std::string_view kind() const override { return "dense"; }

 private:
  double* column(int j) { return a_.data() + static_cast<std::ptrdiff_t>(j) * n_; }

  int n_;
  bool sparse_;
  std::vector<int> positions_;
  std::vector<double> a_;
  std::vector<int> pivot_;  // row exchanged with row k in step k
};

}  // namespace

std::unique_ptr<LuSolver> make_dense_lu(int n, const SparsityPattern* pattern) {
  switch (n) {
    case 1:
      return std::make_unique<StaticDenseLu<1>>(pattern);
    case 2:
      return std::make_unique<StaticDenseLu<2>>(pattern);
    case 3:
      return std::make_unique<StaticDenseLu<3>>(pattern);
    case 4:
      return std::make_unique<StaticDenseLu<4>>(pattern);
    case 5:
      return std::make_unique<StaticDenseLu<5>>(pattern);
    case 6:
      return std::make_unique<StaticDenseLu<6>>(pattern);
    case 7:
      return std::make_unique<StaticDenseLu<7>>(pattern);
    case 8:
      return std::make_unique<StaticDenseLu<8>>(pattern);
    default:
      return std::make_unique<DenseLu>(n, pattern);
  }
}

}  // namespace arges
