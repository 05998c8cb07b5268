#pragma once
// Times of two ways to do the same work.

#include <functional>
#include <string>

namespace arges::bench {

// CPU time of this process, in seconds.
double cpu_seconds();

// The least CPU time of one of `runs` runs, in seconds.
using Timed = std::function<double(int runs)>;

// Runs `work` in this process.
Timed in_process(std::function<void()> work);

struct Times {
  double ours, reference;
};
// Takes turns, so that a disturbance hits both, and keeps the least time of each: `rounds` times
// about 20 ms of either.
Times compare(const Timed& ours, const Timed& reference, int rounds = 12);

// The plain C program for a problem ("c1", "c5", "heat"), in a process of its own.
struct BareCvode {
  std::string problem;
  double rtol;

  struct Report {
    double least = 0;  // seconds
    double error = 0;
    int events = 0;
    long steps = 0;
  };
  Report run(int runs) const;
  Timed timed() const;
};

}  // namespace arges::bench
