#pragma once
// What a summary knows, as a list of numbers in a file: it goes on from there.

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace arges {

// Takes numbers one after another. Files may be damaged: what is missing, or no count where one is
// due, is 0, and ok() is false from then on.
class NumberReader {
 public:
  explicit NumberReader(std::span<const double> numbers) : rest_(numbers) {}

  double take() {
    if (rest_.empty()) {
      ok_ = false;
      return 0;
    }
    const double value = rest_.front();
    rest_ = rest_.subspan(1);
    return value;
  }
  // A whole number from 0 to `most`.
  std::int64_t take_count(std::int64_t most) {
    const double value = take();
    if (value >= 0 && value <= static_cast<double>(most) && value == std::floor(value))
      return static_cast<std::int64_t>(value);
    ok_ = false;
    return 0;
  }
  std::vector<double> take_list(std::size_t count) {
    if (count > rest_.size()) {
      ok_ = false;
      return {};
    }
    std::vector<double> values(rest_.begin(), rest_.begin() + static_cast<std::ptrdiff_t>(count));
    rest_ = rest_.subspan(count);
    return values;
  }
  bool ok() const { return ok_; }
  bool at_end() const { return rest_.empty(); }

 private:
  std::span<const double> rest_;
  bool ok_ = true;
};

// More runs than any study has; doubles are exact up to here.
constexpr std::int64_t kMostCounted = std::int64_t{1} << 53;

}  // namespace arges
