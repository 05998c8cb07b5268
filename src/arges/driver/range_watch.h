#pragma once
// Whether the variables of a run stay between their min and max.

#include <span>
#include <string>
#include <vector>

#include "arges/results/sink.h"
#include "arges/solvers/options.h"

namespace arges {

// Looks at the rows of a run. A variable is outside when it is beyond its limit by more than the
// errors of the solver may explain, 10 (rtol |x|max + atol) with the largest |x| seen so far: a
// level of -1e-12 is no finding. Each variable is told once, and only a few of them.
class RangeWatch : public ResultSink {
 public:
  explicit RangeWatch(const SolverOptions& numerics) : numerics_(numerics) {}
  static bool has_work(const ResultLayout& layout);

  void begin(const ResultLayout& layout) override;
  void row(double time, std::span<const double> values) override;
  void event(const EventRecord&) override {}
  void finish(const Manifest&) override {}

  // In the order in which they were found.
  std::vector<std::string> findings() const;

 private:
  struct Watched {
    std::size_t column;
    std::string name;
    double min, max, largest = 0;
    bool told = false;
  };

  const SolverOptions numerics_;
  std::vector<Watched> watched_;
  std::vector<std::string> findings_;
  int more_ = 0;
};

}  // namespace arges
