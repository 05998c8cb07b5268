#pragma once
// Quantiles of many values in little memory.

#include <cstddef>
#include <cstdint>
#include <vector>

namespace arges {

class NumberReader;

// Keeps all values as long as there are fewer than `capacity`, and quantiles are exact,
// interpolated between neighbours. From then on levels of values that stand for 1, 2, 4, ... each:
//
//   add(v): level 0 takes it
//   a level is full: sort it; every other value (the first or the second of each pair, in turns)
//   goes to the next level, the rest is forgotten
//
// Each such step moves a rank by at most half the weight of its level: after n values the error of
// p is below log2(n / capacity) / capacity. The result depends on the order of the values, on
// nothing else. There is room for capacity * (1 + log2(n / capacity)) values, rounded up: it grows
// by one capacity when n doubles.
class QuantileSketch {
 public:
  explicit QuantileSketch(std::size_t capacity = 8192) : capacity_(capacity) {}

  void add(double value);
  std::int64_t count() const { return count_; }
  // For how many values there is room.
  std::size_t kept() const;
  // The value below which a share p of all lies. NaN without values.
  double quantile(double p) const { return quantiles({p})[0]; }
  // Several at once, in ascending order of p.
  std::vector<double> quantiles(const std::vector<double>& p) const;

  // All that it knows, as numbers (number_list.h).
  void put(std::vector<double>& numbers) const;
  // Instead of what it knew; the reader says whether it was the state of a sketch of this capacity.
  void take(NumberReader& reader);

 private:
  struct Level {
    std::vector<double> values;
    bool second = false;  // which of each pair goes on next
  };
  void add_level();

  std::size_t capacity_;
  std::int64_t count_ = 0;
  std::vector<Level> levels_;
};

}  // namespace arges
