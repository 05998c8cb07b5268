// Properties on random graphs, known small cases, and sizes of 10^6.

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>

#include "arges/base/index.h"
#include "arges/structure/blocks.h"
#include "arges/structure/hidden_dependencies.h"
#include "arges/structure/independence.h"
#include "arges/structure/index_reduction.h"
#include "arges/structure/matching.h"
#include "arges/structure/tearing.h"

namespace arges::structure {
namespace {

Incidence random_incidence(std::mt19937& random, int rows, int columns, double density) {
  std::vector<std::pair<int, int>> pairs;
  std::uniform_real_distribution<double> uniform(0, 1);
  for (int i = 0; i < rows; ++i) {
    for (int j = 0; j < columns; ++j) {
      if (uniform(random) < density) pairs.emplace_back(i, j);
    }
  }
  return from_pairs(rows, columns, pairs);
}

bool has(const Incidence& a, int i, int c) {
  const auto row = a.row(i);
  return std::find(row.begin(), row.end(), c) != row.end();
}

void expect_matching(const Incidence& a, const Matching& m) {
  for (int i = 0; i < a.rows(); ++i) {
    const int c = m.column_of_row[at(i)];
    if (c < 0) continue;
    EXPECT_TRUE(has(a, i, c));
    EXPECT_EQ(m.row_of_column[at(c)], i);
  }
}

// Kuhn's algorithm, as simple as can be.
bool kuhn(const Incidence& a, int i, std::vector<char>& seen, std::vector<int>& row_of) {
  for (const int c : a.row(i)) {
    if (seen[at(c)]) continue;
    seen[at(c)] = 1;
    if (row_of[at(c)] < 0 || kuhn(a, row_of[at(c)], seen, row_of)) {
      row_of[at(c)] = i;
      return true;
    }
  }
  return false;
}

int reference_size(const Incidence& a) {
  std::vector<int> row_of(at(a.columns), -1);
  int size = 0;
  for (int i = 0; i < a.rows(); ++i) {
    std::vector<char> seen(at(a.columns), 0);
    size += kuhn(a, i, seen, row_of) ? 1 : 0;
  }
  return size;
}

TEST(Matching, IsAMatchingOfMaximumSizeOnRandomGraphs) {
  std::mt19937 random(1);
  for (int trial = 0; trial < 300; ++trial) {
    const int rows = 1 + trial % 17, columns = 1 + (trial * 7) % 19;
    const Incidence a = random_incidence(random, rows, columns, 0.05 + 0.02 * (trial % 10));
    const Matching m = maximum_matching(a);
    expect_matching(a, m);
    EXPECT_EQ(m.size(), reference_size(a));
  }
}

TEST(Matching, InOrderGivesTheFirstRowsPrecedence) {
  std::mt19937 random(2);
  for (int trial = 0; trial < 200; ++trial) {
    const Incidence a = random_incidence(random, 12, 8, 0.2);
    Matching m{std::vector<int>(12, -1), std::vector<int>(8, -1)};
    std::vector<int> order(12);
    for (int i = 0; i < 12; ++i) order[at(i)] = 11 - i;
    match_in_order(a, order, m);
    expect_matching(a, m);
    EXPECT_EQ(m.size(), reference_size(a));
    // Greedy over a matroid: each row is matched exactly when it enlarges the maximum of its
    // prefix.
    int size = 0;
    std::vector<std::pair<int, int>> prefix;
    for (const int i : order) {
      for (const int c : a.row(i)) prefix.emplace_back(i, c);
      const int larger = reference_size(from_pairs(12, 8, prefix));
      EXPECT_EQ(m.column_of_row[at(i)] >= 0, larger > size);
      size = larger;
    }
  }
}

TEST(StrongComponents, AreMutuallyReachableAndInOrder) {
  std::mt19937 random(3);
  for (int trial = 0; trial < 100; ++trial) {
    const int n = 1 + trial % 15;
    const Incidence graph = random_incidence(random, n, n, 0.12);
    std::vector<std::vector<char>> reach(at(n), std::vector<char>(at(n), 0));
    for (int i = 0; i < n; ++i) {
      reach[at(i)][at(i)] = 1;
      for (const int j : graph.row(i)) reach[at(i)][at(j)] = 1;
    }
    for (int k = 0; k < n; ++k) {
      for (int i = 0; i < n; ++i) {
        for (int j = 0; j < n; ++j) {
          if (reach[at(i)][at(k)] && reach[at(k)][at(j)]) reach[at(i)][at(j)] = 1;
        }
      }
    }
    const Blocks blocks = strong_components(graph);
    std::vector<int> block_of(at(n));
    for (int k = 0; k < blocks.count(); ++k) {
      for (const int i : blocks[k]) block_of[at(i)] = k;
    }
    EXPECT_EQ(blocks.item.size(), at(n));
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j < n; ++j) {
        const bool together = reach[at(i)][at(j)] && reach[at(j)][at(i)];
        EXPECT_EQ(block_of[at(i)] == block_of[at(j)], together);
        EXPECT_TRUE(!reach[at(i)][at(j)] || block_of[at(i)] >= block_of[at(j)]);
      }
    }
  }
}

