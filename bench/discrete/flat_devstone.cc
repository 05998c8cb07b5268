#include "bench/discrete/flat_devstone.h"

#include <algorithm>

#include "arges/devs/clock.h"
#include "bench/discrete/stopwatch.h"

namespace arges::bench {

namespace {

// Atomics are numbers; a level's stones with a list of destinations each.
struct Flat {
  std::vector<std::vector<std::uint32_t>> to;
  std::vector<std::uint32_t> start;  // reached by the input

  std::uint32_t stone() {
    to.emplace_back();
    return static_cast<std::uint32_t>(to.size() - 1);
  }
};

// Returns what the second input of the level reaches.
std::vector<std::uint32_t> build(Flat& flat, DevstoneKind kind, int width, int depth) {
  if (depth == 1) {
    flat.start.push_back(flat.stone());
    return {};
  }
  const std::vector<std::uint32_t> inner = build(flat, kind, width, depth - 1);
  if (kind != DevstoneKind::kHOmod) {
    for (int i = 1; i < width; ++i) {
      const std::uint32_t stone = flat.stone();
      flat.start.push_back(stone);
      if (kind != DevstoneKind::kLI && i > 1) flat.to[stone - 1].push_back(stone);
    }
    return {};
  }
  std::vector<std::uint32_t> second, first, above;
  for (int i = 1; i < width; ++i) {
    first.push_back(flat.stone());
    flat.to[first.back()] = inner;
  }
  second = first;
  for (int i = 1; i < width; ++i) {
    above.push_back(flat.stone());
    flat.to[above.back()] = first;
  }
  second.push_back(above.front());
  while (above.size() > 1) {
    std::vector<std::uint32_t> present;
    for (std::size_t i = 1; i < above.size(); ++i) {
      present.push_back(flat.stone());
      flat.to[present.back()] = {above[i]};
    }
    second.push_back(present.front());
    above = std::move(present);
  }
  return second;
}

class FlatLoop {
 public:
  explicit FlatLoop(const Flat& flat)
      : inbox_(flat.to.size()), last_(flat.to.size(), 0), is_imminent_(flat.to.size(), 0) {
    offset_.push_back(0);
    for (const auto& list : flat.to) {
      models_.push_back(make_flat_stone());
      to_.insert(to_.end(), list.begin(), list.end());
      offset_.push_back(static_cast<std::uint32_t>(to_.size()));
    }
  }

  void run(const std::vector<std::uint32_t>& start) {
    for (const std::uint32_t id : start) send(id, 0);
    transitions();
    while (!next_.empty()) {
      imminent_.clear();
      std::swap(imminent_, next_);
      for (const std::uint32_t id : imminent_) {
        is_imminent_[id] = 1;
        const int value = models_[id]->output();
        for (std::uint32_t k = offset_[id]; k < offset_[id + 1]; ++k) send(to_[k], value);
      }
      transitions();
    }
  }

  DevstoneCounts counts() const {
    DevstoneCounts counts;
    for (const auto& model : models_) add_counts(*model, counts);
    return counts;
  }

 private:
  void send(std::uint32_t id, int value) {
    if (inbox_[id].empty()) receivers_.push_back(id);
    inbox_[id].push_back(value);
  }
  void transitions() {
    for (const std::uint32_t id : imminent_) {
      if (!inbox_[id].empty()) continue;
      models_[id]->internal();
      is_imminent_[id] = 0;
      schedule(id);
    }
    for (const std::uint32_t id : receivers_) {
      const std::span<const int> x(inbox_[id]);
      if (is_imminent_[id]) {
        models_[id]->confluent(x);
        is_imminent_[id] = 0;
      } else {
        models_[id]->external(now_ - last_[id], x);
      }
      inbox_[id].clear();
      schedule(id);
    }
    receivers_.clear();
  }
  void schedule(std::uint32_t id) {
    last_[id] = now_;
    if (models_[id]->time_advance() == 0) next_.push_back(id);
  }

  std::vector<std::unique_ptr<FlatModel>> models_;
  std::vector<std::uint32_t> offset_, to_, imminent_, next_, receivers_;
  std::vector<std::vector<int>> inbox_;
  std::vector<double> last_;
  std::vector<std::uint8_t> is_imminent_;
  double now_ = 0;
};

}  // namespace

DevstoneCounts run_flat_devstone(DevstoneKind kind, int width, int depth, double& seconds) {
  Flat flat;
  const std::vector<std::uint32_t> second = build(flat, kind, width, depth);
  flat.start.insert(flat.start.end(), second.begin(), second.end());
  FlatLoop loop(flat);
  const Stopwatch watch;
  loop.run(flat.start);
  seconds = watch.seconds();
  return loop.counts();
}

}  // namespace arges::bench
