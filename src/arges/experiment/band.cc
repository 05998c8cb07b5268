#include "arges/experiment/band.h"

#include <cmath>
#include <utility>

#include "arges/experiment/number_list.h"

namespace arges {

namespace {

constexpr std::size_t kCapacity = 1024;  // of the quantiles at each time

void put(std::vector<double>& numbers, const random::TallyState& tally) {
  numbers.insert(numbers.end(), {static_cast<double>(tally.count), tally.mean, tally.squares,
                                 tally.min, tally.max});
}

random::TallyState take_tally(NumberReader& reader) {
  random::TallyState tally;
  tally.count = reader.take_count(kMostCounted);
  tally.mean = reader.take();
  tally.squares = reader.take();
  tally.min = reader.take();
  tally.max = reader.take();
  return tally;
}

}  // namespace

Band::Band(std::string variable, std::vector<double> times)
    : variable_(std::move(variable)),
      times_(std::move(times)),
      tallies_(times_.size()),
      quantiles_(times_.size(), QuantileSketch(kCapacity)) {}

void Band::add(std::span<const double> values) {
  for (std::size_t k = 0; k < times_.size(); ++k) {
    if (!std::isfinite(values[k])) continue;
    tallies_[k].add(values[k]);
    quantiles_[k].add(values[k]);
  }
}

std::vector<double> state_of(const std::vector<Band>& bands, std::int64_t runs) {
  std::vector<double> numbers = {static_cast<double>(runs), static_cast<double>(bands.size())};
  for (const Band& band : bands) {
    numbers.push_back(static_cast<double>(band.times_.size()));
    for (std::size_t k = 0; k < band.times_.size(); ++k) {
      put(numbers, band.tallies_[k].state());
      band.quantiles_[k].put(numbers);
    }
  }
  return numbers;
}

std::optional<std::int64_t> restore(std::vector<Band>& bands, std::span<const double> state) {
  NumberReader reader(state);
  const std::int64_t runs = reader.take_count(kMostCounted);
  if (reader.take() != static_cast<double>(bands.size())) return std::nullopt;
  std::vector<Band> restored;
  for (const Band& band : bands) {
    Band& each = restored.emplace_back(band.variable_, band.times_);
    if (reader.take() != static_cast<double>(each.times_.size())) return std::nullopt;
    for (std::size_t k = 0; k < each.times_.size() && reader.ok(); ++k) {
      each.tallies_[k] = random::Tally(take_tally(reader));
      each.quantiles_[k].take(reader);
    }
  }
  if (!reader.ok() || !reader.at_end()) return std::nullopt;
  bands = std::move(restored);
  return runs;
}

}  // namespace arges