TEST(SingularParts, NameTheSurplusEquationAndTheFreeVariable) {
  // e0(x0), e1(x0), e2(x1, x2)
  const std::vector<std::pair<int, int>> pairs = {{0, 0}, {1, 0}, {2, 1}, {2, 2}};
  const Incidence a = from_pairs(3, 3, pairs);
  const SingularParts parts = singular_parts(a, maximum_matching(a));
  EXPECT_EQ(parts.over_rows, (std::vector<int>{0, 1}));
  EXPECT_EQ(parts.over_columns, (std::vector<int>{0}));
  EXPECT_EQ(parts.under_rows, (std::vector<int>{2}));
  EXPECT_EQ(parts.under_columns, (std::vector<int>{1, 2}));
}

// Variables: x y vx vy | x' y' vx' vy' | lambda. Equations: x' = vx, y' = vy, vx' = -lambda x,
// vy' = -lambda y - g, x^2 + y^2 = 1.
struct Pendulum {
  Incidence a = from_pairs(5, 9,
                           std::vector<std::pair<int, int>>{{0, 4},
                                                            {0, 2},
                                                            {1, 5},
                                                            {1, 3},
                                                            {2, 6},
                                                            {2, 8},
                                                            {2, 0},
                                                            {3, 7},
                                                            {3, 8},
                                                            {3, 1},
                                                            {4, 0},
                                                            {4, 1}});
  std::vector<int> derivative = {4, 5, 6, 7, -1, -1, -1, -1, -1};
};

TEST(Pantelides, DifferentiatesTheConstraintOfAPendulumTwice) {
  const Pendulum p;
  const DerivativeChains chains = pantelides(p.a, p.derivative);
  std::vector<int> times(5, 0);
  for (int i = 0; i < 5; ++i) {
    for (int d = chains.equation_derivative[at(i)]; d >= 0; d = chains.equation_derivative[at(d)])
      ++times[at(i)];
  }
  EXPECT_EQ(times, (std::vector<int>{1, 1, 0, 0, 2}));
}

// u = state({f, f'}), which is f, and of which f' is declared to be the rate.
TEST(Pantelides, AsksWhatAnEquationContainsWhenItIsDifferentiated) {
  // 0: 0 = u (known), 1: u = f; columns u 0, f 1, f' 2.
  const Incidence a = from_pairs(2, 3, std::vector<std::pair<int, int>>{{0, 0}, {1, 0}, {1, 1}});
  const std::vector<int> derivative = {-1, 2, -1};
  const DerivedRow derived = [](int equation, int order) -> std::optional<std::vector<Rate>> {
    if (equation == 0) return {};
    return std::vector<Rate>{{0, order}, {2, order - 1}};
  };
  const DerivativeChains chains = pantelides(a, derivative, derived);
  ASSERT_EQ(chains.equation_derivative.size(), 4U);
  // Both are differentiated; that of the second contains u' (added) and f', not f and f''.
  const int second = chains.equation_derivative[1];
  EXPECT_EQ(chains.added_rows[at(second - 2)],
            (std::vector<int>{2, chains.variable_derivative[0]}));
  EXPECT_EQ(chains.variable_derivative[2], -1);
}

TEST(DummyDerivatives, LeaveTwoStatesOfAPendulumAndFollowThePreference) {
  const Pendulum p;
  const DerivativeChains chains = pantelides(p.a, p.derivative);
  std::vector<double> wish(9, 0.0);
  wish[0] = wish[2] = 1;  // x and vx
  const std::vector<int> dummies = dummy_derivatives(p.a, chains, wish);
  // y'' (added), vy', and y': three dummies for four differentiated equations' worth of derivatives
  // (x'' goes with x' = vx differentiated).
  const int equations = static_cast<int>(chains.equation_derivative.size());
  EXPECT_EQ(static_cast<int>(dummies.size()), equations - 5);
  EXPECT_TRUE(std::count(dummies.begin(), dummies.end(), 5));   // y'
  EXPECT_TRUE(std::count(dummies.begin(), dummies.end(), 7));   // vy'
  EXPECT_FALSE(std::count(dummies.begin(), dummies.end(), 4));  // x' stays
}

