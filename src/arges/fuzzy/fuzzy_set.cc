#include "arges/fuzzy/fuzzy_set.h"

#include <algorithm>

#include "arges/base/error.h"

namespace arges::fuzzy {

FuzzySet::FuzzySet(std::vector<SetPoint> points) : points_(std::move(points)) {
  if (points_.empty()) throw ApiError("a fuzzy set needs at least one point");
  for (std::size_t i = 0; i < points_.size(); ++i) {
    if (!(points_[i].grade >= 0 && points_[i].grade <= 1))
      throw ApiError("the grades of a fuzzy set lie between 0 and 1");
    if (i > 0 && !(points_[i - 1].x <= points_[i].x))
      throw ApiError("the points of a fuzzy set must ascend");
  }
}

double FuzzySet::grade(double x) const {
  // The first point at or after x, and the first one after it.
  const auto right = std::ranges::lower_bound(points_, x, {}, &SetPoint::x);
  if (right == points_.end()) return points_.back().grade;
  if (right->x == x) {
    double largest = right->grade;
    for (auto same = right; same != points_.end() && same->x == x; ++same)
      largest = std::max(largest, same->grade);
    return largest;
  }
  if (right == points_.begin()) return right->grade;
  const auto left = right - 1;
  return left->grade + (right->grade - left->grade) * (x - left->x) / (right->x - left->x);
}

FuzzySet trapezoid(double a, double b, double c, double d) {
  return FuzzySet({{a, 0}, {b, 1}, {c, 1}, {d, 0}});
}
FuzzySet triangle(double a, double b, double c) { return FuzzySet({{a, 0}, {b, 1}, {c, 0}}); }
FuzzySet falling(double a, double b) { return FuzzySet({{a, 1}, {b, 0}}); }
FuzzySet rising(double a, double b) { return FuzzySet({{a, 0}, {b, 1}}); }

std::vector<FuzzySet> partition(const std::vector<double>& tops) {
  if (tops.size() < 2) throw ApiError("a partition needs at least two tops");
  std::vector<FuzzySet> sets = {falling(tops[0], tops[1])};
  for (std::size_t i = 1; i + 1 < tops.size(); ++i)
    sets.push_back(triangle(tops[i - 1], tops[i], tops[i + 1]));
  sets.push_back(rising(tops[tops.size() - 2], tops.back()));
  return sets;
}

}  // namespace arges::fuzzy
