#pragma once
// Keeps a run in step with the wall clock.

#include <chrono>
#include <cstdint>
#include <vector>

#include "arges/hybrid/run_options.h"

namespace arges {

// The step that begins at model time t may begin when the clock shows t, and must be ready when the
// clock shows its end; else it is an overrun, and the next one begins late:
//
//   wait_until(t):  the work since the last call was the step that ended at t
//                   note its cost; an overrun when the clock is past t already; else sleep until t
//
// Costs are counted in classes of 1 %, so that memory does not grow with the run.
class Pacer {
 public:
  // `pace` in model time for each second; 0: wait_until() does nothing.
  void start(double t, double pace);
  void wait_until(double t) {
    if (pace_ > 0) wait(t);
  }
  RealTimeReport report() const;

 private:
  using Clock = std::chrono::steady_clock;
  void wait(double t);
  void note(double cost);

  double pace_ = 0;
  double t0_ = 0, last_ = 0;
  Clock::time_point begin_, work_begin_;
  std::vector<std::int64_t> classes_;
  double total_ = 0;
  RealTimeReport report_;
};

}  // namespace arges
