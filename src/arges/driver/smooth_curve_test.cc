#include "arges/driver/smooth_curve.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

namespace arges {
namespace {

struct Circle {
  std::vector<double> times;
  SampledVariable x, y;

  explicit Circle(int rows_a_turn) {
    for (int i = 0; i <= rows_a_turn; ++i) {
      const double t = 2 * std::numbers::pi * i / rows_a_turn;
      times.push_back(t);
      x.values.push_back(std::cos(t));
      x.rates.push_back(-std::sin(t));
      y.values.push_back(std::sin(t));
      y.rates.push_back(std::cos(t));
    }
  }
};

double largest_gap_from_circle(const DrawnCurve& curve) {
  double gap = 0;
  for (std::size_t i = 0; i + 1 < curve.x.size(); ++i) {
    const double x = (curve.x[i] + curve.x[i + 1]) / 2, y = (curve.y[i] + curve.y[i + 1]) / 2;
    gap = std::max(gap, std::abs(std::hypot(x, y) - 1));
  }
  return gap;
}

TEST(SmoothCurve, DrawsACircleOfTwelveRowsAsACircle) {
  const Circle circle(12);
  EXPECT_GT(largest_gap_from_circle({circle.x.values, circle.y.values}), 0.03);
  // The interpolation errs by up to h^4 / 384 = 2e-4 in x and y, the straight pieces by 4e-4.
  EXPECT_LT(largest_gap_from_circle(smooth_curve(circle.times, circle.x, circle.y)), 8e-4);
}

TEST(SmoothCurve, KeepsEveryRow) {
  const Circle circle(12);
  const DrawnCurve curve = smooth_curve(circle.times, circle.x, circle.y);
  for (const double value : circle.x.values)
    EXPECT_NE(std::find(curve.x.begin(), curve.x.end(), value), curve.x.end());
}

TEST(SmoothCurve, AddsNothingToStraightLinesAndToFineRows) {
  EXPECT_EQ(smooth_curve({0, 1, 2}, {{0, 1, 2}, {1, 1, 1}}, {{0, 2, 4}, {2, 2, 2}}).x.size(), 3);
  const Circle fine(600);
  EXPECT_EQ(smooth_curve(fine.times, fine.x, fine.y).x.size(), fine.times.size());
}

TEST(SmoothCurve, IsStraightWithoutRates) {
  const Circle circle(12);
  EXPECT_EQ(smooth_curve(circle.times, circle.x, {circle.y.values, {}}).y, circle.y.values);
}

// exp(-t) over the logarithm of t, with three rows a decade, beginning at t = 0.
TEST(SmoothCurve, IsSmoothOverALogarithmicTime) {
  SampledVariable time{{0}, {1}, true}, decay{{1}, {-1}};
  for (int i = -9; i <= 3; ++i) {
    const double t = std::pow(10, i / 3.0);
    time.values.push_back(t);
    time.rates.push_back(1);
    decay.values.push_back(std::exp(-t));
    decay.rates.push_back(-std::exp(-t));
  }
  const DrawnCurve curve = smooth_curve(time.values, time, decay);
  EXPECT_GT(curve.x.size(), 2 * time.values.size());
  for (std::size_t i = 0; i < curve.x.size(); ++i)
    EXPECT_NEAR(curve.y[i], std::exp(-curve.x[i]), 2e-3);
}

// On its own logarithmic axis it is straight; so is a power of t over that of t. What falls to zero
// stays positive on the way.
TEST(SmoothCurve, DrawsTheLogarithmOfWhatIsOnALogarithmicAxis) {
  const std::vector<double> times{1, 2, 4};
  const SampledVariable time{times, {1, 1, 1}};
  SampledVariable decay{{}, {}, true}, square{{}, {}, true};
  for (const double t : times) {
    decay.values.push_back(std::exp(-t));
    decay.rates.push_back(-std::exp(-t));
    square.values.push_back(t * t);
    square.rates.push_back(2 * t);
  }
  EXPECT_EQ(smooth_curve(times, time, decay).y, decay.values);
  EXPECT_EQ(smooth_curve(times, {times, {1, 1, 1}, true}, square).y, square.values);
  const SampledVariable fall{{1, 1e-3, 0}, {-1, -2e-3, -1e-3}, true};
  const DrawnCurve curve = smooth_curve(times, time, fall);
  EXPECT_TRUE(std::all_of(curve.y.begin(), curve.y.end() - 1, [](double y) { return y > 0; }));
}

// A stiff start falls within a thousandth of the first step.
TEST(SmoothCurve, DoesNotOvershootWhatTheRowsDoNotResolve) {
  const SampledVariable time{{0, 1, 2}, {1, 1, 1}}, fall{{1, 0.1, 0.05}, {-1e3, -0.06, -0.04}};
  const DrawnCurve curve = smooth_curve(time.values, time, fall);
  EXPECT_GE(*std::min_element(curve.y.begin(), curve.y.end()), 0.05);
}

// At an impact the rate jumps: each flight is its own parabola, exactly.
TEST(SmoothCurve, BreaksAtBothSidesOfAnEvent) {
  const std::vector<double> times{0, 1, 1, 2};
  const SampledVariable time{times, {1, 1, 1, 1}};
  const SampledVariable height{{0, 0, 0, 0}, {1, -1, 0.5, -0.5}};
  const DrawnCurve curve = smooth_curve(times, time, height);
  // The chords are all flat, so nothing says that the rows resolve the hop.
  EXPECT_EQ(curve.x, times);
  const std::vector<double> more{0, 0.5, 1, 1, 1.5, 2};
  const SampledVariable hop{{0, 0.25, 0, 0, 0.125, 0}, {1, 0, -1, 0.5, 0, -0.5}};
  const DrawnCurve hops = smooth_curve(more, {more, {1, 1, 1, 1, 1, 1}}, hop);
  for (std::size_t i = 0; i < hops.x.size(); ++i) {
    const double t = hops.x[i];
    EXPECT_NEAR(hops.y[i], t <= 1 ? t - t * t : ((t - 1) - (t - 1) * (t - 1)) / 2, 1e-15);
  }
  EXPECT_GT(hops.x.size(), more.size());
}

TEST(SmoothCurve, LeavesWhatIsNotFiniteAlone) {
  const SampledVariable time{{0, 1, 2, 3}, {1, 1, 1, 1}};
  const SampledVariable y{{0, NAN, 1, 0}, {1, 1, NAN, -1}};
  EXPECT_EQ(smooth_curve(time.values, time, y).x, time.values);
}

}  // namespace
}  // namespace arges
