// States of QSS that are due at one instant.

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include <gtest/gtest.h>

#include "arges/qss/cell_row.h"
#include "arges/qss/integrator.h"
#include "arges/qss/test_equations.h"

namespace arges {
namespace {

using enum QuantisedMethod;
constexpr QuantisedMethod kExplicit[] = {kQss1, kQss2, kQss3};

std::vector<double> pulse(int cells) {
  std::vector<double> x(cells, 0.0);
  x[cells / 2] = 1;
  return x;
}

// The row x_i' = k (x_(i-1) - 2 x_i + x_(i+1)) from x, at time t, by its sine waves.
std::vector<double> exact(const std::vector<double>& x, double k, double t) {
  const int n = static_cast<int>(x.size());
  std::vector<double> result(n, 0.0);
  for (int p = 1; p <= n; ++p) {
    const double s = std::sin(M_PI * p / (2.0 * (n + 1)));
    double c = 0;
    for (int i = 0; i < n; ++i) c += x[i] * std::sin(M_PI * p * (i + 1) / (n + 1));
    c *= 2.0 / (n + 1) * std::exp(-4 * k * s * s * t);
    for (int i = 0; i < n; ++i) result[i] += c * std::sin(M_PI * p * (i + 1) / (n + 1));
  }
  return result;
}

// The same row with other numbers: cell i is variable order[i].
class RenumberedRow final : public QuantisedEquations {
 public:
  RenumberedRow(std::vector<int> order, double k)
      : row_(static_cast<int>(order.size()), k), order_(std::move(order)), cell_(order_.size()) {
    for (int i = 0; i < size(); ++i) cell_[order_[i]] = i;
  }
  int size() const override { return row_.size(); }
  bool autonomous() const override { return true; }
  std::span<const int> readers(int j) const override {
    return renumbered(row_.readers(cell_[j]), 0);
  }
  std::span<const int> reads(int i) const override { return renumbered(row_.reads(cell_[i]), 1); }
  void series(std::span<const int> rows, int order, double t, const double* q, double scale,
              double* f) const override {
    std::vector<double> of_cells(order_.size() * order);
    for (int i = 0; i < size(); ++i)
      std::copy_n(q + order_[i] * order, order, &of_cells[i * order]);
    std::vector<int> cells;
    for (const int row : rows) cells.push_back(cell_[row]);
    row_.series(cells, order, t, of_cells.data(), scale, f);
  }

 private:
  std::span<const int> renumbered(std::span<const int> cells, int which) const {
    std::vector<int>& numbers = numbers_[which];
    numbers.clear();
    for (const int i : cells) numbers.push_back(order_[i]);
    std::sort(numbers.begin(), numbers.end());
    return numbers;
  }
  CellRow row_;
  std::vector<int> order_, cell_;
  mutable std::vector<int> numbers_[2];
};

// 5 cells stand in a row of times, 99 in a heap.
TEST(SimultaneousMoves, KeepWhatIsSymmetric) {
  for (const int n : {5, 98, 99}) {
    const CellRow cells(n, 100);
    std::vector<double> start = pulse(n);
    if (n % 2 == 0) start[n / 2 - 1] = 1;
    for (const auto method : kExplicit) {
      const auto result = run(method, cells, start, 1e-3, 2);
      for (int i = 0; i < n / 2; ++i)
        EXPECT_EQ(result->value(i, 2), result->value(n - 1 - i, 2)) << n << ' ' << i;
    }
  }
}

TEST(SimultaneousMoves, DoNotDependOnTheNumbersOfTheVariables) {
  constexpr int kCells = 60;
  std::vector<int> order(kCells);
  std::iota(order.begin(), order.end(), 0);
  for (int i = 0; i < kCells; ++i) std::swap(order[i], order[(i * 37 + 11) % kCells]);
  const CellRow cells(kCells, 50);
  const RenumberedRow renumbered(order, 50);
  std::vector<double> start(kCells, 0.0), mixed(kCells);
  for (int i = 10; i < 30; ++i) start[i] = 1;
  for (int i = 0; i < kCells; ++i) mixed[order[i]] = start[i];
  for (const auto method : kExplicit) {
    const auto one = run(method, cells, start, 1e-3, 5);
    const auto other = run(method, renumbered, mixed, 1e-3, 5);
    EXPECT_EQ(one->moves(), other->moves());
    for (int i = 0; i < kCells; ++i) {
      EXPECT_EQ(one->moves_of(i), other->moves_of(order[i]));
      EXPECT_EQ(one->value(i, 5), other->value(order[i], 5));
    }
  }
}

// Whoever comes first of two that are due at once leaves the other one where it is, up to a quantum
// away from where both would go.
TEST(SimultaneousMoves, LeaveADiffusingPulseWithinAQuantum) {
  const std::vector<double> start = pulse(99);
  const CellRow cells(99, 100);
  const std::vector<double> right = exact(start, 100, 8);
  for (const double quantum : {1e-2, 3e-3, 1e-3, 3e-4, 1e-4, 5e-6}) {
    const auto result = run(kQss1, cells, start, quantum, 8);
    double worst = 0;
    for (int i = 0; i < 99; ++i) worst = std::max(worst, std::abs(result->value(i, 8) - right[i]));
    EXPECT_LE(worst, quantum) << quantum;
  }
}

// What rounding can do to a time is long against the steps of fast states when much time has
// passed: who has a part of its quantum to go is not due.
TEST(SimultaneousMoves, AreThoseOfStatesThatHaveArrived) {
  constexpr double kLate = 1e5, kQuantum = 1e-3;
  const Linear rotation({-2e5, 1e6, -1e6, -2e5}, {0, 0});
  double early[2], late[2];
  for (double* end : {early, late}) {
    const double from = end == late ? kLate : 0;
    auto integrator = make_quantised_integrator(kQss1, rotation, {0, kQuantum, {}, false});
    const double x[2] = {1, 0};
    integrator->start(from, x);
    integrator->run(from + 5e-6, 1'000'000);
    integrator->values(from + 5e-6, end);
  }
  for (int i = 0; i < 2; ++i) EXPECT_NEAR(late[i], early[i], 5 * kQuantum);
}

}  // namespace
}  // namespace arges
