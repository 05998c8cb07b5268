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
// `rounds` times, in turns, the least time of one run in about 5 ms of either; of these the lower
// quartile. What disturbs a run makes it longer, and in so many short turns both meet quiet
// moments, also on a busy machine; the very least would be at the mercy of the CPU clock, which
// sometimes loses time there.
Times compare(const Timed& ours, const Timed& reference, int rounds = 40);

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
