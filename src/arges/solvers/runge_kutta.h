#pragma once
// Sums over the stages of explicit Runge-Kutta methods, unrolled at compile time.
//
// A tableau is a struct with
//   kStages, kC[N], kA[N][N]   stage i is f(t + kC[i] h, x + h sum_j kA[i][j] k_j).
// The slopes k_j lie one after the other, n values each. A row of weights is a struct with a static
// constexpr array kWeights; weights that are zero cost nothing.

#include <array>
#include <cstddef>
#include <utility>

namespace arges::rk {

template <std::size_t N>
using Weights = std::array<double, N>;
template <std::size_t N>
using Matrix = std::array<std::array<double, N>, N>;

template <class Tableau, int I>
struct StageRow {
  static constexpr const auto& kWeights = Tableau::kA[I];
};

template <class Row>
constexpr std::size_t count_nonzero() {
  std::size_t count = 0;
  for (double w : Row::kWeights) count += w != 0;
  return count;
}

template <class Row>
constexpr auto nonzero_indices() {
  std::array<std::size_t, count_nonzero<Row>()> indices{};
  std::size_t count = 0;
  for (std::size_t j = 0; j < Row::kWeights.size(); ++j) {
    if (Row::kWeights[j] != 0) indices[count++] = j;
  }
  return indices;
}

template <class Row>
inline constexpr auto kNonzero = nonzero_indices<Row>();

template <class Row, std::size_t... J>
inline double weighted(const double* k, std::size_t n, std::index_sequence<J...>) {
  return (... + (Row::kWeights[kNonzero<Row>[J]] * k[kNonzero<Row>[J] * n]));
}

// sum_j w_j k_j of one component; `k` points at that component of k_0.
template <class Row>
inline double weighted(const double* k, std::size_t n) {
  return weighted<Row>(k, n, std::make_index_sequence<kNonzero<Row>.size()>{});
}

// y = x + h sum_j w_j k_j. `y` must not overlap the other arrays.
template <class Row>
inline void combine(std::size_t n, double h, const double* x, const double* k,
                    double* __restrict y) {
  for (std::size_t i = 0; i < n; ++i) y[i] = x[i] + h * weighted<Row>(k + i, n);
}

}  // namespace arges::rk
