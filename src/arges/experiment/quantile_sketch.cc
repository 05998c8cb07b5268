#include "arges/experiment/quantile_sketch.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "arges/experiment/number_list.h"

namespace arges {

// Vectors that grow leave holes of half their size, in each of the sketches of a study.
void QuantileSketch::add_level() { levels_.emplace_back().values.reserve(capacity_); }

std::size_t QuantileSketch::kept() const {
  std::size_t room = 0;
  for (const Level& each : levels_) room += each.values.capacity();
  return room;
}

void QuantileSketch::add(double value) {
  ++count_;
  if (levels_.empty()) add_level();
  levels_[0].values.push_back(value);
  for (std::size_t k = 0; levels_[k].values.size() >= capacity_; ++k) {
    if (k + 1 == levels_.size()) add_level();
    Level& full = levels_[k];
    std::ranges::sort(full.values);
    for (std::size_t i = full.second ? 1 : 0; i < full.values.size(); i += 2)
      levels_[k + 1].values.push_back(full.values[i]);
    full.values.clear();
    full.second = !full.second;
  }
}

void QuantileSketch::put(std::vector<double>& numbers) const {
  numbers.push_back(static_cast<double>(count_));
  numbers.push_back(static_cast<double>(levels_.size()));
  for (const Level& each : levels_) {
    numbers.push_back(each.second ? 1 : 0);
    numbers.push_back(static_cast<double>(each.values.size()));
    numbers.insert(numbers.end(), each.values.begin(), each.values.end());
  }
}

void QuantileSketch::take(NumberReader& reader) {
  constexpr std::int64_t kMostLevels = 64;
  count_ = reader.take_count(kMostCounted);
  levels_.clear();
  const std::int64_t levels = reader.take_count(kMostLevels);
  for (std::int64_t k = 0; k < levels && reader.ok(); ++k) {
    add_level();
    levels_.back().second = reader.take_count(1) == 1;
    const auto size =
        static_cast<std::size_t>(reader.take_count(static_cast<std::int64_t>(capacity_) - 1));
    const std::vector<double> values = reader.take_list(size);
    levels_.back().values.assign(values.begin(), values.end());
  }
}

std::vector<double> QuantileSketch::quantiles(const std::vector<double>& p) const {
  std::vector<double> result(p.size(), std::numeric_limits<double>::quiet_NaN());
  if (count_ == 0) return result;
  std::vector<std::pair<double, double>> all;  // value and weight
  double total = 0;
  for (std::size_t k = 0; k < levels_.size(); ++k) {
    const double weight = std::ldexp(1.0, static_cast<int>(k));
    for (const double value : levels_[k].values) all.emplace_back(value, weight);
    total += weight * static_cast<double>(levels_[k].values.size());
  }
  std::ranges::sort(all);
  // Values of weight w stand for w equal ones, at ranks 0 ... total - 1.
  std::size_t i = 0;
  double last = all[0].second - 1;  // rank of the last one that value i stands for
  for (std::size_t k = 0; k < p.size(); ++k) {
    const double at = p[k] * (total - 1);
    while (i + 1 < all.size() && at >= last + 1) last += all[++i].second;
    result[k] = at <= last || i + 1 == all.size()
                    ? all[i].first
                    : std::lerp(all[i].first, all[i + 1].first, at - last);
  }
  return result;
}

}  // namespace arges