// -3 z = a + b + c, 0 = a + b + c, p = 2 a - b - c, q = b - c: z is zero, and p and q can be
// states.
TEST(DummyDerivatives, FollowTheFactorsWhereStructureIsNotEnough) {
  const double factors[4][6] = {
      {1, 1, 1, 3, 0, 0}, {1, 1, 1, 0, 0, 0}, {2, -1, -1, 0, -1, 0}, {0, 1, -1, 0, 0, -1}};
  std::vector<std::pair<int, int>> pairs;
  for (int i = 0; i < 4; ++i) {
    for (int v = 0; v < 6; ++v) {
      if (factors[i][v] != 0) pairs.emplace_back(i, v);
    }
    pairs.emplace_back(i + 4, i + 6);  // each rate but one is given by something else
  }
  // Columns a, b, c, z, p, q, then the rates of z, p, q and a voltage for each further equation.
  for (int k = 0; k < 3; ++k) pairs.emplace_back(4 + k, 9);
  const Incidence a = from_pairs(8, 10, pairs);
  const std::vector<int> derivative = {-1, -1, -1, 6, 7, 8, -1, -1, -1, -1};
  const DerivativeChains chains = pantelides(a, derivative);
  const std::vector<double> wish = {-10, -10, -10, 3, 2, 1, 0, 0, 0, 0};
  const auto is_dummy = [&](const std::vector<int>& dummies, int v) {
    return std::count(dummies.begin(), dummies.end(), chains.variable_derivative[at(v)]) > 0;
  };
  const std::vector<int> by_structure = dummy_derivatives(a, chains, wish);
  EXPECT_FALSE(is_dummy(by_structure, 3));  // most wanted
  const auto factor = [&](int i, int v) { return i < 4 && v < 6 ? factors[i][v] : 1.0; };
  const std::vector<int> by_factors = dummy_derivatives(a, chains, wish, {}, factor);
  EXPECT_EQ(by_factors.size(), by_structure.size());
  EXPECT_TRUE(is_dummy(by_factors, 3));
  EXPECT_FALSE(is_dummy(by_factors, 4));
  EXPECT_FALSE(is_dummy(by_factors, 5));
}

TEST(GrowingBasis, TakesWhatDoesNotDependOnTheOthers) {
  GrowingBasis basis;
  EXPECT_TRUE(basis.take({{0, 1.0}, {1, 2.0}}));
  EXPECT_TRUE(basis.take({{1, 1.0 / 3}, {2, 1e-3}}));
  EXPECT_FALSE(basis.take({{0, 3.0}, {1, 6.0 + 0.1 / 3}, {2, 1e-4}}));
  EXPECT_FALSE(basis.take({}));
  EXPECT_TRUE(basis.take({{0, 3.0}, {1, 6.0}, {2, 1e-4}}));
  EXPECT_EQ(basis.size(), 3);
}

TEST(Tearing, ComputesEveryUnknownOnceAndLeavesAsManyResidualsAsTears) {
  std::mt19937 random(4);
  for (int trial = 0; trial < 200; ++trial) {
    const int n = 2 + trial % 12;
    std::vector<std::pair<int, int>> pairs;
    std::uniform_int_distribution<int> any(0, n - 1);
    for (int i = 0; i < n; ++i) {
      pairs.emplace_back(i, i);
      pairs.emplace_back(i, (i + 1) % n);
    }
    for (int k = 0; k < n / 2; ++k) pairs.emplace_back(any(random), any(random));
    std::sort(pairs.begin(), pairs.end());
    pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
    const Incidence a = from_pairs(n, n, pairs);
    const Tearing tearing = tear(a, [&](int, int k) { return (k + trial) % 3 != 0; });
    EXPECT_EQ(tearing.tear_columns.size(), tearing.residual_rows.size());
    std::vector<int> known(at(n), 0);
    for (const int c : tearing.tear_columns) ++known[at(c)];
    for (const auto& [i, c] : tearing.assignments) {
      for (const int other : a.row(i)) EXPECT_EQ(known[at(other)], other == c ? 0 : 1);
      ++known[at(c)];
    }
    EXPECT_EQ(known, std::vector<int>(at(n), 1));
  }
}

