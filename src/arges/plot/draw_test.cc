#include "arges/plot/draw.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "arges/plot/layout.h"
#include "arges/plot/sample_figures_for_test.h"

namespace arges::plot {
namespace {

// Remembers what is drawn.
class Recorder final : public Canvas {
 public:
  struct Text {
    std::string text;
    Rect box;
    double angle;
  };

  void stroke(const Path& path, const Stroke& s) override { remember(path, s.color); }
  void fill(const Path& path, Color color) override { remember(path, color); }
  void text(Point p, const RichText& runs, const TextStyle& style) override {
    std::string plain;
    for (const TextRun& run : runs) plain += run.text;
    const double width = text_width(runs, style.size, style.bold);
    const double back = style.anchor == Anchor::kEnd      ? width
                        : style.anchor == Anchor::kMiddle ? width / 2
                                                          : 0;
    // The corners of the text, turned about its baseline point.
    const double a = -style.angle * std::acos(-1.0) / 180;
    Rect box{HUGE_VAL, HUGE_VAL, 0, 0};
    double right = -HUGE_VAL, bottom = -HUGE_VAL;
    for (const double u : {-back, width - back})
      for (const double v : {-0.75 * style.size, 0.22 * style.size}) {
        const double x = p.x + u * std::cos(a) - v * std::sin(a);
        const double y = p.y + u * std::sin(a) + v * std::cos(a);
        box.x = std::min(box.x, x);
        box.y = std::min(box.y, y);
        right = std::max(right, x);
        bottom = std::max(bottom, y);
      }
    box.width = right - box.x;
    box.height = bottom - box.y;
    if (!plain.empty()) texts.push_back({plain, box, style.angle});
  }
  void clip(Rect area) override { clips.push_back(area); }
  void unclip() override {}
  std::string finish() override { return {}; }

  bool has_text(const std::string& wanted) const {
    return std::any_of(texts.begin(), texts.end(), [&](const Text& t) { return t.text == wanted; });
  }
  Rect box_of(const std::string& wanted) const {
    for (const Text& t : texts)
      if (t.text == wanted) return t.box;
    ADD_FAILURE() << "no text '" << wanted << "'";
    return {};
  }
  std::size_t points_in(Color color) const {
    std::size_t n = 0;
    for (const auto& [c, points] : paths)
      if (c == color) n += points.size();
    return n;
  }

  std::vector<Text> texts;
  std::vector<Rect> clips;
  std::vector<std::pair<Color, std::vector<Point>>> paths;

