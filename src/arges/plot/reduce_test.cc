#include "arges/plot/reduce.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

namespace arges::plot {
namespace {

constexpr Rect kArea{0, 0, 400, 200};

Path traced(const std::vector<Point>& points, Rect area = kArea) {
  Path path;
  LineClipper line(area, path);
  for (const Point p : points) std::isnan(p.y) ? line.gap() : line.add(p);
  line.gap();
  return path;
}

double distance(Point p, Point a, Point b) {
  const double dx = b.x - a.x, dy = b.y - a.y, length = dx * dx + dy * dy;
  const double t =
      length == 0 ? 0 : std::clamp(((p.x - a.x) * dx + (p.y - a.y) * dy) / length, 0.0, 1.0);
  return std::hypot(p.x - a.x - t * dx, p.y - a.y - t * dy);
}

TEST(Reduction, KeepsSmoothCurvesWithinATinyDistance) {
  std::vector<Point> points;
  for (int i = 0; i <= 200000; ++i) points.push_back({i / 500.0, 100 + 90 * std::sin(i / 9000.0)});
  const Path path = traced(points);
  EXPECT_LT(path.points.size(), 700u);
  for (std::size_t i = 0; i < points.size(); i += 37) {
    double least = HUGE_VAL;
    for (std::size_t k = 1; k < path.points.size(); ++k)
      least = std::min(least, distance(points[i], path.points[k - 1], path.points[k]));
    EXPECT_LT(least, kColumn / 2 + kTolerance);
  }
}

TEST(Reduction, KeepsASpikeOfOnePointAmongAMillion) {
  std::vector<Point> points;
  for (int i = 0; i < 1'000'000; ++i) points.push_back({i * 4e-4, 100});
  points[543'210].y = 13;
  points[777'777].y = 187;
  const Path path = traced(points);
  EXPECT_LT(path.points.size(), 20u);
  EXPECT_TRUE(std::count(path.points.begin(), path.points.end(), points[543'210]));
  EXPECT_TRUE(std::count(path.points.begin(), path.points.end(), points[777'777]));
}

TEST(Reduction, KeepsTheEnvelopeOfNoiseInEachColumn) {
  std::mt19937 random(3);
  std::normal_distribution<double> noise(100, 15);
  std::vector<Point> points;
  for (int i = 0; i < 400'000; ++i) points.push_back({i * 1e-3, noise(random)});
  const Path path = traced(points);
  EXPECT_LT(path.points.size(), 4 * 400 / kColumn + 10);
  const auto envelope = [](const std::vector<Point>& all, std::size_t columns) {
    std::vector<Rect> out(columns, Rect{0, HUGE_VAL, 0, -HUGE_VAL});
    for (const Point p : all) {
      Rect& r = out[std::min(static_cast<std::size_t>(p.x / kColumn), columns - 1)];
      r.y = std::min(r.y, p.y);
      r.height = std::max(r.height, p.y);
    }
    return out;
  };
  const auto columns = static_cast<std::size_t>(400 / kColumn);
  const auto before = envelope(points, columns), after = envelope(path.points, columns);
  for (std::size_t i = 0; i < columns; ++i) {
    EXPECT_NEAR(before[i].y, after[i].y, kTolerance);
    EXPECT_NEAR(before[i].height, after[i].height, kTolerance);
  }
}

TEST(Reduction, KeepsEveryLoopOfASpiral) {
  std::vector<Point> points;
  for (int i = 0; i <= 20000; ++i) {
    const double a = i * 0.01, r = 1 + a / 4;
    points.push_back({200 + r * std::cos(a), 100 + r * std::sin(a)});
  }
  const Path path = traced(points);
  double before = 0, after = 0;
  for (std::size_t i = 1; i < points.size(); ++i)
    before += std::hypot(points[i].x - points[i - 1].x, points[i].y - points[i - 1].y);
  for (std::size_t i = 1; i < path.points.size(); ++i)
    after += std::hypot(path.points[i].x - path.points[i - 1].x,
                        path.points[i].y - path.points[i - 1].y);
  EXPECT_NEAR(after / before, 1, 0.005);
}

TEST(Clipping, CutsAtTheBorderAndBeginsAnewInside) {
  const Path path = traced({{10, 100}, {20, 300}, {30, 100}, {40, 50}});
  ASSERT_EQ(path.starts.size(), 2u);
  EXPECT_EQ(path.points[1], (Point{15, 200}));
  EXPECT_EQ(path.points[path.starts[1]], (Point{25, 200}));
  for (const Point p : path.points) EXPECT_TRUE(kArea.contains(p));
}

TEST(Clipping, KeepsWhatCrossesTheWholeArea) {
  const Path path = traced({{-1e6, -5e5}, {1e6, 5e5}});  // y = x / 2
  ASSERT_EQ(path.points.size(), 2u);
  EXPECT_NEAR(path.points[0].x, 0, 1e-6);
  EXPECT_NEAR(path.points[1].x, 400, 1e-6);
  EXPECT_NEAR(path.points[1].y, 200, 1e-6);
}

TEST(Clipping, DropsWhatIsOutsideAndKeepsLonePoints) {
  EXPECT_TRUE(traced({{-10, -10}, {-5, 500}, {500, 500}}).empty());
  const Path path = traced({{10, 10}, {0, NAN}, {30, 30}, {0, NAN}, {50, 50}, {60, 60}});
  EXPECT_EQ(path.starts, (std::vector<std::size_t>{0, 1, 2}));
  EXPECT_EQ(path.points.size(), 4u);
}

TEST(Clipping, OfPolygonsGivesTheCommonArea) {
  const auto area_of = [](const std::vector<Point>& p) {
    double twice = 0;
    for (std::size_t i = 0; i < p.size(); ++i) {
      const Point a = p[i], b = p[(i + 1) % p.size()];
      twice += a.x * b.y - b.x * a.y;
    }
    return std::abs(twice) / 2;
  };
  // A diamond of area 2 r^2 around a corner: a quarter remains.
  const std::vector<Point> diamond = {{-100, 0}, {0, -100}, {100, 0}, {0, 100}};
  EXPECT_NEAR(area_of(clip_polygon(kArea, diamond)), 5000, 1e-9);
  EXPECT_TRUE(clip_polygon(kArea, {{-5, -5}, {-6, -5}, {-5, -6}}).empty());
}

}  // namespace
}  // namespace arges::plot
