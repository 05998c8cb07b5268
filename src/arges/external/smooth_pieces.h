#pragma once
// A curve made of polynomials.

#include <cstddef>
#include <span>
#include <vector>

namespace arges::external {

// Polynomials on intervals that follow each other, each given by its values at the places
//
//   x_j = from + (to - from) (1 - cos(pi j / n)) / 2,   j = 0 ... n,
//
// (Chebyshev's, of the second kind) of its interval, and read by the barycentric formula, which is
// stable at all degrees n. A piece may also be a point. Where all values of a piece are equal it is
// that value to the last bit.
class SmoothPieces {
 public:
  static constexpr int kLowest = 4, kHighest = 16;  // degrees; 1 as well
  // Place j of degree n (1, 4, 8, 16, 32) in [from, to]; the ends are exact. Those of n are every
  // other one of 2 n.
  static double place(double from, double to, int n, int j);
  // The polynomial through `values` at these places.
  static double read(double from, double to, std::span<const double> values, double at);

  void clear();
  void add(double from, double to, std::span<const double> values);
  void add_point(double at, double value) { add(at, at, {&value, 1}); }
  void set_last(double value) { values_.back() = value; }
  std::size_t size() const { return pieces_.size(); }
  double begin(std::size_t piece) const { return pieces_[piece].from; }
  double end(std::size_t piece) const { return pieces_[piece].to; }
  double last_value(std::size_t piece) const;
  // At a place of the pieces [first, last), which is moved to the nearest of them, unless it is
  // beyond them by a little: then what is there goes on.
  double at(double place, std::size_t first, std::size_t last) const;
  // Beyond the end of the last piece: by the cubic through four of its values.
  double beyond(double place) const;

 private:
  struct Piece {
    double from, to;
    std::size_t values;  // position of the first
  };
  std::span<const double> values_of(std::size_t piece) const;

  std::vector<Piece> pieces_;
  std::vector<double> values_;
};

}  // namespace arges::external
