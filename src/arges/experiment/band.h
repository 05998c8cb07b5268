#pragma once
// A variable over time, over all runs of a study.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "arges/experiment/quantile_sketch.h"
#include "arges/random/statistics.h"

namespace arges {

// Mean and quantiles at each of some times, taken while the runs go by: memory hardly grows with
// their number. What it comes to depends on the order of the runs.
class Band {
 public:
  Band(std::string variable, std::vector<double> times);

  const std::string& variable() const { return variable_; }
  const std::vector<double>& times() const { return times_; }
  // Of one run, one value a time; those that are not finite do not count.
  void add(std::span<const double> values);
  double mean(std::size_t time) const { return tallies_[time].mean(); }
  // In ascending order of p.
  std::vector<double> quantiles(std::size_t time, const std::vector<double>& p) const {
    return quantiles_[time].quantiles(p);
  }

 private:
  friend std::vector<double> state_of(const std::vector<Band>&, std::int64_t);
  friend std::optional<std::int64_t> restore(std::vector<Band>&, std::span<const double>);

  std::string variable_;
  std::vector<double> times_;
  std::vector<random::Tally> tallies_;     // one a time
  std::vector<QuantileSketch> quantiles_;  // likewise
};

// All that the bands know after so many runs. Bands that are restored from it and take the next
// runs come to the same, bit by bit, as if they had taken all.
std::vector<double> state_of(const std::vector<Band>& bands, std::int64_t runs);
// Bands of the same variables and times get the state; returns the number of runs. Nothing happens
// when it is the state of others, or damaged.
std::optional<std::int64_t> restore(std::vector<Band>& bands, std::span<const double> state);

}  // namespace arges
