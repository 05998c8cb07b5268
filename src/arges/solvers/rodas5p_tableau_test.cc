// The coefficients of Rodas5P fulfil the order conditions of Rosenbrock methods.
//
// In the original coefficients (alpha, Gamma, b; beta = alpha + Gamma), order p means
// sum_i b_i phi_i(tree) = 1 / gamma(tree) for every tree of up to p nodes, where a node with one
// child brings beta and a node with several brings alpha (Hairer and Wanner II, IV.7). The tableau
// holds the transformed ones: Gamma^-1 = I / gamma - C, a = alpha Gamma^-1, m = b Gamma^-1.
#include "arges/solvers/rodas5p_tableau.h"

#include <array>
#include <cmath>

#include <gtest/gtest.h>

#include "testing/rooted_trees.h"

namespace arges::rodas5p {
namespace {

using Weights = std::array<double, kStages>;
using Matrix = std::array<Weights, kStages>;

double transformed_a(int i, int j) {
  if (j >= i) return 0;
  return i < 6 ? kA[i][j] : j < 5 ? kA[5][j] : 1;
}

// The inverse of the lower triangular I / gamma - C, by forward substitution.
Matrix gamma_matrix() {
  Matrix inverse{};
  for (int j = 0; j < kStages; ++j) {
    for (int i = j; i < kStages; ++i) {
      double sum = i == j ? 1 : 0;
      for (int l = j; l < i; ++l) sum += kC[i][l] * inverse[l][j];
      inverse[i][j] = sum * kGamma;
    }
  }
  return inverse;
}

Weights times_gamma(const Weights& m) {
  const Matrix gamma = gamma_matrix();
  Weights b{};
  for (int i = 0; i < kStages; ++i) {
    for (int j = 0; j <= i; ++j) b[j] += m[i] * gamma[i][j];
  }
  return b;
}

Matrix alpha_matrix() {
  Matrix alpha{};
  for (int i = 0; i < kStages; ++i) {
    Weights row{};
    for (int j = 0; j < i; ++j) row[j] = transformed_a(i, j);
    alpha[i] = times_gamma(row);
  }
  return alpha;
}

// x(t + s h) = x + sum_i m_i(s) k_i; s = 1 is the end of the step.
Weights transformed_weights(double s) {
  Weights m{};
  for (int i = 0; i < kStages; ++i) {
    m[i] = s * (i < 5 ? kA[5][i] : 1);
    m[i] += s * (1 - s) * (kDense[0][i] + s * (kDense[1][i] + s * kDense[2][i]));
  }
  return m;
}

double violation(const Weights& m, int order, double s = 1) {
  const Weights b = times_gamma(m);
  const Matrix gamma = gamma_matrix(), alpha = alpha_matrix();
  const auto trees = testing::rooted_trees(order);
  std::vector<Weights> phi;
  double worst = 0;
  for (const testing::Tree& tree : trees) {
    Weights value;
    value.fill(1);
    double weighted = 0;
    for (int i = 0; i < kStages; ++i) {
      for (int child : tree.children) {
        double sum = 0;
        for (int j = 0; j <= i; ++j) {
          const double factor = alpha[i][j] + (tree.children.size() == 1 ? gamma[i][j] : 0);
          sum += factor * phi[child][j];
        }
        value[i] *= sum;
      }
      weighted += b[i] * value[i];
    }
    phi.push_back(value);
    worst = std::fmax(worst, std::fabs(weighted - std::pow(s, tree.nodes) / tree.gamma));
  }
  return worst;
}

// The published figures have 16 digits; the transformation multiplies their errors by about 100.
constexpr double kRounding = 2e-13;
constexpr double kViolated = 1e-6;

TEST(Rodas5PTableau, HasOrder5WithError4) {
  const Weights m = transformed_weights(1);
  EXPECT_LT(violation(m, 5), kRounding);
  EXPECT_GT(violation(m, 6), kViolated);
  Weights embedded = m;
  embedded[7] -= 1;
  EXPECT_LT(violation(embedded, 4), kRounding);
  EXPECT_GT(violation(embedded, 5), kViolated);
}

TEST(Rodas5PTableau, DenseOutputHasOrder4) {
  for (double s : {0.1, 0.25, 0.5, 0.7, 0.95}) {
    EXPECT_LT(violation(transformed_weights(s), 4, s), kRounding) << s;
    EXPECT_GT(violation(transformed_weights(s), 5, s), kViolated) << s;
  }
}

TEST(Rodas5PTableau, NodesAndTimeFactorsAreRowSums) {
  const Matrix alpha = alpha_matrix(), gamma = gamma_matrix();
  for (int i = 0; i < kStages; ++i) {
    double c = 0, d = 0;
    for (int j = 0; j < kStages; ++j) {
      c += alpha[i][j];
      d += gamma[i][j];
    }
    EXPECT_NEAR(c, kNode[i], kRounding) << i;
    EXPECT_NEAR(d, kTime[i], kRounding) << i;
  }
}

TEST(Rodas5PTableau, IsStifflyAccurate) {
  // b is the last row of beta: the end of a step is consistent with algebraic equations.
  const Matrix alpha = alpha_matrix(), gamma = gamma_matrix();
  const Weights b = times_gamma(transformed_weights(1));
  for (int j = 0; j < kStages; ++j) EXPECT_NEAR(b[j], alpha[7][j] + gamma[7][j], kRounding) << j;
}

}  // namespace
}  // namespace arges::rodas5p
