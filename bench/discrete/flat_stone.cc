#include "arges/devs/clock.h"
#include "bench/discrete/flat_devstone.h"

namespace arges::bench {

namespace {

class FlatStone final : public FlatModel {
 public:
  void internal() override {
    ++internals_;
    sigma_ = devs::kInfinity;
  }
  void external(double, std::span<const int> x) override {
    ++externals_;
    received_ += static_cast<std::uint32_t>(x.size());
    sigma_ = 0;
  }
  void confluent(std::span<const int> x) override {
    internal();
    external(0, x);
  }
  int output() const override { return static_cast<int>(received_); }
  double time_advance() const override { return sigma_; }
  void count(DevstoneCounts& counts) const {
    ++counts.atomics;
    counts.internal += internals_;
    counts.external += externals_;
  }

 private:
  double sigma_ = devs::kInfinity;
  std::uint32_t internals_ = 0, externals_ = 0, received_ = 0;
};

}  // namespace

std::unique_ptr<FlatModel> make_flat_stone() { return std::make_unique<FlatStone>(); }

void add_counts(const FlatModel& model, DevstoneCounts& counts) {
  static_cast<const FlatStone&>(model).count(counts);
}

}  // namespace arges::bench
