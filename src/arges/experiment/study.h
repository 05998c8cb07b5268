#pragma once
// Sweeps and Monte Carlo studies: which values the runs take, and what they come to.

#include <cstdint>
#include <string>
#include <vector>

#include "arges/experiment/quantile_sketch.h"
#include "arges/experiment/specification.h"
#include "arges/random/statistics.h"

namespace arges {

// All combinations of the axes; the last one changes fastest.
std::int64_t sweep_size(const std::vector<SweepAxis>& axes);
std::vector<double> sweep_values(const std::vector<SweepAxis>& axes, std::int64_t index);

// What run `index` draws: from streams that depend on the seed, the index and the quantity's name
// only.
std::vector<double> random_values(const std::vector<RandomQuantity>& quantities, std::uint64_t seed,
                                  std::int64_t index);

// One observable over all runs; runs without a value do not count.
class Summary {
 public:
  void add(double value);
  const random::Tally& tally() const { return tally_; }
  // The value below which a share p of the runs lies, interpolated between runs; of more than 8191
  // runs to about 1e-3 of p (quantile_sketch.h). NaN without runs.
  double quantile(double p) const { return values_.quantile(p); }
  // As many values, or 8191 that are spread like them.
  std::vector<double> spread() const;

 private:
  random::Tally tally_;
  QuantileSketch values_;
};

// "ci(mean(x@2))<1e-3": enough runs, when the 95 % confidence interval of an observable's mean is
// narrower on either side than the limit. Values that are all alike tell nothing about how wide it
// is: something rare may not have happened yet.
struct StopRule {
  std::string observable;
  double limit = 0;
  static constexpr std::int64_t kLeastRuns = 30;

  bool satisfied(const Summary& summary) const;
  // Whether values differ by more than rounding.
  static bool has_scatter(const Summary& summary);
};
// Throws UserError with the place in the text.
StopRule parse_stop_rule(const std::string& text);

}  // namespace arges
