#include <bit>
#include <cmath>
#include <optional>

#include "arges/linear/dense.h"
#include "argesim/ga_deceptive/model.h"

namespace arges::argesim::ga {

namespace {

constexpr double kRounding = 1e-12;

std::vector<int> members(unsigned support) {
  std::vector<int> all;
  for (int i = 0; i < 3; ++i) {
    if (support >> i & 1) all.push_back(i);
  }
  return all;
}

// The strategy on `support` against which all pure strategies in `equal` pay the same.
std::optional<Strategy> equaliser(unsigned support, unsigned equal) {
  const std::vector<int> columns = members(support), rows = members(equal);
  const auto n = static_cast<Eigen::Index>(columns.size());
  Eigen::MatrixXd a = Eigen::MatrixXd::Zero(n, n);
  Eigen::VectorXd b = Eigen::VectorXd::Zero(n);
  a.row(0).setOnes();
  b[0] = 1;
  for (Eigen::Index r = 1; r < n; ++r) {
    for (Eigen::Index c = 0; c < n; ++c) {
      const int column = columns[static_cast<std::size_t>(c)];
      a(r, c) = kPayoff[rows[static_cast<std::size_t>(r)]][column] - kPayoff[rows[0]][column];
    }
  }
  const std::optional<Eigen::MatrixXd> x = dense::solve_if_regular(a, b);
  if (!x) return std::nullopt;
  Strategy strategy{};
  for (Eigen::Index c = 0; c < n; ++c) {
    if ((*x)(c) < kRounding) return std::nullopt;
    strategy[static_cast<std::size_t>(columns[static_cast<std::size_t>(c)])] = (*x)(c);
  }
  return strategy;
}

// No pure strategy pays more than `own` against `other`.
bool is_best_reply(const Strategy& own, const Strategy& other) {
  for (std::size_t i = 0; i < 3; ++i) {
    Strategy pure{};
    pure[i] = 1;
    if (payoff(pure, other) > payoff(own, other) + kRounding) return false;
  }
  return true;
}

}  // namespace

std::vector<std::array<Strategy, 2>> nash_equilibria() {
  std::vector<std::array<Strategy, 2>> found;
  for (unsigned first = 1; first < 8; ++first) {
    for (unsigned second = 1; second < 8; ++second) {
      if (std::popcount(first) != std::popcount(second)) continue;
      const auto p = equaliser(first, second), q = equaliser(second, first);
      if (p && q && is_best_reply(*p, *q) && is_best_reply(*q, *p)) found.push_back({*p, *q});
    }
  }
  return found;
}

}  // namespace arges::argesim::ga