// x_i couples to its neighbours; a chain is one block, and one guess suffices where each row can be
// solved for the next unknown.
TEST(Structure, TakesAMillionEquationsOfAChain) {
  const int n = 1'000'000;
  std::vector<std::pair<int, int>> pairs;
  for (int i = 0; i < n; ++i) {
    if (i > 0) pairs.emplace_back(i, i - 1);
    pairs.emplace_back(i, i);
    if (i + 1 < n) pairs.emplace_back(i, i + 1);
  }
  const Incidence a = from_pairs(n, n, pairs);
  const Matching m = maximum_matching(a);
  EXPECT_TRUE(m.perfect());
  const Blocks blocks = block_lower_triangular(a, m);
  EXPECT_EQ(blocks.item.size(), at(n));
  const Tearing tearing = tear(a, [](int, int) { return true; });
  EXPECT_EQ(tearing.tear_columns.size() + tearing.assignments.size(), at(n));
}

TEST(Structure, TakesAMillionEquationsOfAGridOfDifferentialEquations) {
  const int side = 708, n = side * side;  // n states and n derivatives
  std::vector<std::pair<int, int>> pairs;
  const auto node = [&](int i, int j) { return i * side + j; };
  for (int i = 0; i < side; ++i) {
    for (int j = 0; j < side; ++j) {
      const int row = node(i, j);
      pairs.emplace_back(row, n + row);
      pairs.emplace_back(row, row);
      if (i > 0) pairs.emplace_back(row, node(i - 1, j));
      if (j > 0) pairs.emplace_back(row, node(i, j - 1));
      if (i + 1 < side) pairs.emplace_back(row, node(i + 1, j));
      if (j + 1 < side) pairs.emplace_back(row, node(i, j + 1));
    }
  }
  const Incidence a = from_pairs(n, 2 * n, pairs);
  std::vector<int> derivative(at(2 * n), -1);
  for (int v = 0; v < n; ++v) derivative[at(v)] = n + v;
  const Matching merged = maximum_matching(merged_incidence(a, derivative));
  EXPECT_EQ(merged.size(), n);
  const DerivativeChains chains = pantelides(a, derivative);
  EXPECT_EQ(chains.equation_derivative.size(), at(n));
}

TEST(Structure, FindsRowsThatOnlyNumbersMakeSuperfluous) {
  const auto check = [](const std::vector<IntegerRow>& rows, int columns) {
    const auto sums = hidden_dependencies(rows, columns);
    for (const VanishingSum& s : sums) {
      std::map<int, std::int64_t> total;
      bool has_row = false;
      for (const auto& [row, factor] : s.parts) {
        has_row |= row == s.row && factor != 0;
        for (const IntegerTerm& t : rows[at(row)]) total[t.column] += factor * t.factor;
      }
      EXPECT_TRUE(has_row);
      for (const auto& [column, factor] : total) EXPECT_EQ(factor, 0) << column;
    }
    return sums.size();
  };
  // a - b and b - a; with a alone beside them it is seen that one of three rows is too many.
  EXPECT_EQ(check({{{0, 1}, {1, -1}}, {{0, -1}, {1, 1}}}, 2), 1U);
  EXPECT_EQ(check({{{0, 1}, {1, -1}}, {{0, -1}, {1, 1}}, {{0, 1}}}, 2), 0U);
  // a + b and a - b determine both.
  EXPECT_EQ(check({{{0, 1}, {1, 1}}, {{0, 1}, {1, -1}}}, 2), 0U);
  // The rows of a private column cannot depend on each other.
  EXPECT_EQ(check({{{0, 1}, {1, -1}}, {{0, -1}, {1, 1}, {2, 1}}}, 3), 0U);
  EXPECT_EQ(check({{{0, 2}, {1, 3}, {2, 1}}, {{0, 1}, {1, 1}}, {{0, 1}, {1, 2}, {2, 1}}}, 3), 1U);
  // Numbers beyond 64 bits are given up.
  const std::int64_t large = std::int64_t{1} << 62;
  EXPECT_EQ(check({{{0, large}, {1, 3}}, {{0, 3}, {1, large}}, {{0, 5}, {1, large - 1}}}, 2), 0U);
}

// The differences along the edges of a graph, twice each: as many depend as there are edges less
// nodes, plus one.
TEST(Structure, FindsTheLoopsOfALargeGraph) {
  std::mt19937 random(7);
  const int nodes = 20'000;
  std::vector<IntegerRow> rows;
  for (int i = 1; i < nodes; ++i) {
    const int other = static_cast<int>(random() % static_cast<unsigned>(i));
    rows.push_back({{i, 1}, {other, -1}});
    if (i % 2 == 0) rows.push_back({{other, 1}, {i, -1}});
  }
  // Where the rows are more than the columns, the structure shows that some are too many, but not
  // that the differences leave one potential open.
  EXPECT_EQ(hidden_dependencies(rows, nodes).size(), rows.size() - (at(nodes) - 1));
}

}  // namespace
}  // namespace arges::structure
