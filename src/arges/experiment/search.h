#pragma once
// What all searches share: the quantities that may change, and how a search ended.

#include <atomic>
#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

namespace arges {

// A quantity that a search may change, within bounds.
struct SearchVariable {
  enum class Scale { kLinear, kLogarithmic, kInteger };
  std::string name;
  double low = 0, high = 1;
  double start = std::numeric_limits<double>::quiet_NaN();  // NaN: the middle
  Scale scale = Scale::kLinear;

  // Between 0 and 1 on its scale; whole numbers are those between -1/2 and +1/2 around them.
  double to_unit(double value) const;
  double from_unit(double part) const;
  double first_guess() const;
};

enum class SearchStatus {
  kFound,      // as exactly as asked for
  kLimit,      // the number of evaluations is used up: the best so far
  kNotFound,   // there is none, or the search got stuck: the best so far
  kCancelled,  // from outside: the best so far
};
// "found", "limit", "not_found", "cancelled".
std::string_view to_string(SearchStatus status);

// Limits and interruption.
struct SearchLimits {
  std::int64_t max_evaluations = 1000;
  const std::atomic<bool>* cancel = nullptr;
  std::function<void(double part)> progress{};  // of the evaluations that may be done
  // Points that the search will ask for, or may ask for: they can be evaluated ahead, `width` at
  // once. The search goes the same way without; its count is of those that it has asked for.
  int width = 1;
  std::function<void(const std::vector<std::vector<double>>& points)> run_ahead{};

  bool ahead() const { return run_ahead && width > 1; }

  bool cancelled() const { return cancel != nullptr && cancel->load(); }
  void report(std::int64_t evaluations) const;
};

struct SearchResult {
  SearchStatus status = SearchStatus::kNotFound;
  std::vector<double> x;         // in the order of the variables
  double value = 0;              // what was made small
  double residual = 0;           // how far conditions are from being satisfied, at most
  std::int64_t evaluations = 0;  // of the function: runs
  std::string message;           // why there is no solution
};

}  // namespace arges
