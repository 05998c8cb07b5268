// The coefficients of the Runge-Kutta methods fulfil the order conditions of all rooted trees.
//
// A method has order p when sum_i b_i phi_i(tree) = 1 / gamma(tree) for every tree of up to p
// nodes, with phi(leaf) = 1, phi([t1 .. tm])_i = prod_k sum_j a_ij phi_j(tk), and gamma(tree) =
// nodes times the gammas of the subtrees. Dense output of order p: sum_i b_i(theta) phi_i =
// theta^nodes / gamma.
#include <array>
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "arges/solvers/tableau_dop853.h"
#include "arges/solvers/tableau_dopri5.h"
#include "arges/solvers/tableau_tsit5.h"
#include "arges/solvers/tableaus_fixed.h"
#include "testing/rooted_trees.h"

namespace arges::rk {
namespace {

using testing::rooted_trees;
using testing::Tree;

template <class T>
std::vector<std::vector<double>> elementary_weights(const std::vector<Tree>& trees) {
  const std::size_t n = T::kC.size();
  std::vector<std::vector<double>> phi;
  for (const Tree& tree : trees) {
    std::vector<double> value(n, 1.0);
    for (std::size_t i = 0; i < n; ++i) {
      for (int child : tree.children) {
        double sum = 0;
        for (std::size_t j = 0; j < i; ++j) sum += T::kA[i][j] * phi[child][j];
        value[i] *= sum;
      }
    }
    phi.push_back(value);
  }
  return phi;
}

// Largest violation of the conditions up to `order` by the weights b for the point theta.
template <class T, class Weights>
double violation(const Weights& b, int order, double theta = 1) {
  const std::vector<Tree> trees = rooted_trees(order);
  const auto phi = elementary_weights<T>(trees);
  double worst = 0;
  for (std::size_t tree = 0; tree < trees.size(); ++tree) {
    double sum = 0;
    for (std::size_t i = 0; i < b.size(); ++i) sum += b[i] * phi[tree][i];
    const double wanted = std::pow(theta, trees[tree].nodes) / trees[tree].gamma;
    worst = std::fmax(worst, std::fabs(sum - wanted));
  }
  return worst;
}

template <class T>
double row_sum_violation() {
  double worst = 0;
  for (std::size_t i = 0; i < T::kC.size(); ++i) {
    double sum = 0;
    for (double a : T::kA[i]) sum += a;
    worst = std::fmax(worst, std::fabs(sum - T::kC[i]));
  }
  return worst;
}

// The weights b_i(theta) of the dense output, from its nested form (ExplicitRungeKutta).
template <class T>
std::vector<double> dense_weights(double theta) {
  const auto& b = T::kA[T::kStages - 1];
  std::vector<double> weights;
  for (std::size_t i = 0; i < b.size(); ++i) {
    std::vector<double> c = {b[i]};
    c.push_back((i == 0 ? 1 : 0) - c[0]);
    c.push_back(c[0] - (i == T::kStages - 1 ? 1 : 0) - c[1]);
    for (const auto& row : T::kDense) c.push_back(row[i]);
    double sum = 0;
    for (int j = static_cast<int>(c.size()) - 1; j >= 0; --j) {
      sum = (sum + c[j]) * (j % 2 == 0 ? theta : 1 - theta);
    }
    weights.push_back(sum);
  }
  return weights;
}

template <class T>
double dense_violation(int order) {
  double worst = 0;
  for (double theta : {0.1, 0.25, 0.5, 0.7, 0.95}) {
    worst = std::fmax(worst, violation<T>(dense_weights<T>(theta), order, theta));
  }
  return worst;
}

template <class T>
auto embedded_weights(const Weights<T::kStages>& error) {
  auto b = T::kA[T::kStages - 1];
  for (int i = 0; i < T::kStages; ++i) b[i] -= error[i];
  return b;
}

// The stages of tsit5 cancel terms of size 13, so that rounding of the coefficients alone is felt
// here.
constexpr double kRounding = 3e-14;
// Far above rounding: an order condition that does not hold.
constexpr double kViolated = 1e-6;

TEST(RootedTrees, AreAsManyAsInTheBook) {
  EXPECT_EQ(rooted_trees(4).size(), 8u);
  EXPECT_EQ(rooted_trees(5).size(), 17u);
  EXPECT_EQ(rooted_trees(8).size(), 200u);
}

TEST(OrderConditions, HoldForTheFixedStepMethods) {
  EXPECT_LT(row_sum_violation<Euler>(), kRounding);
  EXPECT_LT(row_sum_violation<Heun>(), kRounding);
  EXPECT_LT(row_sum_violation<Ralston3>(), kRounding);
  EXPECT_LT(row_sum_violation<ClassicalRungeKutta>(), kRounding);
  EXPECT_LT(violation<Euler>(Euler::kA[1], 1), kRounding);
  EXPECT_LT(violation<Heun>(Heun::kA[2], 2), kRounding);
  EXPECT_LT(violation<Ralston3>(Ralston3::kA[3], 3), kRounding);
  EXPECT_LT(violation<ClassicalRungeKutta>(ClassicalRungeKutta::kA[4], 4), kRounding);
  EXPECT_GT(violation<ClassicalRungeKutta>(ClassicalRungeKutta::kA[4], 5), kViolated);
}

TEST(OrderConditions, Dopri5HasOrder5WithError4AndDenseOutput4) {
  EXPECT_LT(row_sum_violation<Dopri5>(), kRounding);
  EXPECT_LT(violation<Dopri5>(Dopri5::kA[6], 5), kRounding);
  EXPECT_GT(violation<Dopri5>(Dopri5::kA[6], 6), kViolated);
  EXPECT_LT(violation<Dopri5>(embedded_weights<Dopri5>(Dopri5::kError), 4), kRounding);
  EXPECT_GT(violation<Dopri5>(embedded_weights<Dopri5>(Dopri5::kError), 5), kViolated);
  EXPECT_LT(dense_violation<Dopri5>(4), kRounding);
}

TEST(OrderConditions, Tsit5HasOrder5WithError4AndDenseOutput4) {
  EXPECT_LT(row_sum_violation<Tsit5>(), kRounding);
  EXPECT_LT(violation<Tsit5>(Tsit5::kA[6], 5), kRounding);
  EXPECT_GT(violation<Tsit5>(Tsit5::kA[6], 6), kViolated);
  EXPECT_LT(violation<Tsit5>(embedded_weights<Tsit5>(Tsit5::kError), 4), kRounding);
  EXPECT_GT(violation<Tsit5>(embedded_weights<Tsit5>(Tsit5::kError), 5), kViolated);
  EXPECT_LT(dense_violation<Tsit5>(4), kRounding);
}

TEST(OrderConditions, Dop853HasOrder8WithErrors5And3AndDenseOutput7) {
  EXPECT_LT(row_sum_violation<Dop853>(), kRounding);
  EXPECT_LT(violation<Dop853>(Dop853::kA[12], 8), kRounding);
  EXPECT_LT(violation<Dop853>(embedded_weights<Dop853>(Dop853::kError), 5), kRounding);
  EXPECT_GT(violation<Dop853>(embedded_weights<Dop853>(Dop853::kError), 6), kViolated);
  EXPECT_LT(violation<Dop853>(embedded_weights<Dop853>(Dop853::kError3), 3), kRounding);
  EXPECT_GT(violation<Dop853>(embedded_weights<Dop853>(Dop853::kError3), 4), kViolated);
  EXPECT_LT(dense_violation<Dop853>(7), 5 * kRounding);
}

}  // namespace
}  // namespace arges::rk
