#pragma once
// Sets of real numbers to which a number belongs more or less.

#include <vector>

namespace arges::fuzzy {

struct SetPoint {
  double x, grade;
};

// A piecewise linear membership function: its points, and the grade of the first and the last point
// beyond them. Grades are between 0 and 1. A step is two points with the same x; at the step itself
// the larger grade holds.
class FuzzySet {
 public:
  // Throws ApiError when there is no point, when x descends, or a grade is not between 0 and 1.
  explicit FuzzySet(std::vector<SetPoint> points);

  double grade(double x) const;
  const std::vector<SetPoint>& points() const { return points_; }

 private:
  std::vector<SetPoint> points_;
};

// 0 up to a, 1 from b to c, 0 from d on; a = b or c = d are steps.
FuzzySet trapezoid(double a, double b, double c, double d);
FuzzySet triangle(double a, double b, double c);
// 1 up to a, 0 from b on; and 0 up to a, 1 from b on.
FuzzySet falling(double a, double b);
FuzzySet rising(double a, double b);
// Triangles with their tops at these places (ascending, at least two), each falling to 0 at its
// neighbours; the outermost stay 1. Everywhere the grades add up to 1.
std::vector<FuzzySet> partition(const std::vector<double>& tops);

}  // namespace arges::fuzzy
