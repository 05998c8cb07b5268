#include "arges/external/smooth_pieces.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "arges/external/smooth_piece.h"

namespace arges::external {

namespace {

// How far a piece is good beyond its ends, of its length: more than rounding needs.
constexpr double kBeyond = 1.0 / 16;
constexpr int kFinest = 2 * SmoothPieces::kHighest;

// (1 - cos(pi j / kFinest)) / 2, symmetric to the last bit.
const std::array<double, kFinest + 1>& shares() {
  static const std::array<double, kFinest + 1> all = [] {
    std::array<double, kFinest + 1> s{};
    for (int j = 0; j <= kFinest / 2; ++j) {
      const double sine = std::sin(std::numbers::pi * j / (2 * kFinest));
      s[static_cast<std::size_t>(j)] = sine * sine;
      s[static_cast<std::size_t>(kFinest - j)] = 1 - sine * sine;
    }
    return s;
  }();
  return all;
}

}  // namespace

double SmoothPieces::place(double from, double to, int n, int j) {
  if (j == n) return to;
  return from + (to - from) * shares()[static_cast<std::size_t>(j * (kFinest / n))];
}

double SmoothPieces::read(double from, double to, std::span<const double> values, double at) {
  const int n = static_cast<int>(values.size()) - 1;
  // The weights add up to one only up to rounding: they are applied to differences.
  double above = 0, below = 0;
  for (int j = 0; j <= n; ++j) {
    const double value = values[static_cast<std::size_t>(j)];
    const double distance = at - place(from, to, n, j);
    if (distance == 0) return value;
    const double weight = ((j % 2 == 0) ? 1.0 : -1.0) * (j == 0 || j == n ? 0.5 : 1.0) / distance;
    above += weight * (value - values[0]);
    below += weight;
  }
  return values[0] + above / below;
}

void SmoothPieces::clear() {
  pieces_.clear();
  values_.clear();
}

void SmoothPieces::add(double from, double to, std::span<const double> values) {
  pieces_.push_back({from, to, values_.size()});
  values_.insert(values_.end(), values.begin(), values.end());
}

std::span<const double> SmoothPieces::values_of(std::size_t piece) const {
  const std::size_t first = pieces_[piece].values;
  const std::size_t last = piece + 1 < pieces_.size() ? pieces_[piece + 1].values : values_.size();
  return {values_.data() + first, last - first};
}

double SmoothPieces::last_value(std::size_t piece) const { return values_of(piece).back(); }

double SmoothPieces::at(double place, std::size_t first, std::size_t last) const {
  const auto begin = pieces_.begin() + static_cast<std::ptrdiff_t>(first);
  const auto after = std::upper_bound(begin, pieces_.begin() + static_cast<std::ptrdiff_t>(last),
                                      place, [](double p, const Piece& q) { return p < q.from; });
  const std::size_t piece =
      after == begin ? first : static_cast<std::size_t>(after - pieces_.begin()) - 1;
  const auto [from, to, unused] = pieces_[piece];
  const std::span<const double> values = values_of(piece);
  if (values.size() == 1) {
    // The beginning of the next piece is the same place; a point alone is constant.
    return values[0];
  }
  const double slack = kBeyond * (to - from);
  return read(from, to, values, std::clamp(place, from - slack, to + slack));
}

double SmoothPieces::beyond(double place) const {
  const auto [from, to, unused] = pieces_.back();
  const std::span<const double> values = values_of(pieces_.size() - 1);
  if (values.size() <= 2) return values.size() == 1 ? values[0] : read(from, to, values, place);
  std::array<double, 4> places{}, known{};
  for (std::size_t i = 0; i < 4; ++i) {
    places[i] = i == 3 ? to : from + (to - from) * static_cast<double>(i) / 3;
    known[i] = read(from, to, values, places[i]);
  }
  return read_smooth(places, known, 0, 4, place);
}

}  // namespace arges::external