 private:
  void remember(const Path& path, Color color) { paths.emplace_back(color, path.points); }
};

Recorder drawn(const Figure& figure) {
  Recorder recorder;
  draw(figure, recorder);
  return recorder;
}

TEST(Drawing, StaysOnThePageWhateverTheData) {
  for (const auto& [name, figure] : sample_figures()) {
    SCOPED_TRACE(name);
    const Recorder r = drawn(figure);
    const Rect page =
        Rect{0, 0, figure.width_mm * kPointsPerMm, figure.height_mm * kPointsPerMm}.grown(0.01);
    for (const auto& [color, points] : r.paths)
      for (const Point p : points) ASSERT_TRUE(page.grown(5).contains(p)) << p.x << ", " << p.y;
    if (name == "small") continue;  // 20 mm cannot hold all of its text
    for (const Recorder::Text& t : r.texts) {
      EXPECT_TRUE(page.contains({t.box.x, t.box.y}) &&
                  page.contains({t.box.right(), t.box.bottom()}))
          << "'" << t.text << "' at " << t.box.x << ", " << t.box.y << " to " << t.box.right()
          << ", " << t.box.bottom();
    }
  }
}

TEST(Drawing, WritesLabelsWithoutOverlap) {
  for (const auto& [name, figure] : sample_figures()) {
    if (name == "small") continue;
    SCOPED_TRACE(name);
    const Recorder r = drawn(figure);
    for (std::size_t i = 0; i < r.texts.size(); ++i)
      for (std::size_t k = 0; k < i; ++k) {
        if (std::fmod(r.texts[i].angle, 90) != 0) continue;  // boxes say little then
        EXPECT_FALSE(overlap(r.texts[i].box, r.texts[k].box))
            << "'" << r.texts[i].text << "' and '" << r.texts[k].text << "'";
      }
  }
}

TEST(Drawing, DrawsAMillionPointsAsAFewThousand) {
  std::vector<double> x, y;
  for (int i = 0; i < 1'000'000; ++i) {
    x.push_back(i);
    y.push_back(std::sin(i * 1.7) * std::sin(i * 1e-5));
  }
  Figure figure = make_figure("", {"x"}, {"y"});
  figure.panel().add(line(x, y, "y"));
  const std::size_t n = drawn(figure).points_in(distinct_color(0));
  EXPECT_GT(n, 1000u);
  EXPECT_LT(n, 8000u);
}

TEST(Drawing, BreaksLinesAtNaN) {
  Figure figure = make_figure("", {"x"}, {"y"});
  figure.panel().add(line({0, 1, 2, 3, 4}, {0, 1, NAN, 1, 0}));
  EXPECT_EQ(drawn(figure).points_in(distinct_color(0)), 4u);
}

TEST(Drawing, ShowsPointsBetweenGapsAsDots) {
  Figure figure = make_figure("", {"x"}, {"y"});
  figure.panel().add(line({0, 1, 2, 3, 4, 5, 6}, {0, 1, NAN, 3, INFINITY, NAN, 2}));
  std::vector<std::size_t> strokes;  // in the colour of the curve: the line, then the dots
  for (const auto& [color, points] : drawn(figure).paths)
    if (color == distinct_color(0)) strokes.push_back(points.size());
  ASSERT_EQ(strokes.size(), 2u);
  EXPECT_EQ(strokes[1], 2u);
}

TEST(Drawing, HoldsTheValueInStepPlots) {
  Figure figure = make_figure("", {"x"}, {"y"});
  figure.panel().add(steps({0, 1, 2}, {0, 1, 0}));
  const Recorder r = drawn(figure);
  for (const auto& [color, points] : r.paths) {
    if (!(color == distinct_color(0))) continue;
    ASSERT_EQ(points.size(), 5u);
    EXPECT_EQ(points[0].y, points[1].y);
    EXPECT_EQ(points[1].x, points[2].x);
    EXPECT_EQ(points[2].y, points[3].y);
  }
}

TEST(Drawing, GivesOneUnitTheSameLengthOnBothAxesIfAsked) {
  Figure figure = make_figure("", {"x"}, {"y"});
  figure.panel().equal_aspect = true;
  figure.panel().add(line({0, 1, 1, 0, 0}, {0, 0, 1, 1, 0}));
  const Recorder r = drawn(figure);
  for (const auto& [color, points] : r.paths) {
    if (!(color == distinct_color(0))) continue;
    ASSERT_EQ(points.size(), 5u);
    EXPECT_NEAR(points[1].x - points[0].x, points[1].y - points[2].y, 1e-9);
  }
}

TEST(Drawing, LabelsTheXAxisOfAStackOnce) {
  Figure figure = make_stack("", {"time", "s"}, {{"a"}, {"b"}});
  const auto count = [](const Recorder& r) {
    return std::count_if(r.texts.begin(), r.texts.end(),
                         [](const auto& t) { return t.text == "time (s)"; });
  };
  EXPECT_EQ(count(drawn(figure)), 1);
  figure.share_x = false;
  EXPECT_EQ(count(drawn(figure)), 2);
}

TEST(Legends, NameSeveralSeriesButNotALoneOne) {
  Figure figure = make_figure("", {"x"}, {"y"});
  figure.panel().add(line({0, 1}, {0, 1}, "first"));
  EXPECT_FALSE(drawn(figure).has_text("first"));
  figure.panel().add(line({0, 1}, {1, 0}, "second"));
  EXPECT_TRUE(drawn(figure).has_text("first"));
  EXPECT_TRUE(drawn(figure).has_text("second"));
  figure.panel().legend = LegendPlace::kNone;
  EXPECT_FALSE(drawn(figure).has_text("first"));
}

TEST(Legends, StandWhereTheCurvesAreNot) {
  Figure figure = make_figure("", {"x"}, {"y"});
  std::vector<double> x, high, higher;
  for (int i = 0; i <= 100; ++i) {
    x.push_back(i);
    high.push_back(std::exp(i / 20.0));
    higher.push_back(1.1 * high.back());
  }
  figure.panel().add(line(x, high, "alpha")).add(line(x, higher, "beta"));
  const Recorder r = drawn(figure);
  const Rect area = r.clips.at(0);
  const Rect name = r.box_of("alpha");
  EXPECT_TRUE(area.contains({name.x, name.y}));
  for (const auto& [color, points] : r.paths) {
    if (!(color == distinct_color(0)) || points.size() <= 2) continue;
    for (const Point p : points) EXPECT_FALSE(name.contains(p));
  }
}

TEST(Legends, GoOutsideWhenCurvesAreEverywhere) {
  Figure figure = make_figure("", {"x"}, {"y"});
  std::vector<double> x, y, z;
  for (int i = 0; i <= 1000; ++i) {
    x.push_back(i);
    y.push_back(std::sin(i * 0.5));
    z.push_back(std::cos(i * 0.5));
  }
  figure.panel().add(line(x, y, "alpha")).add(line(x, z, "beta"));
  const Recorder r = drawn(figure);
  EXPECT_GT(r.box_of("alpha").x, r.clips.at(0).right());
}

TEST(Legends, TellHowManySeriesTheyLeaveOut) {
  for (const auto& [name, figure] : sample_figures()) {
    if (name != "crowded") continue;
    Recorder recorder;
    const std::vector<std::string> warnings = draw(figure, recorder);
    ASSERT_EQ(warnings.size(), 1u);
    EXPECT_NE(warnings[0].find("series left out of the legend"), std::string::npos);
  }
}

}  // namespace
}  // namespace arges::plot
