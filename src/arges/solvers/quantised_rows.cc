#include "arges/solvers/quantised_rows.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "arges/base/error.h"
#include "arges/base/float_spacing.h"

namespace arges {

QuantisedRows::QuantisedRows(const Equations& equations)
    : equations_(equations), all_(equations.size()), x_(equations.size()) {
  const int n = equations.size();
  for (int i = 0; i < n; ++i) all_[i] = i;
  if (equations.row_access() == RowAccess::kWhole) whole_.resize(n);
  for (auto& values : values_) values.resize(n);
  states_.reserve(n);
  const SparsityPattern* pattern = equations.sparsity();
  if (pattern == nullptr) return;
  row_start_.assign(n + 1, 0);
  for (const int row : pattern->row) ++row_start_[row + 1];
  for (int i = 0; i < n; ++i) row_start_[i + 1] += row_start_[i];
  columns_.resize(pattern->row.size());
  std::vector<int> next(row_start_.begin(), row_start_.end() - 1);
  for (int j = 0; j < n; ++j) {
    for (int k = pattern->column_start[j]; k < pattern->column_start[j + 1]; ++k)
      columns_[next[pattern->row[k]]++] = j;
  }
}

std::span<const int> QuantisedRows::readers(int j) const {
  const SparsityPattern* pattern = equations_.sparsity();
  if (pattern == nullptr) return all_;
  const int begin = pattern->column_start[j];
  return {pattern->row.data() + begin,
          static_cast<std::size_t>(pattern->column_start[j + 1] - begin)};
}

std::span<const int> QuantisedRows::reads(int i) const {
  // f as a whole needs all states.
  if (row_start_.empty() || equations_.row_access() == RowAccess::kWhole) return all_;
  const int begin = row_start_[i];
  return {columns_.data() + begin, static_cast<std::size_t>(row_start_[i + 1] - begin)};
}

void QuantisedRows::series(std::span<const int> rows, int order, double t, const double* q,
                           double scale, double* f) const {
  if (equations_.row_access() == RowAccess::kSeries && order > 1) {
    ++evaluations_;
    return equations_.rhs_series(rows, order, t, q, f);
  }
  if (order > 1) return differences(rows, order, t, q, scale, f);
  ++evaluations_;
  if (equations_.row_access() != RowAccess::kWhole) return equations_.rhs_rows(rows, t, q, f);
  equations_.rhs(t, q, whole_.data());
  for (std::size_t k = 0; k < rows.size(); ++k) f[k] = whole_[rows[k]];
}

void QuantisedRows::differences(std::span<const int> rows, int order, double t, const double* q,
                                double scale, double* f) const {
  const std::span<const int> states = states_read(rows);
  double s = increment(states, order, t, q, scale);
  evaluate_at(rows, states, order, t, 0, q, 0);
  // What the equations are like beyond an edge (a root of a negative number) is not theirs: then
  // the other points are on this side.
  if (!evaluate_aside(rows, states, order, t, s, q, 1)) {
    s = -s;
    evaluate_at(rows, states, order, t, s, q, 1);
  }
  if (order == 2) {
    for (std::size_t k = 0; k < rows.size(); ++k) {
      f[2 * k] = values_[0][k];
      f[2 * k + 1] = (values_[1][k] - values_[0][k]) / s;
    }
    return;
  }
  const bool on_both_sides = s > 0 && evaluate_aside(rows, states, order, t, -s, q, 2);
  if (!on_both_sides) evaluate_at(rows, states, order, t, 2 * s, q, 2);
  for (std::size_t k = 0; k < rows.size(); ++k) {
    const double here = values_[0][k], next = values_[1][k], other = values_[2][k];
    f[3 * k] = here;
    if (on_both_sides) {
      f[3 * k + 1] = (next - other) / (2 * s);
      f[3 * k + 2] = (next - 2 * here + other) / (2 * s * s);
    } else {
      f[3 * k + 1] = (4 * next - 3 * here - other) / (2 * s);
      f[3 * k + 2] = (here - 2 * next + other) / (2 * s * s);
    }
  }
}

// The same; false when it cannot be, or is not finite where it is finite here.
bool QuantisedRows::evaluate_aside(std::span<const int> rows, std::span<const int> states,
                                   int order, double t, double s, const double* q, int node) const {
  try {
    evaluate_at(rows, states, order, t, s, q, node);
  } catch (const EvaluationError&) {
    return false;
  }
  for (std::size_t k = 0; k < rows.size(); ++k) {
    if (!std::isfinite(values_[node][k]) && std::isfinite(values_[0][k])) return false;
  }
  return true;
}

std::span<const int> QuantisedRows::states_read(std::span<const int> rows) const {
  if (row_start_.empty() || equations_.row_access() == RowAccess::kWhole ||
      rows.size() == all_.size()) {
    return all_;
  }
  states_.clear();
  for (const int row : rows) {
    const auto read = reads(row);
    states_.insert(states_.end(), read.begin(), read.end());
  }
  return states_;
}

double QuantisedRows::increment(std::span<const int> states, int order, double t, const double* q,
                                double scale) const {
  // The second difference loses twice as many digits as the first.
  const double part = order == 2 ? 1e-6 : 1e-4;
  const auto nominal = equations_.nominal();
  double fastest = 0;  // change in a unit of time, against the size
  for (const int j : states) {
    const double* p = q + static_cast<std::ptrdiff_t>(j) * order;
    const double unit = nominal.empty() ? 1 : nominal[j];
    fastest = std::max(fastest, std::abs(p[1]) / std::max(std::abs(p[0]), 1e-2 * unit));
  }
  double s = part / fastest;
  // One difference is off by its own length: that must be small against what it is used for.
  if (scale > 0) s = std::min(s, (order == 2 ? 1e-3 : 0.1) * scale);
  if (!std::isfinite(s)) s = 1e-6 * std::max(std::abs(t), 1e-3);
  s = std::max(s, 1024 * spacing(t));
  return (t + s) - t;
}

void QuantisedRows::evaluate_at(std::span<const int> rows, std::span<const int> states, int order,
                                double t, double s, const double* q, int node) const {
  for (const int j : states) {
    const double* p = q + static_cast<std::ptrdiff_t>(j) * order;
    x_[j] = order == 2 ? p[0] + s * p[1] : p[0] + s * (p[1] + s * p[2]);
  }
  ++evaluations_;
  if (equations_.row_access() != RowAccess::kWhole) {
    equations_.rhs_rows(rows, t + s, x_.data(), values_[node].data());
    return;
  }
  equations_.rhs(t + s, x_.data(), whole_.data());
  for (std::size_t k = 0; k < rows.size(); ++k) values_[node][k] = whole_[rows[k]];
}

}  // namespace arges
