#include "arges/linear/lu_solver.h"

#include <cmath>
#include <random>

#include <gtest/gtest.h>

#include "arges/linear/lu_kinds.h"

namespace arges {
namespace {

// A random matrix of a pattern and the right-hand side of a known solution.
struct LinearProblem {
  std::vector<double> values, solution, rhs;
};

LinearProblem random_problem(const SparsityPattern& pattern, std::mt19937& random) {
  std::uniform_real_distribution<double> uniform(-1, 1);
  LinearProblem problem;
  for (int p = 0; p < pattern.nonzeros(); ++p) problem.values.push_back(uniform(random));
  for (int i = 0; i < pattern.n; ++i) problem.solution.push_back(uniform(random));
  problem.rhs.assign(pattern.n, 0);
  for (int j = 0; j < pattern.n; ++j) {
    for (int p = pattern.column_start[j]; p < pattern.column_start[j + 1]; ++p)
      problem.rhs[pattern.row[p]] += problem.values[p] * problem.solution[j];
  }
  return problem;
}

double worst_error(LuSolver& solver, const LinearProblem& problem) {
  EXPECT_EQ(solver.factor(problem.values.data()), -1);
  std::vector<double> x = problem.rhs;
  solver.solve(x.data());
  double worst = 0;
  for (std::size_t i = 0; i < x.size(); ++i)
    worst = std::max(worst, std::abs(x[i] - problem.solution[i]));
  return worst;
}

SparsityPattern banded_pattern(int n, int lower, int upper) {
  std::vector<std::pair<int, int>> entries;
  for (int j = 0; j < n; ++j) {
    for (int i = std::max(0, j - upper); i <= std::min(n - 1, j + lower); ++i)
      entries.emplace_back(i, j);
  }
  return SparsityPattern::from_entries(n, entries);
}

TEST(LuSolver, DenseFactorsOfEverySizeSolveRandomSystems) {
  std::mt19937 random(1);
  for (int n = 1; n <= 30; ++n) {
    const SparsityPattern pattern = SparsityPattern::dense(n);
    const auto solver = make_lu_solver(n, nullptr);
    for (int trial = 0; trial < 20; ++trial)
      EXPECT_LT(worst_error(*solver, random_problem(pattern, random)), 1e-10) << "n = " << n;
  }
}

TEST(LuSolver, AllKindsAgreeOnABandedMatrix) {
  std::mt19937 random(2);
  for (auto [lower, upper] : {std::pair{1, 1}, {2, 0}, {0, 3}, {3, 1}, {0, 0}}) {
    const SparsityPattern pattern = banded_pattern(40, lower, upper);
    for (LuKind kind : {LuKind::kDense, LuKind::kBanded, LuKind::kSparse}) {
      const auto solver = make_lu_solver(40, &pattern, kind);
      for (int trial = 0; trial < 10; ++trial) {
        // Dominant diagonals keep the condition number near 1 whatever the band.
        LinearProblem problem = random_problem(pattern, random);
        for (int j = 0; j < 40; ++j) {
          problem.values[pattern.find(j, j)] += 5;
          problem.rhs[j] += 5 * problem.solution[j];
        }
        EXPECT_LT(worst_error(*solver, problem), 1e-13) << solver->kind();
      }
    }
  }
}

TEST(LuSolver, SmallPatternsAreScatteredIntoTheDenseMatrix) {
  const SparsityPattern pattern = SparsityPattern::from_entries(3, {{0, 2}, {2, 0}});
  const auto solver = make_lu_solver(3, &pattern);
  // [0 . 2; . 4 .; 3 . 0]: needs an exchange of rows.
  std::vector<double> values(pattern.nonzeros());
  values[pattern.find(0, 2)] = 2;
  values[pattern.find(1, 1)] = 4;
  values[pattern.find(2, 0)] = 3;
  ASSERT_EQ(solver->factor(values.data()), -1);
  double b[3] = {2, 8, 9};
  solver->solve(b);
  EXPECT_DOUBLE_EQ(b[0], 3);
  EXPECT_DOUBLE_EQ(b[1], 2);
  EXPECT_DOUBLE_EQ(b[2], 1);
}

TEST(LuSolver, SparseFactorsFollowChangesOfMagnitudeThatNeedNewPivots) {
  const SparsityPattern pattern = banded_pattern(30, 1, 1);
  const auto solver = make_lu_solver(30, &pattern, LuKind::kSparse);
  std::mt19937 random(3);
  for (double diagonal : {10.0, 1e-14, 10.0, 1e-12}) {
    LinearProblem problem = random_problem(pattern, random);
    for (int j = 0; j < 30; ++j) {
      double& entry = problem.values[pattern.find(j, j)];
      problem.rhs[j] += (diagonal - entry) * problem.solution[j];
      entry = diagonal;
    }
    // The bound is that of a fresh factorisation with partial pivoting.
    const auto fresh = make_lu_solver(30, &pattern, LuKind::kDense);
    EXPECT_LT(worst_error(*solver, problem), 1e-13 + 1e4 * worst_error(*fresh, problem));
  }
}

TEST(LuSolver, SingularMatricesAreReportedWithAColumn) {
  for (int n : {3, 8, 12}) {
    const SparsityPattern pattern = SparsityPattern::dense(n);
    for (LuKind kind : {LuKind::kDense, LuKind::kBanded, LuKind::kSparse}) {
      const auto solver = make_lu_solver(n, &pattern, kind);
      std::vector<double> values(pattern.nonzeros(), 0.0);
      for (int j = 0; j < n; ++j) values[pattern.find(j, j)] = j == n - 1 ? 0 : 1;
      EXPECT_EQ(solver->factor(values.data()), n - 1) << solver->kind() << " n = " << n;
      // And the solver is still good for the next matrix.
      values[pattern.find(n - 1, n - 1)] = 2;
      EXPECT_EQ(solver->factor(values.data()), -1);
      std::vector<double> b(n, 4.0);
      solver->solve(b.data());
      EXPECT_DOUBLE_EQ(b[0], 4);
      EXPECT_DOUBLE_EQ(b[n - 1], 2);
      values[0] = std::nan("");
      EXPECT_GE(solver->factor(values.data()), 0) << solver->kind() << " with NaN";
    }
  }
}

TEST(LuSolver, AutomaticChoiceFollowsTheStructure) {
  const auto kind_of = [](const SparsityPattern& pattern) {
    return std::string(make_lu_solver(pattern.n, &pattern)->kind());
  };
  EXPECT_EQ(kind_of(SparsityPattern::dense(100)), "dense");
  EXPECT_EQ(kind_of(banded_pattern(6, 1, 1)), "dense");
  EXPECT_EQ(kind_of(banded_pattern(200, 1, 1)), "banded");
  // The five-point star on a 30 x 30 grid: a wide band, few entries.
  std::vector<std::pair<int, int>> star;
  for (int i = 0; i < 900; ++i) {
    if (i >= 30) star.insert(star.end(), {{i, i - 30}, {i - 30, i}});
    if (i % 30 != 0) star.insert(star.end(), {{i, i - 1}, {i - 1, i}});
  }
  EXPECT_EQ(kind_of(SparsityPattern::from_entries(900, star)), "sparse");
  EXPECT_EQ(make_lu_solver(50, nullptr, LuKind::kSparse)->kind(), "dense");
}

}  // namespace
}  // namespace arges
