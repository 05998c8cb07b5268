#include <algorithm>
#include <cmath>

#include "arges/base/error.h"
#include "arges/fuzzy/rule_base.h"

namespace arges::fuzzy {

namespace {

// A conclusion with its strength, as a function.
struct Concluded {
  const FuzzySet& set;
  double strength;
  Implication implication;

  double grade(double x) const {
    const double full = set.grade(x);
    return implication == Implication::kCut ? std::min(full, strength) : strength * full;
  }
  // Where it may bend: its points, and where the cut meets its flanks.
  void add_bends(std::vector<double>& all) const {
    const std::vector<SetPoint>& points = set.points();
    for (std::size_t i = 0; i < points.size(); ++i) {
      all.push_back(points[i].x);
      if (i == 0 || implication == Implication::kScale) continue;
      const SetPoint &a = points[i - 1], &b = points[i];
      if ((a.grade - strength) * (b.grade - strength) < 0)
        all.push_back(a.x + (b.x - a.x) * (strength - a.grade) / (b.grade - a.grade));
    }
  }
};

void sort_within(std::vector<double>& x, double low, double high) {
  std::erase_if(x, [&](double each) { return each < low || each > high; });
  x.push_back(low);
  x.push_back(high);
  std::ranges::sort(x);
  x.erase(std::unique(x.begin(), x.end()), x.end());
}

double centroid(const std::vector<SetPoint>& points) {
  double area = 0, moment = 0;
  for (std::size_t i = 1; i < points.size(); ++i) {
    const SetPoint &a = points[i - 1], &b = points[i];
    const double width = b.x - a.x;
    area += width * (a.grade + b.grade) / 2;
    moment += width * (a.grade * (2 * a.x + b.x) + b.grade * (a.x + 2 * b.x)) / 6;
  }
  return moment / area;
}

double mean_of_maxima(const std::vector<SetPoint>& points) {
  double largest = 0;
  for (const SetPoint& each : points) largest = std::max(largest, each.grade);
  // Flat pieces count by their width; without one, single tops count alike.
  double width = 0, moment = 0, tops = 0, sum = 0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (points[i].grade < largest) continue;
    tops += 1;
    sum += points[i].x;
    if (i > 0 && points[i - 1].grade == largest) {
      const double piece = points[i].x - points[i - 1].x;
      width += piece;
      moment += piece * (points[i].x + points[i - 1].x) / 2;
    }
  }
  return width > 0 ? moment / width : sum / tops;
}

}  // namespace

Mamdani::Mamdani(And and_means, double low, double high, Implication implication,
                 Defuzzification defuzzification)
    : base_(and_means),
      low_(low),
      high_(high),
      implication_(implication),
      defuzzification_(defuzzification) {
  if (!(low < high)) throw ApiError("the range of an output must not be empty");
}

void Mamdani::add_rule(Conditions conditions, FuzzySet conclusion) {
  for (std::size_t i = 1; i < conclusion.points().size(); ++i) {
    if (conclusion.points()[i - 1].x == conclusion.points()[i].x)
      throw ApiError("a set that a rule concludes must not have steps");
  }
  base_.add_rule(std::move(conditions));
  conclusions_.push_back(std::move(conclusion));
}

std::vector<SetPoint> Mamdani::conclusion(std::span<const double> x) const {
  const std::vector<double> strengths = base_.strengths(x);
  std::vector<Concluded> active;
  std::vector<double> bends;
  for (std::size_t k = 0; k < strengths.size(); ++k) {
    if (strengths[k] <= 0) continue;
    active.push_back({conclusions_[k], strengths[k], implication_});
    active.back().add_bends(bends);
  }
  sort_within(bends, low_, high_);
  // Between two bends each conclusion is a straight line; the largest changes where two cross.
  std::vector<double> places = bends;
  for (std::size_t i = 1; i < bends.size(); ++i) {
    const double a = bends[i - 1], b = bends[i];
    for (std::size_t j = 0; j < active.size(); ++j) {
      for (std::size_t k = j + 1; k < active.size(); ++k) {
        const double before = active[j].grade(a) - active[k].grade(a),
                     after = active[j].grade(b) - active[k].grade(b);
        if (before * after < 0) places.push_back(a + (b - a) * before / (before - after));
      }
    }
  }
  sort_within(places, low_, high_);
  std::vector<SetPoint> points;
  for (const double place : places) {
    double largest = 0;
    for (const Concluded& each : active) largest = std::max(largest, each.grade(place));
    points.push_back({place, largest});
  }
  return points;
}

double Mamdani::operator()(std::span<const double> x) const {
  const std::vector<SetPoint> points = conclusion(x);
  if (std::ranges::all_of(points, [](const SetPoint& each) { return each.grade == 0; }))
    return (low_ + high_) / 2;
  return defuzzification_ == Defuzzification::kCentroid ? centroid(points) : mean_of_maxima(points);
}

}  // namespace arges::fuzzy
