#include <klu.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "arges/base/error.h"
#include "arges/linear/lu_kinds.h"

namespace arges {

namespace {

// Below this reciprocal pivot growth the old order of pivots has lost too many digits.
constexpr double kSmallestGrowth = 1e-6;

class SparseLu : public LuSolver {
 public:
  explicit SparseLu(const SparsityPattern& pattern)
      : n_(pattern.n), column_start_(pattern.column_start), row_(pattern.row) {
    klu_defaults(&common_);
    symbolic_ = klu_analyze(n_, column_start_.data(), row_.data(), &common_);
    if (symbolic_ == nullptr) throw ApiError("the sparsity pattern is not valid for KLU");
  }
  ~SparseLu() override {
    klu_free_numeric(&numeric_, &common_);
    klu_free_symbolic(&symbolic_, &common_);
  }
  SparseLu(const SparseLu&) = delete;
  SparseLu& operator=(const SparseLu&) = delete;

  int factor(const double* values) override {
    // KLU takes its matrix as not const, but only reads it.
    double* a = const_cast<double*>(values);
    if (!std::all_of(values, values + row_.size(), [](double v) { return std::isfinite(v); }))
      return 0;
    if (numeric_ != nullptr && refactor(a)) return -1;
    klu_free_numeric(&numeric_, &common_);
    numeric_ = klu_factor(column_start_.data(), row_.data(), a, symbolic_, &common_);
    if (numeric_ != nullptr && common_.status == KLU_OK) return -1;
    klu_free_numeric(&numeric_, &common_);
    const int column = common_.singular_col;
    return column >= 0 && column < n_ ? column : 0;
  }

  void solve(double* b) override { klu_solve(symbolic_, numeric_, n_, 1, b, &common_); }
  std::string_view kind() const override { return "sparse"; }

 private:
  // With the old pivots. False when they do not suit this matrix.
  bool refactor(double* a) {
    if (!klu_refactor(column_start_.data(), row_.data(), a, symbolic_, numeric_, &common_) ||
        common_.status != KLU_OK)
      return false;
    return klu_rgrowth(column_start_.data(), row_.data(), a, symbolic_, numeric_, &common_) &&
           common_.rgrowth >= kSmallestGrowth;
  }

  int n_;
  std::vector<int> column_start_;
  std::vector<int> row_;
  klu_common common_;
  klu_symbolic* symbolic_ = nullptr;
  klu_numeric* numeric_ = nullptr;
};

}  // namespace

std::unique_ptr<LuSolver> make_sparse_lu(const SparsityPattern& pattern) {
  return std::make_unique<SparseLu>(pattern);
}

}  // namespace arges
