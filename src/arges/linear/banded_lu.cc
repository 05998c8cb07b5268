#include <algorithm>
#include <cmath>
#include <vector>

#include "arges/linear/lu_kinds.h"

namespace arges {

namespace {

// Gaussian elimination with partial pivoting inside the band. Row exchanges widen U to lower +
// upper diagonals above the main one, so column j holds the rows j - lower - upper .. j + lower.
class BandedLu : public LuSolver {
 public:
  explicit BandedLu(const SparsityPattern& pattern)
      : n_(pattern.n), band_(bandwidth(pattern)), pivot_(pattern.n) {
    above_ = band_.lower + band_.upper;
    height_ = above_ + band_.lower + 1;
    a_.resize(static_cast<std::size_t>(height_) * n_);
    positions_.resize(pattern.nonzeros());
    for (int j = 0; j < n_; ++j) {
      for (int p = pattern.column_start[j]; p < pattern.column_start[j + 1]; ++p)
        positions_[p] = j * height_ + above_ + pattern.row[p] - j;
    }
  }

  int factor(const double* values) override {
    std::fill(a_.begin(), a_.end(), 0.0);
    for (std::size_t p = 0; p < positions_.size(); ++p) a_[positions_[p]] = values[p];
    for (int k = 0; k < n_; ++k) {
      const int last_row = std::min(n_ - 1, k + band_.lower);
      double* pivot_column = diagonal(k);  // [i - k] is row i
      int q = k;
      for (int i = k + 1; i <= last_row; ++i) {
        if (std::abs(pivot_column[i - k]) > std::abs(pivot_column[q - k])) q = i;
      }
      pivot_[k] = q;
      if (!(std::abs(pivot_column[q - k]) > 0)) return k;
      std::swap(pivot_column[0], pivot_column[q - k]);
      const double inverse = 1 / pivot_column[0];
      for (int i = k + 1; i <= last_row; ++i) pivot_column[i - k] *= inverse;
      const int last_column = std::min(n_ - 1, k + above_);
      for (int j = k + 1; j <= last_column; ++j) {
        double* other = diagonal(j) - (j - k);  // [i - k] is row i
        std::swap(other[0], other[q - k]);
        const double factor = other[0];
        if (factor == 0) continue;
        for (int i = k + 1; i <= last_row; ++i) other[i - k] -= factor * pivot_column[i - k];
      }
    }
    return -1;
  }

  void solve(double* b) override {
    for (int k = 0; k < n_; ++k) {
      std::swap(b[k], b[pivot_[k]]);
      const double value = b[k];
      const double* l = diagonal(k);
      const int last_row = std::min(n_ - 1, k + band_.lower);
      for (int i = k + 1; i <= last_row; ++i) b[i] -= value * l[i - k];
    }
    for (int k = n_ - 1; k >= 0; --k) {
      const double* u = diagonal(k);
      const double value = b[k] /= u[0];
      for (int i = std::max(0, k - above_); i < k; ++i) b[i] -= value * u[i - k];
    }
  }
  std::string_view kind() const override { return "banded"; }

 private:
  double* diagonal(int j) { return a_.data() + static_cast<std::ptrdiff_t>(j) * height_ + above_; }

  int n_;
  Bandwidth band_;
  int above_ = 0;   // diagonals of U above the main one
  int height_ = 0;  // stored rows of a column
  std::vector<int> positions_;
  std::vector<double> a_;
  std::vector<int> pivot_;
};

}  // namespace

std::unique_ptr<LuSolver> make_banded_lu(const SparsityPattern& pattern) {
  return std::make_unique<BandedLu>(pattern);
}

}  // namespace arges
