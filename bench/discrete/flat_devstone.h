#pragma once
// The limit for DEVStone: a program made for this one task. Virtual transition functions as a user
// writes them, but couplings that are flat arrays from the beginning, messages that are ints in one
// reusable inbox an atomic, and a list in place of a schedule, since no time passes.

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "bench/discrete/devstone.h"

namespace arges::bench {

class FlatModel {
 public:
  virtual ~FlatModel() = default;
  virtual void internal() = 0;
  virtual void external(double elapsed, std::span<const int> x) = 0;
  virtual void confluent(std::span<const int> x) = 0;
  virtual int output() const = 0;
  virtual double time_advance() const = 0;
};

// In another translation unit than the loop, so that calls stay virtual.
std::unique_ptr<FlatModel> make_flat_stone();
void add_counts(const FlatModel& model, DevstoneCounts& counts);

// Runs DEVStone and returns the counts; `seconds` is the time of the run without the building.
DevstoneCounts run_flat_devstone(DevstoneKind kind, int width, int depth, double& seconds);

}  // namespace arges::bench
